package covweb

import (
	"context"
	"strings"

	"proflens/analyze/coverage"
	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/covview"
	"proflens/views/page"
)

// comparer compares coverage by line: files with the lines that became covered, and
// uncovered.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: moves.Keys(covdb.ComparedFiles), Declared: lists.Says(covdb.ComparedFiles),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			return moves.Read(c, v, &moves.View[*covdb.ComparedFile]{
				Of: covdb.ComparedFiles, Unit: moves.Amount("lines"), Unmangled: true,
				Open: func(ctx context.Context, v *moves.View[*covdb.ComparedFile]) error {
					compared, err := linesOf(ctx, c)
					if err == nil {
						showCompared(v, compared)
					}
					return err
				},
			})
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

// linesOf compares what a request names.
func linesOf(ctx context.Context, c *site.Comparing) (*covdb.Comparison, error) {
	return covdb.CompareCounted(ctx, c.Base.Profile, c.Test.Profile)
}

// showCompared says how files are shown side by side.
func showCompared(v *moves.View[*covdb.ComparedFile], compared *covdb.Comparison) {
	v.Source, v.Measure, v.How = compared, "lines that ran", covview.HowCompared
	v.Programs = compared.Sum.Both == 0
	v.Name = func(m *covdb.ComparedFile) (humanize.Name, string) {
		return fileName(m.Any()), comparedURL(v.Comparing, m).String()
	}
	v.Draw = map[string]func(m *covdb.ComparedFile) page.GridCell{
		"newly_covered":   func(m *covdb.ComparedFile) page.GridCell { return someLines(m.NewlyCovered) },
		"newly_uncovered": func(m *covdb.ComparedFile) page.GridCell { return someLines(m.NewlyUncovered) },
		"not_compared":    func(m *covdb.ComparedFile) page.GridCell { return someLines(m.NotCompared) },
		"base":            func(m *covdb.ComparedFile) page.GridCell { return shareOfLines(m.Base) },
		"test":            func(m *covdb.ComparedFile) page.GridCell { return shareOfLines(m.Test) },
		"share_change": func(m *covdb.ComparedFile) page.GridCell {
			if m.Base == nil || m.Test == nil {
				return page.GridCell{Number: humanize.Number{Text: "–"}}
			}
			return page.GridCell{Number: humanize.Number{Text: humanize.Points(m.ShareChange, 1)}}
		},
	}
	v.Lists = compareLists(compared)
	v.Words = moves.Words[*covdb.ComparedFile]{
		Sentence: func(f *moves.Figures[*covdb.ComparedFile]) (lead, rest string) { return compareSentence(compared, f) },
		Members:  newCompareObject(compared),
	}
}

func someLines(n int) (c page.GridCell) {
	if c.Number.Text = "–"; n > 0 {
		c.Number = inFull(uint64(n))
	}
	return c
}

// shareOfLines is how much of a file ran in one profile.
func shareOfLines(f *covdb.ComparedSide) page.GridCell {
	if f == nil {
		return page.GridCell{Number: humanize.Number{Text: "–"}}
	}
	return page.GridCell{Number: humanize.Number{Text: covview.Share(f.Union.Lines), Exact: ofLines(f.Union.Lines)}}
}

// fileName is a path as names of functions are shown: what it is in, and itself.
func fileName(f *covdb.File) humanize.Name {
	base := f.Base()
	return humanize.Name{
		Namespace: humanize.Printable(f.Path[:len(f.Path)-len(base)]), Base: humanize.Printable(base),
		Full: humanize.Printable(f.Name),
	}
}

// comparedURL is the lines of a file.
func comparedURL(c *site.Comparing, f *covdb.ComparedFile) site.Address {
	return c.At("/lines").With("file", f.Any().Name)
}

// ofLines is a metric of lines in words.
func ofLines(m coverage.Metric) string {
	return humanize.Say("{} of {line}", m.Covered, m.Total)
}

// turnedWords say what became of lines; alone, without anything before it.
func turnedWords(m *coverage.Moved) string {
	switch {
	case m.Both == 0:
		return "No line can be compared."
	case m.Turned() > 0:
		return humanize.Say("{line} newly covered, {} newly uncovered.", m.NewlyCovered, m.NewlyUncovered)
	case m.All() > m.Both:
		return humanize.Say("Of {line} in both the same ran.", m.Both)
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
			sides = append(sides, humanize.Plural(side.has.Total, "line")+side.of)
		}
	}
	if len(sides) == 0 {
		return ""
	}
	return "Not compared, since the other has not the same code: " + strings.Join(sides, " and ") + ". "
}

func compareSentence(c *covdb.Comparison, f *moves.Figures[*covdb.ComparedFile]) (lead, rest string) {
	rest = "In A " + ofLines(c.Base) + " ran, " + covview.Share(c.Base) + "; in B " + ofLines(c.Test) + ", " +
		covview.Share(c.Test) + ". " + apartWords(&c.Sum)
	if c.Union {
		rest += "Instantiations of a template count together here, as Union does in the list of files; totals take the " +
			"best of them. "
	}
	if left := c.LeftOut(); left != "" {
		rest += left + " "
	}
	if f.Moved == 0 {
		return turnedWords(&c.Sum), rest
	}
	return turnedWords(&c.Sum), rest + f.MovedOfAll()
}

func compareLists(c *covdb.Comparison) []moves.ListOf[*covdb.ComparedFile] {
	list := func(id, title string, state table.State, by query.Column,
		of func(m *covdb.ComparedFile) int) moves.ListOf[*covdb.ComparedFile] {
		return moves.ListOf[*covdb.ComparedFile]{
			ID: id, Title: title, State: state, Sort: query.Key{Column: by, Desc: true},
			Says:   func(h table.Held) string { return humanize.Plural(h.Rows, "file") },
			Figure: func(m *covdb.ComparedFile) string { return humanize.Plural(of(m), "line") },
		}
	}
	lists := []moves.ListOf[*covdb.ComparedFile]{
		list("newly-uncovered", "▾ Newly uncovered", covdb.NewlyUncovered, covdb.CompareUncovered,
			func(m *covdb.ComparedFile) int { return m.NewlyUncovered }),
		list("newly-covered", "▴ Newly covered", covdb.NewlyCovered, covdb.CompareCovered,
			func(m *covdb.ComparedFile) int { return m.NewlyCovered }),
		list("changed", "Not compared", table.Changed, covdb.CompareApart,
			func(m *covdb.ComparedFile) int { return m.NotCompared }),
		list("lost", "Lost", table.OnlyBase, table.MoveBase, func(m *covdb.ComparedFile) int { return m.BaseOnly.Total }),
		list("new", "New", table.OnlyTest, table.MoveTest, func(m *covdb.ComparedFile) int { return m.TestOnly.Total }),
	}
	for i, n := range []int{c.Sum.NewlyUncovered, c.Sum.NewlyCovered} {
		lists[i].Says = func(h table.Held) string {
			return humanize.Say("{line} of {file}", n, h.Rows)
		}
	}
	return lists
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
	LeftOut        string          `json:"left_out,omitempty" doc:"What both are compared without."`
}

func newCompareObject(c *covdb.Comparison) compareObject {
	return compareObject{
		c.Sum.Both, c.Sum.NewlyCovered, c.Sum.NewlyUncovered, c.Sum.BaseOnly, c.Sum.TestOnly, c.Base, c.Test,
		c.LeftOut(),
	}
}
