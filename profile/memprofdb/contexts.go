package memprofdb

import (
	"context"
	"fmt"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Query selects, orders and pages allocation contexts. The zero value is all of
// them, those of the most bytes first. What is not known comes last in both
// directions; ties end in the recorded order.
type Query struct {
	Filter
	Sort   []query.Key // empty is bytes, descending
	Offset int         // position in the order
	Limit  int         // rows; 0 is none, for the totals alone
	// Own is the library whose frames Row.Own leaves out; nil for none.
	Own *analyze.Library
}

// Row is one allocation context.
type Row struct {
	Index   int    `col:"index" width:"14" head:"Ordinal" is:"sort,range"`
	_       column `help:"order in which stacks were first seen, from 0"`
	Context uint64 `col:"context" width:"16" is:"hex,script,key" help:"its address in pages"`
	// that allocates; nil without frames
	Leaf *Frame `col:"name" head:"Allocated in" is:"sort,up" how:"memprof-contexts an allocation context"`
	// 0 without frames
	Site    uint64 `col:"site" width:"16" is:"hex,script,omitzero" help:"address of its site by line"`
	Class   analyze.MemProfClass
	_       column    `col:"class" width:"7" is:"sort,up" help:"how the compiler treats the context"`
	_       column    `how:"memprof-class the class of a context" as:"cold|notcold|hot|unknown"`
	Mixed   bool      `col:"mixed" width:"5" is:"script" help:"its site has cold contexts and others: it needs cloning"`
	_       column    `col:"bytes" width:"14" is:"number,sort,range,bytes" help:"requested, of all objects"`
	_       column    `from:"TotalSize"`
	_       column    `col:"count" width:"14" head:"Objects" is:"number,sort,range" help:"number of allocations"`
	_       column    `from:"AllocCount"`
	_       column    `col:"min_size" width:"14" head:"Smallest" is:"number,sort,range,bytes" from:"MinSize"`
	_       column    `help:"bytes of the smallest object"`
	_       column    `col:"avg_size" width:"14" head:"Mean size" is:"number,sort,range,bytes" from:"TotalSize 1 each"`
	_       column    `help:"bytes of an object" how:"memprof-averages an average" as:"number null"`
	_       column    `col:"max_size" width:"14" head:"Largest" is:"number,sort,range,bytes" from:"MaxSize"`
	_       column    `help:"bytes of the largest object"`
	_       column    `col:"accesses" width:"14" is:"number,sort,range" help:"loads and stores, of all objects"`
	_       column    `from:"TotalAccessCount"`
	_       column    `col:"min_accesses" width:"14" head:"Fewest accesses" is:"number,sort,range"`
	_       column    `help:"of an object" from:"MinAccessCount"`
	_       column    `col:"avg_accesses" width:"14" head:"Accesses per object" is:"number,sort,range" help:"mean"`
	_       column    `from:"TotalAccessCount 1 each" how:"memprof-averages an average" as:"number null"`
	_       column    `col:"max_accesses" width:"14" head:"Most accesses" is:"number,sort,range" help:"of an object"`
	_       column    `from:"MaxAccessCount"`
	_       column    `col:"min_density" width:"14" head:"Fewest per byte" is:"number,sort,range"`
	_       column    `help:"accesses per byte of an object" as:"number null" from:"MinAccessDensity 100"`
	_       column    `col:"density" width:"14" head:"Accesses per byte" is:"number,sort,range" help:"of an object, mean"`
	_       column    `from:"TotalAccessDensity 100 each" how:"memprof-density the access density" as:"number null"`
	_       column    `col:"max_density" width:"14" head:"Most per byte" is:"number,sort,range"`
	_       column    `help:"accesses per byte of an object" as:"number null" from:"MaxAccessDensity 100"`
	_       column    `col:"min_lifetime_density" width:"14" head:"Lowest density" is:"number,sort,range"`
	_       column    `from:"MinLifetimeAccessDensity 100"`
	_       column    `help:"accesses per byte and second of an object" as:"number null"`
	_       column    `col:"lifetime_density" width:"14" head:"Density" is:"number,sort,range" as:"number null"`
	_       column    `from:"TotalLifetimeAccessDensity 100 each" how:"memprof-density the access density"`
	_       column    `help:"accesses per byte and second of an object's life, mean: this decides the class"`
	_       column    `col:"max_lifetime_density" width:"14" head:"Highest density" is:"number,sort,range"`
	_       column    `from:"MaxLifetimeAccessDensity 100"`
	_       column    `help:"accesses per byte and second of an object" as:"number null"`
	_       column    `col:"total_lifetime" width:"14" head:"Lifetimes" is:"number,sort,range,ms"`
	_       column    `help:"sum over all objects" from:"TotalLifetime"`
	_       column    `col:"min_lifetime" width:"14" head:"Shortest" is:"number,sort,range,ms" from:"MinLifetime"`
	_       column    `help:"lifetime of an object"`
	_       column    `col:"lifetime" width:"14" is:"number,sort,range,ms" from:"TotalLifetime 1 each"`
	_       column    `help:"mean, of an object" how:"memprof-lifetime the mean lifetime" as:"number null"`
	_       column    `col:"max_lifetime" width:"14" head:"Longest" is:"number,sort,range,ms" from:"MaxLifetime"`
	_       column    `help:"lifetime of an object"`
	_       column    `col:"byte_ms" width:"14" is:"number,sort,range"`
	_       column    `col:"alloc_time" width:"14" head:"Allocated at" is:"number,sort,range,ms"`
	_       column    `help:"of the last object, since the program began" from:"AllocTimestamp"`
	_       column    `col:"dealloc_time" width:"14" head:"Freed at" is:"number,sort,range,ms"`
	_       column    `help:"of the last object, since the program began" from:"DeallocTimestamp"`
	_       column    `col:"alloc_cpu" width:"14" head:"CPU" is:"number,sort,range" from:"AllocCpuId"`
	_       column    `help:"that allocated the last object"`
	_       column    `col:"dealloc_cpu" width:"14" head:"CPU freed" is:"number,sort,range" from:"DeallocCpuId"`
	_       column    `help:"that freed the last object"`
	_       column    `col:"migrated_cpu" width:"14" head:"Migrated" is:"number,sort,range" from:"NumMigratedCpu"`
	_       column    `help:"objects freed on a different CPU from the one that allocated them"`
	_       column    `col:"lifetime_overlaps" width:"14" head:"Overlaps" is:"number,sort,range"`
	_       column    `help:"objects allocated before the one before them was freed" from:"NumLifetimeOverlaps"`
	_       column    `col:"same_alloc_cpu" width:"14" head:"Same CPU" is:"number,sort,range" from:"NumSameAllocCpu"`
	_       column    `help:"objects allocated on the CPU of the one before"`
	_       column    `col:"same_dealloc_cpu" width:"14" head:"Same CPU freed" is:"number,sort,range"`
	_       column    `help:"objects freed on the CPU of the one before" from:"NumSameDeallocCpu"`
	_       column    `col:"histogram_size" width:"14" is:"number,sort,range" from:"AccessHistogramSize"`
	_       column    `col:"stack_depth" width:"14" head:"Frames" is:"number,sort,range"`
	_       column    `help:"of the call stack" as:"integer 0.."`
	StackID uint64    `col:"stack_id" width:"20" is:"script" help:"number in a raw profile or a report; 0 elsewhere"`
	Stack   Frames    `col:"stack" is:"script" help:"leaf first" as:"list StackFrame"` // at most MaxRowFrames
	Depth   int       // frames of the stack
	Own     int       // place in Stack of the blame frame; 0 where there is none
	User    *Function // whom that allocates for, as in [BlameSite]; nil where nobody is told
	MIB     memprof.MIB
}

// Cell implements [table.Celler]. What the profile lacks is null.
func (r *Row) Cell(column string, _ *table.Options) table.Cell {
	if column == "class" {
		return table.Text(ClassWord(r.Class))
	}
	c := query.Column(column)
	if field, ok := Field(c); ok {
		if v, known := r.MIB.Value(field); known {
			return table.Count(v)
		}
		return table.Null
	}
	v, known := r.Value(c)
	switch {
	case !known:
		return table.Null
	case c == ColDepth:
		return table.Int(uint64(v))
	case c == ColByteMS:
		m := &r.MIB
		return table.Count(analyze.ByteMilliseconds(m.Get(memprof.TotalSize), m.Get(memprof.TotalLifetime),
			m.Get(memprof.AllocCount)))
	}
	return table.Number(v)
}

// Allocations is the table of contexts.
var Allocations = table.Declare[Row](table.Declaration{
	About: "Times are in milliseconds, sizes in bytes, densities in accesses per byte, and lifetime densities in " +
		"accesses per byte and second. Null if the profile lacks the field.",
	Noun: "context", Usual: "-bytes", Apart: true,
	Show: "name class bytes count avg_size accesses lifetime_density lifetime",
	Text: "bytes count avg_size lifetime lifetime_density class context function",
})

// FindContexts finds the contexts that a query selects. Errors are those of Contexts.
func (p *Profile) FindContexts(q Query) table.Find {
	return func(ctx context.Context, at table.Query) (table.Page, error) {
		q := q
		q.Offset, q.Limit = at.Offset, at.Limit
		page, err := p.Contexts(ctx, q)
		if err != nil {
			return table.Page{}, err
		}
		return table.Page{Set: table.Set{Rows: page.Rows, Around: page}, Matching: page.Matching}, nil
	}
}

// MaxRowFrames is how many frames of a stack a row has. Real stacks have some
// tens.
const MaxRowFrames = 512

// Value is a column of the row, in its unit; known is false where the profile
// lacks it, and for words.
func (r *Row) Value(c query.Column) (v float64, known bool) {
	f, ok := figures()[c]
	if !ok {
		return 0, false
	}
	return f.number(func(field memprof.MIBField) (uint64, bool) {
		switch field {
		case fieldIndex:
			return uint64(r.Index), true
		case fieldDepth:
			return uint64(r.Depth), true
		}
		return r.MIB.Value(field)
	})
}

// Page is one page of a query.
type Page struct {
	Rows     []Row
	All      int `col:"all"` // contexts of the profile
	Matching int // that match
	Totals   analyze.MemProfTotals
	_        column `col:"matching"`
	// Classes of those that match, by the thresholds of the query, in the order of
	// analyze.MemProfClasses.
	Classes    [len(analyze.MemProfClasses)]ClassTotals
	_          column                    `col:"classes"`
	Thresholds analyze.MemProfThresholds // in force
	_          column                    `col:"thresholds"`
}

// Cell implements [table.Celler].
func (p *Page) Cell(column string, o *table.Options) table.Cell {
	switch t := p.Thresholds; column {
	case "matching":
		return (&TotalsCell{p.Totals}).Cell("", o)
	case "thresholds":
		return table.JSON(fmt.Appendf(nil, `{"cold_density":%g,"cold_lifetime":%g,"hot_density":%g}`, t.ColdDensity,
			t.ColdLifetime, t.HotDensity))
	}
	b := []byte{'{'}
	for i, class := range p.Classes {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%s":{"contexts":%d,"bytes":`, ClassWord(analyze.MemProfClasses[i]), class.Contexts)
		b = append(table.AppendBig(b, class.Bytes.String(), o.Quote), '}')
	}
	return table.JSON(append(b, '}'))
}

// Contexts returns one page of the allocation contexts.
//
// Errors are a *query.ColumnError, that of names.NewMatcher for a pattern, the
// context's, or about the file.
func (p *Profile) Contexts(ctx context.Context, q Query) (*Page, error) {
	x, selected, err := p.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	ids, err := p.order(ctx, x, selected, &q)
	if err != nil {
		return nil, err
	}
	page := &Page{
		All: len(x.contexts.stack), Matching: len(ids), Totals: selected.totals, Classes: selected.classTotals,
		Thresholds: q.thresholds(),
	}
	var l *libraryFrames
	if q.Own != nil {
		if l, err = p.framesOf(ctx, x, q.Own); err != nil {
			return nil, err
		}
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for n, i := range ids[from:to] {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := x.row(i, selected, MaxRowFrames)
		if l != nil {
			stack := x.contexts.stack[i]
			if own := l.before(x, stack); own < len(row.Stack) {
				row.Own = own
			}
			if stack >= 0 && l.blame[stack] >= 0 {
				if user := l.user(x, l.blame[stack]); user >= 0 {
					row.User = &x.functions[user]
				}
			}
		}
		page.Rows = append(page.Rows, row)
	}
	return page, nil
}

// row makes the row of a context, with at most so many frames.
func (x *index) row(i uint32, of *selection, frames int) Row {
	r := Row{
		Index: int(i), Context: x.contexts.address[i], StackID: x.contexts.id[i],
		Stack: x.frames(x.contexts.stack[i], frames), Depth: int(x.stackDepth(i)),
		Class: analyze.MemProfClasses[of.classes[i]], Mixed: of.mixed.Has(i), MIB: x.contexts.mib(i),
	}
	if at, ok := x.place(i); ok {
		r.Site, r.Leaf = x.address(at), &r.Stack[0]
	}
	return r
}

// selection is the contexts of a filter, and their sums. It is immutable.
type selection struct {
	ids         []uint32 // indices, in the recorded order
	totals      analyze.MemProfTotals
	classTotals [len(analyze.MemProfClasses)]ClassTotals
	classes     []uint8      // of all contexts
	mixed       query.Bitset // of all contexts
}

// selected is the tables and what a filter selects of them, from the cache when
// it was asked for before.
func (p *Profile) selected(ctx context.Context, f *Filter) (*index, *selection, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := stored.Cached(ctx, p.Profile, "memprof selection "+f.key(), func() (*selection, int64, error) {
		n := len(x.contexts.stack)
		s := &selection{classes: x.contexts.classes(f.thresholds())}
		s.mixed = x.mixed(s.classes)
		tests, err := p.tests(ctx, x, f, s)
		if err != nil {
			return nil, 0, err
		}
		s.ids = query.Select(n, nil, tests)
		for _, i := range s.ids {
			x.contexts.addTo(&s.totals, i)
			class := &s.classTotals[s.classes[i]]
			class.Contexts++
			class.Bytes.Add(x.contexts.get(i, memprof.TotalSize))
		}
		return s, int64(len(s.ids))*4 + int64(n) + int64(n)/8 + 512, nil
	})
	return x, s, err
}

// order is the contexts of a query in its order, from the cache when it was
// asked for before.
func (p *Profile) order(ctx context.Context, x *index, of *selection, q *Query) ([]uint32, error) {
	keys := q.Sort
	if len(keys) == 0 {
		keys = []query.Key{{Column: ColBytes, Desc: true}}
	}
	return stored.Cached(ctx, p.Profile, "memprof order "+query.CacheKey(q.key(), keys), func() ([]uint32, int64, error) {
		ids := slices.Clone(of.ids)
		err := query.Sort(ctx, ids, keys, func(c query.Column) (query.Value, error) { return x.value(c, of.classes) })
		return ids, int64(len(ids)) * 4, err
	})
}
