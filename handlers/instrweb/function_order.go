package instrweb

import (
	"context"
	"net/http"
	"strconv"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/say"
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

// orderRequest is a request for the page of temporal traces.
type orderRequest struct {
	site.Listing
	base    string // "/p/{id}"
	address site.Address
}

// orderPage is GET /p/{id}/order.
func (s *room) orderPage(w http.ResponseWriter, r *http.Request) error {
	values, err := site.NewValues(r.URL.Query(), site.ListingKeys)
	if err != nil {
		return err
	}
	p := values.Listing()
	if values.Err != nil {
		return values.Err
	}
	if p.Format != "" {
		v := site.AddressOf(r.URL).With("by", "function")
		v.Path = "/api/v1/profiles/" + s.Entry(r).ID + "/traces"
		http.Redirect(w, r, v.String(), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
	v := orderRequest{Listing: p, base: "/p/" + s.Entry(r).ID, address: site.AddressOf(r.URL)}
	o := s.records(r).Overview
	model, err := orderModel(ctx, v, o, s.records(r), site.Symbols{Cache: s.Names, Mode: p.Names})
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, instrview.FunctionOrderPage(s.ProfileShell(r, site.OrderView, ""), model))
}

func orderModel(ctx context.Context, v orderRequest, o *instrdb.Overview, p *instrdb.Profile, s site.Symbols) (instrview.FunctionOrder, error) {
	m := instrview.FunctionOrder{Shown: "no rows", Modes: site.ModeSegments(v.address, v.Names), Legend: legendOf(o), CSV: v.address.Without("page", "cursor", "limit").With("format", "csv").String()}
	traces, err := p.Traces(ctx)
	if err != nil {
		return m, err
	}
	order, err := p.FunctionOrder(ctx)
	if err != nil {
		return m, err
	}
	if len(traces) == 0 {
		m.Says = "The file has no temporal traces."
		m.Empty = &page.Blank{Title: "No temporal traces", Text: "The order in which functions first run is recorded when the program is built with -fprofile-generate -mllvm -pgo-temporal-instrumentation."}
		return m, nil
	}
	m.Says = say.Plural(len(order), "function", "functions") + " in " + say.Plural(len(traces), "temporal trace", "temporal traces") + "."
	if seen := o.Info.TraceStreamSize; seen > uint64(len(traces)) {
		m.Says = say.Plural(len(order), "function", "functions") + " in " + say.Plural(len(traces), "temporal trace", "temporal traces") + ", a sample of " + say.Int(seen) + "."
	}
	export := "/api/v1/profiles" + v.base[len("/p"):] + "/export/order"
	m.Files = []page.Download{
		{Label: "For lld and others", URL: export, Command: "-fuse-ld=lld -Wl,--symbol-ordering-file=FILE -Wl,--no-warn-symbol-ordering"},
		{Label: "For ld64 (Mach-O)", URL: export + "?macho=true", Command: "-Wl,-order_file,FILE"},
	}
	if m.Traces, err = drawTraces(ctx, o, p, traces); err != nil {
		return m, err
	}
	if left := len(traces) - len(m.Traces); left > 0 {
		m.More = say.Plural(left, "further trace is", "further traces are") + " not drawn, but counted in the order."
	}
	m.Rows, err = orderRows(ctx, v, o, p, order, len(traces), s)
	if n := len(m.Rows); n > 0 {
		m.Shown = "rows " + say.Int(v.Offset+1) + "–" + say.Int(v.Offset+n) + " of " + say.Int(len(order))
	}
	m.Pager = site.ListPager(v.address, &v.Listing, len(order))
	return m, err
}

// drawTraces draws the first traces.
func drawTraces(ctx context.Context, o *instrdb.Overview, p *instrdb.Profile, traces []instrdb.TraceInfo) ([]instrview.Trace, error) {
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
			ID: "trace-" + strconv.Itoa(i), Title: "Trace " + say.Int(i),
			Says:  say.Plural(t.Length, "function", "functions") + ", weight " + say.Int(t.Weight) + "; bars are their largest counters, log scale",
			Strip: chart.NewTraceStrip(maxima, len(refs), heatOf(o, false)),
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

func orderRows(ctx context.Context, v orderRequest, o *instrdb.Overview, p *instrdb.Profile, order []analyze.Placed, traces int, s site.Symbols) ([]instrview.OrderRow, error) {
	from := min(v.Offset, len(order))
	shown := order[from:min(len(order), from+v.Limit)]
	refs := make([]uint64, len(shown))
	for i := range shown {
		refs[i] = shown[i].NameRef
	}
	known, err := p.NamesOf(ctx, refs)
	if err != nil {
		return nil, err
	}
	maxima, err := p.MaximaOf(ctx, refs)
	if err != nil {
		return nil, err
	}
	heat := heatOf(o, false)
	var rows []instrview.OrderRow
	for i, f := range shown {
		info := known[f.NameRef]
		row := instrview.OrderRow{
			Place: say.Int(from + i + 1), Name: s.Name(info.Name, f.NameRef), First: say.Int(f.First),
			Traces: say.Int(f.Traces) + " of " + say.Int(traces), Max: say.Count(maxima[i]), Bar: chart.LogBar(maxima[i], o.Max, heat),
		}
		if info.HasRecord {
			row.URL = v.base + "/functions/" + site.FID(f.NameRef)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
