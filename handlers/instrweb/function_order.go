package instrweb

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// How many traces the page draws, and of how many functions of each it looks
// the counters up.
const (
	drawnTraces    = 8
	drawnFunctions = 2000
)

// orderList is the list of the functions of temporal traces.
func orderList() *lists.List { return lists.ListOf(instrdb.Order) }

// orderRequest is a request for the page of temporal traces.
type orderRequest struct {
	lists.Params
	base    string // "/p/{id}"
	address site.Address
}

// orderPage is GET /p/{id}/order.
func (s *handler) orderPage(w http.ResponseWriter, r *http.Request) error {
	p, err := orderList().Parse(r.URL.Query(), lists.Selected)
	if err != nil {
		return err
	}
	if p.Format != "" {
		v := site.AddressOf(r.URL).Without(lists.Selected).With("by", "function")
		v.Path = "/api/v1/profiles/" + s.Entry(r).ID + "/traces"
		return site.Forward(w, r, v.String())
	}
	if moved, err := orderList().Typed(w, r); moved || err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	v := orderRequest{Params: p, base: "/p/" + s.Entry(r).ID, address: site.AddressOf(r.URL)}
	o := s.records(r).Overview
	model, err := orderModel(ctx, v, o, s.records(r), s.Symbols(p.Names))
	if err != nil {
		return err
	}
	return s.Render(w, r, instrview.FunctionOrderPage(s.ProfileShell(r, site.OrderView, ""), model))
}

func orderModel(ctx context.Context, v orderRequest, o *instrdb.Overview, p *instrdb.Profile,
	s site.Symbols) (instrview.FunctionOrder, error) {
	m := instrview.FunctionOrder{Legend: legendOf(o), Of: o.Traces}
	traces, err := p.Traces(ctx)
	if err != nil {
		return m, err
	}
	find, err := p.FindPlaced(ctx)
	if err != nil {
		return m, err
	}
	order, err := find(ctx, table.Query{RowQuery: v.Query})
	if err != nil {
		return m, err
	}
	if len(traces) == 0 {
		m.Says = "The file has no temporal traces."
		m.Shown, m.Empty = "no rows", &page.Blank{
			Title: "No temporal traces", Text: "To record the order in which functions first run, build the program with " +
				"-fprofile-generate -mllvm -pgo-temporal-instrumentation.",
		}
		return m, nil
	}
	m.Says = humanize.Say("{function} in {temporal trace}.", order.All, len(traces))
	if seen := o.Info.TraceStreamSize; seen > uint64(len(traces)) {
		m.Says = humanize.Say("{function} in {temporal trace}, a sample of {}.", order.All, len(traces), seen)
	}
	export := "/api/v1/profiles" + v.base[len("/p"):] + "/export/order"
	m.Files = []page.Download{
		{
			Label: "For lld and others", URL: export,
			Command: "-fuse-ld=lld -Wl,--symbol-ordering-file=FILE -Wl,--no-warn-symbol-ordering",
		},
		{Label: "For ld64 (Mach-O)", URL: export + "?macho=true", Command: "-Wl,-order_file,FILE"},
	}
	if m.Traces, err = drawTraces(ctx, o, p, traces); err != nil {
		return m, err
	}
	if left := len(traces) - len(m.Traces); left > 0 {
		m.More = humanize.Say("{more trace is|more traces are} not drawn but count towards the order.", left)
	}
	m.List = orderList().Frame(v.address, &v.Params, lists.Found{
		Shown: order.Len(), Matching: order.Matching, All: order.All,
	})
	shown := order.Rows.([]instrdb.PlacedFunction)
	m.Rows = orderRows(v, o, shown, s)
	for i := range m.Rows {
		if m.Rows[i].Selected.Selected {
			return m, inspectPlaced(ctx, m.Inspector, p, &m.Rows[i], traces)
		}
	}
	return m, nil
}

