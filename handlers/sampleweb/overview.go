package sampleweb

import (
	"context"
	"net/http"
	"strings"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/sampledb"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// How much of each list the overview shows.
const (
	topRows  = 20
	lostRows = 5
)

// overview is GET /p/{id} of a sample profile.
func (s *handler) overview(ctx context.Context, r *http.Request, head page.Overview, base string) (site.Draw, error) {
	head.Tiles = s.Tiles(sampleprof.Family, s.samples(r).Overview, base)
	v, err := overviewModel(ctx, head, base, s.samples(r), s.Symbols(names.Full))
	return func(shell page.Shell) page.Part { return sampleview.OverviewPage(shell, *v) }, err
}

func overviewModel(ctx context.Context, head page.Overview, base string, p *sampledb.Profile,
	s site.Symbols) (*sampleview.Overview, error) {
	o := p.Overview
	v := &sampleview.Overview{Overview: head}
	v.FunctionsURL, v.Functions = base+"/functions", humanize.Int(o.Functions)
	v.File.Facts = fileFacts(o)
	v.Checks, v.ChecksSay = checks(base, o)
	v.Summaries = []page.Summary{summaryOf(o)}
	if o.Samples.IsZero() {
		v.Tiles, v.Lead, v.Empty = nil, "No samples.",
			humanize.Say("The profile lists {function} and no count above 0: compilers learn nothing from it.", o.Functions)
		return v, nil
	}
	top, err := p.Find(ctx, sampledb.Query{RowQuery: limited(topRows)})
	if err != nil {
		return nil, err
	}
	if err := fillLost(ctx, v, base, p, s); err != nil {
		return nil, err
	}
	if err := largest(v.Tiles, base, p, s); err != nil {
		return nil, err
	}
	v.Top = topTable(o, top, namesOf(base, s))
	return v, nil
}

func limited(rows int) query.RowQuery { return query.RowQuery{Limit: rows} }

// wholeOf adds up samples, however they fit.
func wholeOf(fits *sampledb.Fits) (whole uint64) {
	for _, f := range fits {
		whole = sampleprof.Add(whole, f.Samples)
	}
	return whole
}

// lostSays says how much of all samples is lost on the programs that were given, where they can tell.
func lostSays(o *sampledb.Overview, whole uint64) (lead, rest string) {
	fits := &o.Program.Fits
	stale, gone := fits[sampleprof.FitStale].Samples, fits[sampleprof.FitGone].Samples
	part := func(n uint64) string { return humanize.PartPercent(n, whole, 1) }
	if checked := o.Program.Probes > 0 && o.Has(sampleprof.Probes); !checked {
		lead = "This program has every function of the profile."
		if fits[sampleprof.FitGone].Functions > 0 {
			lead = part(gone) + " of the samples are of functions that this program has not."
		}
		return lead, "Which functions changed cannot be told without probes in both."
	}
	if !someLost(o) && fits[sampleprof.FitSame].Samples == whole {
		return "No sample is lost on this program.", "The code of every function is the same."
	}
	return part(sampleprof.Add(stale, gone)) + " of the samples are lost on this program:",
		part(stale) + " stale, " + part(gone) + " gone."
}

// fillLost says how much of the samples is lost on the programs that were given, and of
// which functions; what else there is to say first where none was.
func fillLost(ctx context.Context, v *sampleview.Overview, base string, p *sampledb.Profile, s site.Symbols) error {
	o := p.Overview
	if !o.Program.CanTell() {
		lead, err := leadOf(ctx, p)
		v.Lead = lead + "."
		v.Rest = humanize.Percent(o.Inlined.Float64()/o.Samples.Float64(), 1) + " of the samples are in inlined bodies."
		if v.Ask = "proflens upload profile.afdo program"; o.Program.Given() {
			v.Ask = ""
			v.Rest += " The programs given say nothing of its functions: it cannot be told how much is stale."
		}
		return err
	}
	fits := &o.Program.Fits
	stale, gone := fits[sampleprof.FitStale], fits[sampleprof.FitGone]
	same, unknown := fits[sampleprof.FitSame], fits[sampleprof.FitUnknown]
	whole := wholeOf(fits)
	v.Lead, v.Rest = lostSays(o, whole)
	l := &sampleview.Lost{
		Names: namesOf(base, s), Whole: whole,
		Bar: stretchesOf(same.Samples, unknown.Samples, stale.Samples, gone.Samples),
	}
	for _, line := range []struct {
		class, sign, text string
		f                 sampledb.Fit
	}{
		{"same", "", "same code", same}, {"unknown", "", "cannot be told", unknown},
		{"stale", "▾", "stale, another checksum", stale}, {"gone", "×", "gone", gone},
	} {
		if line.f.Functions > 0 {
			l.Legend = append(l.Legend, sampleview.LegendLine{
				Class: line.class, Sign: line.sign,
				Text: humanize.Say("{}: {}, {function}", line.text, line.f.Samples, line.f.Functions),
			})
		}
	}
	for _, list := range []struct {
		title, word, none string
		fit               sampleprof.Fit
	}{
		{"Stale, by own samples", "stale", "No function has another checksum.", sampleprof.FitStale},
		{"Gone, by own samples", "gone", "The program has every function.", sampleprof.FitGone},
	} {
		if !someLost(o) {
			break
		}
		found, err := p.Find(ctx, sampledb.Query{
			RowQuery: limited(lostRows), Among: sampledb.Sampled, Fits: []sampleprof.Fit{list.fit},
		})
		if err != nil {
			return err
		}
		m := sampleview.LostList{Title: list.title, Empty: list.none}
		if found.Matching > 0 {
			m.URL, m.All = base+"/stale?fit="+list.word, "All "+humanize.Int(found.Matching)
		} else if list.fit == sampleprof.FitStale && (o.Program.Probes == 0 || !o.Has(sampleprof.Probes)) {
			m.Empty = "Cannot be told: there are no checksums."
		}
		m.Rows = found.Rows
		l.Lists = append(l.Lists, m)
	}
	v.Lost = l
	return nil
}

// leadOf says how few functions have half of the samples.
func leadOf(ctx context.Context, p *sampledb.Profile) (string, error) {
	o := p.Overview
	lead := humanize.Say("{:count sample} in {function}", o.Samples, o.Functions)
	few, all, err := p.Half(ctx)
	if few < all {
		lead += ", half of them in the code of " + humanize.Int(few)
	}
	return lead, err
}

// largest adds to the tiles which function has the largest count.
func largest(tiles []page.Tile, base string, p *sampledb.Profile, s site.Symbols) error {
	n, err := p.Largest()
	if n == nil {
		return err
	}
	for i := range tiles {
		if t := &tiles[i]; t.ID == "max" {
			name := nameOf(n, s)
			t.Note, t.URL, t.Title = site.ShortName(name), pageOf(base, n), name.Full
		}
	}
	return err
}

// summaryOf is the detailed summary.
func summaryOf(o *sampledb.Overview) page.Summary {
	m := page.Summary{Title: "Detailed summary", Caption: "as the file has it"}
	if !o.OwnSummary {
		m.Caption = "computed: the file has none"
	}
	for _, e := range o.Summary.Entries {
		row := page.SummaryRow{
			Cutoff: humanize.Cutoff(e.Cutoff), Counters: humanize.Int(e.Counts), MinCount: humanize.Count(e.MinCount),
		}
		switch e.Cutoff {
		case sample.HotCutoff:
			row.Class = "hot"
		case sample.ColdCutoff:
			row.Class = "cold"
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// fileFacts are the facts of the file card.
func fileFacts(o *sampledb.Overview) page.Facts {
	reads := "LLVM of today"
	if o.Reader > 0 {
		reads = "LLVM up to " + humanize.Int(o.Reader)
	}
	if o.Format == sampleprof.FormatGCC {
		reads = "GCC, and LLVM"
	}
	facts := page.Facts{{Term: "Read by", Value: reads}, {Term: "Places", Value: humanize.Int(o.Places.All)}}
	if words := o.Flags.Words(); len(words) > 0 {
		facts.Add("Flags", strings.Join(words, ", "))
	}
	for _, name := range o.Program.Files {
		facts.Add("Program", humanize.Printable(name))
	}
	return facts
}
