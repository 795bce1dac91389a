package memprofdb

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// The ways to add contexts up by blame: by function of the blame frame, and by the
// type that is allocated.
const (
	SitesByBlame SiteBy = "blame"
	SitesByType  SiteBy = "type"
	// sitesTogether makes one row of all.
	sitesTogether SiteBy = ""
)

// ColType is the type that is allocated; of sites by blame.
const ColType query.Column = "type"

// LifetimeSteps end the ranges of mean lifetimes that a site's bytes are counted
// in, in milliseconds; the last range has no end.
var LifetimeSteps = [5]float64{0.1, 1, 10, 100, 1000}

// BlameSite is the contexts that one function is to blame for, or that allocate one
// type. Sites counts its calls on the way to the allocator, by line.
type BlameSite struct {
	// SitePlace is the line that allocates the most bytes, its ID 0; no function: nothing
	// but library frames, or none.
	SitePlace `col:"name" parts:"function,file,line" head:"Blame frame" is:"sort,up"`
	_         column `help:"first function outside the library" how:"memprof-blame the blame frame"`
	Lines     int    // that allocate
	// User is what calls a constructor or a method of a template for the most bytes, unless
	// that is one too; nil otherwise.
	User   *Function
	Folded int `col:"library_frames" width:"8" help:"between, at most"`
	BlameSums
}

// BlameSums is what contexts with one blame come to.
type BlameSums struct {
	Type  string `col:"type" is:"omitzero,sort,up"`
	_     column `help:"that is allocated, if names show it; the one with the most bytes"`
	Types int    `col:"types" width:"6" help:"that are known"`
	_     column `col:"avg_size" width:"10" head:"Mean size" is:"number,sort,bytes" help:"of an object" as:"number null"`
	_     column `col:"lifetime" width:"10" is:"number,sort,ms" help:"mean over objects" as:"number null"`
	_     column `col:"density" width:"10" head:"Acc./B" is:"number,sort"`
	_     column `help:"accesses per byte of an object, mean" as:"number null"`
	SiteTotals
	// Lifetimes are bytes by mean lifetime; see LifetimeSteps.
	Lifetimes [len(LifetimeSteps) + 1]Lived `col:"lived_"`
	_         column                        `each:"below_100us,below_1ms,below_10ms,below_100ms,below_1s,1s_or_more"`
	Touched   analyze.Sum                   // accesses per byte times 100, of all objects
}

// Lived is the bytes of objects that lived about as long as each other.
type Lived struct {
	analyze.Sum `col:"" width:"14" is:"bytes" help:"bytes by mean lifetime"`
}

// Cell implements [table.Celler].
func (s *BlameSums) Cell(column string, _ *table.Options) table.Cell {
	sum, by := map[string]analyze.Sum{"avg_size": s.Bytes, "lifetime": s.Lifetime, "density": s.Touched}[column], 1.0
	if s.Allocations.IsZero() {
		return table.Null
	}
	if column == "density" {
		by = 100
	}
	return table.Number(sum.Float64() / s.Allocations.Float64() / by)
}

// BlameSites is the table of sites by blame.
var BlameSites = table.Declare[BlameSite](table.Declaration{
	Around: (*BlameAround)(nil),
	Noun:   "blame frame", Usual: "-bytes",
	Show: "name type bytes count avg_size lifetime density",
	Text: "bytes count avg_size lifetime type function",
})

// BlameAround is what stands around sites by blame.
type BlameAround struct {
	Matching
	InFrames analyze.Sum `col:"library_bytes"` // of contexts whose leaf is a library frame
}

// BlamePage is one page of sites by blame.
type BlamePage struct {
	Rows     []BlameSite
	Matching int
	Totals   analyze.MemProfTotals // of the contexts that the filter selects
	InFrames analyze.Sum
}

// BlameQuery selects contexts, adds them up by blame, and pages the sums.
type BlameQuery struct {
	Filter
	By      SiteBy // SitesByBlame, also when empty, or SitesByType
	Library *analyze.Library
	Sort    []query.Key // empty is bytes, descending
	Offset  int
	Limit   int
}

