package views_test

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// galleryFlame is a flame graph of n frames, as a picture or as a table.
func galleryFlame(text string, n int, table bool) memprofview.Flame {
	segments := []page.Segment{{Label: "Bytes", URL: "/", Current: true}, {Label: text, URL: "/?w=" + text}}
	f := memprofview.Flame{
		Title: "Flame graph", Widths: segments, Layouts: segments, Swap: "/", Graph: "/graph.json", Weight: "bytes", Colour: "density", Plain: "density",
		Colours: []memprofview.ColourChoice{
			{Segment: page.Segment{Label: "Access density", URL: "/", Current: true}, Key: "density", Low: "0.01", High: "100 k"},
			{Segment: page.Segment{Label: "Module", URL: "/?c=module"}, Key: "module"},
		},
		Leads: memprofview.FlameLeads{Sandwich: "/?function=", Sites: "/sites?owner=", Functions: "/functions/"}, AsTable: table, Other: "/?view=table",
		Exports: []page.Download{{Label: "Folded stacks", URL: "/", Command: text}},
		Filter:  memprofview.FlameFilter{Action: "/", Focus: text, Ignore: text, Query: text, Keep: []page.Hidden{{Name: text, Value: text}}},
		Chips:   []page.Chip{{Text: text, Remove: "/"}}, Notes: []string{text}, Crumbs: []page.Link{{Label: "all", URL: "/"}, {Label: text}}, Says: text,
	}
	tree := memprofview.FlameTree{ID: "callees", Title: "Callees", Shown: text}
	for i := range n {
		row := memprofview.FlameRow{
			Level: say.Int(i + 1), Size: "1", Place: "1", Indent: min(i, 24), Name: text, Title: text, Inline: true, URL: "/?z=" + text, Weight: say.Bytes(1 << 40),
			Share: "7.7 %", Bar: chart.ShareBar(0.5, 1), Hidden: "+1 234 frames",
		}
		if i+1 < n {
			row.Open = "true"
		}
		tree.Rows = append(tree.Rows, row)
	}
	f.Trees = []memprofview.FlameTree{tree}
	if n == 0 {
		f.Empty = &page.Blank{Title: "No contexts", Text: "x"}
	}
	return f
}
