package views_test

import (
	"proflens/internal/humanize"
	"proflens/views/covview"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// gallerySource is a file with everything that a line can have.
func gallerySource(text string, n int, plain bool) covview.Source {
	name := humanize.Name{Namespace: text, Base: text, Args: text, Full: text}
	sides := covview.Sides{
		Title: text, True: covview.Side{Count: humanize.Count(0), None: true},
		False: covview.Side{Count: humanize.Count(1 << 40)},
	}
	v := covview.Source{
		Dir: text, Name: text, NoText: plain,
		Measures: []covview.Measure{{ID: "lines", Label: "Lines", Percent: text, Of: text, Bar: covview.NewBar(n, 1, 2*n)}},
		Says:     text, More: text, Gaps: text, Shown: text,
		Ways: []page.Segment{{Label: text, URL: "/?x=" + text, Title: text}}, Previous: "/?p", Next: "/?n", Earlier: "/?e",
		Later: "/?l", CSV: "/csv",
		Minimap: &covview.Minimap{
			Says: text, Bands: []covview.Band{{Y: "1%", Height: "2%", Class: covview.Part}},
			Gaps:   []covview.Band{{Y: "3%", Height: "1%", Class: covview.No, URL: "/?g", Title: text}},
			Window: &covview.Band{Y: "0%", Height: "9%"},
		},
		Inspector: &covview.LineInspector{
			Title: text, State: covview.Part, Close: "/?c", Says: text,
			Regions:  []covview.Fact{{Term: text, Value: humanize.Count(0), None: true}},
			Function: &covview.FunctionRow{Name: name, URL: "/?f"}, Link: "/?l", LinkText: text,
		},
	}
	for i := range n {
		number := humanize.Int(i + 1)
		l := covview.Line{
			ID: "L" + number, Number: number, Count: humanize.Count(uint64(i) << 30),
			State: []string{covview.Ran, covview.Part, covview.No, ""}[i%4], Gap: i%4 == 1, Open: true,
			Ribbon: []covview.Piece{{X: "1%", Width: "5%", Class: covview.No},
				{X: "6%", Width: "90%", Class: covview.Ran, Rest: true}},
			Marks: []covview.Mark{{Column: text, Count: humanize.Count(0), None: true}}, MoreMark: "…",
			Text:  []sourceview.Code{{Text: text, Class: "src-missed", Title: text}, {Text: text}},
			Sides: []covview.Sides{sides, {Title: text, Constant: true}}, Summary: text, MCDC: text, Missed: true,
			Toggle: "/?t", Unfold: text, Unfolded: i == 1, Selected: page.Selected{Select: "/?s=" + number, Selected: i == 1},
		}
		if i == 1 {
			l.Details = []covview.Detail{
				{Conditions: []covview.Sides{sides}},
				{Decision: &covview.Decision{
					Tag: text, Missed: true, Text: text, At: text, Says: text, More: text, Note: text,
					Conditions: []covview.ConditionHead{{Name: "C1", At: text, Missed: true}, {Name: "C2", Constant: true}},
					Vectors: []covview.Vector{
						{Number: "1", Values: []covview.Value{{Text: "T", Shows: true}, {Text: "–"}}, Result: "T", Says: text},
						{Number: "–", Values: []covview.Value{{Text: "F"}, {Text: "any"}}, Missing: true},
					},
				}},
				{
					Expansion: &covview.Expansion{
						Tag: text, Text: text, Place: text, URL: "/?x", Says: text, More: text,
						Lines: []covview.Line{
							{
								Number: "3", State: covview.No, Count: humanize.Count(0), Text: []sourceview.Code{{Text: text}},
								Sides: []covview.Sides{sides},
							},
						},
					},
				},
				{
					Instances: &covview.Instances{
						Ran: text, Never: text, Count: text, Says: text, More: text, Nevers: []string{text}, NeverMore: text,
						Rows: []covview.Instance{
							{Name: text, Title: text, Count: humanize.Count(1), Bar: covview.NewBar(1, 0, 2), Lines: text, MCDC: text},
						},
					},
				},
			}
		}
		v.Rows = append(v.Rows, l)
		v.Functions = append(v.Functions, covview.FunctionRow{
			Line: number, Name: name, URL: "/?f", Bar: covview.NewBar(1, 0, 2), Lines: "1/2", Instances: number, Never: i == 2,
			Current: i == 1,
		})
	}
	v.Rows = append(v.Rows, covview.Line{ID: "L90000", Number: text,
		Fold: &covview.Fold{URL: "/?u", Text: text, Names: []string{text}, Says: text, Never: true}},
		covview.Line{ID: "L90001", Number: text, Fold: &covview.Fold{Text: text}})
	return v
}

// galleryFiles is the tree of files.
func galleryFiles(text string, n int) covview.Files {
	v := covview.Files{
		Title: text, Why: text, Count: text, Shown: text, Partly: text, CSV: "/csv", Never: "/never", NeverN: text,
		MapNote: text, Clear: "/",
		Measures: []covview.Measure{
			{
				ID: "lines", Label: "Lines", Percent: text, Of: text, Bar: covview.NewBar(1, 1, 2), Goal: "80%", Note: text,
				URL: "/?m",
			},
		},
		Findings: []covview.Finding{{Tag: page.Tag{Text: text, Tone: page.Caution}, Link: text, URL: "/?x", Text: text}},
		Inst:     []page.Segment{{Label: text, URL: "/?i"}},
		Crumbs:   []page.Link{{Label: text, URL: "/"}, {Label: text}},
		Quick:    page.QuickFilter{Action: "/", Q: text, Label: text, Keep: []page.Hidden{{Name: text, Value: text}}},
		Under:    &page.Segment{Label: text, URL: "/?u", Title: text},
		Chips:    []page.Chip{{Text: text, Remove: "/?r"}}, Heads: []page.Head{{Column: "path", Label: "Path"}},
	}
	for i := range n {
		v.Rows = append(v.Rows, covview.FileRow{
			Name: text, Title: text, URL: "/?f", Dir: i%2 == 0, Open: i == 0, Into: "/?d", Indent: i % 7, Files: text,
			Bar: covview.NewBar(i, 0, n), Percent: text, Under: i%3 == 0, Missing: text, Lines: text,
			Regions: text, Branches: text, Functions: text, MCDC: text,
		})
		v.Longest = append(v.Longest, covview.LongRow{
			Name: humanize.Name{Base: text, Full: text}, Place: text, URL: "/?l", Lines: text,
		})
	}
	return v
}

// galleryComparedLines is a file of two profiles with everything that a line can have.
func galleryComparedLines(text string, n int) covview.ComparedLines {
	v := covview.ComparedLines{
		Dir: text, Name: text, Ways: []page.Segment{{Label: text, URL: "/?x=" + text, Title: text}}, NoText: n == 1,
		CSV: "/csv", Moved: text, Shown: text,
	}
	side := covview.ComparedSide{Line: text, URL: "/?s", Count: humanize.Count(1 << 40), State: covview.Part}
	for i := range n {
		l := covview.ComparedLine{
			Turn:  []string{covview.NewlyCovered, covview.NewlyUncovered, covview.OnlyA, covview.OnlyB, ""}[i%5],
			First: i%2 == 0, A: side, B: side, Text: []sourceview.Code{{Text: text, Class: "syn-k"}, {Text: text}},
		}
		if i%5 == 2 {
			l.B = covview.ComparedSide{}
		}
		v.Rows = append(v.Rows, l)
	}
	v.Rows = append(v.Rows, covview.ComparedLine{Fold: text, Unfold: "/?u"})
	return v
}