// FindBlame finds sites by blame or by type, by the library of the filter. Errors are
// those of Contexts.
func (p *Profile) FindBlame(ctx context.Context, f Filter, by SiteBy) (table.Find, error) {
	x, selected, err := p.selected(ctx, &f)
	if err != nil {
		return nil, err
	}
	l, err := p.framesOf(ctx, x, f.Library)
	if err != nil {
		return nil, err
	}
	set, err := stored.Cached(ctx, p.Profile, query.CacheKey("memprof blame", by, f.Library.Key(), f.key()),
		func() (table.Set, int64, error) {
			rows, inFrames := x.blamed(l, selected, by)
			slices.SortStableFunc(rows, func(a, b BlameSite) int {
				return cmp.Or(a.Compare(&b.SitePlace), strings.Compare(a.Type, b.Type))
			})
			return table.Set{Rows: rows, Around: &BlameAround{Matching{TotalsCell{selected.totals}}, inFrames},
				Whole: wholeOf(&selected.totals)}, int64(len(rows)) * 520, nil
		})
	return BlameSites.Within(set), err
}

// Blame returns one page of sites by blame. Errors are those of Contexts.
func (p *Profile) Blame(ctx context.Context, q BlameQuery) (*BlamePage, error) {
	q.Filter.Library = q.Library
	find, err := p.FindBlame(ctx, q.Filter, cmp.Or(q.By, SitesByBlame))
	if err != nil {
		return nil, err
	}
	page, err := find(ctx, table.Query{RowQuery: query.RowQuery{Sort: q.Sort, Offset: q.Offset, Limit: q.Limit}})
	if err != nil {
		return nil, err
	}
	around := page.Around.(*BlameAround)
	return &BlamePage{rowsOf[BlameSite](&page), page.Matching, around.Totals.of, around.InFrames}, nil
}

// typed finds the types of contexts, each chain of library frames but once.
type typed struct {
	x     *index
	l     *libraryFrames
	known map[string]string
	key   []byte
}

// of is the type of a context, and how many library frames stand before its blame
// frame.
func (t *typed) of(stack int32) (name string, folded int) {
	t.key = t.key[:0]
	for at := stack; at >= 0 && t.l.frames.Has(t.x.frame[at]); at = t.x.caller[at] {
		if folded++; folded <= maxTypeFrames {
			t.key = binary.LittleEndian.AppendUint32(t.key, t.x.function[t.x.frame[at]])
		}
	}
	if name, ok := t.known[string(t.key)]; ok {
		return name, folded
	}
	var chain []string
	for k := t.key; len(k) > 0; k = k[4:] {
		chain = append(chain, t.l.short[binary.LittleEndian.Uint32(k)])
	}
	name = analyze.AllocatedType(chain)
	t.known[string(t.key)] = name
	return name, folded
}

// maxTypeFrames is how many library frames are read for a type.
const maxTypeFrames = 64

// blameGroup is a row in the making.
type blameGroup struct {
	BlameSite
	lines map[place]*blameLine
	types map[string]*analyze.Sum
	users map[int]*analyze.Sum // by function
}

type blameLine struct {
	bytes   analyze.Sum
	classes classSet
	frame   uint32
}

// noBlame stands for the blame of stacks without frames, and of those of nothing
// but library frames.
const noBlame = -1

