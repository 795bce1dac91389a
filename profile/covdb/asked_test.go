package covdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/decode/unidiff"
	"proflens/profile/covdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// A threshold is a metric, how it is compared and a percentage from 0 to 100.
func TestThresholds(t *testing.T) {
	for text, want := range map[string]covdb.Threshold{
		"lines<80":    {Column: "lines", Op: "<", Percent: 80},
		"regions<=0":  {Column: "regions", Op: "<=", Percent: 0},
		"mcdc>50.5%":  {Column: "mcdc", Op: ">", Percent: 50.5},
		"lines>=100%": {Column: "lines", Op: ">=", Percent: 100},
	} {
		got, err := covdb.ParseThreshold(text)
		if err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
		if again, err := covdb.ParseThreshold(got.String()); err != nil || again != want {
			t.Errorf("%s is written as %s", text, got)
		}
	}
	for _, text := range []string{
		"lines", "lines80", "files<80", "<80", "lines<", "lines<=", "lines<101", "lines>-1", "lines<NaN", "lines=80",
		"lines<<80",
	} {
		if got, err := covdb.ParseThreshold(text); err == nil {
			t.Errorf("%s is %+v", text, got)
		}
	}
	if got := covdb.WordsOf(" parse lines<80  file mcdc>=5 "); got != "parse file" {
		t.Errorf("%q", got)
	}
	names := "vector<int> operator<< array<3> <lambda> a<b,"
	if got := covdb.WordsOf(names + " lines<x ages>7"); got != names {
		t.Errorf("%q are no thresholds, and lines<x and ages>7 are meant as such", got)
	}
}

