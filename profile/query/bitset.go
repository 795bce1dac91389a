package query

import "math/bits"

// Bitset is a set of rows.
type Bitset []uint64

// NewBitset has room for the rows below n.
func NewBitset(n int) Bitset { return make(Bitset, (n+63)/64) }

// Set adds a row.
func (b Bitset) Set(i uint32) { b[i/64] |= 1 << (i % 64) }

// Has reports whether a row is in the set.
func (b Bitset) Has(i uint32) bool { return b[i/64]>>(i%64)&1 != 0 }

// And leaves only what is in c too. It returns c when b is nil, and b when c is.
func (b Bitset) And(c Bitset) Bitset {
	if b == nil {
		return c
	}
	for i := range c {
		b[i] &= c[i]
	}
	return b
}

// Count is how many rows there are.
func (b Bitset) Count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// IDs lists the rows, rising.
func (b Bitset) IDs() []uint32 {
	ids := make([]uint32, 0, b.Count())
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return ids
}

// All lists the rows below n.
func All(n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids
}
