package covweb

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/views/covview"
)

func at(line, column uint32) covmap.Position { return covmap.Position{Line: line, Column: column} }

// partsOf are the parts of line 3, with the segment that a line before ends with.
func partsOf(wrapped *coverage.Segment, segments ...coverage.Segment) *coverage.Row {
	r := &coverage.Row{}
	r.First, r.Last, r.Wrapped, r.Segments = 3, 3, wrapped, segments
	return r
}

// A line has a piece from each segment with a count up to the next, one of a gap only where nothing else is;
// the last is open, and dim where another began it.
func TestPiecesOfALine(t *testing.T) {
	counted := func(line, column uint32, count uint64, entry bool) coverage.Segment {
		return coverage.Segment{Position: at(line, column), Count: count, HasCount: true, Entry: entry}
	}
	before, gap := counted(2, 4, 5, true), counted(3, 20, 0, true)
	gap.Gap = true
	end := coverage.Segment{Position: at(3, 31)}
	for _, c := range []struct {
		row                    *coverage.Row
		pieces, ribbon, widest string
		open                   bool
	}{
		{partsOf(&before), "[{1 0 5 false}]", "0% 99.7% ran", "60", true},
		{partsOf(&before, counted(3, 1, 7, true)), "[{1 0 7 true}]", "0% 99.7% ran", "60", true},
		{partsOf(&before, counted(3, 16, 0, true), counted(3, 31, 7, false), counted(3, 46, 6, false)),
			"[{1 16 5 false} {16 31 0 true} {31 46 7 false} {46 0 6 false}]", "0% 24.7% ran, 25% 24.7% no, " +
				"50% 24.7% ran, 75% 24.7% ran rest", "60", true},
		{partsOf(nil, counted(3, 16, 2, true), gap, end), "[{16 20 2 true}]", "25% 6.37% ran", "60", false},
		{partsOf(nil, counted(3, 16, 2, true), counted(3, 70, 1, false)), "[{16 70 2 true} {70 0 1 false}]",
			"25% 74.7% ran", "78", false},
	} {
		v := &source{columns: 60}
		list, open := v.ribbon(c.row)
		var ribbon []string
		for _, p := range list {
			ribbon = append(ribbon, fmt.Sprint(p.X, " ", p.Width, " ", p.Class)+map[bool]string{true: " rest"}[p.Rest])
		}
		if got := fmt.Sprint(pieces(c.row)); got != c.pieces || strings.Join(ribbon, ", ") != c.ribbon || open != c.open {
			t.Errorf("%s: %q, open %v; want %+v", got, ribbon, open, c)
		}
		if got := fmt.Sprint(widest([]coverage.Row{*c.row})); got != c.widest {
			t.Errorf("ribbons are %s columns wide, want %s", got, c.widest)
		}
	}
}

// Lines with text are folded from the first on; without, so are those without code around folds; a page
// begins and ends with whole folds.
func TestFoldsOfLines(t *testing.T) {
	rows := rowsOf("-----rrrrrrrrmr----------------")
	rows[0].Last, rows = 5, slices.Delete(rows, 1, 5)
	rows = slices.Delete(slices.Insert(rows, 11, coverage.Row{Line: coverage.Line{First: 16, Last: 31},
		State: coverage.Unmapped}), 12, len(rows)+1)
	for _, c := range []struct{ text, want string }{
		{"", "[1..5]6 7 8 9 10 11 12 13 14 15 [16..20][21..24][25..31]"}, {strings.Repeat("\n", 40),
			"[1..11]12 13 14 15 16 [17..40]"},
	} {
		l := &listing{rows: rows, gaps: coverage.Gaps(rows)}
		if c.text != "" {
			l.rows, l.text = rows[1:], make([][]byte, len(c.text))
		}
		l.foldGaps(nil, nil)
		if c.text == "" {
			l.folds = slices.DeleteFunc(l.folds, func(f fold) bool { return f.first > 16 || f.first < 6 })
			l.folds = append(l.folds, fold{span: span{21, 24}})
			l.foldBlank()
		}
		if got := said(l.runs()); got != c.want {
			t.Errorf("%d lines of text: %s, want %s", len(c.text), got, c.want)
		}
	}
	l := &listing{rows: rowsOf("rrrrrrrrmrrrrrrrrrrr")}
	l.gaps = coverage.Gaps(l.rows)
	l.foldGaps(nil, nil)
	for _, c := range []struct {
		from          uint32
		want          string
		before, after uint32
	}{{0, "[1..6]", 0, 7}, {7, "7 ", 1, 8}, {11, "11 ", 10, 12}, {12, "[12..20]", 11, 0}, {99, "[12..20]", 11, 0}} {
		page, before, after := window(l.runs(), c.from, 0, 1)
		if got := said(page); got != c.want || before != c.before || after != c.after {
			t.Errorf("from %d: %s before %d after %d, want %+v", c.from, got, before, after, c)
		}
	}
}

