package memprofdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// PrunedSite is an allocation site by line, with what the compiler makes of its
// contexts.
type PrunedSite struct {
	Site
	analyze.PrunedSite
	Functions int // distinct ones among Clones
	ids       []uint32
}

// NeedsCloning reports whether the site has metadata instead of an attribute.
func (s *PrunedSite) NeedsCloning() bool { return s.Attribute == "" }

// PrunedMIB is a MIB of a site after pruning.
type PrunedMIB struct {
	*analyze.MIB
	Site *PrunedSite
	// Stack has the frames that are kept, leaf first, at most MaxRowFrames, and
	// StackIDs the numbers that the compiler has for them; none where the frames
	// have no functions.
	Stack    []Frame
	StackIDs []uint64
	Indexes  []int // of its contexts: Row.Index
}

// Pruning is what the compiler makes of all sites of a profile. Cold bytes are
// those of cold contexts.
type Pruning struct {
	Sites      int         // of a profile
	Cloned     int         // of them, those that need cloning
	MIBs, Kept int         // of these, and those of them that the metadata has
	Clones     int         // places that are to be cloned, at most
	Functions  int         // distinct ones that these places are in
	Attributes analyze.Sum // cold bytes of sites that are cold alone
	Separated  analyze.Sum // cold bytes that get hints by cloning
	Lost       analyze.Sum // cold bytes that get none
	Cut        bool        // see analyze.PrunedSite
}

// pruned is all sites of a profile, pruned, in the order in which each was first
// seen.
type pruned struct {
	Pruning
	sites []PrunedSite
	mibs  []mibPlace // of all sites: those of most cold bytes first
}

type mibPlace struct{ site, mib int32 }

// prune prunes all sites by thresholds, from the cache when that was asked for
// before.
func (p *Profile) prune(ctx context.Context, t analyze.MemProfThresholds) (*index, *pruned, error) {
	f := Filter{Thresholds: t}
	x, all, err := p.selected(ctx, &f)
	if err != nil {
		return nil, nil, err
	}
	t = f.thresholds()
	result, err := stored.Cached(ctx, p.Profile, query.CacheKey("memprof pruned", t), func() (*pruned, int64, error) {
		result := &pruned{}
		tree := &analyze.CallTree{StackID: x.stackIDs(), Frame: x.frame, Caller: x.caller}
		pruner := analyze.NewMIBPruner(tree)
		at := map[place]int{}
		var places []Site
		var ids [][]uint32
		for _, s := range x.calls(all) {
			if s.Function != nil {
				places = append(places, s)
			}
		}
		for _, i := range all.ids {
			where, ok := x.place(i)
			if !ok {
				continue
			}
			n, ok := at[where]
			if !ok {
				n = len(ids)
				at[where] = n
				ids = append(ids, nil)
			}
			ids[n] = append(ids[n], i)
		}
		cloned := map[uint32]bool{}
		size := int64(len(x.contexts.stack)) * 16
		var contexts []analyze.MIBContext
		for n := range ids {
			if n%stored.CheckEvery == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			contexts = contexts[:0]
			for _, i := range ids[n] {
				class := analyze.MemProfClasses[all.classes[i]]
				contexts = append(contexts, analyze.MIBContext{
					Node: x.contexts.stack[i], Hint: t.Hint(class), Bytes: x.contexts.get(i, memprof.TotalSize),
				})
			}
			s := PrunedSite{Site: places[n], PrunedSite: pruner.Site(contexts), ids: ids[n]}
			functions := map[uint32]bool{}
			for _, node := range s.Clones {
				functions[x.function[x.frame[node]]], cloned[x.function[x.frame[node]]] = true, true
			}
			s.Functions = len(functions)
			result.add(&s)
			size += 512 + int64(len(s.MIBs))*104
		}
		result.Functions = len(cloned)
		slices.SortStableFunc(result.mibs, func(a, b mibPlace) int {
			of := func(m mibPlace) *PrunedSite { return &result.sites[m.site] }
			return cmp.Or(of(b).ColdBytes.Compare(of(a).ColdBytes), of(b).PrunedSite.Bytes.Compare(of(a).PrunedSite.Bytes))
		})
		return result, size, nil
	})
	return x, result, err
}

