package sampledb

import (
	"bytes"
	"context"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
	"proflens/profile/btree"
	"proflens/profile/budget"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// column is the type of a blank field: the struct's method Cell makes its column, or its tag goes on with
// that of the field before it.
type column = table.Computed

// Name is what a profile has under one name, and what the name is: a row of the table of
// functions. See [sample.Name].
type Name struct {
	x          *index
	Ident      `col:"name" parts:"fid,name,name_hex,linkage_name,demangled,path" head:"Function"`
	_          column `how:"names a name" is:"sort,up,words"`
	Given      bool   `col:"name_given" width:"10" help:"the name was given for its hash"`
	Rank       uint32 `col:"rank" width:"8" head:"#" is:"omitzero,sort,up" help:"place by total"`
	Total      uint64 `col:"total" width:"20" how:"sample-total a total" is:"sort,range,bar,share"`
	_          column `help:"samples of the function and of what is inlined into it"`
	_          column `col:"share" width:"8" is:"script,part,number" help:"of all totals" as:"number 0..1"`
	Head       uint64 `col:"head" width:"12" how:"sample-head a number of head samples" is:"sort,range"`
	_          column `help:"head samples: times it was entered by a branch"`
	Entry      uint64 `col:"entry" width:"12" is:"sort" help:"times it was entered, estimated as the compiler does"`
	Body       uint64 `col:"body" width:"12" how:"sample-body a number of own samples" is:"sort,range"`
	_          column `help:"counts of its own lines, not those inlined into it"`
	Sum        uint64 `col:"sum" width:"12" is:"sort" help:"its counts and those of what is inlined into it"`
	Max        uint64 `col:"max" width:"12" head:"Maximum" is:"sort,range" help:"the largest count in it"`
	_          column `col:"own" width:"12" is:"sort,range,number,bar,share"`
	_          column `help:"counts of the function itself, wherever its code is" as:"Count"`
	Inlined    uint64 `col:"inlined" width:"12" head:"Of these inlined" is:"sort,range"`
	_          column `help:"own counts where it is inlined into others"`
	InlinedAt  int    `col:"inlined_at" width:"10" is:"sort" help:"places where it is inlined"`
	Inlinees   int    `col:"inlinees" width:"8" head:"Inlined" is:"sort,range"`
	_          column `help:"callees inlined into it, at any depth"`
	Calls      uint64 `col:"calls" width:"12" is:"sort,range" help:"calls to it that were not inlined"`
	Entries    int    `col:"contexts" width:"8" is:"sort,range"`
	_          column `help:"functions of the profile with the name: several with calling contexts"`
	Places     int    `col:"places" width:"8" is:"sort" help:"places that have a count, inlined ones too"`
	Checksum   uint64 `col:"checksum" width:"20" is:"omitzero" help:"of its control flow graph"`
	Attributes uint32 `col:"attributes" width:"10"`
	Fit        sampleprof.Fit
	Listed     bool   // in the list of symbols
	_          column `col:"heat" width:"6" help:"hot, warm or cold by its largest count; none where it is only inlined"`
	_          column `as:"hot|warm|cold null"`
	_          column `col:"fit" width:"6" head:"Itself"`
	_          column `help:"how the function itself stands in the program" as:"same|stale|gone null"`
	_          column `col:"lost" width:"12" head:"Lost inside it" how:"sample-lost the lost share" is:"sort,number"`
	_          column `help:"its counts that are of stale functions, or of functions that are gone"`
	_          column `col:"lost_share" width:"10" is:"script,part,number" help:"of its counts" as:"number 0..1 null"`
	_          column `col:"listed" width:"6" help:"in the list of symbols" as:"boolean null"`
	File       string `col:"file" is:"omitzero" help:"where it is declared"`
	Line       uint32 `col:"line" width:"7" is:"omitzero"`
	Lost       sample.Fits
	Callers    int // places that call it
}

// Own are all counts of the function itself, wherever its code is.
func (n *Name) Own() uint64 { return sampleprof.Add(n.Body, n.Inlined) }

// Cell implements [table.Celler]: what the profile, or a program beside it, does not say is
// null.
func (n *Name) Cell(column string, _ *table.Options) table.Cell {
	o, tells := n.x.o, n.x.o.Program.CanTell()
	switch {
	case column == "own":
		return table.Count(n.Own())
	case column == "share":
		return table.Ratio(share(float64(n.Total), float64(n.x.totals)))
	case column == "heat" && n.Entries > 0:
		return table.Text(string(o.HeatOf(n.Max)))
	case column == "fit" && n.Fit != sampleprof.FitUnknown:
		return table.Text(FitWords[n.Fit])
	case column == "lost" && tells:
		return table.Count(n.Lost.Lost())
	case column == "lost_share" && tells:
		return table.Ratio(share(float64(n.Lost.Lost()), float64(n.Sum)))
	case column == "listed" && o.Symbols >= 0:
		return table.Bool(n.Listed)
	}
	return table.Null
}

// index is all names in memory. It is immutable.
type index struct {
	o      *Overview
	names  []Name // by id, less one
	byGUID map[uint64]int32
	// starts and entries are the rows of sample_function by name: those of name i are
	// entries[starts[i]:starts[i+1]], counted from 0.
	starts, entries []uint32
	totals          uint64  // of all functions
	order           []*Name // functions by total, descending
}

// indexBytes is what a name takes in memory beside its text, about.
const indexBytes = 328

// index reads the names, from the cache when they were read before.
func (p *Profile) index(ctx context.Context) (*index, error) {
	return stored.Cached(ctx, p.Profile, "sample names", func() (*index, int64, error) {
		x := &index{o: p.Overview, byGUID: map[uint64]int32{}}
		m, text := budget.NewMeter(ctx), 0
		err := p.EachRow(ctx, "sample_name", func(row *btree.Row) error {
			n, err := nameOf(row)
			if err != nil {
				return err
			}
			if at, ok := x.byGUID[n.GUID]; !ok || n.Entries > 0 && x.names[at].Entries == 0 {
				x.byGUID[n.GUID] = int32(len(x.names))
			}
			n.x = x
			x.names, x.totals = append(x.names, n), sampleprof.Add(x.totals, n.Total)
			words := len(n.Linkage) + len(n.File)
			text += words
			return m.Add(indexBytes + words*3/2) // text that was read, and is not collected yet, stands there too
		})
		if err == nil {
			err = x.readEntries(ctx, p)
		}
		x.order = x.sorted(func(n *Name) (uint64, bool) { return n.Total, n.Entries > 0 })
		for i, n := range x.order {
			n.Rank = uint32(i + 1)
		}
		return x, int64(len(x.names))*indexBytes + int64(text), err
	})
}

func nameOf(row *btree.Row) (Name, error) {
	at := 0
	number := func() uint64 { at++; return row.Uint(at) }
	count := func() int { return int(number()) }
	n := Name{Ident: Ident{ID: int(row.ID), GUID: number()}}
	word := func() []byte { at++; return bytes.Clone(row.Bytes(at)) }
	linkage, given := word(), word()
	if n.Linkage = linkage; len(linkage) == 0 && len(given) > 0 {
		n.Linkage, n.Given = given, true
	}
	n.Entries, n.Total, n.Head, n.Entry, n.Body, n.Sum, n.Max = count(), number(), number(), number(), number(), number(),
		number()
	n.Places, n.Inlinees = count(), count()
	n.Lost[sampleprof.FitUnknown], n.Lost[sampleprof.FitStale], n.Lost[sampleprof.FitGone] = number(), number(), number()
	n.Inlined, n.InlinedAt, n.Calls, n.Callers, n.Checksum, n.Attributes = number(), count(), number(), count(), number(),
		uint32(number())
	n.Fit = sampleprof.Fit(number() - 1)
	if int(n.Fit) >= len(FitWords) {
		return n, stored.Damaged("sample_name %d has an unknown fit", n.ID)
	}
	n.Listed = number() != 0
	n.File, n.Line = string(word()), uint32(number())
	return n, row.Err()
}

func (x *index) readEntries(ctx context.Context, p *Profile) error {
	of := make([]uint32, p.n)
	x.starts = make([]uint32, len(x.names)+1)
	err := stored.EachRowOf(ctx, p.functions, "functions", 1, p.n, func(row *btree.Row) error {
		name := row.Uint(1)
		if name == 0 || name > uint64(len(x.names)) {
			return stored.Damaged("sample_function %d has name %d of %d", row.ID, name, len(x.names))
		}
		of[row.ID-1] = uint32(name)
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range of {
		x.starts[name]++
	}
	for i := 1; i < len(x.starts); i++ {
		x.starts[i] += x.starts[i-1]
	}
	x.entries = make([]uint32, p.n)
	next := append([]uint32{0}, x.starts...)
	for row, name := range of {
		x.entries[next[name]] = uint32(row)
		next[name]++
	}
	return nil
}

// of are the entries of a name, those with the largest totals first.
func (x *index) of(id int) []uint32 { return x.entries[x.starts[id-1]:x.starts[id]] }

// Names are all names, by id less one. They are shared: do not change them. The error is
// the context's, or about the file.
func (p *Profile) Names(ctx context.Context) ([]Name, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	return x.names, nil
}

// Largest is the name of the function that the largest count is in, read alone; nil where
// there is none.
func (p *Profile) Largest() (*Name, error) {
	if p.Overview.MaxName == 0 {
		return nil, nil
	}
	row, err := p.RowOf("sample_name", p.Overview.MaxName)
	if err != nil {
		return nil, err
	}
	n, err := nameOf(row)
	return &n, err
}

// Totals is what the totals of all functions come to. The error is the context's, or about
// the file.
func (p *Profile) Totals(ctx context.Context) (uint64, error) {
	x, err := p.index(ctx)
	if err != nil {
		return 0, err
	}
	return x.totals, nil
}

// Half is how few functions have half of all counts in their own code, inlined or not; of
// how many with any. The error is the context's, or about the file.
func (p *Profile) Half(ctx context.Context) (few, all int, err error) {
	x, err := p.index(ctx)
	if err != nil {
		return 0, 0, err
	}
	order, err := p.byOwn(ctx, x)
	sum := 0.0
	for ; few < len(order) && 2*sum < p.Overview.Samples.Float64(); few++ {
		sum += float64(order[few].Own())
	}
	return few, len(order), err
}

// ByGUID is the name of a hash: of several with one hash, one that is a function's.
// stored.ErrNoPart when there is none.
func (p *Profile) ByGUID(ctx context.Context, guid uint64) (*Name, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	at, ok := x.byGUID[guid]
	if !ok {
		return nil, stored.ErrNoPart
	}
	return &x.names[at], nil
}

// Neighbours are the functions before and after one by total; nil at the ends.
func (n *Name) Neighbours() (before, after *Name) {
	order := n.x.order
	if n.Rank > 1 {
		before = order[n.Rank-2]
	}
	if n.Rank > 0 && int(n.Rank) < len(order) {
		after = order[n.Rank]
	}
	return before, after
}
