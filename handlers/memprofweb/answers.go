package memprofweb

import (
	"context"
	"math"
	"slices"

	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/views/memprofview"
)

// answerRows is how many blame frames an answer names.
const answerRows = 3

// question is one of those that the page of sites answers at a glance.
type question struct {
	title, note, says string
	column            query.Column
	span              string // of the column, as the answer's link has it
	low, high         float64
	needs             []memprof.MIBField
	sort              query.Key
	figure            func(s *memprofdb.BlameSite) humanize.Number
}

func bytesOf(s *memprofdb.BlameSite) humanize.Number { return humanize.SumBytes(s.Bytes) }
func countOf(s *memprofdb.BlameSite) humanize.Number {
	return humanize.SumCount(s.Allocations)
}

var (
	mostBytes = query.Key{Column: memprofdb.ColBytes, Desc: true}
	mostCount = query.Key{Column: memprofdb.ColCount, Desc: true}
)

var questions = []question{
	{
		"Big and short-lived", "mean at most 10 ms", "reuse pays here", memprofdb.ColAvgLifetime, "..10", 0, 10,
		[]memprof.MIBField{memprof.TotalLifetime}, mostBytes, bytesOf,
	},
	{
		"Big and long-lived", "mean 200 ms or more", "what holds memory at peak", memprofdb.ColAvgLifetime, "200..", 200,
		math.MaxFloat64, []memprof.MIBField{memprof.TotalLifetime}, mostBytes, bytesOf,
	},
	{
		"Many and tiny", "32 B or less each", "pool or embed", memprofdb.ColAvgSize, "..32", 0, 32,
		[]memprof.MIBField{memprof.TotalSize}, mostCount, countOf,
	},
	{
		"Rarely touched", "at most 0.25 accesses a byte", "", memprofdb.ColAvgDensity, "..0.25", 0, 0.25,
		[]memprof.MIBField{memprof.TotalAccessDensity}, mostBytes, bytesOf,
	},
}

// answers are those to all questions that the profile has the fields for, among the
// contexts that other filters select.
func (s *handler) answers(ctx context.Context, p *memprofdb.Profile, v sitesRequest,
	n frameNames) ([]memprofview.Answer, error) {
	var list []memprofview.Answer
	columns := []query.Column{memprofdb.ColAvgLifetime, memprofdb.ColAvgSize, memprofdb.ColAvgDensity}
	plain := v.address.FirstPage("open", "sort", "by")
	filter := v.Filter
	filter.Ranges = slices.DeleteFunc(slices.Clone(filter.Ranges), func(r query.RealRange) bool {
		return slices.Contains(columns, r.Column)
	})
	all, err := p.Contexts(ctx, memprofdb.Query{Filter: filter})
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		plain = plain.Without(string(c))
	}
	plain = plain.With("by", string(memprofdb.SitesByBlame))
	for _, q := range questions {
		if slices.ContainsFunc(q.needs, func(f memprof.MIBField) bool { return !p.Overview.Schema.Has(f) }) ||
			!p.Overview.Schema.Has(memprof.AllocCount) {
			continue
		}
		f := filter
		f.Ranges = append(slices.Clone(filter.Ranges), query.RealRange{Column: q.column, Min: q.low, Max: q.high})
		rows, err := p.Blame(ctx, memprofdb.BlameQuery{
			Filter: f, Library: v.Filter.Library, Sort: []query.Key{q.sort}, Limit: answerRows,
		})
		if err != nil {
			return nil, err
		}
		to := plain.With(string(q.column), q.span)
		if q.sort.Column != memprofdb.ColBytes {
			to = to.With("sort", "-"+string(q.sort.Column))
		}
		a := memprofview.Answer{
			Title: q.title, Note: q.note, URL: to.String(), Current: v.address.Query.Get(string(q.column)) == q.span,
		}
		a.Figure = humanize.SumBytes(rows.Totals.Bytes)
		a.Says = humanize.PartPercent(rows.Totals.Bytes.Float64(), all.Totals.Bytes.Float64(), 1) + " of bytes"
		if q.sort == mostCount {
			a.Figure = humanize.SumCount(rows.Totals.Allocations)
			a.Says = humanize.Say("objects, {%}, in {:bytes}",
				humanize.Part(rows.Totals.Allocations.Float64(), all.Totals.Allocations.Float64()), rows.Totals.Bytes)
		}
		switch {
		case q.says != "":
			a.Says += ": " + q.says
		case shortRun(p.Overview):
			a.Says += "; " + coldNeeds
		}
		for i := range rows.Rows {
			r := &rows.Rows[i]
			row := memprofview.AnswerRow{Name: "only library frames", Type: r.Type, Figure: q.figure(r)}
			if r.Function != nil {
				row.Name = n.Short(r.Function)
				if r.User != nil {
					row.Name += " ← " + n.Short(r.User)
				}
				row.URL = to.With("open", site.FID(r.Function.FID)).String()
			}
			a.Rows = append(a.Rows, row)
		}
		list = append(list, a)
	}
	return list, nil
}

// coldNeeds is what to know where nothing is cold.
const coldNeeds = "nothing can be cold in a run shorter than 200 s"

// shortRun reports whether no object lived as long as cold ones do.
func shortRun(o *memprofdb.Overview) bool {
	return o.Schema.Has(memprof.MaxLifetime) && o.Contexts > 0 && o.Longest < 200_000
}
