package instrweb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// contextCounters is how many counters of each record are listed side by side.
const contextCounters = 100

// contexts puts the plain and the context-sensitive record of a function side by
// side: the one shown, and of the other kind the hottest. It returns nil where
// there are not both.
func contexts(v site.FunctionRequest, p *functionParams, o *instrdb.Overview, records []instrdb.Record,
	shown int) *instrview.Contexts {
	var pair [2]*instrdb.Record // plain, context-sensitive
	side := func(r *instrdb.Record) int {
		if r.CS {
			return 1
		}
		return 0
	}
	for i := range records {
		r := &records[i]
		if at := &pair[side(r)]; *at == nil || r.Rank < (*at).Rank {
			*at = r
		}
	}
	pair[side(&records[shown])] = &records[shown]
	plain, cs := pair[0], pair[1]
	if plain == nil || cs == nil {
		return nil
	}
	c := &instrview.Contexts{Plain: contextSide(v, o, plain), CS: contextSide(v, o, cs), Rows: contextRows(o, plain, cs)}
	if more := len(records) - 2; more > 0 {
		c.Others = humanize.Plural(more, "other record") + " with this name are in the list of records."
	}
	list := besides(p, plain, cs)
	c.Counters = list[:min(len(list), contextCounters)]
	if more := len(list) - len(c.Counters); more > 0 {
		c.More = humanize.Int(more) + " more are on the pages of the records."
	}
	at := v.Address.FirstPage()
	c.Open = p.Count != nil || len(p.beside()) > 0
	c.Heads = site.ColumnHeads(besideColumns, site.OrderOf(p.beside(), query.Key{Column: byIndex}, at))
	c.Filter = page.QuickFilter{
		Action: at.Path, Keep: site.Keep(at.Without("count")),
		Ranges: []page.RangeField{{Name: "count", Label: "Either count", Value: at.Query.Get("count")}},
	}
	return c
}

// besideColumns are those of the counters side by side.
var besideColumns = []site.Column{
	{Key: "index", Label: "Number", Number: true, Sort: byIndex, Ascending: true},
	{Key: "plain", Label: "Plain", Number: true, Sort: byPlain},
	{Key: "cs", Label: "Context-sensitive", Number: true, Sort: byCS},
}

// besides are the numbers of the counters that are listed, in order: those of which
// either record has one in the range asked for. What a record lacks comes last.
func besides(p *functionParams, plain, cs *instrdb.Record) []uint32 {
	in := func(r *instrdb.Record, i uint32) bool {
		return int(i) < len(r.Counters) && (p.Count == nil || r.Counters[i] >= p.Count[0] && r.Counters[i] <= p.Count[1])
	}
	list := query.Select(max(len(plain.Counters), len(cs.Counters)), nil, []query.Test{
		func(i uint32) bool { return in(plain, i) || in(cs, i) },
	})
	column := func(r *instrdb.Record) query.Value {
		return query.Value{
			At: func(i uint32) uint64 { return r.Counters[i] }, Known: func(i uint32) bool { return int(i) < len(r.Counters) },
		}
	}
	values := map[query.Column]query.Value{
		byPlain: column(plain), byCS: column(cs), byIndex: {At: func(i uint32) uint64 { return uint64(i) }},
	}
	_ = query.Sort(context.Background(), list, p.beside(),
		func(c query.Column) (query.Value, error) { return values[c], nil })
	return list
}

// beside is the order of the counters side by side, where it is theirs.
func (p *functionParams) beside() []query.Key {
	return slices.DeleteFunc(slices.Clone(p.Sort), func(k query.Key) bool { return k.Column == byCounts })
}

func contextSide(v site.FunctionRequest, o *instrdb.Overview, r *instrdb.Record) instrview.ContextSide {
	return instrview.ContextSide{
		RecordRow: recordRow(v, o, r), Drawn: chart.NewShape(r.Shape, r.NumCounters, heatOf(o, r.CS)),
	}
}

func contextRows(o *instrdb.Overview, plain, cs *instrdb.Record) []instrview.ContextRow {
	int := func(n uint32) humanize.Number { return humanize.Whole(n) }
	rows := []instrview.ContextRow{
		{
			Label: "Total", Plain: humanize.SumCount(plain.Total), CS: humanize.SumCount(cs.Total),
			Ratio: ratio(cs.Total.Float64(), plain.Total.Float64()), How: page.HowTotal,
		},
	}
	if analyze.HasEntry(o.Info.Variant) {
		rows = append(rows, instrview.ContextRow{
			Label: "Entry count", Plain: humanize.Count(plain.Entry), CS: humanize.Count(cs.Entry),
			Ratio: ratio(float64(cs.Entry), float64(plain.Entry)), How: page.HowEntry,
		})
	}
	return append(rows,
		instrview.ContextRow{
			Label: "Maximum", Plain: humanize.Count(plain.Max), CS: humanize.Count(cs.Max),
			Ratio: ratio(float64(cs.Max), float64(plain.Max)), How: page.HowMax,
		},
		instrview.ContextRow{Label: "Counters", Plain: int(plain.NumCounters), CS: int(cs.NumCounters)},
		instrview.ContextRow{Label: "Zero counters", Plain: int(plain.NumZero), CS: int(cs.NumZero)},
		instrview.ContextRow{
			Label: "Value sites", Plain: int(plain.NumSites[0] + plain.NumSites[1] + plain.NumSites[2]),
			CS: int(cs.NumSites[0] + cs.NumSites[1] + cs.NumSites[2]),
		},
	)
}

// ratio is of to whole in per cent; empty of nothing.
func ratio(of, whole float64) string {
	if whole == 0 {
		return ""
	}
	return humanize.Percent(of/whole, 1)
}
