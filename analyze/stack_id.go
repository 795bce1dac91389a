package analyze

import (
	"encoding/binary"
	"math/bits"

	"proflens/decode/memprof"
)

// StackID is the number by which the compiler knows a frame (memprof.md §5.3):
// it stands in the !memprof and !callsite metadata of its IR, and in its
// remarks. It is the first eight bytes of BLAKE3 over function, line offset and
// column. A frame without a function, which the compiler never sees, gets a
// number of its module and address.
func StackID(f *memprof.Frame) uint64 {
	first, second := f.Function, uint64(f.Column)<<32|uint64(f.LineOffset)
	if f.Function == 0 && f.Address != 0 {
		first, second = f.Address, uint64(uint32(f.Module))<<32|1<<31
	}
	return blake3(first, second)
}

// The constants of BLAKE3: the words that a hash starts from, and the order in
// which a round leaves the words of the message to the next.
var (
	blake3Start = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	blake3Order = [16]uint8{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}
)

// blake3 is the first eight bytes of the BLAKE3 of 16 bytes, which are less
// than a block: one call of its compression function is the whole hash.
func blake3(first, second uint64) uint64 {
	const (
		size  = 16
		flags = 1 | 2 | 8 // the block begins and ends its chunk, and the chunk is the root
	)
	m := [16]uint32{uint32(first), uint32(first >> 32), uint32(second), uint32(second >> 32)}
	s := [16]uint32{12: 0, 13: 0, 14: size, 15: flags}
	copy(s[:], blake3Start[:])
	copy(s[8:], blake3Start[:4])
	mix := func(a, b, c, d int, x, y uint32) {
		s[a] += s[b] + x
		s[d] = bits.RotateLeft32(s[d]^s[a], -16)
		s[c] += s[d]
		s[b] = bits.RotateLeft32(s[b]^s[c], -12)
		s[a] += s[b] + y
		s[d] = bits.RotateLeft32(s[d]^s[a], -8)
		s[c] += s[d]
		s[b] = bits.RotateLeft32(s[b]^s[c], -7)
	}
	for range 7 {
		for i := range 4 { // columns
			mix(i, 4+i, 8+i, 12+i, m[2*i], m[2*i+1])
		}
		for i := range 4 { // diagonals
			mix(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4, m[8+2*i], m[9+2*i])
		}
		last := m
		for i, from := range blake3Order {
			m[i] = last[from]
		}
	}
	var b [8]byte
	binary.LittleEndian.PutUint32(b[:], s[0]^s[8])
	binary.LittleEndian.PutUint32(b[4:], s[1]^s[9])
	return binary.LittleEndian.Uint64(b[:])
}
