package lists

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// voyage is a row with cells of many kinds: two names, a list of either and of places, and numbers that can
// be missing.
type voyage struct {
	Ship  table.Name   `col:"ship" head:"Ship"`
	For   table.Name   `col:"for" head:"For"`
	Crew  []table.Name `col:"crew" head:"Crew"`
	Ports []*berth     `col:"ports" head:"Ports"`
	Cargo *uint64      `col:"cargo" head:"Cargo" is:"bar,share,bytes"`
	Gain  float64      `col:"gain" head:"Gain" is:"signed"`
	Crown *bool        `col:"crown" head:"Crown"`
	Deck  uint64       `col:"deck" head:"Deck"`
}

// inlined has no name.
type inlined struct{}

func (inlined) Named() (linkage []byte, ref uint64, other string) { return nil, 1, "all inlined" }

var voyages = table.Declare[voyage](table.Declaration{
	Noun: "voyage", Show: "ship for crew ports cargo gain crown deck",
})

// cellsOf are a page of rows, of which one can be selected, and each cell in words, behind its place.
func cellsOf(t *testing.T, mode names.Mode, whole float64, selected string, rows ...voyage) (cells [][]string,
	g *page.Grid) {
	t.Helper()
	v := &Request{
		Declared: &Declared{Declaration: voyages, ID: "voyages"}, Symbols: site.Symbols{
			Cache: names.NewCache(1 << 20), Mode: mode,
		},
		Address: site.NewAddress("/p/x/voyages").With(Selected, selected),
	}
	v.Fields, _ = voyages.OnPage()
	find := voyages.Within(table.Set{Rows: rows, Whole: map[string]float64{"cargo": whole}})
	var err error
	if v.Found, err = find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 9}}); err != nil {
		t.Fatal(err)
	}
	if g, err = v.Grid(httptest.NewRequest("GET", "/p/x/voyages", nil)); err != nil {
		t.Fatal(err)
	}
	for _, row := range g.Rows {
		var line []string
		for _, c := range row.Cells[1:] {
			text := c.Number.Text + c.Text
			if c.Name != nil {
				text = c.Name.Whole()
			}
			for _, l := range c.Lines {
				if text += "|" + l.Text; l.Name != nil {
					text += l.Name.Whole()
				}
			}
			if c.Bar != nil {
				text += " bar " + c.Bar.Width
			}
			line = append(line, strings.ReplaceAll(text, "\u00a0", " "))
		}
		cells = append(cells, line)
	}
	return cells, g
}

// A cell is written by the type of its column: a function without a name as what stands for it, lists one below
// another, a difference with its sign; a number that is missing has neither bar nor share.
func TestCellsAreWrittenByTheirType(t *testing.T) {
	cargo, yes := uint64(2048), true
	rows := []voyage{
		{
			Ship: table.Name{Ref: 1, PGO: "_Z1fI1AEvv"}, For: table.Name{Ref: 2, PGO: "_Z1gI1BEvv"},
			Crew:  []table.Name{{Ref: 3, PGO: "ann"}, {Ref: 4}},
			Ports: []*berth{{"docks/east.c", 7}, {}}, Cargo: &cargo, Gain: -3, Crown: &yes, Deck: 2,
		},
		{Ship: table.Name{Ref: 5}, For: table.Name{}, Gain: 1500},
		{Ship: table.Name{Ref: 6, PGO: "nil"}, For: table.Name{Ref: 7, PGO: "b"}, Cargo: new(uint64)},
	}
	const nameless = "<md5 0x0000000000000005>"
	for mode, first := range map[names.Mode][]string{
		names.Full:    {"void f<A>()", "void g<B>()"},
		names.Mangled: {"_Z1fI1AEvv", "_Z1gI1BEvv"},
	} {
		cells, g := cellsOf(t, mode, 4096, "", rows...)
		want := [][]string{
			{
				first[0], first[1], "|ann|<md5 0x0000000000000004>", "|east.c:7|at sea", "2.0 KiB bar 100", "50.0 %", "−3",
				"yes", "2",
			},
			{nameless, "<md5 0x0000000000000000>", none, none, none, "", "+1 500", none, "0"},
			{"nil", "b", none, none, "0 bytes bar 0", "0 %", "0", none, "0"},
		}
		for i := range want {
			if !slices.Equal(cells[i], want[i]) {
				t.Errorf("row %d is\n%q, want\n%q", i, cells[i], want[i])
			}
		}
		brief := map[names.Mode]string{names.Full: "g", names.Mangled: first[1]}[mode] // without template arguments
		for i, want := range []string{
			"For " + brief + ", Cargo 2.0 KiB, Gain −3, Crown yes, Deck 2; Crew ann, <md5 0x0000000000000004>; " +
				"Ports east.c:7, at sea",
			"For <md5 0x0000000000000000>, Gain +1 500, Deck 0",
		} {
			_, key, _ := strings.Cut(g.Rows[i].Select, Selected+"=")
			key, _ = url.QueryUnescape(key)
			_, chosen := cellsOf(t, mode, 4096, key, rows...)
			in := chosen.Inspector
			if in == nil {
				t.Fatalf("%s selects nothing", key)
			}
			var facts, got []string
			for _, f := range in.Facts {
				facts = append(facts, f.Term+" "+f.Value)
			}
			got = append(got, strings.Join(facts, ", "))
			for _, list := range in.Lists {
				var lines []string
				for _, l := range list.List {
					lines = append(lines, l.Text)
				}
				got = append(got, list.Title+" "+strings.Join(lines, ", "))
			}
			if said := strings.ReplaceAll(strings.Join(got, "; "), "\u00a0", " "); said != want ||
				in.Name.Whole() != cells[i][0] {
				t.Errorf("the inspector of %s has\n%s, want\n%s", in.Name.Whole(), said, want)
			}
		}
	}
	v := &Request{Symbols: site.Symbols{Cache: names.NewCache(1 << 20)}}
	if name := v.NameOf(inlined{}); name.Whole() != "all inlined" || !name.Missing {
		t.Errorf("what stands for a name is written %+v", name)
	}
	if cells, _ := cellsOf(t, names.Full, 0, "", rows...); cells[0][5] != "" {
		t.Errorf("of nothing the share is %q", cells[0][5])
	}
}