// blamed adds contexts up by blame; inFrames is the bytes of those whose leaf is a library
// frame.
func (x *index) blamed(l *libraryFrames, of *selection, by SiteBy) (rows []BlameSite, inFrames analyze.Sum) {
	types := &typed{x: x, l: l, known: map[string]string{}}
	groups := map[any]*blameGroup{}
	var order []*blameGroup
	for _, i := range of.ids {
		stack, function, frame := x.contexts.stack[i], noBlame, uint32(0)
		name, folded := types.of(stack)
		if stack >= 0 && l.blame[stack] >= 0 {
			frame = x.frame[l.blame[stack]]
			function = int(x.function[frame])
		}
		var key any = function
		switch by {
		case SitesByType:
			key = name
		case sitesTogether:
			key = nil
		}
		g, ok := groups[key]
		if !ok {
			g = &blameGroup{lines: map[place]*blameLine{}, types: map[string]*analyze.Sum{}, users: map[int]*analyze.Sum{}}
			if by == SitesByBlame && function >= 0 {
				g.Function = &x.functions[function]
			}
			groups[key] = g
			order = append(order, g)
		}
		bytes, class := x.contexts.get(i, memprof.TotalSize), of.classes[i]
		x.contexts.addTo(&g.MemProfTotals, i)
		g.Classes[class].Contexts++
		g.Classes[class].Bytes.Add(bytes)
		g.Touched.Add(x.contexts.get(i, memprof.TotalAccessDensity))
		g.Folded = max(g.Folded, folded)
		if folded > 0 {
			inFrames.Add(bytes)
		}
		if n := x.contexts.get(i, memprof.AllocCount); n > 0 {
			mean := float64(x.contexts.get(i, memprof.TotalLifetime)) / float64(n)
			step := 0
			for step < len(LifetimeSteps) && mean >= LifetimeSteps[step] {
				step++
			}
			g.Lifetimes[step].Add(bytes)
		}
		addBytes(g.types, name, bytes)
		if function >= 0 {
			if user := l.user(x, l.blame[stack]); user >= 0 && by == SitesByBlame {
				addBytes(g.users, user, bytes)
			}
			at := place{uint32(function), x.line[frame], x.lineOffset[frame], x.column[frame]}
			line := g.lines[at]
			if line == nil {
				line = &blameLine{frame: frame}
				g.lines[at] = line
			}
			line.bytes.Add(bytes)
			line.classes = line.classes.with(int(class))
		}
	}
	for _, g := range order {
		rows = append(rows, g.finish(x, by))
	}
	return rows, inFrames
}

// addBytes adds to the sum of a key.
func addBytes[K comparable](sums map[K]*analyze.Sum, key K, bytes uint64) {
	if sums[key] == nil {
		sums[key] = &analyze.Sum{}
	}
	sums[key].Add(bytes)
}

// most is the key of the largest sum, the first of several.
func most[K cmp.Ordered](sums map[K]*analyze.Sum) (key K, ok bool) {
	for k, sum := range sums {
		if !ok || cmp.Or(sum.Compare(*sums[key]), cmp.Compare(key, k)) > 0 {
			key, ok = k, true
		}
	}
	return key, ok
}

// finish picks the line, the type and the user of the most bytes.
func (g *blameGroup) finish(x *index, by SiteBy) BlameSite {
	row := g.BlameSite
	row.Lines, row.Sites = len(g.lines), len(g.lines)
	var widest *blameLine
	for _, line := range g.lines {
		if line.classes.mixed() {
			row.Mixed++
		}
		if widest == nil || cmp.Or(line.bytes.Compare(widest.bytes), cmp.Compare(widest.frame, line.frame)) > 0 {
			widest = line
		}
	}
	if widest != nil {
		f := widest.frame
		row.File, row.Line, row.LineOffset, row.Column = analyze.ResolvePath(x.file(f)), x.line[f], x.lineOffset[f],
			x.column[f]
		if by == SitesByType {
			row.Function = &x.functions[x.function[f]]
		}
	}
	delete(g.types, "")
	row.Types = len(g.types)
	row.Type, _ = most(g.types)
	if user, ok := most(g.users); ok {
		row.User = &x.functions[user]
	}
	return row
}

// blameTests test the blame frame and the type of contexts.
func (x *index) blameTests(l *libraryFrames, f *Filter) []query.Test {
	var tests []query.Test
	if f.Blame != nil {
		tests = append(tests, func(i uint32) bool {
			stack := x.contexts.stack[i]
			if stack < 0 || l.blame[stack] < 0 {
				return *f.Blame == 0
			}
			return x.functions[x.function[x.frame[l.blame[stack]]]].FID == *f.Blame
		})
	}
	if f.Type != nil {
		types := &typed{x: x, l: l, known: map[string]string{}}
		tests = append(tests, func(i uint32) bool {
			name, _ := types.of(x.contexts.stack[i])
			return name == *f.Type
		})
	}
	return tests
}
