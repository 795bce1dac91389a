package instrweb

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// hottestRows is how many functions the overview has.
const hottestRows = 20

// overview is GET /p/{id}.
func (s *handler) overview(ctx context.Context, r *http.Request, head page.Overview, base string) (site.Draw, error) {
	hottest, err := s.records(r).Functions(ctx, instrdb.Query{Limit: hottestRows})
	if err != nil {
		return nil, err
	}
	head.Tiles = s.Tiles(instrprof.Family, s.records(r).Overview, base)
	v := overviewModel(head, base, s.records(r), hottest.Rows, s.Symbols(names.Full))
	v.First, v.Added, err = s.Added(s.Profile(r), func(f *site.Family) (page.Part, error) {
		if f.OnOverview == nil {
			return nil, nil
		}
		return f.OnOverview(ctx, r)
	})
	return func(shell page.Shell) page.Part { return instrview.OverviewPage(shell, v) }, err
}

// overviewModel makes the overview of a profile at base ("/p/{id}") with its
// hottest functions.
func overviewModel(head page.Overview, base string, p *instrdb.Profile, hottest []instrdb.Row,
	s site.Symbols) instrview.Overview {
	v := instrview.Overview{Overview: head}
	o, whole := p.Overview, p.Profile.Overview
	v.Notes = variantNotes(o)
	if alone := mergedInputs(whole.Inputs) == len(whole.Inputs); alone && o.Functions > 0 &&
		!o.Info.Variant.Has(instrprof.IRProf) {
		v.Notes = append(v.Notes, "These counters also say which lines ran, if the program was compiled with "+
			"-fcoverage-mapping or -C instrument-coverage: upload it together with this profile.")
	}
	for i := range v.Tiles {
		if t := &v.Tiles[i]; t.ID == "total" && o.Functions > 0 {
			t.Note = inputsNote(o, mergedInputs(whole.Inputs))
		}
	}
	v.FunctionsURL, v.Functions = base+"/functions", humanize.Int(o.Functions)
	v.File.Facts = fileFacts(p)
	if o.Functions == 0 {
		v.Empty = emptyReason(whole)
	}
	points := make([]chart.CurvePoint, len(o.Curve))
	for i, p := range o.Curve {
		points[i] = chart.CurvePoint(p)
	}
	v.Curve = chart.NewCurve(points, o.Hot90, o.Hot99)
	if v.Curve == nil && o.Functions > 0 {
		v.Notes = append(v.Notes, "No counter is above 0: nothing ran, so there are no shares to draw.")
	}
	v.Distribution = chart.NewDistribution(o.Histogram, heatOf(o, false), chart.HotNote{
		Threshold: o.Thresholds.Hot, Reach: o.Thresholds.NumHot, Counters: o.Counters,
	})
	if o.Functions > 0 {
		v.Summaries = summaries(o)
		quality := qualityCard(base, p)
		v.Quality = &quality
	}
	for i := range hottest {
		row := &hottest[i]
		if row.Total.IsZero() {
			break // what never ran is not hot
		}
		v.Hottest = append(v.Hottest, instrview.FunctionRow{
			Row: row, Shown: s.Name([]byte(row.PGO), row.Ref), URL: functionURL(base, o, row),
			Bar: chart.ShareBar(row.Share, topShare(o)), Drawn: chart.NewShape(row.Shape, row.NumCounters, heatOf(o, row.CS)),
		})
	}
	humanize.Apart(v.Hottest, shown)
	return v
}

// recordsAside says how many records the file has where that is not the number of
// functions.
func recordsAside(o *instrdb.Overview) string {
	if o.Repeats == 0 {
		return ""
	}
	return humanize.Say("({record})", o.FileRecords())
}

func zeroNote(o *instrdb.Overview) string {
	if o.Counters == 0 {
		return "none"
	}
	if o.Zero == 0 {
		return "none is zero"
	}
	return humanize.Percent(float64(o.Zero)/float64(o.Counters), 1) + " are zero"
}

// mergedInputs counts the files with counters: programs may stand beside them.
func mergedInputs(inputs []stored.Input) (n int) {
	for i := range inputs {
		switch inputs[i].Format {
		case instrprof.FormatRaw, instrprof.FormatIndexed, instrprof.FormatText:
			n++
		}
	}
	return n
}

