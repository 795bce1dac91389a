package lists

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// isle is a node of a made-up tree.
type isle struct {
	query.TreeNode
	sheep uint64
}

var isles = Nodes[isle]{
	By: []query.TreeBy{query.ByPath, query.ByNamespace}, Of: table.Declare[isleRow](table.Declaration{}),
	Node: func(n *isle) *query.TreeNode { return &n.TreeNode },
	Rows: func(list []isle) any {
		return table.NodeRows(list, func(n table.Nested[isle]) isleRow { return isleRow{n.Node.Path, n.Node.sheep} })
	},
}

// isleRow is a row of its table.
type isleRow struct {
	Name  string `col:"name" is:"sort"`
	Sheep uint64 `col:"sheep" is:"sort"`
}

func named(name string, kind query.NodeKind, functions int, sheep uint64) isle {
	n := isle{sheep: sheep}
	n.Name, n.Path, n.Kind, n.Functions = name, name, kind, uint64(functions)
	return n
}

// archipelago is the nodes below a root, in no order.
func archipelago() []isle {
	return []isle{
		named("skye", query.Branch, 4, 70), named("", query.None, 2, 99), named("mull", query.Branch, 9, 30),
		named("rum", query.Branch, 1, 30), named("", query.Direct, 3, 0), named("eigg", query.Branch, 6, 80),
	}
}

func sheep(list []isle) (all []uint64) {
	for i := range list {
		all = append(all, list[i].sheep)
	}
	return all
}

func treeParams(t *testing.T, q string) (TreeParams, site.Address) {
	t.Helper()
	r := httptest.NewRequest("GET", "/p/x/isles?"+q, nil)
	p, err := isles.Parse(r.URL.Query(), slices.Concat(TreePageKeys, []string{"rewrite", "w"}))
	if err != nil {
		t.Fatal(q, err)
	}
	return p, site.AddressOf(r.URL)
}

// Nodes are ordered by what is asked for, what has no name stays last, and those are picked that
// have the words and as many functions as asked for; pages are parts of these.
func TestNodesAreOrderedAndPicked(t *testing.T) {
	root := named("", query.Branch, 25, 309)
	below := func(isle) []isle { return archipelago() }
	for q, want := range map[string][]uint64{
		"": {70, 30, 30, 80, 99, 0}, "sort=name": {80, 30, 30, 70, 99, 0}, "sort=-name": {70, 30, 30, 80, 99, 0},
		"sort=sheep": {30, 30, 70, 80, 0, 99}, "sort=-sheep": {80, 70, 30, 30, 99, 0},
		"sort=sheep,-name": {30, 30, 70, 80, 0, 99}, "q=u": {30, 30}, "q=u+m&sort=-name": {30, 30},
		"functions=4..6": {70, 80}, "functions=..3": {30, 99, 0}, "q=zebra": nil,
	} {
		p, a := treeParams(t, q)
		var m page.Tree
		p.Limit = 100
		picked, shown := isles.Below(&m, a, &p, root, below)
		if !slices.Equal(sheep(picked), want) || !slices.Equal(sheep(shown), want) {
			t.Errorf("%s has %v, of which %v are shown, not %v", q, sheep(picked), sheep(shown), want)
		}
		if (m.Empty != nil) != (want == nil) || m.Empty != nil && m.Empty.Title != "0 of 6 rows match" {
			t.Errorf("%s: %+v", q, m.Empty)
		}
		if chips := strings.Count(q, "q=") + strings.Count(q, "functions="); len(m.Chips) != chips {
			t.Errorf("%s has chips %+v", q, m.Chips)
		}
		var nested []table.Nested[isle]
		for _, n := range archipelago() {
			nested = append(nested, table.Nested[isle]{Node: n})
		}
		if got := isles.PickNested(nested, &p); len(got) != len(want) {
			t.Errorf("%s picks %d, not %d", q, len(got), len(want))
		}
		list := archipelago()
		if isles.Sorter(&p)(list); len(want) == len(list) && !slices.Equal(sheep(list), want) {
			t.Errorf("%s orders %v, not %v", q, sheep(list), want)
		}
		p.Limit, p.Offset = 2, 1
		if picked, shown = isles.Below(&m, a, &p, root, below); len(picked) != len(want) ||
			!slices.Equal(sheep(shown), want[min(1, len(want)):min(3, len(want))]) {
			t.Errorf("%s shows %v of %v", q, sheep(shown), want)
		}
	}
	var m page.Tree
	p, a := treeParams(t, "")
	if picked, _ := isles.Below(&m, a, &p, named("rum", query.Leaf, 1, 30), below); len(picked) != 1 ||
		picked[0].sheep != 30 {
		t.Errorf("a leaf has %+v below it", picked)
	}
	for rows, want := range map[[3]int]string{
		{0, 0, 0}: "no rows", {0, 2, 5}: "rows 1–2 of 5", {100, 1, 101}: "rows 101–101 of 101",
	} {
		if got := ShownRows(rows[0], rows[1], rows[2]); got != want {
			t.Errorf("%v: %s", rows, got)
		}
	}
}

