package stored

import "encoding/binary"

// Numbers reads the LEB128 numbers that are packed in a column's bytes. The first failure is
// kept, and what is read after it is zero: Err says once whether all of it holds.
type Numbers struct {
	what string
	rest []byte
	err  error
}

// ReadNumbers reads packed from its beginning; errors say what it is.
func ReadNumbers(what string, packed []byte) Numbers { return Numbers{what: what, rest: packed} }

// Left is how many bytes are still to be read.
func (n *Numbers) Left() int { return len(n.rest) }

// Err is the first failure, and wraps [ErrDamaged].
func (n *Numbers) Err() error { return n.err }

// Fail keeps a failure that the reader has found, unless there was one before, and ends reading.
func (n *Numbers) Fail(format string, args ...any) {
	if n.err == nil {
		n.err = Damaged(n.what+": "+format, args...)
	}
	n.rest = nil
}

// Bytes takes size bytes as they are.
func (n *Numbers) Bytes(size int) []byte {
	if size < 0 || size > len(n.rest) {
		n.Fail("%d bytes expected, %d left", size, len(n.rest))
		return nil
	}
	b := n.rest[:size]
	n.rest = n.rest[size:]
	return b
}

// Uint reads a number.
func (n *Numbers) Uint() uint64 {
	v, size := binary.Uvarint(n.rest)
	if size <= 0 {
		n.Fail("it is cut short")
		return 0
	}
	n.rest = n.rest[size:]
	return v
}

// Int reads a number of which the lowest bit is the sign (zigzag).
func (n *Numbers) Int() int64 {
	v := n.Uint()
	return int64(v>>1) ^ -int64(v&1)
}

// Below reads a number that must be below most, an index for example; otherwise it is 0.
func (n *Numbers) Below(most int, what string) uint64 {
	v := n.Uint()
	if v >= uint64(most) {
		n.Fail("%s %d of %d", what, v, most)
		return 0
	}
	return v
}

// Count reads how many things of at least so many bytes each follow.
func (n *Numbers) Count(least int) int {
	v := n.Uint()
	if v > uint64(len(n.rest)/least) {
		n.Fail("it counts %d where %d bytes follow", v, len(n.rest))
		return 0
	}
	return int(v)
}
