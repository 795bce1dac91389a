package mipweb

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// order is the table of the start-up order, and its page.
func (s *handler) order() *lists.Declared {
	return &lists.Declared{
		Declaration: mipdb.Order, ID: "order-table", API: "/traces", View: site.OrderView, Title: "Start-up order",
		How: page.HowMIPOrder, Opens: "Open function",
		First: "Earliest first: laid out in this order, functions share pages at start-up.",
		Own:   []string{"by", "run", "min-runs"},
		Find: func(v *site.Values) lists.Finder {
			site.Choice(v, "by", "function") // each function once, as with temporal traces
			q := startupOf(v)
			return lists.Of(mipdb.Of, func(ctx context.Context, p *mipdb.Profile) (table.Find, error) {
				if err := hasRuns(p.Overview, q.Run); err != nil {
					return nil, err
				}
				return p.FindOrder(ctx, q)
			})
		},
		Adorn: s.aroundOrder,
		Inspect: func(r *http.Request, v *lists.Request, in *page.Inspector, row any) error {
			f := row.(*mipdb.OrderedRow)
			err := inspect(r.Context(), in, s.machine(r), f.F, v.NameOf(f.FunctionName), v.Base)
			in.Rank = humanize.Say("place {} of {}", f.Place+1, v.Found.All)
			return err
		},
	}
}

// startupOf reads by which runs the order is.
func startupOf(v *site.Values) mipdb.StartupQuery {
	return mipdb.StartupQuery{Run: v.Number("run", 1, maxRuns, 0), MinRuns: v.Number("min-runs", 1, 1<<31-1, 0)}
}

// aroundOrder adds the choice of runs, the files for linkers and the map of addresses.
func (s *handler) aroundOrder(r *http.Request, v *lists.Request, g *page.Grid) error {
	p, q, list := s.machine(r), startupOf(&site.Values{Query: v.Address.Query}), v.Address.Unselected()
	o := p.Overview
	drawFunctions(v, g, o)
	v.Draw["place"] = func(row any) page.GridCell {
		return page.GridCell{Number: humanize.Whole(row.(*mipdb.OrderedRow).Place + 1)}
	}
	if g.Empty = cmp.Or(mipEmpty(p), g.Empty); o.Functions == 0 {
		return nil
	}
	if !o.HasTimestamps() {
		g.Empty = &page.Blank{
			Title: "No order", Text: "The program was not built with timestamps, which record the order of first runs. The " +
				"compiler adds them together with call counts.",
		}
		return nil
	}
	runs, err := p.Runs(r.Context())
	if err != nil {
		return err
	}
	order := v.Found.Around.(*mipdb.OrderAround).Startup
	m := mipview.Startup{Notes: addressNotes(o)}
	chooseRuns(&m, list, q, o, runs)
	g.Says = humanize.Say("{function} with {:bytes} ran. They span {page} of 4 KiB today; packed together they need {}.",
		len(order.Indices), order.Bytes, order.Pages, order.NeededPages)
	g.Note = "By the average position at first run. Positions are ranks in an order, not times."
	if q.Run > 0 {
		g.Note = "By the order in which functions first ran in run " + humanize.Int(q.Run) +
			" only. Positions are ranks in an order, not times."
	}
	query := site.Address{Query: url.Values{}}
	for _, key := range []string{"run", "min-runs"} {
		query = query.With(key, list.Query.Get(key))
	}
	export := site.Address{Path: site.APIOf(v.Base[len("/p/"):]) + "/export/order", Query: query.Query}
	m.Files = []page.Download{
		{
			Label: "For lld and others", URL: export.String(),
			Command: "-fuse-ld=lld -Wl,--symbol-ordering-file=FILE -Wl,--no-warn-symbol-ordering",
		},
		{Label: "For ld64 (Mach-O)", URL: export.With("macho", "true").String(), Command: "-Wl,-order_file,FILE"},
	}
	if m.Map, err = addressMap(r.Context(), o, p, order); err != nil {
		return err
	}
	g.Above = mipview.StartupAbove(m)
	return nil
}

// chooseRuns is the form of by which runs the order is.
func chooseRuns(m *mipview.Startup, list site.Address, q mipdb.StartupQuery, o *mipdb.Overview, runs []mipdb.Run) {
	m.Choose = mipview.StartupForm{
		Action: list.Path, Of: humanize.Plural(max(o.RunsAtLeast, uint64(o.Runs)), "run"),
		Keep: site.Keep(list.FirstPage("run", "min-runs")),
	}
	if o.Runs == 0 {
		m.Choose.Of += " or more"
	}
	if q.MinRuns > 0 {
		m.Choose.MinRuns = strconv.Itoa(q.MinRuns)
	}
	if len(runs) < 2 {
		return
	}
	m.Choose.Runs = []page.Option{{Value: "", Label: "average over all runs", Selected: q.Run == 0}}
	for i := range runs {
		label := "run " + humanize.Int(runs[i].Run) + ": " + humanize.Printable(runs[i].File)
		m.Choose.Runs = append(m.Choose.Runs, page.Option{
			Value: strconv.Itoa(runs[i].Run), Label: label, Selected: q.Run == runs[i].Run,
		})
	}
}

// addressMap draws an order against the link addresses of the whole program.
func addressMap(ctx context.Context, o *mipdb.Overview, p *mipdb.Profile,
	order *mipdb.Startup) (*chart.AddressMap, error) {
	var ends [2]int64
	for i, desc := range []bool{false, true} {
		edge, err := p.Functions(ctx, mipdb.Query{Sort: []query.Key{{Column: mipdb.ColAddress, Desc: desc}}, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(edge.Rows) == 0 {
			return nil, nil
		}
		ends[i] = edge.Rows[0].Offset
		if desc {
			ends[i] += int64(edge.Rows[0].Size)
		}
	}
	return chart.NewAddressMap(order.Offsets, order.Sizes, ends[0], ends[1], func(v int64) string {
		if o.RawAddress != nil {
			return mipAddress(o, v)
		}
		return mipAddress(o, v) + " from the counters"
	}), nil
}
