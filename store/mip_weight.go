package store

import (
	"math/bits"

	"proflens/analyze"
)

// Weight is calls × size, exactly: the bytes of machine code that ran had every
// call run all of the function.
func (r *MIPRow) Weight() analyze.Sum {
	high, low := bits.Mul64(r.Calls, uint64(r.Size))
	return analyze.Sum{Lo: low, Hi: high}
}