// add adds a site to the totals and the lists.
func (r *pruned) add(s *PrunedSite) {
	site := int32(len(r.sites))
	r.sites = append(r.sites, *s)
	r.Sites++
	r.Cut = r.Cut || s.Cut
	lost := s.ColdBytes
	lost.Sub(s.HintBytes)
	r.Lost.AddSum(lost)
	for i := range s.MIBs {
		r.mibs = append(r.mibs, mibPlace{site, int32(i)})
	}
	if !s.NeedsCloning() {
		r.Attributes.AddSum(s.HintBytes)
		return
	}
	r.Cloned++
	r.MIBs += len(s.MIBs)
	r.Kept += s.Kept()
	r.Clones += len(s.Clones)
	r.Separated.AddSum(s.HintBytes)
}

// stackIDs are the compiler's numbers of the frames.
func (x *index) stackIDs() []uint64 {
	ids := make([]uint64, len(x.function))
	for i, n := range x.function {
		f := memprof.Frame{Function: x.functions[n].GUID, LineOffset: x.lineOffset[i], Column: x.column[i]}
		if f.Function == 0 { // no two functions share a FID
			f.Function = x.functions[n].FID
		}
		ids[i] = analyze.StackID(&f)
	}
	return ids
}

// Columns of sites that need cloning beside those of sites.
const (
	ColMIBs      query.Column = "mibs"
	ColClones    query.Column = "clones"
	ColHintBytes query.Column = "separated_bytes"
)

// CloningColumns are all that sites that need cloning can be sorted by.
var CloningColumns = []query.Column{ColCold, ColHintBytes, ColBytes, ColContexts, ColMIBs, ColClones, ColName}

// CloningQuery selects, orders and pages the sites that need cloning.
type CloningQuery struct {
	Thresholds analyze.MemProfThresholds // zero is the compiler's defaults
	// RowQuery selects by the words of the function and of the file; without a sort the
	// order is by cold bytes, descending.
	query.RowQuery
}

// CloningPage is one page of sites that need cloning, and the totals of all.
type CloningPage struct {
	Rows     []PrunedSite // shared: do not change them
	Matching int          // of Cloned, those that the query selects
	Pruning
}

// Cloning returns one page of the sites that need cloning. Errors are those of
// Contexts.
func (p *Profile) Cloning(ctx context.Context, q CloningQuery) (*CloningPage, error) {
	_, all, err := p.prune(ctx, q.Thresholds)
	if err != nil {
		return nil, err
	}
	var sites []PrunedSite
	for i := range all.sites {
		if all.sites[i].NeedsCloning() {
			sites = append(sites, all.sites[i])
		}
	}
	slices.SortStableFunc(sites, func(a, b PrunedSite) int { return a.compareNames(&b.Site) })
	if len(q.Sort) == 0 {
		q.Sort = []query.Key{{Column: ColCold, Desc: true}}
	}
	ids, err := q.Pick(ctx, query.Rows{
		Len:   len(sites),
		Names: func(i uint32, show func([]byte)) { sites[i].names(show) },
		Value: func(c query.Column) (query.Value, error) { return cloningValue(sites, c) },
	})
	if err != nil {
		return nil, err
	}
	page := &CloningPage{Pruning: all.Pruning, Matching: len(ids)}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, sites[i])
	}
	return page, nil
}

// names shows what words are sought in.
func (s *PrunedSite) names(show func([]byte)) {
	show(s.Function.wordsOf())
	show([]byte(s.File))
}

