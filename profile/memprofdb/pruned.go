package memprofdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// PrunedSite is an allocation site by line, with what the compiler makes of its
// contexts.
type PrunedSite struct {
	SitePlace `col:"name" head:"Site" is:"sort,up,words" help:"by name"`
	Contexts  uint64 `col:"contexts" width:"9" is:"sort,range"`
	_         column `help:"call stacks that allocate here" how:"memprof-contexts an allocation context"`
	analyze.PrunedSite
	_         column `col:"mibs" width:"8" head:"MIBs" is:"number,sort,range"`
	_         column `help:"contexts kept by the compiler" how:"memprof-pruning pruning" as:"integer 0.."`
	_         column `col:"clones" width:"8" is:"number,sort,range"`
	_         column `help:"at most" how:"memprof-clones the number of clones" as:"integer 0.."`
	Functions int    `col:"cloned_functions" width:"8" help:"distinct ones among the clones"`
	_         column `col:"cut" width:"5" is:"script" help:"its stacks were not followed to their ends" as:"boolean"`
	ids       []uint32
}

// Cell implements [table.Celler].
func (s *PrunedSite) Cell(column string, _ *table.Options) table.Cell {
	switch column {
	case "mibs":
		return table.Int(s.Kept())
	case "clones":
		return table.Int(len(s.Clones))
	}
	return table.Bool(s.Cut)
}

// NeedsCloning reports whether the site has metadata instead of an attribute.
func (s *PrunedSite) NeedsCloning() bool { return s.Attribute == "" }

// PrunedMIB is a MIB of a site after pruning.
type PrunedMIB struct {
	*analyze.MIB
	Site      *PrunedSite `col:"of" parts:"name"`
	_         column      `col:"as" width:"9" help:"how the compiler has it" as:"attribute|metadata|left~out"`
	_         column      `col:"class" width:"7" as:"cold|notcold|hot"`
	_         column      `col:"ambiguous" width:"5"`
	_         column      `help:"no frame tells its contexts of several classes apart" as:"boolean"`
	_         column      `col:"contexts" width:"9" is:"number,sort,range" as:"integer 0.."`
	Bytes     analyze.Sum `col:"bytes" width:"14" is:"sort,range,bytes"`
	ColdBytes analyze.Sum `col:"cold_bytes" width:"14" is:"sort,range,bytes"`
	_         column      `help:"of contexts that are cold by themselves"`
	_         column      `col:"stack_depth" head:"Frames" is:"page,number,sort,range" help:"that are kept"`
	_         column      `col:"depth" width:"6" is:"script,number" help:"frames that are kept" as:"integer 1.."`
	_         column      `col:"stack_ids"`
	_         column      `help:"the compiler's numbers of the frames; none where they have no functions" as:"list fid"`
	Stack     KeptStack   `col:"stack" is:"words" help:"frames that are kept, leaf first" as:"list StackFrame"`
}

// Cell implements [table.Celler].
func (m *PrunedMIB) Cell(column string, _ *table.Options) table.Cell {
	switch column {
	case "class":
		return table.Text(ClassWord(m.Class))
	case "ambiguous":
		return table.Bool(m.Ambiguous)
	case "contexts":
		return table.Int(len(m.Contexts))
	case "stack_depth", "depth":
		return table.Int(m.Depth)
	case "stack_ids":
		b := []byte{'['}
		for i, id := range m.StackIDs() {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(table.AppendHex(append(b, '"'), id), '"')
		}
		return table.JSON(append(b, ']'))
	}
	switch {
	case m.Site.Attribute != "":
		return table.Text("attribute")
	case m.LeftOut:
		return table.Text("left out")
	}
	return table.Text("metadata")
}

// StackIDs are the compiler's numbers of the frames; none where they have no functions.
func (m *PrunedMIB) StackIDs() (ids []uint64) {
	for _, f := range m.Stack.Frames() {
		if f.GUID == 0 {
			return nil
		}
		ids = append(ids, analyze.StackID(&memprof.Frame{Function: f.GUID, LineOffset: f.LineOffset, Column: f.Column}))
	}
	return ids
}

