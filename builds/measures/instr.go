package measures

import (
	"context"
	"math"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
	"proflens/profile/table"
)

var instr = Family{
	Name:    instrprof.Family,
	Needs:   "an instrumentation profile",
	Figures: instrdb.Figures,
	Measures: pairs(
		"overlap part more Overlap: the [overlap](#overlap) of the counters that `llvm-profdata overlap` adds "+
			"up; of profiles with context-sensitive records alone, that of these; with both sorts, the lower of the "+
			"two",
		"overlap_plain part more Overlap of plain records: the overlap of plain records",
		"overlap_cs part more Overlap of context-sensitive records: the overlap of context-sensitive records",
		"hot_kept part more Hot functions kept: part of the base's hot records that are hot in the test, with "+
			"the same FuncHash and shape",
		"hot_lost part less Hot functions lost: part of the base's hot records that the test lacks, has with "+
			"another FuncHash or shape, never ran, or has cold; those that are warm in the test are neither kept nor "+
			"lost",
		"stale part less Stale records: part of the base's records whose FuncHash or shape changed, of those "+
			"whose name both have",
	),
	Between: between(instrdb.Of, instrBetween),
}

// instrBetween counts pairs of records: a hot function of other code is lost, since the
// compiler finds no counts of it.
func instrBetween(ctx context.Context, base, test *instrdb.Profile) (Set, error) {
	c, err := instrdb.Compare(ctx, base, test)
	if err != nil {
		return nil, err
	}
	set := Set{}
	least := math.Inf(1)
	for name, cs := range map[string]bool{"overlap_plain": false, "overlap_cs": true} {
		if cs && base.Overview.CSSummary == nil && test.Overview.CSSummary == nil {
			continue
		}
		overlap, err := c.Overlap(ctx, cs)
		if err != nil {
			return nil, err
		}
		if overlap.Comparable() {
			set[name] = share(overlap.Score)
			least = min(least, overlap.Score)
		}
	}
	if len(set) > 0 { // of a profile with both sorts, that of the sort that is less alike
		set["overlap"] = share(least)
	}
	hot, there := []analyze.Class{analyze.Hot}, []analyze.Class{
		analyze.Hot, analyze.Warm, analyze.Cold, analyze.Never, analyze.NoClass,
	}
	var all, kept, gone, cooled, changed int
	for _, count := range []struct {
		into   *int
		states table.State
		q      instrdb.CompareQuery
	}{
		{&all, 0, instrdb.CompareQuery{BaseClasses: hot}},
		{&kept, table.Matched, instrdb.CompareQuery{BaseClasses: hot, TestClasses: hot}},
		{&gone, table.Changed | table.OnlyBase, instrdb.CompareQuery{BaseClasses: hot}},
		{
			&cooled, table.Matched,
			instrdb.CompareQuery{BaseClasses: hot, TestClasses: []analyze.Class{analyze.Cold, analyze.Never}},
		},
		{&changed, table.Changed, instrdb.CompareQuery{BaseClasses: there}},
	} {
		count.q.MoveQuery = table.MoveQuery{States: count.states, Min: table.AllMoves}
		found, err := c.Find(count.q)(ctx, table.Query{})
		if err != nil {
			return nil, err
		}
		*count.into = found.Matching
	}
	matched := c.Held(table.Matched).Rows
	part(set, "hot_kept", kept, all)
	part(set, "hot_lost", gone+cooled, all)
	part(set, "stale", changed, matched+changed)
	if why := doubt(base, test); why != "" {
		for name, v := range set {
			v.Doubt = why
			set[name] = v
		}
	}
	return set, nil
}

// Doubt is why figures of two profiles mean little: their counters count different
// things. Empty where they do not.
func Doubt(base, test *stored.Profile) (string, error) {
	if !base.Has(instrprof.Family) || !test.Has(instrprof.Family) {
		return "", nil
	}
	b, err := instrdb.Of(base)
	if err != nil {
		return "", err
	}
	t, err := instrdb.Of(test)
	if err != nil {
		return "", err
	}
	return doubt(b, t), nil
}

func doubt(base, test *instrdb.Profile) string {
	if fault, ok := model.FaultIn(sums.Mixture(&base.Overview.Info, &test.Overview.Info)); ok {
		return fault.Msg
	}
	return ""
}