func cloningValue(sites []PrunedSite, c query.Column) (query.Value, error) {
	number := func(of func(s *PrunedSite) int) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return uint64(of(&sites[i])) }}, nil
	}
	ranked := func(compare func(a, b *PrunedSite) int) (query.Value, error) {
		return query.Ranked(len(sites), func(a, b uint32) int { return compare(&sites[a], &sites[b]) }), nil
	}
	sum := func(of func(s *PrunedSite) analyze.Sum) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return of(&sites[i]).Saturated() }}, nil
	}
	switch c {
	case ColCold:
		return sum(func(s *PrunedSite) analyze.Sum { return s.ColdBytes })
	case ColHintBytes:
		return sum(func(s *PrunedSite) analyze.Sum { return s.HintBytes })
	case ColBytes:
		return sum(func(s *PrunedSite) analyze.Sum { return s.PrunedSite.Bytes })
	case ColContexts:
		return number(func(s *PrunedSite) int { return len(s.ids) })
	case ColMIBs:
		return number((*PrunedSite).Kept)
	case ColClones:
		return number(func(s *PrunedSite) int { return len(s.Clones) })
	case ColName:
		return ranked(func(a, b *PrunedSite) int { return a.compareNames(&b.Site) })
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: CloningColumns}
}

// MIBPage is some MIBs after pruning.
type MIBPage struct {
	Rows     []PrunedMIB
	Matching int
}

// MIBColumns are all that MIBs can be sorted by.
var MIBColumns = []query.Column{ColCold, ColBytes, ColContexts, ColDepth}

// MIBs returns one page of the MIBs of one site or of all: the sites of most cold
// bytes first, and of each its MIBs in the compiler's order, unless the query says
// otherwise. Its words are those of the frames that are kept. Errors are those of
// Contexts.
func (p *Profile) MIBs(ctx context.Context, t analyze.MemProfThresholds, site *uint64, q query.RowQuery) (*MIBPage,
	error) {
	x, all, err := p.prune(ctx, t)
	if err != nil {
		return nil, err
	}
	list := all.mibs
	if site != nil {
		list = nil
		for _, m := range all.mibs {
			if all.sites[m.site].ID == *site {
				list = append(list, m)
			}
		}
	}
	mib := func(i uint32) *analyze.MIB { return &all.sites[list[i].site].MIBs[list[i].mib] }
	of := func(number func(m *analyze.MIB) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(mib(i)) }}, nil
	}
	ids, err := q.Pick(ctx, query.Rows{
		Len: len(list),
		Names: func(i uint32, show func([]byte)) {
			s := &all.sites[list[i].site]
			s.names(show)
			stack := x.contexts.stack[s.ids[mib(i).Contexts[0]]]
			for n := 0; stack >= 0 && n < min(mib(i).Depth, MaxRowFrames); n, stack = n+1, x.caller[stack] {
				show(x.functions[x.function[x.frame[stack]]].wordsOf())
			}
		},
		Value: func(c query.Column) (query.Value, error) {
			switch c {
			case ColCold:
				return of(func(m *analyze.MIB) uint64 { return m.ColdBytes.Saturated() })
			case ColBytes:
				return of(func(m *analyze.MIB) uint64 { return m.Bytes.Saturated() })
			case ColContexts:
				return of(func(m *analyze.MIB) uint64 { return uint64(len(m.Contexts)) })
			case ColDepth:
				return of(func(m *analyze.MIB) uint64 { return uint64(m.Depth) })
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: MIBColumns}
		},
	})
	if err != nil {
		return nil, err
	}
	page := &MIBPage{Matching: len(ids)}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for n, i := range ids[from:to] {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		page.Rows = append(page.Rows, x.prunedMIB(&all.sites[list[i].site], mib(i)))
	}
	return page, nil
}

func (x *index) prunedMIB(s *PrunedSite, m *analyze.MIB) PrunedMIB {
	row := PrunedMIB{MIB: m, Site: s}
	node := x.contexts.stack[s.ids[m.Contexts[0]]]
	row.Stack = x.frames(node, min(m.Depth, MaxRowFrames))
	for i := range row.Stack {
		f := &row.Stack[i]
		if f.GUID == 0 {
			row.StackIDs = nil
			break
		}
		row.StackIDs = append(row.StackIDs, analyze.StackID(&memprof.Frame{
			Function: f.GUID, LineOffset: f.LineOffset, Column: f.Column,
		}))
	}
	for _, i := range m.Contexts {
		row.Indexes = append(row.Indexes, int(s.ids[i]))
	}
	return row
}
