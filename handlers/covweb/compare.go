package covweb

import (
	"context"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
	"proflens/views/covview"
)

type fileMove = query.Move[covdb.ComparedFile]

// comparer compares coverage by line: files with the lines that became covered, and
// uncovered.
func (s *room) comparer() *site.Comparer {
	return &site.Comparer{
		Read: func(c *site.Comparing, _ *site.Values) (site.Compared, error) {
			return &moves.Of[covdb.ComparedFile]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[covdb.ComparedFile], error) { return compareView(ctx, c) }}, nil
		},
		Pages: []site.ComparedRoute{{Path: "/lines", Answer: s.comparedLinesPage}},
		API: []site.ComparedRoute{{Path: "/lines", Answer: s.getComparedLines, Keys: comparedLinesKeys, Says: `
			compare comparePairLines: The lines of two profiles with source coverage
			The lines that ran in one of the two profiles alone, of a file or of all files; with show=all every line
			with code. Where both have code in the same lines of a file these are the same; elsewhere lines are
			matched by function, one of the same name, hash and shape, and their place in it. What cannot be matched
			so is only_base or only_test.
			?file: one file: its path without what all names begin with, its recorded name, or the end of the only
			path that ends so
			?show turned|all =turned: turned: lines that became covered or uncovered; all: all lines with code
			>200 ComparedLineList table: the lines`}},
	}
}

// compareStates are those of files.
var compareStates = slices.Concat(moves.States, []moves.State{
	{Word: "newly_covered", Label: "newly covered lines"},
	{Word: "newly_uncovered", Label: "newly uncovered lines"},
})

// linesOf compares what a request names.
func linesOf(ctx context.Context, c *site.Comparing) (*covdb.Comparison, error) {
	base, err := covdb.Of(c.Base.Profile)
	if err != nil {
		return nil, err
	}
	test, err := covdb.Of(c.Test.Profile)
	if err != nil {
		return nil, err
	}
	return covdb.Compare(ctx, base, test)
}

func compareView(ctx context.Context, c *site.Comparing) (*moves.View[covdb.ComparedFile], error) {
	compared, err := linesOf(ctx, c)
	if err != nil {
		return nil, err
	}
	v := &moves.View[covdb.ComparedFile]{
		Comparing: c, Source: compared, Thing: "file", Things: "files", Unit: moves.Amount("lines", 1),
		Measure: "lines that ran", How: covview.HowCompared, States: compareStates, Unmangled: true,
		Name: func(m *fileMove) (say.Name, string) { return fileName(m.Row.Any()), comparedURL(c, &m.Row).String() },
	}
	lines := func(n int) say.Number {
		if n == 0 {
			return say.Number{Text: "–"}
		}
		return inFull(uint64(n))
	}
	side := func(f *covdb.File) say.Number {
		if f == nil {
			return say.Number{Text: "–"}
		}
		of := f.Union.Lines
		return say.Number{Text: share(of), Exact: ofLines(of)}
	}
	v.Columns = []moves.Column[covdb.ComparedFile]{
		{
			Key: "covered", Label: "▴ Newly covered", Title: "lines that ran in B and not in A", Sort: covdb.CompareCovered,
			Cell: func(m *fileMove) say.Number { return lines(m.Row.NewlyCovered) },
		},
		{
			Key: "uncovered", Label: "▾ Newly uncovered", Title: "lines that ran in A and not in B",
			Sort: covdb.CompareUncovered, Cell: func(m *fileMove) say.Number { return lines(m.Row.NewlyUncovered) },
		},
		{
			Key: "a", Label: "A", Title: "share of the lines that ran in A", Sort: query.MoveBase,
			Cell: func(m *fileMove) say.Number { return side(m.Row.Base) },
		},
		{
			Key: "b", Label: "B", Title: "share of the lines that ran in B", Sort: query.MoveTest,
			Cell: func(m *fileMove) say.Number { return side(m.Row.Test) },
		},
		{Key: "points", Label: "Share", Title: "change of the share, in percentage points", Sort: covdb.CompareShare,
			Cell: func(m *fileMove) say.Number {
				if m.Row.Base == nil || m.Row.Test == nil {
					return say.Number{Text: "–"}
				}
				return say.Number{Text: say.Points(covdb.Share(m.Row.Test)-covdb.Share(m.Row.Base), 1)}
			}},
		{
			Key: "apart", Label: "Not compared", Title: "lines of A and of B with code that the other does not have",
			Sort: covdb.CompareApart, Cell: func(m *fileMove) say.Number { return lines(m.Row.Apart()) },
		},
	}
	v.Lists = compareLists(compared)
	v.Words = moves.Words[covdb.ComparedFile]{
		Sentence: func(f *moves.Figures[covdb.ComparedFile]) (lead, rest string) { return compareSentence(compared, f) },
		Table: func(q query.MoveQuery, words []string, o table.Options, members []byte) table.Table {
			return tables.ComparedCoverage(compared, q, words, o, members)
		},
		Members: newCompareObject(compared),
	}
	return v, v.Ask(compared.Sorts())
}

