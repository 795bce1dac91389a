package memprofdb

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profiledb/query"
)

// Columns of sites beside those that contexts have. Those of totals are sums over
// contexts.
const (
	ColContexts query.Column = "contexts"
	ColCold     query.Column = "cold_bytes"
	ColSites    query.Column = "sites" // calls
	ColMixed    query.Column = "mixed"
)

// SiteColumns are all that sites can be sorted by.
var SiteColumns = []query.Column{
	ColBytes, ColCount, ColContexts, ColAccesses, ColByteMS, ColCold, ColSites, ColMixed, ColName,
}

// sortedSites is sites in an order; ties end by name.
func sortedSites(ctx context.Context, sites []Site, keys []query.Key) ([]Site, error) {
	if len(keys) == 0 {
		keys = []query.Key{{Column: ColBytes, Desc: true}}
	}
	ids := query.All(len(sites))
	slices.SortStableFunc(ids, func(a, b uint32) int { return sites[a].compareNames(&sites[b]) })
	err := query.Sort(ctx, ids, keys, func(c query.Column) (query.Value, error) { return siteValue(sites, c) })
	sorted := make([]Site, len(sites))
	for at, i := range ids {
		sorted[at] = sites[i]
	}
	return sorted, err
}

// siteValue is a column of sites.
func siteValue(sites []Site, c query.Column) (query.Value, error) {
	number := func(of func(s *Site) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return of(&sites[i]) }}, nil
	}
	ranked := func(compare func(a, b *Site) int) (query.Value, error) {
		return query.Ranked(len(sites), func(a, b uint32) int { return compare(&sites[a], &sites[b]) }), nil
	}
	sum := func(of func(s *Site) analyze.Sum) (query.Value, error) {
		return ranked(func(a, b *Site) int { return of(a).Compare(of(b)) })
	}
	switch c {
	case ColBytes:
		return sum(func(s *Site) analyze.Sum { return s.Bytes })
	case ColCount:
		return sum(func(s *Site) analyze.Sum { return s.Allocations })
	case ColAccesses:
		return sum(func(s *Site) analyze.Sum { return s.Accesses })
	case ColByteMS:
		return sum(func(s *Site) analyze.Sum { return s.ByteMS })
	case ColCold:
		return sum(func(s *Site) analyze.Sum { return s.Classes[0].Bytes })
	case ColContexts:
		return number(func(s *Site) uint64 { return s.Contexts })
	case ColSites:
		return number(func(s *Site) uint64 { return uint64(s.Sites) })
	case ColMixed:
		return number(func(s *Site) uint64 { return uint64(s.Mixed) })
	case ColName:
		return ranked((*Site).compareNames)
	}
	return query.Value{}, &query.ColumnError{Column: c}
}

// compareNames orders sites by function, then by file and line; stacks without
// frames come first.
func (s *Site) compareNames(o *Site) int {
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
