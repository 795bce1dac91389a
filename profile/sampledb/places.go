package sampledb

import (
	"context"
	"slices"
	"sort"

	"proflens/decode/sampleprof"
	"proflens/profile/budget"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Where is where a place is: in the profile's row, in what is inlined there, and in the
// source where that is known.
type Where struct {
	Entry         uint32 `col:"entry_index" width:"8" is:"sort,up" help:"row of the profile, from 1"`
	Path          Path   `col:"inlined_path" help:"from the row's function down to what is inlined" as:"string null"`
	Depth         int    `col:"depth" width:"5" is:"sort,range" help:"how deep it is inlined"`
	Offset        uint32 `col:"offset" width:"7" is:"sort,up,range" help:"lines below the function's first, or a probe"`
	Discriminator uint32 `col:"discriminator" width:"13" is:"sort,up"`
	File          string `col:"file" is:"omitzero,sort,up,words"`
	Line          uint32 `col:"line" width:"7" is:"omitzero,sort,up"`
}

// Record is the count of a place, in a row of the profile or in what is inlined into it.
type Record struct {
	Function *Ident `col:"function_" parts:"fid,function,linkage_name" head:"Function" is:"sort,up,words"`
	_        column `help:"of the row" as:"!"`
	Context  Frames `col:"context" help:"its calling context" as:"string null"`
	Inlined  *Ident `col:"inlined_" parts:"fid,function,linkage_name" head:"Inlined" is:"sort,up,words"`
	_        column `help:"the function that the place is of"`
	Where
	Count   uint64 `col:"count" width:"12" is:"sort,range"`
	Targets int    `col:"targets" width:"8" is:"sort,range" help:"functions that it calls"`
}

// Records is the table of records, in the order of the profile.
var Records = table.Declare[Record](table.Declaration{
	About: "The count at a place, of a function or of what is inlined into it.",
	Noun:  "record", Sought: "function or file",
	Show: "function inlined file line offset discriminator count targets",
	Text: "count offset discriminator targets depth inlined function",
})

// Target is a function that a place calls without having it inlined.
type Target struct {
	Caller *Ident `col:"caller_" parts:"fid,function,linkage_name" head:"Caller" is:"sort,up,words"`
	_      column `help:"the calling function" as:"!"`
	Where
	Callee *Ident  `col:"callee_" parts:"fid,function,linkage_name" head:"Callee" is:"sort,up,words"`
	_      column  `help:"the called function" as:"!"`
	Count  uint64  `col:"count" width:"12" is:"sort,range"`
	Share  float64 `col:"share" width:"8" is:"part,sort,range" help:"of all calls from the place" as:"number 0..1"`
}

// Targets is the table of targets, in the order of the profile.
var Targets = table.Declare[Target](table.Declaration{
	About:  "A function called from a place without being inlined.",
	Noun:   "target",
	Sought: "caller, callee or file",
	Show:   "caller file line offset callee count share", Text: "count share offset discriminator caller callee",
})

// place is a record, or one of its targets.
type place struct {
	*sampleprof.Record
	target   *sampleprof.Target // nil of a record
	function *sampleprof.Function
	Path
}

// Path is the frames from a row's function down to the one that a place is of.
type Path struct {
	at     int32 // of the function, among the nodes
	inside *opened
}

// Cell implements [table.Celler]: of the function itself there is none.
func (p *Path) Cell(string, *table.Options) table.Cell {
	if p.at == 0 {
		return table.Null
	}
	f := Frames{names: p.inside.x.names}
	var below sampleprof.Loc
	for i := p.at; i >= 0; i = p.inside.nodes[i].parent {
		n := &p.inside.nodes[i]
		f.list = append(f.list, sampleprof.Frame{Name: n.f.Name, Loc: below})
		below = n.at
	}
	slices.Reverse(f.list)
	return f.Cell("", nil)
}

// where is where the place is.
func (p *place) where() Where {
	x, at := p.inside.x, p.Loc
	w := Where{Entry: uint32(p.inside.entry.ID), Path: p.Path, Offset: at.Offset, Discriminator: at.Discriminator}
	for i := p.at; i > 0; i = p.inside.nodes[i].parent {
		w.Depth++
	}
	n := &x.names[p.function.Name]
	if line, ok := LineOf(n.Line, at.Offset); n.File != "" && ok && !x.o.Has(sampleprof.Probes) {
		w.File, w.Line = n.File, line
	}
	return w
}

func (p *place) record() Record {
	x, e := p.inside.x, &p.inside.entry
	r := Record{
		Function: &x.names[e.Name].Ident, Context: Frames{x.names, e.Context}, Where: p.where(), Count: p.Count,
		Targets: len(p.Record.Targets),
	}
	if p.at > 0 {
		r.Inlined = &x.names[p.function.Name].Ident
	}
	return r
}

func (p *place) targeted() Target {
	x, sum := p.inside.x, uint64(0)
	for _, t := range p.Record.Targets {
		sum = sampleprof.Add(sum, t.Count)
	}
	return Target{
		Caller: &x.names[p.function.Name].Ident, Where: p.where(), Callee: &x.names[p.target.Name].Ident,
		Count: p.target.Count, Share: share(float64(p.target.Count), float64(sum)),
	}
}

// FindRecords finds records: of a function by its GUID, or of all with 0. The error is the
// context's, or about the file.
func (p *Profile) FindRecords(ctx context.Context, function uint64) (table.Find, error) {
	l, err := p.places(ctx, false, function)
	return findPlaces(Records, l, (*place).record), err
}

// FindTargets finds targets likewise.
func (p *Profile) FindTargets(ctx context.Context, function uint64) (table.Find, error) {
	l, err := p.places(ctx, true, function)
	return findPlaces(Targets, l, (*place).targeted), err
}

// placeBytes is what a place takes in memory, with its share of the row that it is of.
const placeBytes = 400

// findPlaces reads the rows that a page shows; all of them where some are selected, or in
// another order.
func findPlaces[R any](d *table.Declaration, l *places, row func(*place) R) table.Find {
	var within table.Find
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		if within != nil {
			return within(ctx, q)
		}
		from, limit := q.Offset, q.Limit
		m := budget.NewMeter(ctx)
		if !q.Plain() {
			from, limit = 0, l.len
		}
		rows := []R{}
		err := l.read(ctx, from, limit, func(p *place) error {
			rows = append(rows, row(p))
			return m.Add(placeBytes)
		})
		if err != nil || q.Plain() {
			return table.Page{Set: table.Set{Rows: rows}, All: l.len, Matching: l.len}, err
		}
		within = d.Within(table.Set{Rows: rows})
		return within(ctx, q)
	}
}

