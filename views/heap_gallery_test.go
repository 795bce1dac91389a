package views_test

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/flameview"
	"proflens/views/page"
)

// galleryFlame is a flame graph of n frames, as a picture or as a table.
func galleryFlame(text string, n int, table bool) flameview.Flame {
	segments := []page.Segment{{Label: "Bytes", URL: "/", Current: true}, {Label: text, URL: "/?w=" + text}}
	f := flameview.Flame{
		Title: "Flame graph", Widths: segments, Layouts: segments, Swap: "/", Graph: "/graph.json", Weight: "bytes",
		Colour: "density", Plain: "density",
		Colours: []flameview.Colour{
			{
				Segment: page.Segment{Label: "Access density", URL: "/", Current: true}, Key: "density", Low: "0.01", High: "100 k",
			},
			{Segment: page.Segment{Label: "Module", URL: "/?c=module"}, Key: "module"},
		},
		Sandwich: "/?function=", Leads: []flameview.Lead{{Label: "View sites", Address: "/sites?owner=",
			By: flameview.ByFunction}, {Label: text, Address: "/functions/", By: flameview.ByLinkage}}, AsTable: table,
		Other:   "/?view=table",
		Exports: []page.Download{{Label: "Folded stacks", URL: "/", Command: text}},
		Filter: flameview.Filter{
			Action: "/", Focus: text, Ignore: text, Query: text, Keep: []page.Hidden{{Name: text, Value: text}},
		},
		Chips: []page.Chip{{Text: text, Remove: "/"}}, Notes: []string{text},
		Crumbs: []page.Link{{Label: "all", URL: "/"}, {Label: text}}, Says: text,
	}
	tree := flameview.Tree{ID: "callees", Title: "Callees", Shown: text}
	for i := range n {
		row := flameview.Row{
			Level: humanize.Int(i + 1), Size: "1", Place: "1", Indent: min(i, 24), Name: text, Title: text, Inline: true,
			URL: "/?z=" + text, Weight: humanize.Bytes(1 << 40),
			Share: "7.7 %", Bar: chart.ShareBar(0.5, 1), Hidden: "+1 234 frames",
		}
		if i+1 < n {
			row.Open = "true"
		}
		tree.Rows = append(tree.Rows, row)
	}
	f.Trees = []flameview.Tree{tree}
	if n == 0 {
		f.Empty = &page.Blank{Title: "No contexts", Text: "x"}
	}
	return f
}
