package sampledb

import (
	"bytes"
	"context"
	"sort"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
	"proflens/profiledb/btree"
	"proflens/profiledb/budget"
	"proflens/profiledb/stored"
)

// Name is what a profile has under one name, and what the name is.
type Name struct {
	ID   int // from 1
	GUID uint64
	// Linkage is the name, or the one that was given for its hash; nil where only the hash
	// is known.
	Linkage []byte
	Given   bool   // Linkage was given
	Listed  bool   // in the list of symbols
	File    string // where it is declared; empty where that is not known
	Line    uint32
	sample.Name
}

// index is all names in memory. It is immutable.
type index struct {
	names  []Name // by id, less one
	byGUID map[uint64]int32
	// starts and entries are the rows of sample_function by name: those of name i are
	// entries[starts[i]:starts[i+1]], counted from 0.
	starts, entries []uint32
	totals          uint64 // of all functions
}

// indexBytes is what a name takes in memory beside its text, about.
const indexBytes = 320

// index reads the names, from the cache when they were read before.
func (p *Profile) index(ctx context.Context) (*index, error) {
	return stored.Cached(ctx, p.Profile, "sample names", func() (*index, int64, error) {
		x := &index{byGUID: map[uint64]int32{}}
		m, text := budget.NewMeter(ctx), 0
		err := p.EachRow("sample_name", func(row *btree.Row) error {
			n, err := nameOf(row)
			if err != nil {
				return err
			}
			if at, ok := x.byGUID[n.GUID]; !ok || n.Entries > 0 && x.names[at].Entries == 0 {
				x.byGUID[n.GUID] = int32(len(x.names))
			}
			x.names, x.totals = append(x.names, n), sampleprof.Add(x.totals, n.Total)
			words := len(n.Linkage) + len(n.File)
			text += words
			return m.Add(indexBytes + words*3/2) // text that was read, and is not collected yet, stands there too
		})
		if err == nil {
			err = x.readEntries(ctx, p)
		}
		return x, int64(len(x.names))*indexBytes + int64(text), err
	})
}

func nameOf(row *btree.Row) (Name, error) {
	at := 0
	number := func() uint64 { at++; return row.Uint(at) }
	count := func() int { return int(number()) }
	n := Name{ID: int(row.ID), GUID: number()}
	word := func() ([]byte, error) { at++; b, err := row.Bytes(at); return bytes.Clone(b), err }
	linkage, err := word()
	if err != nil {
		return n, err
	}
	given, err := word()
	if err != nil {
		return n, err
	}
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
	file, err := word()
	n.File, n.Line = string(file), uint32(number())
	return n, err
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
	t, err := p.Table("sample_name")
	if err != nil {
		return nil, err
	}
	row, err := stored.Find(t.Cursor(), p.Overview.MaxName)
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
		sum += float64(x.names[order[few]].Own())
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

// Rank is the place of a function among all by total, from 1; 0 of what is no function of
// the profile. The rank before and after are the functions there, nil at the ends.
func (p *Profile) Rank(ctx context.Context, n *Name) (rank int, before, after *Name, err error) {
	x, err := p.index(ctx)
	if err != nil {
		return 0, nil, nil, err
	}
	order, err := p.byTotal(ctx, x)
	if err != nil || n.Entries == 0 {
		return 0, nil, nil, err
	}
	at := sort.Search(len(order), func(i int) bool {
		o := &x.names[order[i]]
		return o.Total < n.Total || o.Total == n.Total && o.ID >= n.ID
	})
	if at == len(order) || int(order[at]) != n.ID-1 {
		return 0, nil, nil, nil
	}
	if at > 0 {
		before = &x.names[order[at-1]]
	}
	if at+1 < len(order) {
		after = &x.names[order[at+1]]
	}
	return at + 1, before, after, nil
}
