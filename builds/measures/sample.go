package measures

import (
	"context"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/profile/sampledb"
	"proflens/profile/table"
)

var sample = Family{
	Name:    sampleprof.Family,
	Needs:   "a sample profile",
	Figures: sampledb.Figures,
	Measures: pairs(
		"overlap part more Sample overlap: *whole program sample overlap* of `llvm-profdata overlap --sample`. "+
			"It compares counts, so a run of half the length overlaps by half",
		"similarity part more Similarity: *whole program profile similarity* of the same, which compares shares",
		"hot_kept part more Hot functions kept: part of the base's hot functions that are hot in the test",
		"hot_lost part less Hot functions lost: part of the base's hot functions that the test lacks, has with "+
			"another checksum, or has cold. Functions that are inlined everywhere in the test are neither kept nor "+
			"lost",
		"checksum_changed part less Functions whose checksum changed: part of the functions with another "+
			"checksum, of those with one in both",
	),
	Of: of(sampledb.Of, func(ctx context.Context, p *sampledb.Profile) (Set, error) {
		hot, err := p.Find(ctx, sampledb.Query{Heat: sampledb.Hot})
		if err != nil {
			return nil, err
		}
		return Set{"hot_functions": number(hot.Matching)}, nil
	}),
	Between: between(sampledb.Of, sampleBetween),
}

// sampleBetween has the figures of llvm-profdata overlap, where the two can be compared
// place by place, and counts pairs of functions.
func sampleBetween(ctx context.Context, base, test *sampledb.Profile) (Set, error) {
	set := Set{}
	o, err := base.OverlapWith(ctx, test)
	if unlike, ok := model.FaultIn(err); ok && unlike.Kind == model.KindIncompatible {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if o != nil && o.SumBase > 0 && o.SumTest > 0 {
		set["overlap"], set["similarity"] = share(o.Samples), share(o.Similarity)
	}
	c, err := sampledb.Compare(ctx, base, test, sampledb.ColTotal)
	if err != nil {
		return nil, err
	}
	var hot, kept, lost, checked, changed int
	c.Each(func(m *sampledb.ComparedRow) {
		b, t := m.Base, m.Test
		other := m.State&table.Changed != 0
		if b != nil && t != nil && b.Checksum != 0 && t.Checksum != 0 {
			checked++
			if other {
				changed++
			}
		}
		if b == nil || b.Entries == 0 || !base.Overview.Hot(b.Max) {
			return
		}
		hot++
		switch {
		case t == nil || other:
			lost++
		case t.Entries == 0: // it is inlined wherever it runs
		case test.Overview.Hot(t.Max):
			kept++
		case test.Overview.Cold(t.Max):
			lost++
		}
	})
	part(set, "hot_kept", kept, hot)
	part(set, "hot_lost", lost, hot)
	part(set, "checksum_changed", changed, checked)
	return set, nil
}
