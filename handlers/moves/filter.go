package moves

import (
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/views/page"
)

// filters are the parameters that select rows.
func (v *View[P]) filters() []string {
	return slices.Concat(site.CompareFilters, v.Filters, site.Words(v.Of.Ranges()))
}

// thresholds are those to choose from, the present one among them.
func (v *View[P]) thresholds(t *page.MoveTable, list site.Address, filtered bool) {
	current := v.query.Min
	choices := slices.Clone(v.Unit.Choices)
	if current > 0 && !slices.Contains(choices, current) {
		choices = append(choices, current)
		slices.Sort(choices)
	}
	for _, c := range choices {
		a := list.With("min", v.Unit.Word(c))
		if c == v.Unit.Usual && !filtered {
			a = list.Without("min")
		}
		t.Thresholds = append(t.Thresholds,
			page.Segment{Label: v.Unit.Least(c), URL: a.String(), Current: c == current})
	}
	if filtered {
		t.Thresholds = append(t.Thresholds, page.Segment{
			Label: "any", Title: "everything that matches the filter", URL: list.Without("min").String(), Current: current < 0,
		})
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
	return strings.NewReplacer("base_", "A ", "test_", "B ").Replace(lists.ListOf(v.Of).Chip(key, value))
}
