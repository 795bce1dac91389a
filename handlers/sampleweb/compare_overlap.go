package sampleweb

import (
	"context"
	"errors"
	"strconv"

	"proflens/analyze/sample"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/views/sampleview"
)

// overlap is what llvm-profdata overlap computes of two profiles, or why it computes
// nothing.
type overlap struct {
	*sample.Overlap
	why string
}

func newOverlap(ctx context.Context, base, test *sampledb.Profile) (*overlap, error) {
	o, err := base.OverlapWith(ctx, test)
	var unlike *model.FormatError
	if errors.As(err, &unlike) && unlike.Kind == model.KindIncompatible {
		return &overlap{why: unlike.Msg}, nil
	}
	return &overlap{Overlap: o}, err
}

// lines are the rows of the table on the page.
func (o *overlap) lines() []sampleview.OverlapLine {
	percent := func(share float64) string { return humanize.Percent(share, 3) }
	lines := []sampleview.OverlapLine{
		{What: "samples", Overlap: percent(o.Samples), Base: percent(o.UniqueBase), Test: percent(o.UniqueTest)},
	}
	for _, of := range []struct {
		what string
		sets sample.Sets
	}{{"functions", o.Functions}, {"hot functions", o.HotFunctions}, {"hot places", o.HotBlocks}} {
		lines = append(lines, sampleview.OverlapLine{
			What: of.what, Overlap: percent(of.sets.Overlap()), Both: humanize.Count(of.sets.Common).Text,
			Base: humanize.Count(of.sets.Base).Text, Test: humanize.Count(of.sets.Test).Text,
		})
	}
	return lines
}

// compareObject is what the API says of both profiles together.
type compareObject struct {
	By          string        `json:"by"`
	HotBase     int           `json:"hot_base"` // functions hot in the base profile and not in the test profile
	HotTest     int           `json:"hot_test"`
	InlinedBase int           `json:"inlined_base"` // functions of the test profile that the base has only inlined
	InlinedTest int           `json:"inlined_test"`
	Overlap     overlapObject `json:"overlap"`
}

// overlapObject has the figures of llvm-profdata overlap, as fractions.
type overlapObject struct {
	Comparable   bool       `json:"comparable"`
	Reason       string     `json:"reason,omitempty"` // why not
	Similarity   float64    `json:"similarity"`
	Samples      float64    `json:"samples"`
	UniqueBase   float64    `json:"unique_base"` // shares of the samples of each
	UniqueTest   float64    `json:"unique_test"`
	BaseSamples  site.Exact `json:"base_samples"`
	TestSamples  site.Exact `json:"test_samples"`
	Functions    setsObject `json:"functions"`
	HotFunctions setsObject `json:"hot_functions"`
	HotBlocks    setsObject `json:"hot_blocks"`
}

type setsObject struct {
	Overlap float64 `json:"overlap"`
	Common  uint64  `json:"common"`
	Base    uint64  `json:"base"` // only there
	Test    uint64  `json:"test"`
}

func newCompareObject(c *sampledb.Comparison, o *overlap, quote bool) compareObject {
	object := compareObject{
		By: string(c.By), HotBase: c.Held(sampledb.HotInBase).Rows, HotTest: c.Held(sampledb.HotInTest).Rows,
		InlinedBase: c.Held(sampledb.InlinedInBase).Rows, InlinedTest: c.Held(sampledb.InlinedInTest).Rows,
	}
	exact := func(n uint64) site.Exact { return site.Exactly(quote)(strconv.FormatUint(n, 10)) }
	if o.why != "" {
		object.Overlap = overlapObject{
			Reason: o.why, BaseSamples: exact(c.Base.Samples.Saturated()), TestSamples: exact(c.Test.Samples.Saturated()),
		}
		return object
	}
	sets := func(s sample.Sets) setsObject { return setsObject{s.Overlap(), s.Common, s.Base, s.Test} }
	object.Overlap = overlapObject{
		Comparable: true, Similarity: o.Similarity, Samples: o.Samples, UniqueBase: o.UniqueBase, UniqueTest: o.UniqueTest,
		BaseSamples: exact(o.SumBase), TestSamples: exact(o.SumTest),
		Functions: sets(o.Functions), HotFunctions: sets(o.HotFunctions), HotBlocks: sets(o.HotBlocks),
	}
	return object
}
