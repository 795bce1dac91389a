package analyze

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// Sum is an exact sum of 64-bit counters, which can pass 2^64.
type Sum struct{ Hi, Lo uint64 }

// Add adds one counter.
func (s *Sum) Add(v uint64) {
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, v, 0)
	s.Hi += carry
}

// AddSum adds another sum.
func (s *Sum) AddSum(o Sum) {
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, o.Lo, 0)
	s.Hi += o.Hi + carry
}

// Sub takes away a sum that is a part of this one.
func (s *Sum) Sub(o Sum) {
	var borrow uint64
	s.Lo, borrow = bits.Sub64(s.Lo, o.Lo, 0)
	s.Hi -= o.Hi + borrow
}

// Compare orders sums: -1, 0 or +1.
func (s Sum) Compare(o Sum) int {
	switch {
	case s.Hi < o.Hi || s.Hi == o.Hi && s.Lo < o.Lo:
		return -1
	case s == o:
		return 0
	}
	return 1
}

// IsZero reports whether nothing was added but zeros.
func (s Sum) IsZero() bool { return s == Sum{} }

// Saturated is the sum, or the largest number of 64 bits: a column to order and
// filter by.
func (s Sum) Saturated() uint64 {
	if s.Hi > 0 {
		return math.MaxUint64
	}
	return s.Lo
}

// Float64 is the nearest double, for shares.
func (s Sum) Float64() float64 { return float64(s.Hi)*0x1p64 + float64(s.Lo) }

// String is the exact decimal number.
func (s Sum) String() string {
	if s.Hi == 0 {
		return strconv.FormatUint(s.Lo, 10)
	}
	b := new(big.Int).SetUint64(s.Hi)
	b.Lsh(b, 64)
	return b.Add(b, new(big.Int).SetUint64(s.Lo)).String()
}

// MarshalJSON writes the exact integer.
func (s Sum) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }
