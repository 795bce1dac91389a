package memprofdb

import (
	"cmp"
	"context"
	"math"

	"proflens/analyze"
	"proflens/profiledb/calltree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// SitesByContext compares allocation contexts, by their call stacks.
const SitesByContext SiteBy = "context"

// ComparesBy are what two heaps can be compared by, the default first.
var ComparesBy = []SiteBy{SitesByBlame, SitesByLine, SitesByFunction, SitesByContext}

// ClassTurned is the state of sites and contexts that have another class.
const ClassTurned = query.MoveOwn

// CompareObjects is a column that compared sites can be sorted by besides those of all
// moves: the change of their number of objects, of either sign.
const CompareObjects query.Column = "objects"

// ComparedSite is a site, or a context, in both heaps; nil in one that does not have it.
type ComparedSite struct{ Base, Test *ComparedSide }

// Any is that of the base profile, or that of the test profile where the base has none.
func (s *ComparedSite) Any() *ComparedSide {
	if s.Base != nil {
		return s.Base
	}
	return s.Test
}

// ComparedSide is what one heap has of a site or a context.
type ComparedSide struct {
	Site
	Type    string               // that is allocated; of sites by blame, empty where it is not known
	Class   analyze.MemProfClass // that most of its bytes have
	Context uint64               // address of a context; else 0
	Stack   []*Function          // of a context: its blame frame and what calls it, at most comparedFrames
	keyed   analyze.Keyed
}

// comparedFrames is how many frames of a context's stack a row has.
const comparedFrames = 4

// Compared is two heaps side by side.
type Compared struct {
	*query.Moves[ComparedSite]
	By         SiteBy
	Weight     Weight
	Base, Test analyze.MemProfTotals
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
		value := func(s *ComparedSide) float64 {
			if s == nil {
				return 0
			}
			v := q.Weight.Of(&s.MemProfTotals)
			return v.Float64()
		}
		moves := query.PairMoves(sides[0], sides[1], func(s *ComparedSide) analyze.Keyed { return s.keyed },
			func(b, t *ComparedSide) query.Move[ComparedSite] {
				state := query.MoveMatched
				switch {
				case b == nil:
					state = query.MoveOnlyTest
				case t == nil:
					state = query.MoveOnlyBase
				case b.Class != t.Class && b.Class != analyze.MemProfUnknown && t.Class != analyze.MemProfUnknown:
					state |= ClassTurned
				}
				site := ComparedSite{b, t}
				var name []byte
				if f := site.Any().Function; f != nil {
					name = []byte(f.Name)
				}
				return query.NewMove(site, name, state, value(b), value(t))
			})
		c.Moves = query.NewMoves(moves, map[query.Column]func(*query.Move[ComparedSite]) float64{
			CompareObjects: func(m *query.Move[ComparedSite]) float64 { return math.Abs(m.Row.Objects()) },
		})
		return c, int64(len(moves)) * 900, ctx.Err()
	})
}

// Objects is the change of the number of objects.
func (s *ComparedSite) Objects() float64 {
	n := 0.0
	if s.Base != nil {
		n -= s.Base.Allocations.Float64()
	}
	if s.Test != nil {
		n += s.Test.Allocations.Float64()
	}
	return n
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
