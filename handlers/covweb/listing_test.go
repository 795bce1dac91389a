package covweb

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/views/covview"
)

// rowsOf are lines on end, of a state a letter: r ran, p partly, m missed, - no code.
func rowsOf(text string) []coverage.Row {
	state := map[rune]coverage.State{'r': coverage.Ran, 'p': coverage.Partly, 'm': coverage.Missed, '-': coverage.Unmapped}
	var rows []coverage.Row
	for i, letter := range text {
		line := uint32(i + 1)
		rows = append(rows, coverage.Row{
			Line: coverage.Line{First: line, Last: line, Mapped: letter != '-'}, State: state[letter],
		})
	}
	return rows
}

func said(runs []run) string {
	text := ""
	for _, r := range runs {
		if r.fold != nil {
			text += "[" + r.span.String() + "]"
		} else {
			text += r.span.String() + " "
		}
	}
	return text
}

func TestFolds(t *testing.T) {
	rows := rowsOf("rrrrrrrrmrrrrrrrrrrrpmrr")
	for _, test := range []struct {
		open  []span
		lines []uint32
		want  string
	}{
		{nil, nil, "[1..6]7 8 9 10 11 [12..18]19 20 21 22 23 24 "},
		{[]span{{12, 18}}, nil, "[1..6]7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 "},
		{nil, []uint32{1}, "1 2 3 4 5 6 7 8 9 10 11 [12..18]19 20 21 22 23 24 "},
	} {
		l := &listing{rows: rows, gaps: coverage.Gaps(rows)}
		l.foldGaps(nil, test.lines)
		l.unfold(func(s span) bool { return len(test.open) > 0 && s == test.open[0] }, test.lines)
		if got := said(l.runs()); got != test.want {
			t.Errorf("%v %v: %s, want %s", test.open, test.lines, got, test.want)
		}
	}
	// Lines without code between folds, and a function that never ran as one row.
	rows = rowsOf("rr------mmmmmmmr------rr")
	l := &listing{rows: rows, gaps: coverage.Gaps(rows)}
	l.foldGaps([]extent{{span: span{9, 14}, never: true}}, nil)
	l.foldBlank()
	if got, want := said(l.runs()), "[1..6]7 8 [9..14]15 16 17 [18..24]"; got != want {
		t.Errorf("folded to %s, want %s", got, want)
	}
}

func TestWindow(t *testing.T) {
	l := &listing{
		rows: []coverage.Row{{Line: coverage.Line{First: 5, Last: 4_000_000_000, Mapped: true}, State: coverage.Ran}},
	}
	runs := l.runs()
	for _, test := range []struct {
		from, has     uint32
		want          string
		before, after uint32
	}{
		{0, 0, "5..104 ", 0, 105}, {105, 0, "105..204 ", 5, 205}, {0, 250, "205..304 ", 105, 305},
		{3_999_999_999, 0, "3999999999..4000000000 ", 3_999_999_899, 0}, {0, 1, "5..104 ", 0, 105},
	} {
		page, before, after := window(runs, test.from, test.has, 100)
		if got := said(page); got != test.want || before != test.before || after != test.after {
			t.Errorf("from %d, with %d: %s before %d after %d, want %+v", test.from, test.has, got, before, after, test)
		}
	}
}

func TestDiffering(t *testing.T) {
	got := differing([]string{"int f<alpha>(int)", "int f<beta>(int)", "int f<a>(int)"})
	if fmt.Sprint(got) != "[alpha beta a]" {
		t.Errorf("they differ in %q", got)
	}
	if got := differing([]string{"same", "same"}); got[0] != "same" {
		t.Errorf("two of one name differ in %q", got)
	}
}

// bigFile is a file of so many functions of fifty lines with a branch and a gap.
func bigFile(many uint32) *coverage.Coverage {
	var functions []coverage.Function
	at := func(line, column uint32) covmap.Position { return covmap.Position{Line: line, Column: column} }
	for i := range many {
		first := i*50 + 1
		f := coverage.Function{Name: fmt.Sprintf("_ZN4game6engine4stepILi%dEEEvi", i), Files: []int32{0}, Profiled: true}
		f.Regions = []coverage.Region{{Start: at(first, 12), End: at(first+48, 2), Count: uint64(i)}}
		for n := range uint32(8) {
			line := first + 2 + n*5
			f.Regions = append(f.Regions, coverage.Region{Start: at(line, 7), End: at(line, 20), Count: uint64(i)},
				coverage.Region{Start: at(line, 22), End: at(line+3, 4), Count: uint64(n % 2)})
			f.Branches = append(f.Branches, coverage.Region{
				Start: at(line, 7), End: at(line, 20), Count: uint64(n % 2), False: uint64(i), Kind: covmap.Branch,
			})
		}
		functions = append(functions, f)
	}
	return coverage.New([]string{"src/engine.cpp"}, functions)
}

// BenchmarkSource is the page of a file of 10 000 lines, from its functions to HTML.
func BenchmarkSource(b *testing.B) {
	c := bigFile(200)
	s := &handler{Site: site.New(site.Config{}), syntax: &sourceweb.Syntax{}}
	for _, show := range []string{showAll, showGaps} {
		b.Run(show, func(b *testing.B) {
			for b.Loop() {
				u, err := url.Parse("/p/x/files/src/engine.cpp?show=" + show)
				if err != nil {
					b.Fatal(err)
				}
				q, err := parseSource(u, "/p/x")
				if err != nil {
					b.Fatal(err)
				}
				m := &covview.Source{NoText: true}
				s.fill(m, &source{listing: &listing{rows: c.UnionView(0).Rows()}, q: q, cov: c}, nil)
				if err := covview.SourceMain(*m).Render(context.Background(), io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
