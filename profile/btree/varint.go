package btree

// appendVarint appends SQLite's big-endian varint of 1 to 9 bytes (§1.6): seven
// bits a byte, but all eight of a ninth.
func appendVarint(b []byte, v uint64) []byte {
	switch {
	case v < 1<<7:
		return append(b, byte(v))
	case v < 1<<14:
		return append(b, byte(v>>7)|0x80, byte(v&0x7f))
	case v < 1<<56:
		var tmp [8]byte
		i := len(tmp) - 1
		tmp[i] = byte(v & 0x7f)
		for v >>= 7; v > 0; v >>= 7 {
			i--
			tmp[i] = byte(v) | 0x80
		}
		return append(b, tmp[i:]...)
	}
	return append(b, byte(v>>57)|0x80, byte(v>>50)|0x80, byte(v>>43)|0x80, byte(v>>36)|0x80,
		byte(v>>29)|0x80, byte(v>>22)|0x80, byte(v>>15)|0x80, byte(v>>8)|0x80, byte(v))
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
