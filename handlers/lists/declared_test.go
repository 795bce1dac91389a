package lists

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views"
	"proflens/views/page"
)

// A family made for the test: ships. Its table has a column that nothing else in the
// program knows of, "tonnage".
type ship struct {
	Name    table.Name `col:"name" head:"Ship" is:"sort,up,words"`
	Berth   berth      `col:"berth" head:"Berth" help:"where it lies"`
	Tonnage uint64     `col:"tonnage" width:"9" help:"of the hull" is:"sort,range,bar,share"`
	Speed   *float64   `col:"speed" width:"9" is:"sort"`
	Wrecked bool       `col:"wrecked" width:"9" facet:"wrecked" label:"Wrecks" not:"Afloat" count:"wrecks"`
}

type berth struct {
	File string `col:"file" is:"omitzero"`
	Line uint32 `col:"line" width:"8"`
}

func (b *berth) At() (file string, line uint32, other string) { return b.File, b.Line, "at sea" }

var shipTable = table.Declare[ship](table.Declaration{
	About: "A ship.", Noun: "ship", Usual: "-tonnage", Show: "name berth tonnage", Least: "tonnage",
	All: true,
})

var ships = Declared{
	Declaration: shipTable, ID: "ships", API: "/ships", Title: "Ships", Opens: "Open ship", Own: []string{"sea"},
	Page: []string{"by"},
	None: page.Blank{Title: "No ships"},
	Find: func(v *site.Values) Finder {
		sea := v.One("sea")
		return func(context.Context, *stored.Profile) (table.Find, error) { return fleet(sea), nil }
	},
	Inspect: func(_ *http.Request, v *Request, in *page.Inspector, row any) error {
		in.Place = "in " + row.(*ship).Name.PGO
		return nil
	},
}

func fleet(sea string) table.Find {
	speed := 12.5
	list := []ship{
		{Name: table.Name{Ref: 1, PGO: "argo"}, Berth: berth{"docks/east.c", 7}, Tonnage: 300, Speed: &speed},
		{Name: table.Name{Ref: 2, PGO: "beagle"}, Tonnage: 100, Wrecked: true},
	}
	if sea == "dry" {
		list = nil
	}
	return shipTable.Within(table.Set{Rows: list, Whole: map[string]float64{"tonnage": 400}})
}