// placeTile says when a function first ran; nil where the profile has no traces.
func (s *handler) placeTile(ctx context.Context, p *instrdb.Profile, base string, ref uint64) (*page.Tile, error) {
	traces := p.Overview.Traces
	if traces == 0 {
		return nil, nil
	}
	f, place, of, ok, err := p.PlaceOf(ctx, ref)
	if err != nil {
		return nil, err
	}
	tile := page.Tile{
		ID: "first-run", Label: "First run", Value: humanize.Number{Text: "in no trace"},
		Note: "of " + humanize.Plural(traces, "temporal trace"), How: page.HowOrder, URL: base + "/order",
	}
	if ok {
		tile.Value.Text = "place " + humanize.Int(place+1)
		tile.Note = humanize.Say("of {}, in {} of {trace}", of, f.Traces, traces)
		if from := place / site.DefaultLimit; from > 0 {
			tile.URL += "?page=" + strconv.Itoa(from+1)
		}
		tile.URL += "#f-" + site.FID(ref)
	}
	return &tile, nil
}

// drawTraces draws the first traces.
func drawTraces(ctx context.Context, o *instrdb.Overview, p *instrdb.Profile,
	traces []instrdb.TraceInfo) ([]instrview.Trace, error) {
	var drawn []instrview.Trace
	for i, t := range traces[:min(len(traces), drawnTraces)] {
		refs, err := p.Trace(ctx, i)
		if err != nil {
			return nil, err
		}
		maxima, err := p.MaximaOf(ctx, evenly(refs, drawnFunctions))
		if err != nil {
			return nil, err
		}
		drawn = append(drawn, instrview.Trace{
			TraceInfo: t, Strip: chart.NewTraceStrip(maxima, len(refs), heatOf(o, false)),
		})
	}
	return drawn, nil
}

// evenly picks at most n of a list, at even distances.
func evenly(list []uint64, n int) []uint64 {
	if len(list) <= n {
		return list
	}
	picked := make([]uint64, n)
	for i := range picked {
		picked[i] = list[i*len(list)/n]
	}
	return picked
}

func orderRows(v orderRequest, o *instrdb.Overview, shown []instrdb.PlacedFunction,
	s site.Symbols) []instrview.OrderRow {
	heat := heatOf(o, false)
	var rows []instrview.OrderRow
	for i := range shown {
		f := &shown[i]
		row := instrview.OrderRow{
			Selected: v.address.Selected(site.FID(f.Function.Ref)), PlacedFunction: f,
			Name: s.Name([]byte(f.Function.PGO), f.Function.Ref), Bar: chart.LogBar(f.Max, o.Max, heat),
		}
		if f.HasRecord {
			row.URL = v.base + "/functions/" + site.FID(f.Function.Ref)
		}
		rows = append(rows, row)
	}
	humanize.Apart(rows, func(r *instrview.OrderRow) *humanize.Name { return &r.Name })
	return rows
}

// inspectPlaced shows a function of the order, and where in each trace it first ran.
func inspectPlaced(ctx context.Context, in *page.Inspector, p *instrdb.Profile,
	f *instrview.OrderRow, traces []instrdb.TraceInfo) error {
	path, _ := names.Split([]byte(f.Function.PGO))
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Rank: "place " + humanize.Int(f.Place+1), Name: f.Name,
		Place: humanize.Printable(path),
		URL:   f.URL, Open: "Open function",
		Facts: page.Facts{
			{Term: "First position", Value: humanize.Int(f.First), Note: "earliest in any trace"},
			{Term: "Traces", Value: humanize.Say("{} of {}", f.Traces, len(traces))},
			{Term: "Maximum", Value: humanize.Int(f.Max), Note: "largest counter"},
			{Term: "NameRef", Value: humanize.Hex64(f.Function.Ref)},
		},
	}
	list := page.Lines{Title: "Positions", Note: "in each trace, from 0"}
	for i, t := range traces[:min(len(traces), drawnTraces)] {
		refs, err := p.Trace(ctx, i)
		if err != nil {
			return err
		}
		line := page.NoteLine{Text: "Trace " + humanize.Int(i), Note: "not in it"}
		if at := slices.Index(refs, f.Function.Ref); at >= 0 {
			line.Note = humanize.Say("{} of {}", at, t.Length)
		}
		list.List = append(list.List, line)
	}
	if more := len(traces) - len(list.List); more > 0 {
		list.More = humanize.Plural(more, "more trace")
	}
	in.Lists = []page.Lines{list}
	return nil
}
