package memprofdb

import (
	"proflens/analyze"
	"proflens/decode/memprof"
)

// Weight is what the widths of a flame graph stand for.
type Weight string

// The weights.
const (
	WeightBytes       Weight = "bytes"
	WeightAllocations Weight = "allocations" // objects
	WeightLifetime    Weight = "lifetime"    // bytes times the milliseconds that they lived
	WeightAccesses    Weight = "accesses"
)

// Weights are all of them, the default first.
var Weights = []Weight{WeightBytes, WeightAllocations, WeightLifetime, WeightAccesses}

// Of is the weight of totals.
func (w Weight) Of(t *analyze.MemProfTotals) analyze.Sum {
	switch w {
	case WeightAllocations:
		return t.Allocations
	case WeightLifetime:
		return t.ByteMS
	case WeightAccesses:
		return t.Accesses
	}
	return t.Bytes
}

// Unit is that of the numbers: bytes, objects, byte-milliseconds, accesses.
func (w Weight) Unit() string {
	switch w {
	case WeightAllocations:
		return "objects"
	case WeightLifetime:
		return "byte-milliseconds"
	case WeightAccesses:
		return "accesses"
	}
	return "bytes"
}

// Known reports whether contexts of a schema have the weight.
func (w Weight) Known(s memprof.MIBSchema) bool {
	switch w {
	case WeightAllocations:
		return s.Has(memprof.AllocCount)
	case WeightLifetime:
		return s.Has(memprof.TotalSize) && s.Has(memprof.TotalLifetime) && s.Has(memprof.AllocCount)
	case WeightAccesses:
		return s.Has(memprof.TotalAccessCount)
	}
	return s.Has(memprof.TotalSize)
}
