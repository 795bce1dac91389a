package flameweb_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/encode/stacks"
	"proflens/handlers/flameweb"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/calltree"
	"proflens/profile/profiletest"
	"proflens/views/flameview"
	"proflens/views/page"
)

// An invented family: the cups that routines of a kettle are for.
type (
	routine string
	cups    struct{ total, body analyze.Sum }
)

func (r *routine) fid() uint64 { return model.GUID(string(*r)) }

var names = []routine{"main", "ns::boil(int)", "pour"}

// kettle is main, which calls boil, which pour is inlined into.
func kettle(t *testing.T, total uint64) *calltree.Stacks[routine, cups] {
	p, _ := profiletest.Open(t, "../../profile/memprofdb/testdata/mem_cold_v4.profdata")
	return &calltree.Stacks[routine, cups]{
		Profile: p, Key: "kettle", Len: 3, Functions: names, Depth: func(i uint32) int { return int(i) + 1 },
		FID: (*routine).fid, Compare: func(a, b *routine) int { return cmp.Compare(*a, *b) },
		Find: func(fid uint64) (uint32, bool) {
			for i := range names {
				if names[i].fid() == fid {
					return uint32(i), true
				}
			}
			return 0, false
		},
		Add: func(to *cups, i uint32) { to.total.Add(total); to.body.Add(uint64(i)) },
		Sub: func(from, part *cups) { from.total.Sub(part.total); from.body.Sub(part.body) },
		Open: func(context.Context) (calltree.Append, error) {
			return func(list []uint32, inline []bool, i uint32) ([]uint32, []bool) {
				for n := range i + 1 {
					list, inline = append(list, n), append(inline, n == 2)
				}
				return list, inline
			}, nil
		},
	}
}

// kettles are two of them to compare, the stacks of the base first.
func kettles(t *testing.T, base, test uint64) *calltree.Stacks[routine, cups] {
	s, first, second := *kettle(t, base), kettle(t, base), kettle(t, test)
	s.Key, s.Len, s.Compared, s.Test = "kettles", first.Len+second.Len, true, uint32(first.Len)
	s.Depth = func(i uint32) int { return first.Depth(i % s.Test) }
	s.Add = func(to *cups, i uint32) {
		if i < s.Test {
			first.Add(to, i)
		} else {
			second.Add(to, i-s.Test)
		}
	}
	s.Open = func(ctx context.Context) (calltree.Append, error) {
		add, err := first.Open(ctx)
		return func(list []uint32, inline []bool, i uint32) ([]uint32, []bool) {
			return add(list, inline, i%s.Test)
		}, err
	}
	return &s
}

func ofTotal(c *cups) analyze.Sum { return c.total }

var words = flameweb.Words[routine, cups]{
	Weight: ofTotal, Number: func(v analyze.Sum) humanize.Number { return humanize.BigCount(v.String()) },
	Name: func(r *routine) humanize.Name { return humanize.Name{Base: string(*r), Full: string(*r)} }, All: "all teas",
	Leaf:    "what brews",
	Columns: []flameview.Column{{Label: "Body"}},
	Cells:   func(c *cups) []humanize.Number { return []humanize.Number{humanize.BigCount(c.body.String())} },
}

// read makes a request for the page of the kettle's flame graph.
func read(t *testing.T, query string) (calltree.Query, *flameweb.View) {
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	v := site.NewValues(q, append(slices.Clone(flameweb.PageKeys), "q"))
	part := flameweb.Read(v)
	look := flameweb.ReadLook(v, &part, "module")
	if v.Err != nil {
		t.Fatal(query, v.Err)
	}
	return part, &flameweb.View{
		Look: look, Address: site.Address{Path: "/p/x/flame", Query: q}, API: "/api/v1/profiles/x/flamegraph",
	}
}

