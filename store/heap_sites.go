package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
)

// HeapSiteBy says what allocation sites are added up by.
type HeapSiteBy string

// The ways to add up.
const (
	SitesByFunction HeapSiteBy = "function" // that allocates, whatever it was inlined into
	SitesByLine     HeapSiteBy = "line"     // the call of the allocator
	SitesByFile     HeapSiteBy = "file"     // the source file of that call
)

// HeapSitesBy are all of them, the default first.
var HeapSitesBy = []HeapSiteBy{SitesByFunction, SitesByLine, SitesByFile}

// HeapSite is the contexts that one place allocates: a call, or all calls of a
// function or a source file.
type HeapSite struct {
	ID       uint64        // of a call: see HeapFilter.Site; else 0
	Function *HeapFunction // nil of a file, and of stacks without frames
	File     string        // empty where it is not known; of a function that of its first call
	// Of a call; else 0.
	Line, LineOffset, Column uint32

	analyze.HeapTotals
	// Classes in the order of analyze.HeapClasses.
	Classes [len(analyze.HeapClasses)]HeapClassTotals
	Sites   int // calls
	Mixed   int // of them, those with cold contexts and with others: they need cloning
}

// HeapSiteColumn names a column of sites that can be sorted by.
type HeapSiteColumn string

// The columns. Those of totals are sums over contexts.
const (
	SiteBytes    HeapSiteColumn = "bytes"
	SiteCount    HeapSiteColumn = "count"
	SiteContexts HeapSiteColumn = "contexts"
	SiteAccesses HeapSiteColumn = "accesses"
	SiteByteMS   HeapSiteColumn = "byte_ms"
	SiteCold     HeapSiteColumn = "cold_bytes"
	SiteCalls    HeapSiteColumn = "sites"
	SiteMixed    HeapSiteColumn = "mixed"
	SiteName     HeapSiteColumn = "name" // of the function, then file and line
)

// HeapSiteColumns are all of them.
var HeapSiteColumns = []HeapSiteColumn{SiteBytes, SiteCount, SiteContexts, SiteAccesses, SiteByteMS, SiteCold, SiteCalls, SiteMixed, SiteName}

// HeapSiteKey is one column of an order.
type HeapSiteKey struct {
	Column HeapSiteColumn
	Desc   bool
}

// HeapSiteQuery selects contexts, adds them up by site, and pages the sites.
type HeapSiteQuery struct {
	HeapFilter
	By     HeapSiteBy // empty is by function
	Sort   []HeapSiteKey
	Offset int
	Limit  int
}

// HeapSitePage is one page of sites.
type HeapSitePage struct {
	Rows     []HeapSite
	Matching int                // sites
	Contexts int                // that the filter selects
	Totals   analyze.HeapTotals // of these
}

// HeapSites returns one page of allocation sites, those of the most bytes first
// unless asked otherwise. Errors are those of Allocations.
func (p *Profile) HeapSites(ctx context.Context, q HeapSiteQuery) (*HeapSitePage, error) {
	h, err := p.heapIndex(ctx)
	if err != nil {
		return nil, err
	}
	q.By = cmp.Or(q.By, SitesByFunction)
	selected, err := p.heapSelection(ctx, h, &q.HeapFilter)
	if err != nil {
		return nil, err
	}
	v, err := p.cached(ctx, fmt.Sprintf("heap sites by %s of %s in %v", q.By, q.key(), q.Sort), func() (any, int64, error) {
		sites := h.sites(selected, q.By)
		return sites, int64(len(sites)) * 320, h.sortSites(sites, q.Sort)
	})
	if err != nil {
		return nil, err
	}
	sites := v.([]HeapSite)
	from, to := clamp(q.Offset, q.Limit, len(sites))
	return &HeapSitePage{Rows: sites[from:to], Matching: len(sites), Contexts: len(selected.ids), Totals: selected.totals}, nil
}

