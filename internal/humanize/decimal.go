package humanize

import (
	"encoding/binary"
	"math/bits"
)

// AppendUint appends a number in decimal, as [strconv.AppendUint] does, in half the time. Eight digits are
// made all at once, since nobody can guess how many there are.
func AppendUint(b []byte, v uint64) []byte {
	first := uint64(1 << 56) // the bits of digits that there are in any case
	if v >= 1e8 {
		b, v, first = AppendUint(b, v/1e8), v%1e8, 1
	}
	n := v << 48 // lanes of two digits, the first of them lowest, then of one
	if v >= 100 {
		n = v/10000 | v%10000<<32 // of four
		high := n * 10486 >> 20 & 0x7f0000007f
		n = high | (n-high*100)<<16
	}
	high := n * 103 >> 10 & 0xf000f000f000f
	n = high | (n-high*10)<<8
	zeros := bits.TrailingZeros64(n|first) &^ 7 // in front of the first digit, of which there is one at least
	return binary.LittleEndian.AppendUint64(b, (n|0x3030303030303030)>>zeros)[:len(b)+8-zeros/8]
}
