package analyze

import (
	"math"
	"math/bits"

	"proflens/decode/memprof"
)

// MemProfTotals adds allocation contexts up. What their schemas lack adds 0.
type MemProfTotals struct {
	Contexts    uint64   `col:"contexts" width:"9" is:"sort,range" help:"allocation contexts" api:"contexts"`
	_           struct{} `how:"memprof-contexts an allocation context"`
	Bytes       Sum      `col:"bytes" width:"14" is:"sort,range,bytes,bar,share" help:"requested" api:"bytes,optional"`
	Allocations Sum      `col:"count" width:"12" is:"sort,range" head:"Objects" api:"allocations,optional"`
	_           struct{} `help:"number of allocations"`
	Accesses    Sum      `col:"accesses" width:"14" is:"sort,range" api:"accesses,optional" help:"loads and stores"`
	Lifetime    Sum      `col:"total_lifetime" width:"14" help:"milliseconds, of all objects" api:"lifetime,optional"`
	// see ByteMilliseconds
	ByteMS  Sum      `col:"byte_ms" width:"16" head:"Byte·ms" is:"sort"`
	_       struct{} `help:"bytes times the milliseconds that they live"`
	Density Sum      // lifetime access densities: accesses per byte and second times 100, of all objects
}

// Add adds one context.
func (t *MemProfTotals) Add(m *memprof.MIB) {
	t.Contexts++
	t.Bytes.Add(m.Get(memprof.TotalSize))
	t.Allocations.Add(m.Get(memprof.AllocCount))
	t.Accesses.Add(m.Get(memprof.TotalAccessCount))
	t.Lifetime.Add(m.Get(memprof.TotalLifetime))
	t.ByteMS.Add(ByteMilliseconds(m.Get(memprof.TotalSize), m.Get(memprof.TotalLifetime), m.Get(memprof.AllocCount)))
	t.Density.Add(m.Get(memprof.TotalLifetimeAccessDensity))
}

// AddTotals adds other totals.
func (t *MemProfTotals) AddTotals(o *MemProfTotals) {
	t.Contexts += o.Contexts
	for i, sum := range t.Sums() {
		sum.AddSum(*o.Sums()[i])
	}
}

// Sub takes away totals that are a part of these.
func (t *MemProfTotals) Sub(part *MemProfTotals) {
	t.Contexts -= part.Contexts
	for i, sum := range t.Sums() {
		sum.Sub(*part.Sums()[i])
	}
}

// Sums are all that is added up beside the contexts, in the order of the file.
func (t *MemProfTotals) Sums() [6]*Sum {
	return [6]*Sum{&t.Bytes, &t.Allocations, &t.Accesses, &t.Lifetime, &t.ByteMS, &t.Density}
}

// ByteMilliseconds estimates what the objects of a context took over time
// (memprof.md §5.1): their average size times their lifetimes, in bytes times
// milliseconds, at most 2^64 - 1. It is 0 without objects.
func ByteMilliseconds(size, lifetime, count uint64) uint64 {
	if count == 0 {
		return 0
	}
	high, low := bits.Mul64(size, lifetime)
	if high >= count {
		return math.MaxUint64
	}
	quotient, _ := bits.Div64(high, low, count)
	return quotient
}
