package table

import (
	"math"
	"math/bits"
	"strconv"

	"proflens/internal/humanize"
)

// appendFloat appends the fewest digits that tell a number from others, as strconv does. Most are running
// totals of shares, from a tenth to 1: 10^17 times one is exact in 128 bits, and so are the bounds of what
// reads as the same number: its digits are found in half the time.
func appendFloat(b []byte, v float64) []byte {
	word := math.Float64bits(v)
	mantissa, shift := word&(1<<52-1)|1<<52, 1075-word>>52
	if !(v >= 0.1 && v < 1) || mantissa<<44 == 0 { // few bits set: digits may be half way between two
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	}
	const apart = 1e17 // of two numbers, as of their mantissas
	high, low := bits.Mul64(mantissa, apart)
	least, borrow := bits.Sub64(low, apart/2, 0)
	most, carry := bits.Add64(low, apart/2, 0)
	digits := high<<(64-shift) | low>>shift
	from, to := (high-borrow)<<(64-shift)|least>>shift, (high+carry)<<(64-shift)|most>>shift
	unit := uint64(1)
	for ; from/10 < to/10; unit *= 10 {
		from, to = from/10, to/10
	}
	if unit == 1 {
		digits += low >> (shift - 1) & 1
	}
	return humanize.AppendUint(append(b, "0."...), (digits+unit/2)/unit)
}
