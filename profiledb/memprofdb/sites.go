package memprofdb

import (
	"cmp"
	"context"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
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
	ID       uint64    // of a call: see Filter.Site; else 0
	Function *Function // nil of a file, and of stacks without frames
	File     string    // empty where it is not known; of a function that of its first call
	// Of a call; else 0.
	Line, LineOffset, Column uint32

	SiteTotals
}

// SiteTotals is what the contexts of sites come to.
type SiteTotals struct {
	analyze.MemProfTotals
	// Classes in the order of analyze.MemProfClasses.
	Classes [len(analyze.MemProfClasses)]ClassTotals
	Sites   int // calls
	Mixed   int // of them, those with cold contexts and with others: they need cloning
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

// SiteQuery selects contexts, adds them up by site, and pages the sites. Ties end
// by name.
type SiteQuery struct {
	Filter
	By     SiteBy      // empty is by function
	Sort   []query.Key // empty is bytes, descending
	Offset int
	Limit  int
}

// SitePage is one page of sites.
type SitePage struct {
	Rows     []Site
	Matching int                   // sites
	Contexts int                   // that the filter selects
	Totals   analyze.MemProfTotals // of these
}

// Sites returns one page of allocation sites. Errors are those of Contexts.
func (p *Profile) Sites(ctx context.Context, q SiteQuery) (*SitePage, error) {
	x, selected, err := p.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	by := cmp.Or(q.By, SitesByFunction)
	sites, err := stored.Cached(ctx, p.Profile, query.CacheKey("memprof sites", by, q.key(), q.Sort),
		func() ([]Site, int64, error) {
			sites, err := sortedSites(ctx, x.sites(selected, by), q.Sort)
			return sites, int64(len(sites)) * 320, err
		})
	if err != nil {
		return nil, err
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(sites))
	return &SitePage{Rows: sites[from:to], Matching: len(sites), Contexts: len(selected.ids), Totals: selected.totals}, nil
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
			list = append(list, Site{Function: g.function, File: call.File})
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