// KeptStack is the frames that are kept of a call stack; words are sought in their functions.
type KeptStack struct{ Stack }

// Words implements [table.Sought].
func (s *KeptStack) Words(show func([]byte)) {
	for _, f := range s.Frames() {
		f.Function.Words(show)
	}
}

// Pruning is what the compiler makes of all sites of a profile. Cold bytes are
// those of cold contexts.
type Pruning struct {
	Sites      int         `col:"sites"` // of a profile
	Cloned     int         // of them, those that need cloning
	MIBs       int         `col:"mibs"`                 // of these
	Kept       int         `col:"kept_mibs"`            // of them, those that the metadata has
	Clones     int         `col:"clones"`               // places that are to be cloned, at most
	Functions  int         `col:"cloned_functions"`     // distinct ones that these places are in
	Attributes analyze.Sum `col:"attribute_cold_bytes"` // of sites that are cold alone
	Separated  analyze.Sum `col:"separated_cold_bytes"` // that get hints by cloning
	Lost       analyze.Sum `col:"lost_cold_bytes"`      // that get none
	Cut        bool        `col:"cut"`                  // see analyze.PrunedSite
}

// pruned is all sites of a profile, pruned, in the order in which each was first
// seen.
type pruned struct {
	Pruning
	sites  []PrunedSite
	cloned []*PrunedSite // those that need cloning, by name
	mibs   []mibPlace    // of all sites: those of most cold bytes first
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
			s := PrunedSite{
				SitePlace: places[n].SitePlace, Contexts: places[n].Contexts, PrunedSite: pruner.Site(contexts), ids: ids[n],
			}
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
			return cmp.Or(of(b).ColdBytes.Compare(of(a).ColdBytes), of(b).Bytes.Compare(of(a).Bytes))
		})
		for i := range result.sites {
			if s := &result.sites[i]; s.NeedsCloning() {
				result.cloned = append(result.cloned, s)
			}
		}
		slices.SortStableFunc(result.cloned, func(a, b *PrunedSite) int { return a.Compare(&b.SitePlace) })
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

// Cloning is the table of sites that need cloning, and MIBs that of all sites' MIBs.
var (
	Cloning = table.Declare[PrunedSite](table.Declaration{
		Around: (*Pruning)(nil),
		Noun:   "site", Usual: "-cold_bytes", Sought: "function or file", Least: "cold_bytes",
		Show: "name cold_bytes separated_bytes bytes contexts mibs clones",
		Text: "cold_bytes separated_bytes contexts mibs clones site file line function",
	})
	MIBs = table.Declare[PrunedMIB](table.Declaration{
		Noun: "MIB", Show: "class stack contexts bytes cold_bytes",
		Text: "bytes cold_bytes contexts as class depth site function",
	})
)

// FindCloning finds the sites that need cloning by thresholds, of which zero are the
// compiler's defaults; a *Pruning stands around them. Errors are those of Contexts.
func (p *Profile) FindCloning(ctx context.Context, t analyze.MemProfThresholds) (table.Find, error) {
	_, all, err := p.prune(ctx, t)
	if err != nil {
		return nil, err
	}
	return Cloning.Within(table.Set{Rows: all.cloned, Around: &all.Pruning}), nil
}

// FindMIBs finds the MIBs of one site or of all: the sites of most cold bytes first, and
// of each its MIBs in the compiler's order. Errors are those of Contexts.
func (p *Profile) FindMIBs(ctx context.Context, t analyze.MemProfThresholds, site *uint64) (table.Find, error) {
	x, all, err := p.prune(ctx, t)
	if err != nil {
		return nil, err
	}
	var rows []PrunedMIB
	for _, at := range all.mibs {
		s := &all.sites[at.site]
		if site != nil && s.ID != *site {
			continue
		}
		m := &s.MIBs[at.mib]
		row := PrunedMIB{MIB: m, Site: s, Bytes: m.Bytes, ColdBytes: m.ColdBytes}
		row.Stack = KeptStack{Stack{x, x.contexts.stack[s.ids[m.Contexts[0]]], m.Depth}}
		rows = append(rows, row)
	}
	return MIBs.Within(table.Set{Rows: rows}), nil
}