// The lines that a diff adds ran as the view of their file says; hunks of another version are told.
func TestChangedLines(t *testing.T) {
	p, c := opened(t, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	names := p.FileNames()
	diff := []unidiff.File{{Path: "no/such.c"}, {Path: names[0]}}
	const lines = 60
	for from := 1; from < lines; from += 10 {
		h := unidiff.Hunk{New: unidiff.Range{From: from, Lines: 10}}
		for n := range 10 {
			h.Lines = append(h.Lines, unidiff.Line{New: from + n, Text: fmt.Sprint("line ", from+n)})
		}
		diff[1].Hunks = append(diff[1].Hunks, h)
	}
	text := make([][]byte, lines)
	for i := range text {
		text[i] = fmt.Append(nil, "line ", i+1)
	}
	text[14] = []byte("another")
	rows := c.UnionView(0).Rows()
	for checked, unfit := range map[bool]int{false: 0, true: 1} {
		of := func(name string) ([][]byte, bool, error) { return text, name == names[0], nil }
		if !checked {
			of = nil
		}
		got, err := p.Changed(t.Context(), diff, of)
		if err != nil || !slices.Equal(got.Unmapped, []string{"no/such.c"}) || len(got.Files) != 1 ||
			len(got.Files[0].Lines) != lines-10*unfit || len(got.Files[0].Unfit) != unfit {
			t.Fatalf("%+v, %v", got, err)
		}
		var want coverage.ChangedSum
		for _, l := range got.Files[0].Lines {
			state, count := coverage.Unmapped, uint64(0)
			for _, r := range rows {
				if int(r.First) <= l.Line && l.Line <= int(r.Last) && r.State != coverage.Unmapped {
					state, count = r.State, r.Count
				}
			}
			if l.State != state || l.Count != count || l.Text != fmt.Sprint("line ", l.Line) || checked && l.Line/10 == 1 &&
				l.Line > 10 {
				t.Errorf("%+v, want %v, %d", l, state, count)
			}
			*map[coverage.State]*int{
				coverage.Unmapped: &want.NoCode, coverage.Missed: &want.NotCovered, coverage.Partly: &want.Partly,
				coverage.Ran: &want.Covered,
			}[state]++
		}
		if got.Sum != want || want.Covered == 0 || want.NoCode == 0 {
			t.Errorf("%+v, want %+v", got.Sum, want)
		}
	}
	fault := errors.New("a fault")
	_, err := p.Changed(t.Context(), diff, func(string) ([][]byte, bool, error) { return nil, false, fault })
	if err != fault {
		t.Error(err)
	}
}

// Without some of it a profile has the numbers and the lines of what is left.
func TestNumbersWithoutSomeOfIt(t *testing.T) {
	for _, files := range few[:2] {
		p, c := opened(t, slices.Clone(files)...)
		w := coverage.Without{Macros: true, Marks: func(file int) *coverage.Marks {
			return coverage.MarksOf([][]byte{5: []byte("// LCOV_EXCL_START"), 12: []byte("// LCOV_EXCL_STOP"), 40: nil})
		}}
		left, err := p.Without(t.Context(), "marks", w)
		if err != nil {
			t.Fatal(err)
		}
		if whole, err := p.Without(t.Context(), "nothing", coverage.Without{}); err != nil ||
			whole.Overview.Totals != p.Overview.Totals {
			t.Errorf("without nothing %+v, want %+v; %v", whole.Overview.Totals, p.Overview.Totals, err)
		}
		without, _ := c.Without(w)
		_, unions := without.Totals()
		var total covdb.Sums
		for i := range c.Files {
			f, err := left.FileAt(i)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := p.FileAt(i)
			if f.Union != unions[i].Union || f.Name != before.Name || f.Kind != before.Kind {
				t.Errorf("%+v, want %+v", f, unions[i])
			}
			u, err := left.Union(t.Context(), i)
			if err != nil || !slices.Equal(u.Segments, without.UnionView(i).Segments) {
				t.Errorf("file %d has segments %+v; %v", i, u.Segments, err)
			}
			total.Add(&f.Sums)
		}
		if left.Overview.Totals != total || total == p.Overview.Totals || left.Overview.Instances != p.Overview.Instances {
			t.Errorf("%+v of %+v", left.Overview.Totals, total)
		}
		page, err := left.Tree(t.Context(), "", covdb.TreeQuery{Limit: 9})
		if err != nil || page.Node.Sums != total {
			t.Errorf("the tree has %+v, want %+v; %v", page.Node, total, err)
		}
	}
}

// Tables are the same for who asks for one row at a time.
func TestOneRowAtATime(t *testing.T) {
	p, _ := opened(t, slices.Clone(few[0])...)
	for d, find := range map[*table.Declaration]table.Find{
		covdb.Lines: p.FindLines(nil), covdb.Branches: p.FindBranches(nil), covdb.Files: p.FindFiles(covdb.FileQuery{}),
	} {
		all := profiletest.Rows(t, d, find, table.Query{})
		for i := range all {
			one := profiletest.Rows(t, d, find, table.Query{RowQuery: query.RowQuery{Offset: i, Limit: 1}})
			if len(one) != 1 || fmt.Sprint(one[0].Text) != fmt.Sprint(all[i].Text) {
				t.Errorf("%s %d is %v, want %v", d.Noun, i, one, all[i].Text)
			}
		}
	}
}

// Decisions are sought by the paths of their files.
func TestWordsOfPaths(t *testing.T) {
	p, _ := opened(t, slices.Clone(few[0])...)
	find, err := p.FindDecisions(t.Context(), covdb.DecisionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	all := profiletest.Rows(t, covdb.Decisions, find, table.Query{})
	for _, word := range []string{"rules", "nowhere"} {
		want := 0
		for _, row := range all {
			if strings.Contains(row.Text["file"], word) {
				want++
			}
		}
		rows := profiletest.Rows(t, covdb.Decisions, find, table.Query{RowQuery: query.RowQuery{Text: word}})
		if len(rows) != want || (want == 0) != (word == "nowhere") {
			t.Errorf("%q finds %d decisions of %d, want %d", word, len(rows), len(all), want)
		}
	}
}

// One's own functions come first where that is asked for, each part in the order asked for; functions that
// have nothing of what they are ordered by come last either way.
func TestOrdersOfFunctions(t *testing.T) {
	p, _ := opened(t, "clang-22/kinds/kinds.profdata", "clang-22/kinds/kinds.covmapping")
	all := 0
	for _, own := range []bool{false, true} {
		for _, key := range []query.Key{{Column: "name"}, {Column: "mcdc"}, {Column: "mcdc", Desc: true}, {Column: "lines"}} {
			page, err := p.Functions(t.Context(), covdb.FunctionQuery{
				RowQuery: query.RowQuery{Limit: 1000, Sort: []query.Key{key}}, OwnFirst: own,
			})
			if err != nil {
				t.Fatal(err)
			}
			all = max(all, len(page.Rows))
			seen := map[bool]int{}
			for i := range page.Rows {
				f, mine := &page.Rows[i], page.Rows[i].File.Kind == sources.Own
				if seen[mine]++; own && mine && seen[false] > 0 {
					t.Errorf("by %v: row %d, one's own, comes after others", key, i)
				}
				if i == 0 || own && mine != (page.Rows[i-1].File.Kind == sources.Own) || key.Column != "mcdc" {
					continue
				}
				before, after := page.Rows[i-1].Summary.MCDC, f.Summary.MCDC
				share := before.Percent() - after.Percent()
				if before.Total == 0 && after.Total > 0 || before.Total > 0 && after.Total > 0 &&
					(key.Desc && share < 0 || !key.Desc && share > 0) {
					t.Errorf("by %v: %+v comes before %+v", key, before, after)
				}
			}
			if seen[true] == 0 || seen[false] == 0 {
				t.Errorf("functions are of %v", seen)
			}
		}
	}
	for id := -1; id <= p.Overview.Instances+1; id++ {
		f, c, err := p.Function(t.Context(), id)
		if there := id >= 1 && id <= p.Overview.Instances; there != (err == nil) || there && (f == nil || c == nil) ||
			!there && !errors.Is(err, stored.ErrNoPart) {
			t.Errorf("function %d: %v, %v", id, f, err)
		}
	}
}

// The lines of a comparison are those that turned, or all, of a file as of all files.
func TestLinesThatTurned(t *testing.T) {
	base, _ := opened(t, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	test, _ := opened(t, "joined/calc.profdata", "clang-22/rules/rules.exe")
	for _, pair := range [][2]*covdb.Profile{{base, test}, {test, base}, {base, base}} {
		c, err := covdb.Compare(t.Context(), pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, all := range []bool{false, true} {
			sum := 0
			for _, file := range append(slices.Clone(c.Files), nil) {
				rows, err := c.Table(file, all, table.Options{}).Select(nil, table.FormatJSON)
				if err != nil {
					t.Fatal(err)
				}
				var text bytes.Buffer
				if _, err := rows.Page(t.Context(), &text, 0, 1<<20); err != nil {
					t.Fatal(err)
				}
				n := strings.Count(text.String(), "{") - 1 // the envelope
				if turned := strings.Count(text.String(), `"newly_`); !all && turned != n || all && turned == n && n > 3 {
					t.Errorf("%d of %d lines turned, all %v", turned, n, all)
				}
				want := sum
				if file != nil {
					if want = file.Moved.Turned(); all {
						want = file.All()
					}
					sum += want
				}
				if n != want || pair[0] == pair[1] && !all && n > 0 {
					t.Errorf("%d lines of %v, all %v, want %d", n, file != nil, all, want)
				}
			}
			if sum == 0 && (all || pair[0] != pair[1]) {
				t.Error("no line turned")
			}
		}
	}
}

// Of a decision that several instances have, the one of which most is shown stands for all; a file of one
// profile alone is found by the end of its path.
func TestDecisionsAndFilesOfOne(t *testing.T) {
	p, _ := opened(t, "clang-22/instances/pick.profdata", "clang-22/instances/pick.covmapping")
	rows := func(q covdb.DecisionQuery) (list []*covdb.Decision) {
		find, err := p.FindDecisions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return pages[covdb.Decision](t, find, 100)
	}
	most, several := map[string]int{}, 0
	for _, d := range rows(covdb.DecisionQuery{Instances: true}) {
		at := fmt.Sprint(d.File.Name, d.Line, d.Column)
		if before, ok := most[at]; ok && before != d.Metric.Covered {
			several++
		}
		most[at] = max(most[at], d.Metric.Covered)
	}
	shown := rows(covdb.DecisionQuery{})
	for _, d := range shown {
		if at := fmt.Sprint(d.File.Name, d.Line, d.Column); d.Metric.Covered != most[at] {
			t.Errorf("the decision at %s has %d conditions covered, want %d", at, d.Metric.Covered, most[at])
		}
	}
	if len(shown) != len(most) {
		t.Errorf("%d decisions at %d places, %d of which differ", len(shown), len(most), several)
	}
	base, _ := opened(t, "clang-22/kinds/kinds.profdata", "clang-22/kinds/kinds.covmapping")
	test, _ := opened(t, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	for i, pair := range [][2]*covdb.Profile{{base, test}, {test, base}} {
		c, err := covdb.Compare(t.Context(), pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"own.c", "dep.c", "own_test.c"} {
			f, err := c.FileOf(name)
			if err != nil || f == nil || !strings.HasSuffix(f.Name, "/"+name) || (f.Base != nil) != (i == 0) ||
				(f.Test != nil) != (i == 1) {
				t.Errorf("%s is %+v, %v", name, f, err)
			}
		}
	}
}
