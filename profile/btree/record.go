package btree

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Record builds the payload of one row, its columns in the table's order
// (§2.1). The zero Record is ready; Reset makes it ready again and keeps its
// memory.
type Record struct {
	types []byte // serial types, as varints
	body  []byte
}

// Reset empties the record.
func (r *Record) Reset() { r.types, r.body = r.types[:0], r.body[:0] }

// Null adds a NULL: also the stored form of the INTEGER PRIMARY KEY, whose
// value is the row id.
func (r *Record) Null() { r.types = append(r.types, 0) }

// widths are the serial types of integers that take so many bytes with their sign, and
// how many they are written in.
var widths = [9]struct{ serial, size byte }{{}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 6}, {5, 6}, {6, 8}, {6, 8}}

// Int adds an integer in its shortest form.
func (r *Record) Int(v int64) {
	u := uint64(v)
	if u <= 1 {
		r.types = append(r.types, byte(8+u))
		return
	}
	w := widths[bits.Len64(uint64(v^v>>63))/8+1]
	r.types = append(r.types, w.serial)
	r.body = binary.BigEndian.AppendUint64(r.body, u<<(64-8*w.size))[:len(r.body)+int(w.size)]
}

// Uint adds a uint64 as the int64 of the same bits.
func (r *Record) Uint(v uint64) { r.Int(int64(v)) }

// Real adds a double.
func (r *Record) Real(v float64) {
	r.types = append(r.types, 7)
	r.body = binary.BigEndian.AppendUint64(r.body, math.Float64bits(v))
}

// Text adds a TEXT, which must be valid UTF-8.
func (r *Record) Text(b []byte) {
	r.types = appendVarint(r.types, uint64(len(b))*2+13)
	r.body = append(r.body, b...)
}

// Blob adds a BLOB.
func (r *Record) Blob(b []byte) {
	r.types = appendVarint(r.types, uint64(len(b))*2+12)
	r.body = append(r.body, b...)
}

// headerSize is the size of the header: of the types and of itself.
func (r *Record) headerSize() int {
	if len(r.types) < 127 {
		return len(r.types) + 1
	}
	return len(r.types) + 2
}

// Size is the payload's, in bytes.
func (r *Record) Size() int { return r.headerSize() + len(r.body) }

// appendTo appends the payload.
func (r *Record) appendTo(b []byte) []byte {
	b = appendVarint(b, uint64(r.headerSize()))
	b = append(b, r.types...)
	return append(b, r.body...)
}