// sites adds contexts up: first by call, then calls by what is asked for.
func (h *heapIndex) sites(of *heapOrdered, by HeapSiteBy) []HeapSite {
	calls := h.calls(of)
	if by == SitesByLine {
		return calls
	}
	type group struct {
		function *HeapFunction
		file     string
	}
	var list []HeapSite
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
			list = append(list, HeapSite{Function: g.function, File: call.File})
		}
		list[at].add(call)
	}
	return list
}

// calls adds contexts up by the call of the allocator.
func (h *heapIndex) calls(of *heapOrdered) []HeapSite {
	var list []HeapSite
	places := map[heapSite]int{}
	none := -1 // stacks without frames
	var seen []siteClasses
	for _, i := range of.ids {
		at := none
		site, ok := h.site(i)
		if ok {
			at, ok = places[site]
			if !ok {
				at = -1
			}
		}
		if at < 0 {
			at = len(list)
			s := HeapSite{Sites: 1}
			if leaf, has := h.leaf(i); has {
				places[site] = at
				s.ID, s.Function, s.File = h.siteAddress(site), &h.functions[site.function], h.file(leaf)
				s.Line, s.LineOffset, s.Column = site.line, site.lineOffset, site.column
			} else {
				none = at
			}
			list, seen = append(list, s), append(seen, 0)
		}
		s := &list[at]
		h.contexts.addTo(&s.HeapTotals, i)
		class := of.classes[i]
		s.Classes[class].Contexts++
		s.Classes[class].Bytes.Add(h.contexts.get(i, memprof.TotalSize))
		seen[at] = seen[at].with(int(class))
	}
	for i := range list {
		if seen[i].mixed() {
			list[i].Mixed = 1
		}
	}
	return list
}

// add adds the contexts of a call.
func (s *HeapSite) add(call *HeapSite) {
	s.AddTotals(&call.HeapTotals)
	for i := range s.Classes {
		s.Classes[i].Contexts += call.Classes[i].Contexts
		s.Classes[i].Bytes.AddSum(call.Classes[i].Bytes)
	}
	s.Sites += call.Sites
	s.Mixed += call.Mixed
}

func (h *heapIndex) sortSites(sites []HeapSite, keys []HeapSiteKey) error {
	if len(keys) == 0 {
		keys = []HeapSiteKey{{SiteBytes, true}}
	}
	for _, key := range keys {
		if !slices.Contains(HeapSiteColumns, key.Column) {
			return &HeapColumnError{HeapColumn(key.Column)}
		}
	}
	keys = append(slices.Clone(keys), HeapSiteKey{SiteName, false})
	slices.SortStableFunc(sites, func(a, b HeapSite) int {
		for _, key := range keys {
			order := key.Column.compare(&a, &b)
			if key.Desc {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return 0
	})
	return nil
}

func (c HeapSiteColumn) compare(a, b *HeapSite) int {
	switch c {
	case SiteBytes:
		return a.Bytes.Compare(b.Bytes)
	case SiteCount:
		return a.Allocations.Compare(b.Allocations)
	case SiteContexts:
		return cmp.Compare(a.Contexts, b.Contexts)
	case SiteAccesses:
		return a.Accesses.Compare(b.Accesses)
	case SiteByteMS:
		return a.ByteMS.Compare(b.ByteMS)
	case SiteCold:
		return a.Classes[0].Bytes.Compare(b.Classes[0].Bytes)
	case SiteCalls:
		return cmp.Compare(a.Sites, b.Sites)
	case SiteMixed:
		return cmp.Compare(a.Mixed, b.Mixed)
	}
	if a.Function != b.Function && a.Function != nil && b.Function != nil {
		if order := compareHeapFunctions(a.Function, b.Function); order != 0 {
			return order
		}
	}
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.LineOffset, b.LineOffset), cmp.Compare(a.Column, b.Column))
}