// paged is the page at an address.
func paged(t *testing.T, query string) *page.Grid {
	t.Helper()
	r := httptest.NewRequest("GET", "/p/x/ships?"+query, nil)
	p, err := ships.parse(r.URL.Query(), append(slices.Clone(ships.Page), Selected)...)
	if err != nil {
		t.Fatal(err)
	}
	v := &Request{
		Declared: &ships, Params: p.Params, Query: p.query, Base: "/p/x", Address: site.AddressOf(r.URL),
		Symbols: site.Symbols{Cache: names.NewCache(1 << 20), Mode: names.Full},
	}
	if v.Fields, err = ships.Shown(p.Cols); err != nil {
		t.Fatal(err)
	}
	_, find, err := p.find(t.Context(), nil)
	if err == nil {
		v.Found, err = find(t.Context(), v.Query)
	}
	if err != nil {
		t.Fatal(err)
	}
	v.Link = func(row any) string { return "/open/" + row.(*ship).Name.PGO }
	g, err := v.Grid(r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A column that stands in the row is in the parameters, the heads with their sorts, the
// cells, the choice of columns and the inspector.
func TestADeclaredColumnIsOnThePage(t *testing.T) {
	for _, key := range []string{"q", "re", "tonnage", "wrecked", "sort", "cols", "limit", "sea"} {
		if !slices.Contains(ships.keys(), key) {
			t.Errorf("there is no parameter %s: %v", key, ships.keys())
		}
	}
	g := paged(t, "")
	var heads []string
	for _, h := range g.Heads {
		heads = append(heads, h.Label+" "+h.Title+" "+h.Sort+" "+h.URL)
	}
	want := []string{
		"# place in these rows  ", "Ship   /p/x/ships?sort=name", "Berth where it lies  ",
		"Tonnage of the hull descending /p/x/ships?sort=tonnage", "Share of all tonnage  ",
	}
	if !slices.Equal(heads, want) {
		t.Errorf("heads are %q", heads)
	}
	if len(g.Rows) != 2 || g.Rows[0].Cells[1].Name.Base != "argo" || g.Rows[0].Cells[1].URL != "/open/argo" {
		t.Fatalf("%+v", g.Rows)
	}
	first, second := g.Rows[0].Cells[1:], g.Rows[1].Cells[1:]
	if first[1].Text != "east.c:7" || first[1].Title != "docks/east.c:7" ||
		!strings.Contains(first[1].URL, "/p/x/files/") || second[1].Text != "at sea" {
		t.Errorf("berths are %+v and %+v", first[1], second[1])
	}
	if first[2].Number.Text != "300" || first[2].Bar == nil || first[2].Bar.Width != "100" ||
		second[2].Bar.Width == first[2].Bar.Width || first[3].Text != wide("75.0 %") {
		t.Errorf("%+v, %+v", first[2:], second[2])
	}
	if g.Filter.Ranges[0].Name != "tonnage" || g.Shown != "rows 1–2 of 2" || g.Empty != nil || g.Inspector != nil {
		t.Errorf("%+v", g.List)
	}
	var choice []string
	for _, c := range g.Columns.Columns {
		choice = append(choice, c.Value)
	}
	if !slices.Equal(choice, []string{"name", "berth", "tonnage", "speed", "wrecked"}) || !g.Columns.Columns[2].Checked ||
		g.Columns.Columns[3].Checked {
		t.Errorf("columns to choose are %+v", g.Columns.Columns)
	}
	if g := paged(t, "cols=name,speed"); len(g.Heads) != 3 || g.Rows[0].Cells[2].Number.Text != "12.5" ||
		g.Rows[1].Cells[2].Text != none {
		t.Errorf("%+v", g.Rows)
	}
	if _, err := ships.Shown([]string{"depth"}); err == nil || !strings.Contains(err.Error(), "tonnage") {
		t.Errorf("a column that there is not: %v", err)
	}
}

// Facets, words, ranges and the selection are links and rows.
func TestADeclaredTableIsFiltered(t *testing.T) {
	g := paged(t, "")
	var facets []string
	for _, f := range g.Facets {
		facets = append(facets, f.Label+" "+f.URL)
	}
	if want := []string{"All ships 2 /p/x/ships", "Wrecks 1 /p/x/ships?wrecked=true",
		"Afloat 1 /p/x/ships?wrecked=false"}; !slices.Equal(facets, want) {
		t.Errorf("facets are %q", facets)
	}
	for query, want := range map[string]string{
		"wrecked=true": "beagle", "wrecked=false": "argo", "q=arg": "argo", "tonnage=..200": "beagle",
		"sort=name": "argo beagle", "sort=-name": "beagle argo", "q=zebra": "",
	} {
		g := paged(t, query)
		var got []string
		for _, r := range g.Rows {
			got = append(got, r.Cells[1].Name.Base)
		}
		if strings.Join(got, " ") != want || (g.Empty == nil) != (want != "") {
			t.Errorf("%s has %q, %+v", query, got, g.Empty)
		}
	}
	if g := paged(t, "sea=dry"); g.Empty == nil || g.Empty.Title != "No ships" || g.Facets != nil {
		t.Errorf("%+v", g.Empty)
	}
	chosen := paged(t, "q=a&sel="+url.QueryEscape("0000000000000001"))
	in := chosen.Inspector
	if in == nil || in.Name.Base != "argo" || in.Place != "in argo" || in.URL != "/open/argo" || in.Open != "Open ship" {
		t.Fatalf("%+v", in)
	}
	var facts []string
	for _, f := range in.Facts {
		facts = append(facts, f.Term+" "+f.Value)
	}
	if !slices.Equal(facts, []string{"Tonnage 300", "Speed 12.5", "Wrecked no"}) {
		t.Errorf("the inspector has %q", facts)
	}
	if c := chosen.Rows[0].Cells[0]; c.Label != "Inspect ship 1" || c.URL != chosen.Rows[0].Select ||
		c.Number.Text != "1" {
		t.Errorf("the inspector is not a link: %+v", c)
	}
	if !chosen.Rows[0].Selected.Selected || chosen.Rows[1].Selected.Selected {
		t.Errorf("%+v", chosen.Rows)
	}
	var b strings.Builder
	if err := views.GridPage(page.Shell{}, *chosen).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`data-testid="ships"`, "Tonnage", "300", `aria-selected="true"`, "Open ship", `href="/open/argo"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

func wide(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

// buoy counts how often its figure is asked for.
type buoy struct {
	_     table.Computed `col:"bells" is:"number,bar"`
	asked *int
}

func (b *buoy) Cell(string, *table.Options) table.Cell {
	*b.asked++
	return table.Int(3)
}

// What the bars of a panel are drawn against is worked out once, not for each row.
func TestBarsArePlannedOnce(t *testing.T) {
	const rows = 200
	asked, list := 0, make([]buoy, rows)
	for i := range list {
		list[i].asked = &asked
	}
	d := table.Declare[buoy](table.Declaration{})
	v := &Request{Declared: &Declared{Declaration: d}}
	var err error
	if v.Found, err = d.Within(table.Set{Rows: list})(t.Context(), table.Query{
		RowQuery: query.RowQuery{Limit: rows},
	}); err != nil {
		t.Fatal(err)
	}
	if g := v.Preview("buoys", "Buoys", "bells"); len(g.Rows) != rows || g.Rows[0].Cells[0].Bar == nil || asked > 5*rows {
		t.Errorf("%d rows, figures were asked for %d times", len(g.Rows), asked)
	}
}

// An order is checked as soon as it is read, unless columns depend on the profile.
func TestOrdersAreChecked(t *testing.T) {
	if _, err := ships.parse(url.Values{"sort": {"depth"}}); err == nil {
		t.Error("an order by what there is not is taken")
	}
	varied := ships
	varied.Vary = func(*site.Values) Varied {
		return func(context.Context, *stored.Profile) (*table.Declaration, table.Find, error) {
			return shipTable,
				fleet(""), nil
		}
	}
	for column, fails := range map[string]bool{"depth": true, "tonnage": false} {
		p, err := varied.parse(url.Values{"sort": {column}})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = p.find(t.Context(), nil); (err != nil) != fails {
			t.Errorf("sort=%s: %v", column, err)
		}
	}
}

// ranked is a row whose place is a column of its own.
type ranked struct {
	Rank int    `col:"rank" head:"#" is:"page"`
	Key  string `col:"key" is:"key,page" head:"Key"`
	Text string `col:"text" is:"page" head:"Text"`
}

// The place of a row is the link to its inspector, in the column that is there for it or in one that is
// put in front of all rows; a column of drawn numbers has the head of one.
func TestPlacesLeadToInspectors(t *testing.T) {
	d := table.Declare[ranked](table.Declaration{Noun: "row", Show: "rank key text"})
	for _, shown := range []string{"rank key text", "key text"} {
		v := &Request{
			Declared: &Declared{Declaration: d, ID: "ranked"}, Address: site.NewAddress("/p/x/ranked"),
			Draw: map[string]func(row any) page.GridCell{"text": func(row any) page.GridCell {
				return page.GridCell{Number: humanize.Whole(7)}
			}},
		}
		for name := range strings.FieldsSeq(shown) {
			v.Fields = append(v.Fields, d.Field(name))
		}
		var err error
		rows := []ranked{{1, "a", "x"}, {2, "b", "y"}}
		if v.Found, err = d.Within(table.Set{Rows: rows})(t.Context(),
			table.Query{RowQuery: query.RowQuery{Limit: 9}}); err != nil {
			t.Fatal(err)
		}
		g, err := v.Grid(httptest.NewRequest("GET", "/p/x/ranked", nil))
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Heads) != 3 || g.Heads[0].Label != "#" || !g.Heads[2].Number || g.Heads[1].Number {
			t.Errorf("%s: heads are %+v", shown, g.Heads)
		}
		for i, row := range g.Rows {
			c := row.Cells[0]
			if len(row.Cells) != 3 || c.Number.Text+c.Text != []string{"1", "2"}[i] || c.URL != row.Select || c.URL == "" {
				t.Errorf("%s: row %d is %+v", shown, i, row.Cells)
			}
		}
	}
}
