package moves

import (
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
	"proflens/views/page"
)

// fill makes what stands over the table, and what it says where it has no rows.
func (v *View[P]) fill(t *page.MoveTable, g *page.Grid, found *table.Page) {
	list := v.Address.Without("page", "cursor", lists.Selected)
	current := v.query.Min
	*t = page.MoveTable{
		Title: g.Title, How: v.How, Unit: v.Unit.Name, Action: v.Address.Path, Q: humanize.Printable(list.Query.Get("q")),
		Threshold: page.RangeField{Name: "min", Label: "Minimum change, in " + v.Unit.Name},
		Signs: site.Options(list.Query.Get("direction"), "", "any direction", "more", "more in B", "less",
			"less in B", "same", "the same"),
		Keep: site.Keep(list.Without("q", "state", "direction")), KeepMin: site.Keep(list.Without("min")),
		Clear: list.Without(v.filters()...).String(),
		CSV:   lists.ForAPI(v.Address, "page", "cursor", "limit").With("format", "csv").String(),
	}
	if !v.Unmangled {
		t.Modes = site.ModeSegments(v.Address, v.Listing.Names)
	}
	words := []string{"", "any state"}
	for _, s := range v.Of.States {
		words = append(words, s.Word, s.Label)
	}
	t.States = site.Options(list.Query.Get("state"), words...)
	v.thresholds(t, list, current)
	for _, key := range v.filters() {
		if value := strings.Join(list.Query[key], ", "); value != "" {
			t.Chips = append(t.Chips, page.Chip{Text: v.chip(key, humanize.Printable(value)),
				Remove: list.Without(key).String()})
		}
	}
	t.Says = humanize.Int(found.Matching) + " of " + humanize.Int(found.All)
	if current >= 0 && len(t.Chips) == 0 {
		t.Says += "; smaller changes count as equal"
	}
	if found.Len() > 0 {
		return
	}
	g.Empty = &page.Blank{
		Title: "0 of " + humanize.Plural(found.All, v.Of.Noun[0]+" matches", v.Of.Noun[1]+" match"), Chips: t.Chips,
	}
	if found.Matching > 0 {
		g.Empty.Title = "There is no page " + humanize.Int(v.Listing.Page())
	} else if len(t.Chips) == 0 {
		g.Empty.Title, g.Empty.Text = "Nothing moved by "+v.Unit.Least(max(current, 0))+" or more",
			"Choose a smaller minimum change above to see smaller moves."
	}
}

// thresholds are those to choose from, the present one among them.
func (v *View[P]) thresholds(t *page.MoveTable, list site.Address, current float64) {
	choices := slices.Clone(v.Unit.Choices)
	if current > 0 && !slices.Contains(choices, current) {
		choices = append(choices, current)
		slices.Sort(choices)
	}
	selected := slices.ContainsFunc(v.filters(), func(key string) bool { return list.Query.Get(key) != "" })
	for _, c := range choices {
		a := list.With("min", v.Unit.Word(c))
		if c == v.Unit.Usual && !selected {
			a = list.Without("min")
		}
		t.Thresholds = append(t.Thresholds,
			page.Segment{Label: v.Unit.Least(c), URL: a.String(), Current: c == current})
	}
	if selected {
		t.Thresholds = append(t.Thresholds,
			page.Segment{Label: "any", Title: "everything that matches the filter", URL: list.Without("min").String(),
				Current: current < 0})
	}
	if current >= 0 {
		t.Threshold.Value = v.Unit.Word(current)
	}
}

// chip writes a filter as field, operator, value.
func (v *View[P]) chip(key, value string) string {
	switch key {
	case "state":
		for _, s := range v.Of.States {
			value = strings.ReplaceAll(value, s.Word, s.Label)
		}
		return value
	case "direction":
		return map[string]string{"more": "more in B", "less": "less in B", "same": "the same"}[value]
	case "base_class", "test_class":
		return strings.NewReplacer("base_class", "A class", "test_class", "B class").Replace(key) + " = " + value
	case "overlap":
		return "overlap " + value + " %"
	case "q", "re", "path", "rewrite", "namespace", "class", "cs":
		return site.ChipText(key, value)
	case "image", "procedure":
		return key + " = " + value
	}
	return strings.NewReplacer("base_", "A ", "test_", "B ").Replace(key) + " " + site.RangeText(value)
}