// A family gives stacks and words, and has a page.
func TestPageOfAnyFamily(t *testing.T) {
	for query, want := range map[string]struct {
		trees, crumbs string
		first         string // row of the last tree: name, weight, own column
	}{
		"":                               {"callees", "all", "all teas 30 3"},
		"layout=callers":                 {"callers", "all", "all teas 30 3"},
		"layout=sandwich&around=%04x":    {"callers callees", "ns::boil(int)", "ns::boil(int) 20 3"},
		"view=table&c=module&q=anything": {"callees", "all", "all teas 30 3"},
	} {
		q, v := read(t, strings.ReplaceAll(query, "%04x", site.FID(names[1].fid())))
		g, err := calltree.Of(t.Context(), kettle(t, 10), nil, ofTotal, q)
		if err != nil {
			t.Fatal(err)
		}
		m := flameweb.Page(v, g, &words, nil)
		trees := ""
		for _, tree := range m.Trees {
			trees += " " + tree.ID
		}
		row := m.Trees[len(m.Trees)-1].Rows[0]
		if got := row.Name + " " + row.Weight.Text + " " + row.Cells[0].Text; strings.TrimSpace(trees) != want.trees ||
			m.Crumbs[0].Label != want.crumbs || got != want.first {
			t.Errorf("%s: trees %s, crumbs %v, row %s", query, trees, m.Crumbs, got)
		}
		if m.All != "all teas" || !strings.HasPrefix(m.Graph, v.API) || strings.Contains(m.Graph, "q=") ||
			m.AsTable != v.Table {
			t.Errorf("%s: %+v", query, m)
		}
	}
	q, v := read(t, "")
	g, err := calltree.Of(t.Context(), kettle(t, 10), nil, ofTotal, q)
	if err != nil {
		t.Fatal(err)
	}
	rows := flameweb.Page(v, g, &words, nil).Trees[0].Rows
	if last := rows[3]; last.Name != "pour" || !last.Inline || last.Level != "4" || last.Self.Text != "10" ||
		!strings.Contains(last.URL, "z="+site.FID(g.Nodes[3].ID)) {
		t.Errorf("%+v", last)
	}
	if m := flameweb.Page(v, g, &words, &page.Blank{Title: "No tea"}); m.Empty == nil || m.Trees != nil || m.Notes != nil {
		t.Errorf("nothing is %+v", m)
	}
	zoomed, v := read(t, "z="+site.FID(g.Nodes[2].ID))
	if g, err = calltree.Of(t.Context(), kettle(t, 10), nil, ofTotal, zoomed); err != nil {
		t.Fatal(err)
	}
	var crumbs []string
	for _, c := range flameweb.Page(v, g, &words, nil).Crumbs {
		crumbs = append(crumbs, c.Label)
	}
	if got := strings.Join(crumbs, " > "); got != "all > main > ns::boil(int)" {
		t.Error(got)
	}
}

// The API has a family's columns, and of two profiles both sides.
func TestAnswerOfAnyFamily(t *testing.T) {
	type column = flameweb.Column[cups]
	a := flameweb.Answer[routine, cups]{
		Weight: "total", Unit: "cups", Known: true, Of: ofTotal, Total: &cups{},
		Frame: func(r *routine) flameweb.Frame { return flameweb.Frame{Name: string(*r), FID: r.fid(), Module: "m\""} },
		Columns: []column{
			{"total", func(c *cups) string { return c.total.String() }},
			{"body", func(c *cups) string { return c.body.String() }},
		},
		Base: []column{{"base_body", func(c *cups) string { return c.body.String() }}},
	}
	write := func(s *calltree.Stacks[routine, cups], query string) (answer map[string]any) {
		q, _ := read(t, query)
		g, err := calltree.Of(t.Context(), s, nil, ofTotal, q)
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		flameweb.Write(w, g, &a)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%v in %s", err, w.Body)
		}
		return answer
	}
	list := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	one := write(kettle(t, 10), "")
	nodes := one["nodes"].(map[string]any)
	for key, want := range map[string]string{
		"parent": "[-1,0,1,2]", "frame": "[-1,0,1,2]", "inline": "[false,false,false,true]", "total": "[30,30,20,10]",
		"body": "[3,3,3,2]", "self": "[0,10,10,10]", "hidden": "[0,0,0,0]",
	} {
		if got := list(nodes[key]); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if one["unit"] != "cups" || list(one["frames"].([]any)[0]) != `{"function":"`+site.FID(names[0].fid())+`","module":"m\"","name":"main"}` ||
		nodes["base"] != nil {
		t.Errorf("%v", one)
	}
	both := write(kettles(t, 10, 15), "layout=sandwich&around="+site.FID(names[1].fid()))
	callees := both["callees"].(map[string]any)["nodes"].(map[string]any)
	if got := list([]any{callees["base"], callees["total"], callees["width"],
		callees["base_body"]}); got != "[[20,10],[30,15],[30,15],[3,2]]" || both["callers"] == nil {
		t.Error(got)
	}
	q, v := read(t, "")
	g, err := calltree.Of(t.Context(), kettles(t, 10, 15), nil, ofTotal, q)
	if err != nil {
		t.Fatal(err)
	}
	if row := flameweb.Page(v, g, &words, nil).Trees[0].Rows[0]; row.A.Text != "30" || row.B.Text != "45" ||
		row.Change.Text != "+15" || row.Cells != nil {
		t.Errorf("%+v", row)
	}
}

