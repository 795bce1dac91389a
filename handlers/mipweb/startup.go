package mipweb

import (
	"context"
	"net/http"
	"strconv"

	"proflens/handlers/site"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// startupRequest is a request for the page of the start-up order.
type startupRequest struct {
	orderParams
	base    string // "/p/{id}"
	address site.Address
}

// startupPage is GET /p/{id}/order of a Machine IR Profile.
func (s *room) startupPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseMIPOrder(r.URL.Query(), "sel")
	if err != nil {
		return err
	}
	if err := hasRuns(s.machine(r).Overview, p.Query.Run); err != nil {
		return err
	}
	if p.Format != "" {
		a := site.AddressOf(r.URL).Unselected()
		a.Path = site.APIOf(s.Entry(r).ID) + "/traces"
		http.Redirect(w, r, a.String(), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
	o := s.machine(r).Overview
	v := startupRequest{orderParams: p, base: site.PageOf(s.Entry(r).ID), address: site.AddressOf(r.URL)}
	m, err := v.model(ctx, o, s.machine(r), site.Symbols{Cache: s.Names, Mode: p.Names})
	if err != nil {
		return err
	}
	if m.Filter.Incomplete != "" {
		site.Unsettled(w)
	}
	return s.Render(w, r, http.StatusOK, mipview.StartupPage(s.ProfileShell(r, site.OrderView, "Start-up order"), m))
}

func (v *startupRequest) model(ctx context.Context, o *mipdb.Overview, p *mipdb.Profile,
	s site.Symbols) (mipview.Startup, error) {
	list := v.address.Unselected()
	m := mipview.Startup{
		Shown: "no rows", Inspector: v.address.Inspector("function"), Modes: site.ModeSegments(v.address, v.Names),
		CSV: list.Without("page", "cursor", "limit").With("format", "csv").String(),
	}
	if m.Empty = mipEmpty(p); m.Empty != nil {
		return m, nil
	}
	if !o.HasTimestamps() {
		m.Empty = &page.Blank{
			Title: "No order", Text: "The program was not built with timestamps, which record the order of first runs. The " +
				"compiler adds them together with call counts.",
		}
		return m, nil
	}
	runs, err := p.Runs(ctx)
	if err != nil {
		return m, err
	}
	order, err := p.Startup(ctx, v.Query.StartupQuery)
	if err != nil {
		return m, err
	}
	v.choose(&m, o, runs)
	v.say(&m, order)
	export := site.Address{Path: site.APIOf(v.base[len("/p/"):]) + "/export/order", Query: list.Query}.Without("page",
		"cursor", "limit", "names", "by", "cols", "counts", "q", "sort")
	m.Files = []page.Download{
		{
			Label: "For lld and others", URL: export.String(),
			Command: "-fuse-ld=lld -Wl,--symbol-ordering-file=FILE -Wl,--no-warn-symbol-ordering",
		},
		{Label: "For ld64 (Mach-O)", URL: export.With("macho", "true").String(), Command: "-Wl,-order_file,FILE"},
	}
	if m.Map, err = addressMap(ctx, o, p, order); err != nil {
		return m, err
	}
	placed, whole, err := p.StartupRows(ctx, order, v.Query.Names, v.Query.Sort, v.Query.Back)
	if err != nil {
		return m, err
	}
	v.list(&m, o, whole)
	from := min(v.Offset, len(placed))
	shown := placed[from:min(len(placed), from+v.Limit)]
	rows, err := p.Rows(ctx, mipdb.IndicesOf(shown))
	if err != nil {
		return m, err
	}
	for i := range rows {
		r := &rows[i]
		row := mipview.StartupRow{
			Selected: v.address.Selected(r.FID),
			Place:    say.Int(shown[i].Place + 1), URL: v.base + "/functions/" + r.FID, Name: s.Name(r.Linkage, r.Signature),
			First:  firstPosition(r.First),
			Merges: say.Int(r.MergeCount), Size: say.Count(uint64(r.Size)), Address: mipAddress(o, r.Offset),
		}
		if row.Selected.Selected {
			if err := inspect(ctx, m.Inspector, p, r, row.Name, v.base); err != nil {
				return m, err
			}
			m.Inspector.Rank = "place " + row.Place + " of " + say.Int(len(order.Indices))
		}
		m.Rows = append(m.Rows, row)
	}
	if n := len(rows); n > 0 {
		m.Shown = "rows " + say.Int(from+1) + "–" + say.Int(from+n) + " of " + say.Int(len(placed))
	}
	if len(placed) < len(order.Indices) {
		m.Shown += " that match, of " + say.Int(len(order.Indices))
	}
	m.Pager = site.ListPager(list, &v.Listing, len(placed))
	return m, nil
}

// startupColumns are those of the table.
var startupColumns = []site.Column{
	{Key: "place", Label: "#", Title: "place in the order, from 1", Number: true, Sort: "place", Ascending: true},
	{Key: site.NameColumn, Label: "Function", Sort: "name", Ascending: true},
	{
		Key: "avg_timestamp", Label: "First position", Title: "average of its positions at first run", Number: true,
		Sort: "avg_timestamp", Ascending: true,
	},
	{Key: "merge_count", Label: "Runs", Title: "merge count: runs in which it ran", Number: true, Sort: "merge_count"},
	{Key: "size", Label: "Bytes", Number: true, Sort: "size"},
	{Key: "address", Label: "Address", Number: true, Sort: "address", Ascending: true},
}

// list adds how the table is filtered and ordered.
func (v *startupRequest) list(m *mipview.Startup, db *mipdb.Overview, whole bool) {
	o := site.Order{By: "place", Desc: v.Query.Back, Usual: []string{"place"}, Address: v.address}
	if len(v.Query.Sort) > 0 {
		o = orderOf(v.Query.Sort, "", v.address)
		o.Usual = nil
	}
	m.Heads = site.ColumnHeads(startupColumns, o)
	last := &m.Heads[len(m.Heads)-1]
	last.Label, last.Title = addressHead(db)
	m.Notes = append(m.Notes, addressNotes(db)...)
	m.Filter = filterOf(v.address.Unselected(), v.Query.Text, whole)
}

// choose is the form of by which runs the order is.
func (v *startupRequest) choose(m *mipview.Startup, o *mipdb.Overview, runs []mipdb.Run) {
	m.Choose = mipview.StartupForm{
		Action: v.address.Path, Of: say.Plural(max(o.RunsAtLeast, uint64(o.Runs)), "run", "runs"),
		Keep: site.Keep(v.address.Unselected().Without("run", "min-runs", "page", "cursor")),
	}
	if o.Runs == 0 {
		m.Choose.Of += " or more"
	}
	if v.Query.MinRuns > 0 {
		m.Choose.MinRuns = strconv.Itoa(v.Query.MinRuns)
	}
	if len(runs) < 2 {
		return
	}
	m.Choose.Runs = []page.Option{{Value: "", Label: "average over all runs", Selected: v.Query.Run == 0}}
	for i := range runs {
		label := "run " + say.Int(runs[i].Run) + ": " + say.Printable(runs[i].File)
		m.Choose.Runs = append(m.Choose.Runs, page.Option{
			Value: strconv.Itoa(runs[i].Run), Label: label, Selected: v.Query.Run == runs[i].Run,
		})
	}
}

func (v *startupRequest) say(m *mipview.Startup, order *mipdb.Startup) {
	m.Says = say.Plural(len(order.Indices), "function", "functions") + " with " + say.Bytes(order.Bytes).Text +
		" ran. They span " +
		say.Plural(order.Pages, "page", "pages") + " of 4 KiB today; packed together they need " +
		say.Int(order.NeededPages) + "."
	m.Notes = []string{"By the average position at first run. Positions are ranks in an order, not times."}
	if v.Query.Run > 0 {
		m.Notes[0] = "By the order in which functions first ran in run " + say.Int(v.Query.Run) +
			" only. Positions are ranks in an order, not times."
	}
}

// addressMap draws an order against the link addresses of the whole program.
func addressMap(ctx context.Context, o *mipdb.Overview, p *mipdb.Profile, order *mipdb.Startup) (*chart.AddressMap,
	error) {
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
