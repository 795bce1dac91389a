package memprofdb

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// SiteBy says what allocation sites are added up by.
type SiteBy string

// The ways to add up.
const (
	SitesByFunction SiteBy = "function" // that allocates, whatever it was inlined into
	SitesByLine     SiteBy = "line"     // the call of the allocator
	SitesByFile     SiteBy = "file"     // the source file of that call
)

// SitesBy are all of them, the default first.
var SitesBy = []SiteBy{SitesByFunction, SitesByLine, SitesByFile}

// Site is the contexts that one place allocates: a call, or all calls of a
// function or a source file.
type Site struct {
	SitePlace `col:"name" head:"Allocated in" is:"sort,up" help:"by function, file and line"`
	SiteTotals
}

// SitePlace is where contexts allocate.
type SitePlace struct {
	ID uint64 `col:"site" width:"16" is:"hex,omitzero" help:"its address in pages"` // of a call: see Filter.Site; else 0
	// nil of a file, and of stacks without frames
	Function *Function `col:"function"`
	// of a function that of its first call
	File string `col:"file" is:"omitzero"`
	// of a call; else 0, as what follows
	Line uint32 `col:"line" width:"8" is:"omitzero"`
	_    column `col:"line_offset" width:"8" is:"number" help:"lines below the function's first" as:"integer 0.. null"`
	_    column `col:"column" width:"8" is:"number" as:"integer 0.. null"`

	LineOffset, Column uint32
}

// Cell implements [table.Celler].
func (s *SitePlace) Cell(column string, _ *table.Options) table.Cell {
	switch {
	case s.ID == 0:
		return table.Null
	case column == "column":
		return table.Int(s.Column)
	}
	return table.Int(s.LineOffset)
}

// Frame is the place as a level of a call stack.
func (s *SitePlace) Frame() *Frame {
	return &Frame{Function: s.Function, File: s.File, Line: s.Line, LineOffset: s.LineOffset, Column: s.Column}
}

// Named implements [table.Named].
func (s *SitePlace) Named() (linkage []byte, ref uint64, other string) {
	if s.Function == nil {
		return nil, 0, "stacks without frames"
	}
	return s.Function.Named()
}

// Words implements [table.Sought].
func (s *SitePlace) Words(show func([]byte)) {
	s.Function.Words(show)
	show([]byte(s.File))
}

// Compare implements [table.Ordered]: by function, then by file and line; stacks without
// frames come first.
func (s *SitePlace) Compare(other any) int {
	o := other.(*SitePlace)
	if s.Function != o.Function {
		switch {
		case s.Function == nil:
			return -1
		case o.Function == nil:
			return 1
		}
		if order := s.Function.compare(o.Function); order != 0 {
			return order
		}
	}
	return cmp.Or(strings.Compare(s.File, o.File), cmp.Compare(s.Line, o.Line), cmp.Compare(s.LineOffset, o.LineOffset),
		cmp.Compare(s.Column, o.Column))
}

// Sites is the table of sites.
var Sites = table.Declare[Site](table.Declaration{
	Around: (*Matching)(nil),
	Noun:   "site", Usual: "-bytes",
	Show: "name bytes count contexts sites mixed cold_bytes hot_bytes accesses",
	Text: "bytes count contexts cold_bytes mixed file line function",
})

// Matching is what stands around sites.
type Matching struct {
	Totals TotalsCell `col:"matching" as:"HeapSums"` // of the contexts that the filter selects
}

// TotalsCell is totals as an object of JSON.
type TotalsCell struct{ of analyze.MemProfTotals }

// Cell implements [table.Celler].
func (t *TotalsCell) Cell(_ string, o *table.Options) table.Cell {
	b := fmt.Appendf(nil, `{"contexts":%d`, t.of.Contexts)
	for i, name := range []string{"bytes", "count", "accesses", "total_lifetime", "byte_ms"} {
		b = table.AppendBig(fmt.Appendf(b, `,"%s":`, name), t.of.Sums()[i].String(), o.Quote)
	}
	return table.JSON(append(b, '}'))
}

// SiteTotals is what the contexts of sites come to.
type SiteTotals struct {
	analyze.MemProfTotals
	Sites int    `col:"sites" width:"8" is:"sort,range" help:"calls that allocate" how:"memprof-site an allocation site"`
	Mixed int    `col:"mixed" width:"8" is:"sort" head:"Cloning" how:"memprof-mixed a site that needs cloning"`
	_     column `help:"of the sites, those with cold contexts and with others: they need cloning"`
	// Classes in the order of analyze.MemProfClasses.
	Classes [len(analyze.MemProfClasses)]ClassTotals `col:"classes"`
	_       column                                   `each:"cold_ Cold,notcold_ Not cold,hot_ Hot,unknown_ Unknown"`
}