// What names begin and end with alike is cut, down to a whole word.
func TestDifferingEnds(t *testing.T) {
	for _, c := range [][2][]string{
		{{"f::x", "f::"}, {"x", "f::"}}, {{"x::f", "::f"}, {"x", "::f"}}, {{"f_1(a)", "f_2(a)"}, {"f_1", "f_2"}},
		{{"Z9 a", "Z9 z"}, {"a", "z"}}, {{"a0", "a9"}, {"a0", "a9"}}, {{"AZ", "AA"}, {"AZ", "AA"}},
		{{"<" + strings.Repeat("a", 200), "<b"}, {strings.Repeat("a", 200), "b"}},
		{{"<" + strings.Repeat("a", 201), "<b"}, {strings.Repeat("a", 200) + "…", "b"}},
	} {
		if got := differing(c[0]); !slices.Equal(got, c[1]) {
			t.Errorf("%q differ in %q, want %q", c[0], got, c[1])
		}
	}
}

// Expansions and decisions of one place are one, of the function that ran most, or shows most.
func TestThingsOfOnePlace(t *testing.T) {
	region := func(column uint32, count uint64) *coverage.Region {
		return &coverage.Region{Start: at(1, 2), End: at(1, column), Count: count}
	}
	regions := []*coverage.Region{region(5, 1), region(5, 3), region(9, 3), region(5, 3), region(5, 2)}
	var list []coverage.Expansion
	for _, r := range regions {
		list = append(list, coverage.Expansion{Region: r})
	}
	uses := expansionUses(list)
	if len(uses) != 2 || uses[0].Functions != 4 || uses[0].Region != regions[1] || uses[1].Functions != 1 {
		t.Errorf("%+v", uses)
	}
	decision := func(column uint32, covered, vectors int) *coverage.Decision {
		d := &coverage.Decision{Start: at(1, 2), End: at(1, column), Vectors: make([]coverage.Vector, vectors),
			Conditions: make([]coverage.Condition, 3)}
		for i := range covered {
			d.Conditions[i].Pair = [2]int{1, 2}
		}
		return d
	}
	for best, all := range map[int][]*coverage.Decision{
		1: {decision(5, 1, 2), decision(5, 2, 1), decision(5, 1, 9), decision(6, 3, 3)},
		2: {decision(5, 1, 2), decision(5, 1, 2), decision(5, 1, 3), decision(6, 3, 3), decision(5, 1, 3)},
	} {
		got := bestDecisions(all)
		if len(got) != 2 || got[0].Decision != all[best] || got[0].Functions != len(all)-1 || got[1].Functions != 1 {
			t.Errorf("%d of %+v", best, got)
		}
	}
}

