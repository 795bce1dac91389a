package sample

import (
	"proflens/decode/sampleprof"
)

// Quality is what a reader of a sample profile should know before trusting it.
type Quality struct {
	// Hashed are names of which only the hash is known, Named those of them that a program
	// or a list of symbols gave back.
	Hashed        int    `api:"hashed" doc:"Names known by their MD5."`
	Named         int    `api:"named" doc:"Of these, names that a program or a list gave back."`
	HashedOwn     uint64 `api:"hashed_samples,exact" doc:"Counts of functions that stay without a name."`
	Heads         uint64 `api:"heads,exact" doc:"Head samples of all functions."`  // of all functions
	HeadFunctions int    `api:"head_functions" doc:"Functions with head samples."` // functions with head samples
	// EqualHeads are the functions of these with the commonest head: heads that are nearly
	// all alike say nothing of how often functions were entered.
	EqualHeads int    `api:"equal_heads" doc:"Of these, functions with the commonest number."`
	Empty      int    `api:"empty" doc:"Functions with a total and no count."`
	EmptyTotal uint64 `api:"empty_total,exact"` // their totals
	// places with offsets that no function has: 65501 stands for a negative line
	Odd      int `api:"above_line" doc:"Places that stand for lines above the function."`
	Unlisted int `api:"unlisted,optional"` // functions with counts that the list of symbols has not
	Never    int `api:"never,optional" doc:"Symbols of the list without a count; null without a list."`
}

// thinShare is the share of places with a count of 0 or 1 from which a profile is thin.
const thinShare = 0.75

// Thin reports whether most places have no sample, or one.
func (p *Places) Thin() bool {
	return float64(p.Zero+p.One) > thinShare*float64(p.All)
}

// flatShare is the share of functions with the same head from which heads say nothing, and
// flatLeast how many functions there must be.
const (
	flatShare = 0.9
	flatLeast = 10
)

// Flat reports whether heads are so much alike that they say nothing.
func (q *Quality) Flat() bool {
	return q.HeadFunctions >= flatLeast && float64(q.EqualHeads) > flatShare*float64(q.HeadFunctions)
}

// farOffset is where line offsets begin that stand for lines above a function's first: the
// number has 16 bits (sampleprof.md §1).
const farOffset = 0x8000

// QualityOf looks for what is odd about a profile of which the names were added up.
func QualityOf(p *sampleprof.Profile, w *Whole) Quality {
	var q Quality
	for i, n := range p.Names {
		if _, hashed := n.Hashed(); !hashed || w.Names[i].Own() == 0 && w.Names[i].Entries == 0 {
			continue
		}
		q.Hashed++
		if _, ok := p.Program.NameOf(n); ok {
			q.Named++
		} else {
			q.HashedOwn = sampleprof.Add(q.HashedOwn, w.Names[i].Own())
		}
	}
	heads := map[uint64]int{}
	for i := range w.Names {
		n := &w.Names[i]
		if n.Entries == 0 {
			continue
		}
		if n.Head > 0 {
			q.Heads = sampleprof.Add(q.Heads, n.Head)
			q.HeadFunctions++
			heads[n.Head]++
		}
		if n.Total > 0 && n.Places == 0 {
			q.Empty++
			q.EmptyTotal = sampleprof.Add(q.EmptyTotal, n.Total)
		}
	}
	for _, n := range heads {
		q.EqualHeads = max(q.EqualHeads, n)
	}
	if !p.Has(sampleprof.Probes) {
		for _, f := range p.Functions {
			q.odd(f)
		}
	}
	q.list(p, w)
	return q
}

func (q *Quality) odd(f *sampleprof.Function) {
	for i := range f.Body {
		if f.Body[i].Offset >= farOffset {
			q.Odd++
		}
	}
	for _, s := range f.Sites {
		if s.Offset >= farOffset {
			q.Odd++
		}
		q.odd(s.Callee)
	}
}

// list compares the list of symbols with what was sampled.
func (q *Quality) list(p *sampleprof.Profile, w *Whole) {
	if p.Symbols == nil {
		return
	}
	listed := make(map[uint64]bool, len(p.Symbols))
	for _, s := range p.Symbols {
		listed[sampleprof.Hash(s)] = false
	}
	for i := range w.Names {
		if w.Names[i].Own() == 0 {
			continue
		}
		guid := p.Names[i].GUID()
		if _, ok := listed[guid]; ok {
			listed[guid] = true
		} else {
			q.Unlisted++
		}
	}
	for _, sampled := range listed {
		if !sampled {
			q.Never++
		}
	}
}