func TestParametersOfFlameGraphs(t *testing.T) {
	for query, param := range map[string]string{
		"layout=sideways": "layout", "layout=sandwich": "around", "around=0000000000000001": "around", "z=1": "z",
		"min_share=2": "min_share", "limit=0": "limit", "depth=-1": "depth",
		"format=folded&z=0000000000000001": "format", "format=speedscope&layout=callers": "format", "format=svg": "format",
		"rec=fold": "rec", "format=json&z=0000000000000001": "",
	} {
		values, _ := url.ParseQuery(query)
		v := site.NewValues(values, append([]string{"rec"}, flameweb.Keys...))
		q := flameweb.Read(v)
		flameweb.Format(v, &q, "json", "folded", "speedscope")
		flameweb.Recursion(v, false)
		var wrong *site.ParamError
		if errors.As(v.Err, &wrong) != (param != "") || wrong != nil && wrong.Param != param {
			t.Errorf("%s: %v, want one of %s", query, v.Err, param)
		}
	}
	a := site.Address{Path: "/flame", Query: url.Values{}}
	for _, usual := range []bool{false, true} {
		for _, collapsed := range []bool{false, true} {
			to, _ := url.Parse(flameweb.RecursionSwitch(a, collapsed, usual).URL)
			v := site.NewValues(to.Query(), []string{"rec"})
			if flameweb.Recursion(v, usual) == collapsed {
				t.Errorf("from %t, usually %t, %s does not lead to the other", collapsed, usual, to)
			}
		}
	}
}

// Modules are the outer namespace, else the folder.
func TestModule(t *testing.T) {
	for _, c := range [][3]string{
		{"_ZN2ns4boilEi", "src/a.cc", "ns"}, {"main", "src/a.cc", "src"}, {"main", "a.cc", ""}, {},
	} {
		if got := flameweb.Module(c[0], c[1]); got != c[2] {
			t.Errorf("%v: %s", c, got)
		}
	}
}

func TestWriteStacks(t *testing.T) {
	tea := func(cups uint64) *stacks.Profile {
		return &stacks.Profile{Types: []stacks.Type{{Name: "total", Unit: "cups"}},
			Samples: func(yield func(*stacks.Sample, error) bool) {
				yield(&stacks.Sample{Stack: []stacks.Frame{{Name: "boil"}, {Name: "main"}}, Values: []uint64{cups}}, nil)
			}}
	}
	for format, want := range map[string]string{"folded": "main;boil 3\n", "speedscope": "speedscope"} {
		w := httptest.NewRecorder()
		if err := flameweb.WriteStacks(t.Context(), w, format, tea(3), "tea.prof"); err != nil ||
			!strings.Contains(w.Body.String(), want) ||
			!strings.Contains(w.Header().Get("Content-Disposition"), "-total."+format) {
			t.Errorf("%s: %v, %v %s", format, err, w.Header(), w.Body)
		}
	}
	w := httptest.NewRecorder()
	if err := flameweb.WriteDifference(t.Context(), w, tea(3), tea(4)); err != nil ||
		w.Body.String() != "main;boil 3 4\n" {
		t.Errorf("%v: %s", err, w.Body)
	}
	broken := &stacks.Profile{
		Types: tea(1).Types, Samples: func(yield func(*stacks.Sample, error) bool) { yield(nil, errors.New("no tea")) },
	}
	if err := flameweb.WriteStacks(t.Context(), httptest.NewRecorder(), "folded", broken, "x"); err == nil ||
		reflect.TypeOf(err) == reflect.TypeOf(site.CutOff(nil)) {
		t.Errorf("an error before the first byte is %v", err)
	}
}
