package memprofdb

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
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

// BlameColumns are all that sites by blame can be sorted by. Averages are of all
// objects.
var BlameColumns = append(slices.Clone(SiteColumns), ColType, ColAvgSize, ColAvgLifetime, ColAvgDensity)

// LifetimeSteps end the ranges of mean lifetimes that a site's bytes are counted
// in, in milliseconds; the last range has no end.
var LifetimeSteps = [5]float64{0.1, 1, 10, 100, 1000}

// BlameSite is the contexts that one function is to blame for, or that allocate one
// type. Sites counts its calls on the way to the allocator, by line.
type BlameSite struct {
	// with the line that allocates the most bytes, its ID 0; no function: nothing but library frames, or none
	Site
	Lines  int    // that allocate
	Type   string // of the most bytes; empty where names do not tell
	Types  int    // that are known
	Folded int    // library frames between, at most
	// Lifetimes are bytes by mean lifetime; see LifetimeSteps.
	Lifetimes [len(LifetimeSteps) + 1]analyze.Sum
	Touched   analyze.Sum // accesses per byte times 100, of all objects
}

// BlamePage is one page of sites by blame.
type BlamePage struct {
	Rows     []BlameSite // shared: do not change them
	Matching int
	Contexts int                   // that the filter selects
	Totals   analyze.MemProfTotals // of these
	InFrames analyze.Sum           // bytes of those whose leaf is a library frame
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

// Blame returns one page of sites by blame. Errors are those of Contexts.
func (p *Profile) Blame(ctx context.Context, q BlameQuery) (*BlamePage, error) {
	x, selected, err := p.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	l, err := p.framesOf(ctx, x, q.Library)
	if err != nil {
		return nil, err
	}
	by := cmp.Or(q.By, SitesByBlame)
	all, err := stored.Cached(ctx, p.Profile, query.CacheKey("memprof blame", by, q.Library.Key(), q.key(), q.Sort),
		func() (*BlamePage, int64, error) {
			page := x.blamed(l, selected, by)
			var err error
			page.Rows, err = sortedBlame(ctx, page.Rows, q.Sort)
			return page, int64(len(page.Rows)) * 520, err
		})
	if err != nil {
		return nil, err
	}
	page := *all
	from, to := query.Clamp(q.Offset, q.Limit, len(all.Rows))
	page.Rows, page.Matching = all.Rows[from:to], len(all.Rows)
	return &page, nil
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
}

type blameLine struct {
	bytes   analyze.Sum
	classes classSet
	frame   uint32
}

// noBlame stands for the blame of stacks without frames, and of those of nothing
// but library frames.
const noBlame = -1

// blamed adds contexts up by blame.
func (x *index) blamed(l *libraryFrames, of *selection, by SiteBy) *BlamePage {
	page := &BlamePage{Contexts: len(of.ids), Totals: of.totals}
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
			g = &blameGroup{lines: map[place]*blameLine{}, types: map[string]*analyze.Sum{}}
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
			page.InFrames.Add(bytes)
		}
		if n := x.contexts.get(i, memprof.AllocCount); n > 0 {
			mean := float64(x.contexts.get(i, memprof.TotalLifetime)) / float64(n)
			step := 0
			for step < len(LifetimeSteps) && mean >= LifetimeSteps[step] {
				step++
			}
			g.Lifetimes[step].Add(bytes)
		}
		if g.types[name] == nil {
			g.types[name] = &analyze.Sum{}
		}
		g.types[name].Add(bytes)
		if function >= 0 {
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
		page.Rows = append(page.Rows, g.finish(x, by))
	}
	return page
}

// finish picks the line and the type of the most bytes.
func (g *blameGroup) finish(x *index, by SiteBy) BlameSite {
	row := g.BlameSite
	row.Lines, row.Sites = len(g.lines), len(g.lines)
	var most *blameLine
	for _, line := range g.lines {
		if line.classes.mixed() {
			row.Mixed++
		}
		if most == nil || cmp.Or(line.bytes.Compare(most.bytes), cmp.Compare(most.frame, line.frame)) > 0 {
			most = line
		}
	}
	if most != nil {
		f := most.frame
		row.File, row.Line, row.LineOffset, row.Column = x.file(f), x.line[f], x.lineOffset[f], x.column[f]
		if by == SitesByType {
			row.Function = &x.functions[x.function[f]]
		}
	}
	var largest analyze.Sum
	for name, bytes := range g.types {
		if name == "" {
			continue
		}
		row.Types++
		if row.Type == "" || cmp.Or(bytes.Compare(largest), strings.Compare(row.Type, name)) > 0 {
			row.Type, largest = name, *bytes
		}
	}
	return row
}

// sortedBlame is sites by blame in an order; ties end by name.
func sortedBlame(ctx context.Context, rows []BlameSite, keys []query.Key) ([]BlameSite, error) {
	if len(keys) == 0 {
		keys = []query.Key{{Column: ColBytes, Desc: true}}
	}
	sites := make([]Site, len(rows))
	for i := range rows {
		sites[i] = rows[i].Site
	}
	ids := query.All(len(rows))
	slices.SortStableFunc(ids, func(a, b uint32) int {
		return cmp.Or(sites[a].compareNames(&sites[b]), strings.Compare(rows[a].Type, rows[b].Type))
	})
	each := func(of func(s *BlameSite) analyze.Sum) query.Value {
		v := query.Real(func(i uint32) float64 { return of(&rows[i]).Float64() / rows[i].Allocations.Float64() })
		v.Known = func(i uint32) bool { return !rows[i].Allocations.IsZero() }
		return v
	}
	err := query.Sort(ctx, ids, keys, func(c query.Column) (query.Value, error) {
		switch c {
		case ColType:
			return query.Ranked(len(rows), func(a, b uint32) int { return strings.Compare(rows[a].Type, rows[b].Type) }), nil
		case ColAvgSize:
			return each(func(s *BlameSite) analyze.Sum { return s.Bytes }), nil
		case ColAvgLifetime:
			return each(func(s *BlameSite) analyze.Sum { return s.Lifetime }), nil
		case ColAvgDensity:
			return each(func(s *BlameSite) analyze.Sum { return s.Touched }), nil
		}
		return siteValue(sites, c)
	})
	sorted := make([]BlameSite, len(rows))
	for at, i := range ids {
		sorted[at] = rows[i]
	}
	return sorted, err
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
