package btree

import "math/bits"

// appendVarint appends SQLite's big-endian varint of 1 to 9 bytes (§1.6): seven
// bits a byte, but all eight of a ninth.
func appendVarint(b []byte, v uint64) []byte {
	if v < 1<<7 {
		return append(b, byte(v))
	}
	rest, last := v>>7, byte(v&0x7f)
	shift := (bits.Len64(rest) - 1) / 7 * 7
	if v >= 1<<56 {
		rest, last, shift = v>>8, byte(v), 49
	}
	for ; shift >= 0; shift -= 7 {
		b = append(b, byte(rest>>shift)|0x80)
	}
	return append(b, last)
}

// varint reads one at the start of b. n is 0 when b ends inside it.
func varint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	for i, c := range b {
		if i == 8 {
			return v<<8 | uint64(c), 9
		}
		v = v<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