// opened is a row of the profile with its nodes side by side.
type opened struct {
	x     *index
	entry Entry
	nodes []openedNode
}

type openedNode struct {
	parent int32
	at     sampleprof.Loc
	f      *sampleprof.Function
	end    int // places in it and in the nodes before
}

// places are the records or the targets of a profile, or of one function of it, in the
// order of the rows, from any of them on. They are for one goroutine.
type places struct {
	len int

	p       *Profile
	x       *index
	targets bool
	leaf    uint64   // GUID of the only function that places are in; 0 for all
	rows    []uint32 // of sample_function, from 0; nil for all
	ends    []int    // places up to the end of each
	last    *opened
	at      int // in rows, of last
}

// places opens them: all or, with the GUID of a function, those in its rows and in what is
// inlined there. Of a function that is only inlined they are where it is. The error is the
// context's, or about the file.
func (p *Profile) places(ctx context.Context, targets bool, function uint64) (*places, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	l := &places{p: p, x: x, targets: targets, at: -1}
	if function != 0 {
		l.rows = x.rowsOf(function)
		if len(l.rows) == 0 {
			l.rows, l.leaf = nil, function
		}
	}
	if l.leaf != 0 {
		l.ends, err = l.count(ctx)
	} else {
		l.ends, err = stored.Cached(ctx, p.Profile, query.CacheKey("sample places", targets), func() ([]int, int64, error) {
			counts, err := l.count(ctx)
			return counts, int64(p.n) * 8, err
		})
	}
	if err != nil {
		return nil, err
	}
	if l.rows != nil {
		all, sum := l.ends, 0
		l.ends = nil
		for _, row := range l.rows {
			sum += all[row]
			if row > 0 {
				sum -= all[row-1]
			}
			l.ends = append(l.ends, sum)
		}
	}
	if len(l.ends) > 0 {
		l.len = l.ends[len(l.ends)-1]
	}
	return l, nil
}