// fileName is a path as names of functions are shown: what it is in, and itself.
func fileName(f *covdb.File) say.Name {
	base := baseName(f.Path)
	return say.Name{
		Namespace: say.Printable(f.Path[:len(f.Path)-len(base)]), Base: say.Printable(base), Full: say.Printable(f.Name),
	}
}

// comparedURL is the lines of a file.
func comparedURL(c *site.Comparing, f *covdb.ComparedFile) site.Address {
	return c.At("/lines").With("file", f.Any().Name)
}

// ofLines is a metric of lines in words.
func ofLines(m coverage.Metric) string {
	return say.Int(m.Covered) + " of " + say.Plural(m.Total, "line", "lines")
}

// turnedWords say what became of lines; alone, without anything before it.
func turnedWords(m *coverage.Moved) string {
	switch {
	case m.Both == 0:
		return "No line can be compared."
	case m.Turned() > 0:
		return say.Plural(m.NewlyCovered, "line", "lines") + " newly covered, " + say.Int(m.NewlyUncovered) +
			" newly uncovered."
	case m.All() > m.Both:
		return "Of " + say.Plural(m.Both, "line", "lines") + " in both the same ran."
	}
	return "The same lines ran."
}

// apartWords say what has nothing to compare it with.
func apartWords(m *coverage.Moved) string {
	var sides []string
	for _, side := range []struct {
		of  string
		has coverage.Metric
	}{{" of A", m.BaseOnly}, {" of B", m.TestOnly}} {
		if side.has.Total > 0 {
			sides = append(sides, say.Plural(side.has.Total, "line", "lines")+side.of)
		}
	}
	if len(sides) == 0 {
		return ""
	}
	return "Not compared, since the other has not the same code: " + strings.Join(sides, " and ") + ". "
}

func compareSentence(c *covdb.Comparison, f *moves.Figures[covdb.ComparedFile]) (lead, rest string) {
	rest = "In A " + ofLines(c.Base) + " ran, " + share(c.Base) + "; in B " + ofLines(c.Test) + ", " + share(c.Test) +
		". " + apartWords(&c.Sum)
	if f.Moved == 0 {
		return turnedWords(&c.Sum), rest
	}
	return turnedWords(&c.Sum), rest + say.Int(f.Moved) + " of " + say.Plural(f.All, "file", "files") + " moved by " +
		f.LeastSays + " or more."
}

func compareLists(c *covdb.Comparison) []moves.ListOf[covdb.ComparedFile] {
	list := func(id, title string, state query.MoveState, by query.Column, n int,
		of func(m *fileMove) int) moves.ListOf[covdb.ComparedFile] {
		return moves.ListOf[covdb.ComparedFile]{
			ID: id, Title: title, State: state, Sort: []query.Key{{Column: by, Desc: true}},
			Says: func(p *query.MovePage[covdb.ComparedFile]) string {
				if n < 0 {
					return say.Plural(p.Matching, "file", "files")
				}
				return say.Plural(n, "line", "lines") + " of " + say.Plural(p.Matching, "file", "files")
			},
			Figure: func(m *fileMove) string { return say.Plural(of(m), "line", "lines") },
		}
	}
	return []moves.ListOf[covdb.ComparedFile]{
		list("newly-uncovered", "▾ Newly uncovered", covdb.NewlyUncovered, covdb.CompareUncovered, c.Sum.NewlyUncovered,
			func(m *fileMove) int { return m.Row.NewlyUncovered }),
		list("newly-covered", "▴ Newly covered", covdb.NewlyCovered, covdb.CompareCovered, c.Sum.NewlyCovered,
			func(m *fileMove) int { return m.Row.NewlyCovered }),
		list("changed", "Not compared", query.MoveChanged, covdb.CompareApart, -1,
			func(m *fileMove) int { return m.Row.Apart() }),
		list("lost", "Lost", query.MoveOnlyBase, query.MoveBase, -1, func(m *fileMove) int { return m.Row.BaseOnly.Total }),
		list("new", "New", query.MoveOnlyTest, query.MoveTest, -1, func(m *fileMove) int { return m.Row.TestOnly.Total }),
	}
}

// compareObject is what the API says of both profiles together, in lines.
type compareObject struct {
	Compared       int             `json:"compared"`
	NewlyCovered   int             `json:"newly_covered"`
	NewlyUncovered int             `json:"newly_uncovered"`
	BaseOnly       coverage.Metric `json:"base_not_compared"`
	TestOnly       coverage.Metric `json:"test_not_compared"`
	Base           coverage.Metric `json:"base_lines"`
	Test           coverage.Metric `json:"test_lines"`
}

func newCompareObject(c *covdb.Comparison) compareObject {
	return compareObject{
		c.Sum.Both, c.Sum.NewlyCovered, c.Sum.NewlyUncovered, c.Sum.BaseOnly, c.Sum.TestOnly, c.Base, c.Test,
	}
}
