package memprofdb

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profile/calltree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// SitesByContext compares allocation contexts, by their call stacks.
const SitesByContext SiteBy = "context"

// ComparesBy are what two heaps can be compared by, the default first.
var ComparesBy = []SiteBy{SitesByBlame, SitesByLine, SitesByFunction, SitesByContext}

// ClassTurned is the state of sites and contexts that have another class.
const ClassTurned = table.OwnState

// ComparedSite is a site, or a context, in both heaps.
type ComparedSite struct {
	table.State `col:"state" width:"12" head:"What changed"`
	// linkage name of its function
	Name                      table.Label `col:"name" head:"Site" is:"page,sort,up,words"`
	_                         column      `col:"function" width:"40" is:"script,key"`
	_                         column      `col:"linkage_name" is:"script"`
	_                         column      `col:"at" head:"Where" is:"page" help:"its line, or what calls it"`
	File                      string      `col:"file" width:"24" is:"omitzero,sort,up"`
	Line                      uint32      `col:"line" width:"6" is:"plain,key"`
	table.Move                `col:"change" width:"14" is:"bytes"`
	table.Sides[ComparedSide] `pair:"bytes,objects,accesses,contexts,lifetime_ms,class,type,context"`
}

// Cell implements [table.Celler].
func (s *ComparedSite) Cell(column string, o *table.Options) table.Cell {
	switch f := s.Any().Function; {
	case f == nil:
		return table.Null
	case column == "function":
		return table.Text(f.Label(o.Demangle))
	case f.Name != "":
		return table.Text(f.Name)
	}
	return table.Null
}

// ComparedSide is what one heap has of a site or a context.
type ComparedSide struct {
	Site     `parts:"-"`
	Bytes    analyze.Sum          `col:"bytes" width:"14" is:"sort,range,bytes" change:"bytes_change" help:"requested"`
	Objects  analyze.Sum          `col:"objects" width:"12" is:"sort,range" change:"objects" help:"allocated"`
	Accesses analyze.Sum          `col:"accesses" width:"14" is:"sort,range" change:"accesses_change"`
	Contexts int                  `col:"contexts" width:"13" is:"sort,range" change:"contexts_change"`
	Mean     *float64             `col:"lifetime_ms" width:"16" head:"Mean lifetime" is:"ms,sort" help:"of an object"`
	Class    analyze.MemProfClass `col:"class" width:"10" help:"that most of its bytes have"`
	// Type is that is allocated; of sites by blame, empty where it is not known.
	Type    string `col:"type" width:"24" is:"omitzero,sort,up" help:"of most bytes"`
	Context uint64 `col:"context" width:"16" is:"hex,omitzero,key,script" help:"its address in pages"`
	// Stack is of a context its blame frame and what calls it, at most comparedFrames; of a
	// blame frame itself and its User, if it has one.
	Stack []*Function
	keyed analyze.Keyed
}

// figures has the columns of what the side comes to.
func (s *ComparedSide) figures() {
	t := &s.MemProfTotals
	s.Bytes, s.Objects, s.Accesses, s.Contexts = t.Bytes, t.Allocations, t.Accesses, int(t.Contexts)
	if n := t.Allocations.Float64(); n > 0 {
		s.Mean = new(t.Lifetime.Float64() / n)
	}
}

// ComparedSites is the table of sites, or of contexts, in two heaps.
var ComparedSites = table.Declare[ComparedSite](table.Declaration{
	About: "A site, or a context, in two heaps.", Noun: "site", All: true, Usual: "-abs_change",
	Show:   "name at change base test objects state",
	Text:   "change base_bytes test_bytes base_objects test_objects state base_type test_type function",
	States: append(slices.Clone(table.States), table.StateWord{Word: "class", Label: "class changed"}),
})

// Declared is the table of the comparison.
func (q *CompareQuery) Declared() *table.Declaration {
	d := *ComparedSites
	switch q.By {
	case SitesByContext:
		d.Noun, d.Nouns = "context", "contexts"
	case SitesByBlame:
		d.Show = strings.Replace(d.Show, " state", typeColumns+" state", 1)
	}
	return &d
}

const typeColumns = " base_type test_type"

// Untyped is a table without the columns of types, which a program in C would leave empty.
func Untyped(of *table.Declaration) *table.Declaration {
	d := *of
	d.Show = strings.Replace(d.Show, typeColumns, "", 1)
	return &d
}

// comparedFrames is how many frames of a context's stack a row has.
const comparedFrames = 4

// Compared is two heaps side by side.
type Compared struct {
	*table.Moves[*ComparedSite]
	By         SiteBy
	Weight     Weight
	Base, Test analyze.MemProfTotals
	Typed      bool // of some row it is known what is allocated
}

// CompareQuery says what of two heaps is compared.
type CompareQuery struct {
	By      SiteBy // empty is SitesByBlame
	Weight  Weight // empty is bytes
	Library *analyze.Library
}

