package views_test

import (
	"slices"

	"proflens/analyze/coverage"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/views/covview"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// gallerySource is a file with everything that a line can have.
func gallerySource(text string, n int, plain bool) covview.Source {
	name := humanize.Name{Namespace: text, Base: text, Args: text, Full: text}
	sides := covview.Sides{
		Sides: &coverage.Sides{False: 1 << 40}, Title: text,
		Counts: [2]humanize.Number{humanize.Count(0), humanize.Count(1 << 40)},
	}
	half := coverage.Metric{Total: 2, Covered: 1}
	v := covview.Source{
		Dir: text, Name: text, NoText: plain,
		Measures: []covview.Measure{{ID: "lines", Label: "Lines", Percent: text, Of: text, Bar: covview.BarOf(half, 1)}},
		Says:     text, More: text, Gaps: text, Shown: text,
		Ways: []page.Segment{{Label: text, URL: "/?x=" + text, Title: text}}, Previous: "/?p", Next: "/?n", Earlier: "/?e",
		Later: "/?l", CSV: "/csv",
		Minimap: &covview.Minimap{
			Says: text, Bands: []covview.Band{{Y: "1%", Height: "2%", Class: "part"}},
			Gaps:   []covview.Band{{Y: "3%", Height: "1%", Class: "no", URL: "/?g", Title: text}},
			Window: &covview.Band{Y: "0%", Height: "9%"},
		},
		Inspector: &covview.LineInspector{
			Title: text, State: coverage.Partly, Close: "/?c", Says: text,
			Regions:  []covview.Fact{{Term: text, Value: humanize.Count(0), None: true}},
			Function: &covview.FunctionRow{Name: name, URL: "/?f"}, Link: "/?l", LinkText: text,
		},
	}
	for i := range n {
		number := humanize.Int(i + 1)
		l := covview.Line{
			Row: &coverage.Row{
				Line:  coverage.Line{Count: uint64(i) << 30, Segments: make([]coverage.Segment, 6)},
				State: coverage.Ran - coverage.State(i%4),
			},
			ID: "L" + number, Number: number, Gap: i%4 == 1, Open: true,
			Ribbon: []covview.Piece{{X: "1%", Width: "5%", Class: "no"},
				{X: "6%", Width: "90%", Class: "ran", Rest: true}},
			Text:    []sourceview.Code{{Text: text, Class: "src-missed", Title: text}, {Text: text}},
			Chips:   []covview.Sides{sides, {Sides: &coverage.Sides{Constant: true}, Title: text}},
			Summary: text, MCDC: text, Missed: true,
			Toggle: "/?t", Unfold: text, Unfolded: i == 1, Selected: page.Selected{Select: "/?s=" + number, Selected: i == 1},
		}
		for at := range l.Segments {
			l.Segments[at] = coverage.Segment{HasCount: true, Entry: true}
		}
		if i == 1 {
			l.Details = []covview.Detail{
				{Conditions: []covview.Sides{sides}},
				{Decision: &covview.Decision{
					Functions: 2, Text: text, Decision: &coverage.Decision{
						Conditions: []coverage.Condition{
							{Next: [2]int16{-1, 1}}, {ID: 1, Next: [2]int16{-1, -1}}, {ID: 2, Folded: true, Next: [2]int16{-1, -1}},
						},
						Vectors: []coverage.Vector{
							{Values: []coverage.Value{coverage.IsTrue, coverage.IsFalse, coverage.NotEvaluated}, Result: true},
						},
					},
				}},
				{
					Expansion: &covview.Expansion{
						Expansion: coverage.Expansion{Region: &coverage.Region{}}, Functions: 2, Text: text, Place: text, URL: "/?x",
						More: text,
						Lines: []covview.Line{
							{
								Row: &coverage.Row{State: coverage.Missed}, Number: "3", Text: []sourceview.Code{{Text: text}},
								Chips: []covview.Sides{sides},
							},
						},
					},
				},
				{
					Instances: &covview.Instances{
						Ran: 1, List: slices.Repeat([]covview.Instance{
							{Function: &coverage.Function{}, Sum: coverage.Summary{Lines: half, MCDC: half}, Short: text, Full: text},
						}, 8),
					},
				},
			}
		}
		v.Rows = append(v.Rows, l)
		v.Functions = append(v.Functions, covview.FunctionRow{
			Line: uint32(i), Name: name, URL: "/?f", Lines: half, Instances: i, Never: i == 2, Current: i == 1,
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
		MapNote: text, Clear: "/", Goal: 80,
		Measures: []covview.Measure{
			{
				ID: "lines", Label: "Lines", Percent: text, Of: text,
				Bar: covview.BarOf(coverage.Metric{Total: 2, Covered: 1}, 1), Goal: "80%", Note: text,
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
		row := covview.FileRow{
			Node: &covdb.Node{
				Name: text, Path: text, Files: i, Sums: covdb.Sums{Summary: coverage.Summary{
					Lines: coverage.Metric{Total: n, Covered: i},
				}},
			}, URL: "/?f", Open: i == 0, Into: "/?d", Indent: i % 7,
		}
		file := &covdb.File{FileName: covdb.FileName{Name: text, Path: text}}
		if i%2 == 1 {
			row.File = file
		}
		v.Rows = append(v.Rows, row)
		v.Longest = append(v.Longest, covview.LongRow{
			Function: &covdb.Function{Place: covdb.Place{File: file}}, Name: humanize.Name{Base: text, Full: text}, URL: "/?l",
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
	side := covview.ComparedSide{
		Row: &coverage.Row{Line: coverage.Line{Count: 1 << 40}, State: coverage.Partly}, Line: 7, URL: "/?s",
	}
	for i := range n {
		l := covview.ComparedLine{
			Turn: []coverage.Turn{
				coverage.NewlyCovered, coverage.NewlyUncovered, coverage.BaseOnly, coverage.TestOnly, coverage.Kept,
			}[i%5],
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