// Sides are those of a report: percent, or whether at all.
func TestSidesOfAReport(t *testing.T) {
	percents, binary := &Report{Percents: true, Binary: true}, &Report{Binary: true}
	got := []string{percents.side(1, 4).Text, percents.side(0, 0).Text, binary.side(7, 9).Text, binary.side(0, 9).Text,
		(&Report{}).side(7, 9).Text}
	if want := []string{"25.00%", "0.00%", "1", "0", "7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// inventedPage is the page of an invented file with a request's query.
func inventedPage(t *testing.T, c *coverage.Coverage, query string) *covview.Source {
	t.Helper()
	u, err := url.Parse("/p/x/files/src/engine.cpp?" + query)
	if err != nil {
		t.Fatal(err)
	}
	q, err := parseSource(u, "/p/x")
	if err != nil {
		t.Fatal(err)
	}
	s := &handler{Site: site.New(site.Config{}), syntax: &sourceweb.Syntax{}}
	m := &covview.Source{NoText: true}
	s.fill(m, &source{listing: &listing{rows: c.UnionView(0).Rows()}, q: q, cov: c}, nil)
	return m
}

// A long file says how much of it is shown, where it goes on, and the gaps and the function of a line.
func TestWindowsOfALongFile(t *testing.T) {
	for _, one := range []struct {
		functions   uint32
		query, want string
	}{
		{200, "", "200, 1 never ran||801 gaps, 3 221 lines|801 gaps|lines 1–1000||?sel=1#L1||?from=1001|" +
			"1000 200 300 200 0% 10%"},
		{200, "from=4000", "200, 1 never ran||801 gaps, 3 221 lines|801 gaps|lines 4000–4999||?sel=1#L1|?from=3000|" +
			"?from=5000|1000 200 300 200 39.99% 10%"},
		{200, "show=gaps", "200, 1 never ran||801 gaps, 3 221 lines|801 gaps|lines 1–1264||?sel=1&show=gaps#L1||" +
			"?from=1265&show=gaps|1000 200 300 200 0% 12.64%"},
		{301, "from=15049", "301, 1 never ran|1 more|1 205 gaps, 4 837 lines|1 205 gaps|lines 15049||?sel=1#L1|" +
			"?from=14049||1 300 301 200 99.99% 0.25%"},
		{300, "from=9000", "300, 1 never ran||1 201 gaps, 4 821 lines|1 201 gaps|lines 9000–9999||?sel=1#L1|?from=8000|" +
			"?from=10000|1000 300 301 200 60% 6.67%"},
	} {
		m := inventedPage(t, bigFile(one.functions), one.query)
		got := strings.ReplaceAll(strings.Join([]string{m.Says, m.More, m.Gaps, m.GapAt, m.Shown, m.Previous, m.Next,
			m.Earlier,
			m.Later, fmt.Sprint(len(m.Rows), len(m.Functions), len(m.Minimap.Bands), len(m.Minimap.Gaps))}, "|")+" "+
			m.Minimap.Window.Y+" "+m.Minimap.Window.Height, "/p/x/files/src/engine.cpp", "")
		if strings.ReplaceAll(got, humanize.NumberSpace, " ") != one.want {
			t.Errorf("%s: %s, want %s", one.query, got, one.want)
		}
	}
}

// The keys lead from a line to the gaps around it, which has a number if it is in one; a line is of the
// innermost function.
func TestStepsBetweenGaps(t *testing.T) {
	q := &sourceRequest{address: site.NewAddress("/f")}
	v := &source{listing: &listing{gaps: []coverage.Gap{{First: 1, Last: 2}, {First: 5, Last: 5}, {First: 9, Last: 12}}},
		q: q}
	for line, want := range map[uint32]string{
		0: "→1 3 gaps", 1: "→5 1 of 3 gaps", 2: "1→5 1 of 3 gaps", 3: "1→5 3 gaps", 5: "1→9 2 of 3 gaps",
		6: "5→9 3 gaps",
		9: "5→ 3 of 3 gaps", 12: "9→ 3 of 3 gaps", 13: "9→ 3 gaps",
	} {
		q.sel = line
		previous, next := v.steps()
		number := func(url string) string { return url[strings.Index(url, "#")+1:] }
		if got := strings.ReplaceAll(number(previous)+"→"+number(next), "L", "") + " " + v.gapNumber(); got != want {
			t.Errorf("at %d: %s, want %s", line, got, want)
		}
	}
	list := []extent{{span: span{1, 50}}, {span: span{10, 20}}, {span: span{10, 20}}, {span: span{15, 40}}}
	for line, want := range map[uint32]*extent{1: &list[0], 10: &list[2], 15: &list[2], 20: &list[2], 21: &list[3],
		51: nil} {
		if got := around(list, line); got != want {
			t.Errorf("line %d is of %+v", line, got)
		}
	}
}

// A fold says how many of its lines have code, and the functions that begin in it.
func TestWhatFoldsSay(t *testing.T) {
	s := &handler{Site: site.New(site.Config{})}
	v := &source{q: &sourceRequest{address: site.NewAddress("/f")}}
	for i := range uint32(4) {
		f := &coverage.Function{Name: fmt.Sprint("f", i)}
		v.groups = append(v.groups, extent{span: span{2 * i, 2*i + 1},
			Group: coverage.Group{Functions: []*coverage.Function{f}}})
	}
	for _, one := range []struct {
		fold fold
		want string
	}{
		{fold{span: span{0, 6}, mapped: 5}, "5 lines, all covered: [f0 f1 f2 …] | /f?open=0..6#L0"},
		{fold{span: span{0, 5}, mapped: 1}, "1 line, all covered: [f0 f1 f2] | /f?open=0..5#L0"},
		{fold{span: span{7, 9}, mapped: 2}, "2 lines, all covered [] | /f?open=7..9#L7"},
		{fold{span: span{7, 9}}, "3 lines [] without code| /f?open=7..9#L7"},
		{fold{span: span{7, 9}, none: true}, "3 lines [] without code| "},
		{fold{span: span{4, 9}, mapped: 6, never: true, group: 2}, "6 lines: [f2] never ran| /f?open=4..9#L4"},
	} {
		l := s.foldLine(v, &one.fold).Fold
		if got := fmt.Sprintf("%s %v %s| %s", l.Text, l.Names, l.Says, l.URL); got != one.want {
			t.Errorf("%q, want %q", got, one.want)
		}
	}
}

// A function's page in a report has its own lines alone, and there is none without its text.
func TestFunctionInAReport(t *testing.T) {
	c := bigFile(2)
	text := make([][]byte, 99)
	r := &Report{Coverage: c, Text: func(int) [][]byte { return text }}
	m := r.Function(&c.Functions[1])
	if m.Name != "void game::engine::step<1>(int)" || len(m.Rows) != 49 || m.Rows[0].Number != "51" || m.Says != "0" ||
		r.File(0, coverage.Summary{}).Name != "engine.cpp" || len(r.File(0, coverage.Summary{}).Rows) != 99 {
		t.Errorf("%s has %d rows from %s, of %s", m.Name, len(m.Rows), m.Rows[0].Number, m.Says)
	}
	if text = nil; r.Function(&c.Functions[1]) != nil {
		t.Error("lines are shown without text")
	}
}