// Compare compares two heaps. Sites are matched by function and line, lines counted
// from the start of their function where that is known; contexts by the functions of
// their stacks, and of several with the same those of the same lines first. The error is
// the context's, or about the files.
func Compare(ctx context.Context, base, test *Profile, q CompareQuery) (*Compared, error) {
	q.By, q.Weight = cmp.Or(q.By, SitesByBlame), cmp.Or(q.Weight, WeightBytes)
	key := query.CacheKey("memprof compared", test.ID(), q.By, q.Weight, q.Library.Key())
	return stored.Cached(ctx, base.Profile, key, func() (*Compared, int64, error) {
		c := &Compared{By: q.By, Weight: q.Weight, Base: base.Overview.MemProfTotals, Test: test.Overview.MemProfTotals}
		var sides [2][]ComparedSide
		var fids map[uint64]uint64 // of the test profile's functions, as the base has them
		for i, p := range []*Profile{base, test} {
			var err error
			if sides[i], err = p.comparedSides(ctx, &q, fids); err != nil {
				return nil, 0, err
			}
			if fids, err = fidsOf(ctx, base, test); err != nil {
				return nil, 0, err
			}
		}
		stored.Report(ctx, "Comparing", 0, 0)
		rows := table.Pairs(sides[0], sides[1], func(s *ComparedSide) analyze.Keyed { return s.keyed },
			func(both table.Sides[ComparedSide]) *ComparedSite {
				any := both.Any()
				r := &ComparedSite{Sides: both, State: both.State(), File: any.File, Line: any.Line}
				r.Move = both.Move(func(s *ComparedSide) float64 {
					s.figures()
					v := q.Weight.Of(&s.MemProfTotals)
					return v.Float64()
				})
				b, t := r.Base, r.Test
				c.Typed = c.Typed || b != nil && b.Type != "" || t != nil && t.Type != ""
				if r.State == table.Matched && b.Class != t.Class && b.Class != analyze.MemProfUnknown &&
					t.Class != analyze.MemProfUnknown {
					r.State |= ClassTurned
				}
				if any.Function != nil {
					r.Name = table.Label(any.Function.Name)
				}
				return r
			})
		c.Moves = table.NewMoves(ComparedSites, rows)
		return c, int64(len(rows)) * 1100, ctx.Err()
	})
}

// comparedSides are the sites, or the contexts, of one heap. Some functions are matched by
// other FIDs than their own.
func (p *Profile) comparedSides(ctx context.Context, q *CompareQuery, fids map[uint64]uint64) ([]ComparedSide, error) {
	const all = math.MaxInt32
	var list []ComparedSide
	add := func(at *SitePlace, t *SiteTotals, kind string, fine uint64) {
		side := ComparedSide{Site: Site{*at, *t}, Type: kind, Class: mostly(t)}
		if f := at.Function; f != nil {
			side.keyed.Key = f.FID
			if fid, ok := fids[f.FID]; ok {
				side.keyed.Key = fid
			}
		}
		side.keyed.Fine = fine
		list = append(list, side)
	}
	switch q.By {
	case SitesByContext:
		return p.comparedContexts(ctx, q, fids)
	case SitesByBlame:
		page, err := p.Blame(ctx, BlameQuery{By: q.By, Library: q.Library, Limit: all})
		if err != nil {
			return nil, err
		}
		for i := range page.Rows {
			s := &page.Rows[i]
			add(&s.SitePlace, &s.SiteTotals, s.Type, 0)
			if s.User != nil {
				list[i].Stack = []*Function{s.Function, s.User}
			}
		}
	default:
		page, err := p.Sites(ctx, SiteQuery{By: q.By, Limit: all})
		if err != nil {
			return nil, err
		}
		for i := range page.Rows {
			s := &page.Rows[i]
			add(&s.SitePlace, &s.SiteTotals, "", lineOf(s.Line, s.LineOffset, s.Column))
		}
	}
	return list, nil
}

// lineOf tells lines of a function apart: by their place in it where that is known.
func lineOf(line, offset, column uint32) uint64 {
	if offset == 0 {
		return uint64(line)<<32 | uint64(column)
	}
	return uint64(offset)<<32 | uint64(column)
}

// mostly is the class that most bytes of sites have.
func mostly(s *SiteTotals) analyze.MemProfClass {
	best := len(s.Classes) - 1
	for i := range s.Classes {
		if s.Classes[i].Contexts > 0 && s.Classes[i].Bytes.Compare(s.Classes[best].Bytes) > 0 {
			best = i
		}
	}
	return analyze.MemProfClasses[best]
}

// comparedContexts are the contexts of one heap. Nodes of the tree of calls stand
// behind their callers, so that one pass gives each the hash of its stack.
func (p *Profile) comparedContexts(ctx context.Context, q *CompareQuery, fids map[uint64]uint64) ([]ComparedSide,
	error) {
	x, all, err := p.selected(ctx, &Filter{})
	if err != nil {
		return nil, err
	}
	l, err := p.framesOf(ctx, x, q.Library)
	if err != nil {
		return nil, err
	}
	functions, lines := make([]uint64, len(x.frame)), make([]uint64, len(x.frame))
	for i, frame := range x.frame {
		above, aboveLines := uint64(calltree.Root), uint64(0)
		if caller := x.caller[i]; caller >= 0 {
			above, aboveLines = functions[caller], lines[caller]
		}
		fid := x.functions[x.function[frame]].FID
		if as, ok := fids[fid]; ok {
			fid = as
		}
		functions[i] = calltree.Address(above, fid)
		lines[i] = calltree.Address(aboveLines, lineOf(x.line[frame], x.lineOffset[frame], x.column[frame]))
	}
	list := make([]ComparedSide, 0, len(all.ids))
	for n, i := range all.ids {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		side := ComparedSide{Class: analyze.MemProfClasses[all.classes[i]], Context: x.contexts.address[i]}
		x.contexts.addTo(&side.MemProfTotals, i)
		if stack := x.contexts.stack[i]; stack >= 0 {
			side.keyed = analyze.Keyed{Key: functions[stack], Fine: lines[stack]}
			at := l.blame[stack]
			if at < 0 {
				at = stack
			}
			frame := x.frame[at]
			side.Function, side.File, side.Line = &x.functions[x.function[frame]], x.file(frame), x.line[frame]
			for ; at >= 0 && len(side.Stack) < comparedFrames; at = x.caller[at] {
				side.Stack = append(side.Stack, &x.functions[x.function[x.frame[at]]])
			}
		}
		list = append(list, side)
	}
	return list, nil
}
