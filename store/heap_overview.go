package store

import (
	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// HeapOverview is what the overview says of a heap profile (memprof.md).
type HeapOverview struct {
	Format     model.Format      // empty once merged from several
	Version    uint64            // raw 1 to 5, indexed 0 to 4; 0 for text
	Schema     memprof.MIBSchema // fields that some context has
	Symbolized bool              // frames have functions, else addresses or names alone
	Dumps      int               // raw profiles that were added up

	analyze.HeapTotals // of all contexts, each a distinct call stack
	// Classes by the compiler's defaults, in the order of analyze.HeapClasses.
	Classes    [len(analyze.HeapClasses)]HeapClassTotals
	Recorded   int    // contexts as recorded: some can be of one call stack
	Sites      int    // places that allocate
	MixedSites int    // places of which some contexts are cold and others are not: they need cloning
	Owners     int    // functions that allocate
	Functions  int    // in stacks
	Frames     int    // distinct places in functions
	Stacks     int    // nodes of the tree of calls
	CallSites  int    // calls on the way to an allocation, as recorded
	Modules    int    // segments of raw profiles
	Deepest    uint32 // frames of the deepest stack
	Longest    uint32 // the largest MaxLifetime, milliseconds
	DataAccess bool   // there is a data access profile
	// Summary is the one stored in the file (indexed version 4); nil elsewhere.
	Summary *memprof.Summary
}

// HeapClassTotals is what the contexts of a class come to.
type HeapClassTotals struct {
	Contexts uint64
	Bytes    analyze.Sum
}

// The columns of the heap table before the totals, in the schema's order.
const (
	hpSchema  = 3
	hpClasses = 13
	hpTotals  = hpClasses + 3*len(analyze.HeapClasses)
)

// readHeapOverview reads the heap table; nil when it has no row.
func (p *Profile) readHeapOverview() (*HeapOverview, error) {
	var o *HeapOverview
	err := walk(p.r, "heap", func(row *rowReader) {
		o = &HeapOverview{
			Format: model.Format(row.text(1)), Version: row.Uint(2), Schema: memprof.MIBSchema(row.Uint(hpSchema)), Symbolized: row.Int(4) != 0, Dumps: int(row.Int(5)),
			Recorded: int(row.Int(6)), Sites: int(row.Int(7)), MixedSites: int(row.Int(8)), Owners: int(row.Int(9)), CallSites: int(row.Int(10)),
			Deepest: uint32(row.Uint(11)), Longest: uint32(row.Uint(12)),
		}
		for i := range o.Classes {
			at := hpClasses + 3*i
			o.Classes[i] = HeapClassTotals{row.Uint(at), readSum(row, at+1)}
		}
		o.Contexts = row.Uint(hpTotals)
		for i, sum := range heapSums(&o.HeapTotals) {
			*sum = readSum(row, hpTotals+1+2*i)
		}
		at := hpTotals + 1 + 2*len(heapSums(&o.HeapTotals))
		o.Functions, o.Frames, o.Stacks, o.Modules, o.DataAccess = int(row.Int(at)), int(row.Int(at+1)), int(row.Int(at+2)), int(row.Int(at+3)), row.Int(at+4) != 0
	})
	if err != nil || o == nil {
		return nil, err
	}
	return o, walk(p.r, "heap_summary", func(row *rowReader) {
		o.Summary = &memprof.Summary{
			NumContexts: row.Uint(1), NumColdContexts: row.Uint(2), NumHotContexts: row.Uint(3),
			MaxColdTotalSize: row.Uint(4), MaxWarmTotalSize: row.Uint(5), MaxHotTotalSize: row.Uint(6),
		}
	})
}

// heapSums are the sums of totals in the schema's order.
func heapSums(t *analyze.HeapTotals) [6]*analyze.Sum {
	return [6]*analyze.Sum{&t.Bytes, &t.Allocations, &t.Accesses, &t.Lifetime, &t.ByteMS, &t.Density}
}

func readSum(row *rowReader, at int) analyze.Sum {
	return analyze.Sum{Lo: row.Uint(at), Hi: row.Uint(at + 1)}
}