// rowsOf are the rows of sample_function that a function has.
func (x *index) rowsOf(guid uint64) (rows []uint32) {
	for i := range x.names {
		if x.names[i].GUID == guid {
			rows = append(rows, x.of(i+1)...)
		}
	}
	slices.Sort(rows)
	return rows
}

// count is how many places there are up to the end of each row of the profile.
func (l *places) count(ctx context.Context) ([]int, error) {
	counts := make([]int, 0, l.p.n)
	sum := 0
	err := l.p.Each(ctx, func(e *Entry) error {
		for n := range nodes(e.Function) {
			sum += l.in(n.f)
		}
		counts = append(counts, sum)
		return nil
	})
	return counts, err
}

// in is how many places there are in a function's own body.
func (l *places) in(f *sampleprof.Function) int {
	switch {
	case l.leaf != 0 && l.x.names[f.Name].GUID != l.leaf:
		return 0
	case !l.targets:
		return len(f.Body)
	}
	n := 0
	for i := range f.Body {
		n += len(f.Body[i].Targets)
	}
	return n
}

// read visits the places from a position on, at most limit. The error is visit's, the
// context's, or about the file.
func (l *places) read(ctx context.Context, offset, limit int, visit func(*place) error) error {
	end := min(offset+limit, l.len)
	for row := sort.SearchInts(l.ends, offset+1); row < len(l.ends) && offset < end; row++ {
		before := 0
		if row > 0 {
			before = l.ends[row-1]
		}
		if l.ends[row] == before {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.open(row); err != nil {
			return err
		}
		if err := l.within(offset-before, end-before, visit); err != nil {
			return err
		}
		offset = l.ends[row]
	}
	return nil
}

// open reads a row, unless it is the one that was read last.
func (l *places) open(row int) error {
	if row == l.at {
		return nil
	}
	id := row
	if l.rows != nil {
		id = int(l.rows[row])
	}
	found, err := stored.Find(l.p.functions.Cursor(), id+1)
	if err != nil {
		return err
	}
	o := &opened{x: l.x}
	if o.entry, err = l.x.entry(found, true); err != nil {
		return err
	}
	end := 0
	for n := range nodes(o.entry.Function) {
		end += l.in(n.f)
		o.nodes = append(o.nodes, openedNode{int32(n.parent), n.at, n.f, end})
	}
	l.last, l.at = o, row
	return nil
}

// within visits the places of the open row from one on, up to another.
func (l *places) within(from, to int, visit func(*place) error) error {
	o := l.last
	first := sort.Search(len(o.nodes), func(i int) bool { return o.nodes[i].end > from })
	for i := first; i < len(o.nodes) && from < to; i++ {
		n := &o.nodes[i]
		at := n.end - l.in(n.f) // of its first place
		if at == n.end {
			continue
		}
		p := place{function: n.f, Path: Path{int32(i), o}}
		each := func() error {
			if at++; at <= from || at > to {
				return nil
			}
			return visit(&p)
		}
		for b := range n.f.Body {
			p.Record = &n.f.Body[b]
			if !l.targets {
				if err := each(); err != nil {
					return err
				}
				continue
			}
			for t := range p.Record.Targets {
				p.target = &p.Record.Targets[t]
				if err := each(); err != nil {
					return err
				}
			}
		}
		from = n.end
	}
	return nil
}