// A request for a tree says what it cannot do, and its pages lead up and down.
func TestTreesLeadUpAndDown(t *testing.T) {
	for q, fails := range map[string]bool{
		"by=path&rewrite=a%3Db": false, "by=namespace&rewrite=a%3Db": true, "by=namespace": false, "functions=x": true,
		"sort=cows": true,
	} {
		values, err := url.ParseQuery(q)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := isles.Parse(values, slices.Concat(TreePageKeys, []string{"rewrite", "w"})); (err != nil) != fails {
			t.Errorf("%s: %v", q, err)
		}
	}
	at := func(path string) string { return "/at/" + path }
	p, a := treeParams(t, "path=inner%2Fskye&q=u&page=2")
	crumbs := isles.Crumbs(&p, named("skye", query.Branch, 1, 1), []isle{named("inner", query.Branch, 1, 1)}, at)
	if want := []page.Link{{Label: "all", URL: "/at/"}, {Label: "inner", URL: "/at/inner"},
		{Label: "skye"}}; !slices.Equal(crumbs, want) {
		t.Errorf("%+v", crumbs)
	}
	if crumbs = isles.Crumbs(&p, named("skye", "", 1, 1), nil, at); crumbs[1].Label != "inner/skye" {
		t.Errorf("what is not there yet is %+v", crumbs)
	}
	if up := p.At(a, "inner").String(); up != "/p/x/isles?path=inner" {
		t.Errorf("up is %s", up)
	}
	root, _ := treeParams(t, "")
	if crumbs = isles.Crumbs(&root, named("", query.Branch, 1, 1), nil, at); len(crumbs) != 1 || crumbs[0].URL != "" {
		t.Errorf("at the root %+v", crumbs)
	}
	names, _ := treeParams(t, "by=namespace")
	for _, test := range []struct {
		p    *TreeParams
		n    isle
		want page.TreeName
	}{
		{&root, named("skye", query.Branch, 1, 1), page.TreeName{Name: "skye", Title: "skye", URL: "/at/skye"}},
		{&root, named("skye", query.Leaf, 1, 1), page.TreeName{Name: "skye", Title: "skye"}},
		{&root, named("", query.None, 1, 1), page.TreeName{Name: "no path", Title: "no path", Plain: true}},
		{&names, named("", query.None, 1, 1), page.TreeName{Name: "(global)", Title: "(global)", Plain: true}},
		{&root, named("", query.Direct, 1, 1), page.TreeName{Name: "(own)", Title: "(own)", Plain: true}},
		{&root, named("", query.Branch, 1, 1), page.TreeName{Name: "all", Title: "all", URL: "/at/", Plain: true}},
	} {
		if got := test.p.Named(&test.n.TreeNode, at); got != test.want {
			t.Errorf("%+v is %+v, not %+v", test.n.TreeNode, got, test.want)
		}
	}
	for _, test := range []struct {
		p          *TreeParams
		what, note string
	}{{&root, "file path", "Only static"}, {&names, "namespace", "Namespaces"}} {
		if err := test.p.NoNode(); !strings.Contains(err.Error(), "functions in the "+test.what+" ") {
			t.Error(err)
		}
		if _, note := test.p.About(); !strings.HasPrefix(note, test.note) {
			t.Error(note)
		}
	}
	ways := isles.Ways(&names, a, query.ByPath)
	if len(ways) != 2 || ways[0].Current || !ways[1].Current || strings.Contains(ways[0].URL, "by=") ||
		!strings.Contains(ways[1].URL, "by=namespace") {
		t.Errorf("%+v", ways)
	}
}

// A row of every kind of figure.
type figured struct {
	Plain   uint64         `col:"plain"`
	Bytes   uint64         `col:"bytes" is:"bytes"`
	Time    float64        `col:"time" is:"ms"`
	Part    float64        `col:"part" is:"part"`
	Rate    float64        `col:"rate"`
	Change  float64        `col:"change" is:"signed"`
	Grown   float64        `col:"grown" is:"signed,bytes"`
	Later   float64        `col:"later" is:"signed,ms"`
	Points  float64        `col:"points" is:"signed,part"`
	Yes     bool           `col:"yes"`
	Text    string         `col:"text"`
	Nothing *uint64        `col:"nothing"`
	Of      part           `col:"of"`
	Places  []berth        `col:"places"`
	Crew    []table.Name   `col:"crew" is:"page"`
	Key     string         `col:"key" is:"key"`
	Second  uint64         `col:"second" is:"key"`
	_       table.Computed `col:"made" is:"number"`
}

type part struct{ some, all int }

func (p *part) Part() (int, int) { return p.some, p.all }

// Cell implements table.Celler.
func (p *part) Cell(string, *table.Options) table.Cell { return table.Int(uint64(p.some)) }

// Cell implements table.Celler.
func (f *figured) Cell(string, *table.Options) table.Cell { return table.Number(f.Rate) }

var figuredTable = table.Declare[figured](table.Declaration{Noun: "figure"})