func inputsNote(o *instrdb.Overview, inputs int) string {
	if inputs > 1 {
		return "in " + humanize.Int(inputs) + " merged inputs"
	}
	if o.Total.Hi > 0 {
		return "exact; the file's own summary wraps at 2⁶⁴"
	}
	return "sum of all counters"
}

func sitesNote(o *instrdb.Overview) string {
	kinds := []struct {
		kind      instrprof.ValueKind
		one, many string
	}{
		{instrprof.IndirectCallTarget, "indirect call", "indirect calls"},
		{instrprof.MemOPSize, "memory op size", "memory op sizes"},
		{instrprof.VTableTarget, "vtable", "vtables"},
	}
	best := slices.MaxFunc(kinds, func(a, b struct {
		kind      instrprof.ValueKind
		one, many string
	}) int {
		return cmp.Compare(o.Sites[a.kind], o.Sites[b.kind])
	})
	if o.Sites[best.kind] == 0 {
		return "none recorded"
	}
	return humanize.Plural(o.Sites[best.kind], best.one, best.many)
}

// emptyReason says why a profile has no records.
func emptyReason(o *stored.Overview) string {
	for _, f := range o.Findings {
		if f.Kind == model.KindMissingCorrelation {
			return "This file has only counters; the records and names are in the executable."
		}
	}
	for _, in := range o.Inputs {
		if in.Size == 0 {
			return "The file is empty: the program ended before writing its counters, or none of its code was instrumented."
		}
	}
	return "The file has no function records: no code in the program was compiled with instrumentation, or a filter " +
		"removed every record."
}

// variantNotes says in words what the variant flags change for the reader.
func variantNotes(o *instrdb.Overview) []string {
	v := o.Info.Variant
	var notes []string
	if o.Functions > 0 && o.Quality.NoName == uint64(o.Functions) {
		note := "Names are in the executable"
		if v.Has(instrprof.DbgCorrelate) {
			note += "'s debug info: this profile was made for debug-info correlation"
		}
		notes = append(notes, note+". Functions are shown by the MD5 of their name.")
	}
	if v.Has(instrprof.ByteCoverage) {
		notes = append(notes, "Byte coverage: counters record whether code ran, not how often.")
	}
	if v.Has(instrprof.FunctionEntryOnly) {
		notes = append(notes, "Function entries only: each function has one counter, its entry count.")
	}
	if v.Has(instrprof.CSIRProf) {
		notes = append(notes, "Context-sensitive: some functions were counted again after inlining; those records have "+
			"their own summary and thresholds.")
	}
	if v.Has(instrprof.TemporalProf) {
		notes = append(notes, "Temporal: the profile also records the order in which functions first ran, "+
			humanize.Plural(o.Traces, "trace")+".")
	}
	return notes
}

// summaries are the detailed summaries of the plain and the context-sensitive records.
func summaries(o *instrdb.Overview) []page.Summary {
	list := []page.Summary{summaryTable("Detailed summary", &o.Summary)}
	if o.CSSummary != nil {
		list[0].Caption = "plain records"
		cs := summaryTable("Detailed summary", o.CSSummary)
		cs.Title, cs.Caption = "Context-sensitive summary", "records counted after inlining"
		list = append(list, cs)
	}
	return list
}

// mainCutoffs, of a million, are shown at once; the others are a click away.
var mainCutoffs = []uint64{100_000, 500_000, 900_000, 990_000, 999_000, 999_900, 999_999}

func summaryTable(title string, s *instrprof.Summary) page.Summary {
	t := page.Summary{Title: title}
	hot, cold := -1, -1
	for i, e := range s.Detailed {
		if hot < 0 && e.Cutoff >= 990000 {
			hot = i
		}
		if cold < 0 && e.Cutoff >= 999999 {
			cold = i
		}
	}
	for i, e := range s.Detailed {
		row := page.SummaryRow{
			Cutoff: humanize.Cutoff(e.Cutoff), Counters: humanize.Int(e.NumCounts), MinCount: humanize.Count(e.MinCount),
		}
		switch {
		case e.MinCount == 0:
		case i == hot:
			row.Class = "hot"
		case i == cold:
			row.Class = "cold"
		}
		t.Whole = append(t.Whole, row)
		if row.Class != "" || slices.Contains(mainCutoffs, e.Cutoff) {
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) < len(t.Whole) {
		t.AllSays = humanize.Plural(len(t.Whole), "cutoff")
	}
	return t
}
