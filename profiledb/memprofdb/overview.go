package memprofdb

import (
	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/profiledb/stored"
)

// Overview is what the overview says of a heap profile (memprof.md).
type Overview struct {
	Format     model.Format      // empty once merged from several
	Version    uint64            // raw 1 to 5, indexed 0 to 4; 0 for text
	Schema     memprof.MIBSchema // fields that some context has
	Symbolized bool              // frames have functions, else addresses or names alone
	Dumps      int               // raw profiles that were added up

	analyze.MemProfTotals // of all contexts, each a distinct call stack
	// Classes by the compiler's defaults, in the order of analyze.MemProfClasses.
	Classes    [len(analyze.MemProfClasses)]ClassTotals
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
	Shared     analyze.StackSizes
	// Summary is the one stored in the file (indexed version 4); nil elsewhere.
	Summary *memprof.Summary
}

// ClassTotals is what the contexts of a class come to.
type ClassTotals struct {
	Contexts uint64      `col:"contexts" width:"9"`
	Bytes    analyze.Sum `col:"bytes" width:"14" is:"sort,bytes"`
}

// The columns of the heap table from the classes on, in the schema's order.
const (
	colClasses = 13
	colTotals  = colClasses + 3*len(analyze.MemProfClasses)
	colTables  = colTotals + 1 + 2*6 // behind those of sums
)

// maxRows is how many rows a table can have: ids are 31 bits.
const maxRows = 1<<31 - 1

func readOverview(p *stored.Profile) (*Overview, error) {
	var o *Overview
	err := p.Walk("heap", func(row *stored.Row) {
		number := func(column int) int { return int(row.Int(column)) }
		sum := func(column int) analyze.Sum { return analyze.Sum{Lo: row.Uint(column), Hi: row.Uint(column + 1)} }
		o = &Overview{
			Format: model.Format(row.String(1)), Version: row.Uint(2), Schema: memprof.MIBSchema(row.Uint(3)),
			Symbolized: row.Int(4) != 0, Dumps: number(5),
			Recorded: number(6), Sites: number(7), MixedSites: number(8), Owners: number(9), CallSites: number(10),
			Deepest: uint32(row.Uint(11)), Longest: uint32(row.Uint(12)),
			Functions: number(colTables), Frames: number(colTables + 1), Stacks: number(colTables + 2),
			Modules: number(colTables + 3), DataAccess: row.Int(colTables+4) != 0,
			Shared: analyze.StackSizes{
				Stacks: number(colTables + 5), Frames: number(colTables + 6), Refs: row.Uint(colTables + 7),
				Nodes: number(colTables + 8), Roots: number(colTables + 9),
			},
		}
		for i := range o.Classes {
			o.Classes[i] = ClassTotals{row.Uint(colClasses + 3*i), sum(colClasses + 3*i + 1)}
		}
		o.Contexts = row.Uint(colTotals)
		for i, total := range sums(&o.MemProfTotals) {
			*total = sum(colTotals + 1 + 2*i)
		}
		// negative ones too
		if o.Contexts > maxRows || max(uint64(o.Stacks), uint64(o.Frames), uint64(o.Functions)) > maxRows {
			row.Fail(stored.Damaged("%d contexts of %d stacks", o.Contexts, o.Stacks))
		}
	})
	if err == nil && o == nil {
		err = stored.Damaged("heap has no row")
	}
	if err != nil {
		return nil, err
	}
	return o, p.Walk("heap_summary", func(row *stored.Row) {
		o.Summary = &memprof.Summary{
			NumContexts: row.Uint(1), NumColdContexts: row.Uint(2), NumHotContexts: row.Uint(3),
			MaxColdTotalSize: row.Uint(4), MaxWarmTotalSize: row.Uint(5), MaxHotTotalSize: row.Uint(6),
		}
	})
}

// sums are the sums of totals in the schema's order.
func sums(t *analyze.MemProfTotals) [6]*analyze.Sum {
	return [6]*analyze.Sum{&t.Bytes, &t.Allocations, &t.Accesses, &t.Lifetime, &t.ByteMS, &t.Density}
}