// Figures are drawn by what they are: counts, bytes, times, parts, differences with their sign, and
// what a row does not have.
func TestCellsOfEveryKind(t *testing.T) {
	row := figured{
		Plain: 1234, Bytes: 2048, Time: 1500, Part: 0.5, Rate: 2.25, Change: -3, Grown: 2048, Later: -1500, Points: 0.25,
		Yes: true,
		Of:  part{1, 4}, Places: []berth{{"a/b.c", 7}, {"", 0}, {"c.c", 0}}, Key: "k", Second: 7,
	}
	v := &Request{Declared: &Declared{Declaration: figuredTable}, Base: "/p/x"}
	var err error
	if v.Found, err = figuredTable.Within(table.Set{Rows: []figured{row}})(t.Context(), table.Query{
		RowQuery: query.RowQuery{Limit: 9},
	}); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range figuredTable.Fields() {
		c := v.cell(f, v.Found.Row(0))
		got[f.Name] = c.Number.Text + c.Text
		var lines []string
		for _, l := range c.Lines {
			lines = append(lines, l.Text+"|"+l.Title+"|"+l.URL)
		}
		got[f.Name] += strings.Join(lines, " ")
	}
	for column, want := range map[string]string{
		"plain": humanize.BigCount("1234").Text, "bytes": humanize.BigBytes("2048").Text,
		"time": humanize.Milliseconds(1500).Text,
		"part": humanize.Percent(0.5, 1), "rate": "2.25", "change": "−3", "grown": "+" + humanize.BigBytes("2048").Text,
		"later": "−" + humanize.Milliseconds(1500).Text, "points": humanize.Points(0.25, 2), "yes": "yes", "text": none,
		"nothing": none,
		"of":      humanize.Percent(0.25, 1), "key": "k", "second": "7", "made": "2.25",
		"places": "b.c:7|a/b.c:7|" + site.LineURL("/p/x", "a/b.c", 7) + " at sea|| c.c|c.c|",
	} {
		if got[column] != want {
			t.Errorf("%s is %q, not %q", column, got[column], want)
		}
	}
	if key := v.key(v.Found.Row(0)); key != "k:7" {
		t.Errorf("the key is %s", key)
	}
	change := figuredTable.Field("change")
	for n, want := range map[float64]string{0: "0", 2: "+2", 1.5: "+1.5", -0.5: "−0.5"} {
		if got := signed(change, n).Text; got != want {
			t.Errorf("%g is written %q, not %q", n, got, want)
		}
	}
	if c := partCell(&part{3, 0}); c.Text != none {
		t.Errorf("a part of nothing is %+v", c)
	}
}

// What stands around rows says what they are selected by, how far a search has come, and that none match.
func TestFramesSayWhatIsSelected(t *testing.T) {
	l := ListOf(shipTable)
	for q, chips := range map[string]int{"": 0, "q=a": 1, "q=a&tonnage=5..": 2, "re=b": 1} {
		r := httptest.NewRequest("GET", "/p/x/ships?"+q, nil)
		p, err := l.Parse(r.URL.Query())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []Found{
			{Shown: 2, Matching: 2, All: 3}, {All: 1}, {Shown: 1, Matching: 1, All: 3, Scanned: 5, Functions: 9},
			{Shown: 1, Matching: 1, All: 3, Scanned: 9, Functions: 9},
		} {
			m := l.Frame(site.AddressOf(r.URL), &p, n)
			searching := n.Scanned < n.Functions && (strings.Contains(q, "q=") || strings.Contains(q, "re="))
			if len(m.Chips) != chips || (m.Incomplete != nil) != searching || (m.Empty != nil) != (n.Matching == 0) {
				t.Errorf("%s, %+v: %+v", q, n, m)
			}
			if m.Empty != nil && m.Empty.Title != "0 of 1 ship match" {
				t.Errorf("%+v", m.Empty)
			}
			if m.Incomplete != nil && m.Incomplete.Searched != "searched 5 of 9 functions" {
				t.Errorf("%+v", m.Incomplete)
			}
		}
	}
	for _, q := range []string{"sort=depth", "tonnage=x", "re=(", "unknown=1"} {
		values, err := url.ParseQuery(q)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Parse(values); err == nil {
			t.Errorf("%s is taken", q)
		}
	}
	l.Vary = true
	if _, err := l.Parse(url.Values{"sort": {"depth"}}); err != nil {
		t.Errorf("an order that depends on the profile is checked too early: %v", err)
	}
	says := Says(shipTable)
	for _, want := range []string{
		"?sort: Comma-separated columns, with - for descending: name, tonnage, speed. Default: -tonnage.",
		"?tonnage range: Range of tonnage, of the hull", "?wrecked boolean: true keeps wrecks; false keeps afloat.",
	} {
		if !strings.Contains(says, want) {
			t.Errorf("%q is not in %q", want, says)
		}
	}
	keys := Fixed(site.TableExport{Keys: []string{"a", "b"}}, "a", "1").Keys
	if !slices.Equal(keys, []string{"b"}) {
		t.Errorf("%v", keys)
	}
}