// Add adds other sites.
func (t *SiteTotals) Add(o *SiteTotals) {
	t.AddTotals(&o.MemProfTotals)
	for i := range t.Classes {
		t.Classes[i].Contexts += o.Classes[i].Contexts
		t.Classes[i].Bytes.AddSum(o.Classes[i].Bytes)
	}
	t.Sites += o.Sites
	t.Mixed += o.Mixed
}

// Sub takes away sites that are a part of these.
func (t *SiteTotals) Sub(part *SiteTotals) {
	t.MemProfTotals.Sub(&part.MemProfTotals)
	for i := range t.Classes {
		t.Classes[i].Contexts -= part.Classes[i].Contexts
		t.Classes[i].Bytes.Sub(part.Classes[i].Bytes)
	}
	t.Sites -= part.Sites
	t.Mixed -= part.Mixed
}

// FindSites finds sites, into which the contexts of a filter are added up. Errors are
// those of Contexts.
func (p *Profile) FindSites(ctx context.Context, f Filter, by SiteBy) (table.Find, error) {
	x, selected, err := p.selected(ctx, &f)
	if err != nil {
		return nil, err
	}
	sites, err := stored.Cached(ctx, p.Profile, query.CacheKey("memprof sites", by, f.key()),
		func() ([]Site, int64, error) {
			sites := x.sites(selected, by)
			slices.SortStableFunc(sites, func(a, b Site) int { return a.Compare(&b.SitePlace) })
			return sites, int64(len(sites)) * 320, nil
		})
	return Sites.Within(table.Set{Rows: sites, Around: &Matching{TotalsCell{selected.totals}},
		Whole: wholeOf(&selected.totals)}), err
}

// wholeOf is what the shares of sites are of.
func wholeOf(t *analyze.MemProfTotals) map[string]float64 {
	return map[string]float64{"bytes": t.Bytes.Float64()}
}

// SiteQuery selects contexts, adds them up by site, and pages the sites. Ties end
// by name.
type SiteQuery struct {
	Filter
	By     SiteBy      // empty is by function
	Sort   []query.Key // empty is bytes, descending
	Offset int
	Limit  int
}

// rowsOf are copies of the rows of a page.
func rowsOf[R any](page *table.Page) []R {
	rows := make([]R, page.Len())
	for i, row := range table.RowsOf[R](page) {
		rows[i] = *row
	}
	return rows
}

// SitePage is one page of sites.
type SitePage struct {
	Rows     []Site
	Matching int // sites
	Totals   analyze.MemProfTotals
}

// Sites returns one page of allocation sites. Errors are those of Contexts.
func (p *Profile) Sites(ctx context.Context, q SiteQuery) (*SitePage, error) {
	find, err := p.FindSites(ctx, q.Filter, cmp.Or(q.By, SitesByFunction))
	if err != nil {
		return nil, err
	}
	page, err := find(ctx, table.Query{RowQuery: query.RowQuery{Sort: q.Sort, Offset: q.Offset, Limit: q.Limit}})
	if err != nil {
		return nil, err
	}
	return &SitePage{rowsOf[Site](&page), page.Matching, page.Around.(*Matching).Totals.of}, nil
}

// sites adds contexts up: first by call, then calls by what is asked for.
func (x *index) sites(of *selection, by SiteBy) []Site {
	calls := x.calls(of)
	if by == SitesByLine {
		return calls
	}
	type group struct {
		function *Function
		file     string
	}
	var list []Site
	places := map[group]int{}
	for i := range calls {
		call := &calls[i]
		g := group{file: call.File}
		if by == SitesByFunction {
			g = group{function: call.Function}
		}
		at, ok := places[g]
		if !ok {
			at = len(list)
			places[g] = at
			list = append(list, Site{SitePlace: SitePlace{Function: g.function, File: call.File}})
		}
		list[at].Add(&call.SiteTotals)
	}
	return list
}

// calls adds contexts up by the call of the allocator; stacks without frames are
// one.
func (x *index) calls(of *selection) []Site {
	type call struct {
		place
		known bool
	}
	var list []Site
	var seen []classSet
	places := map[call]int{}
	for _, i := range of.ids {
		var c call
		c.place, c.known = x.place(i)
		at, ok := places[c]
		if !ok {
			at = len(list)
			places[c] = at
			s := Site{SiteTotals: SiteTotals{Sites: 1}}
			if leaf, has := x.leaf(i); has {
				s.ID, s.Function, s.File = x.address(c.place), &x.functions[c.function], x.file(leaf)
				s.Line, s.LineOffset, s.Column = c.line, c.lineOffset, c.column
			}
			list, seen = append(list, s), append(seen, 0)
		}
		s, class := &list[at], of.classes[i]
		x.contexts.addTo(&s.MemProfTotals, i)
		s.Classes[class].Contexts++
		s.Classes[class].Bytes.Add(x.contexts.get(i, memprof.TotalSize))
		seen[at] = seen[at].with(int(class))
	}
	for i := range list {
		if seen[i].mixed() {
			list[i].Mixed = 1
		}
	}
	return list
}
