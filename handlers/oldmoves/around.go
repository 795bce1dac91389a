package oldmoves

import (
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/page"
)

// around is the table of a view without what its rows are of, so that it is compiled once
// for all families.
type around struct {
	*site.Comparing
	unit          Unit
	query         query.MoveQuery
	thing, things string
	how           page.How
	states        []State
	filters       []string // parameters that select rows
	unmangled     bool
	columns       []heading
	rows          []page.MoveRow
	matching, all int
}

// heading is that of a family's own column.
type heading struct {
	page.Head
	sort query.Column
}

// fill makes the table.
func (v *around) fill(t *page.MoveTable) {
	list := v.Address.Without("page", "cursor")
	current := v.query.Min
	*t = page.MoveTable{
		Title: "Changes", How: v.how, Unit: v.unit.Name, Action: v.Address.Path, Q: say.Printable(list.Query.Get("q")),
		Threshold: page.RangeField{Name: "min", Label: "Minimum change, in " + v.unit.Name},
		Signs: site.Options(list.Query.Get("direction"), "", "any direction", "more", "more in B", "less",
			"less in B", "same", "the same"),
		Keep: site.Keep(list.Without("q", "state", "direction")), KeepMin: site.Keep(list.Without("min")),
		Clear: list.Without(v.filters...).String(),
		CSV:   v.Address.Without("page", "cursor", "limit").With("format", "csv").String(),
	}
	if !v.unmangled {
		t.Modes = site.ModeSegments(v.Address, v.Listing.Names)
	}
	words := []string{"", "any state"}
	for _, s := range v.states {
		words = append(words, s.Word, s.Label)
	}
	t.States = site.Options(list.Query.Get("state"), words...)
	v.thresholds(t, list, current)
	for _, key := range v.filters {
		if value := strings.Join(list.Query[key], ", "); value != "" {
			t.Chips = append(t.Chips, page.Chip{Text: v.chip(key, say.Printable(value)),
				Remove: list.Without(key).String()})
		}
	}
	v.heads(t)
	t.Rows = v.rows
	t.Says = say.Int(v.matching) + " of " + say.Int(v.all)
	if current >= 0 && len(t.Chips) == 0 {
		t.Says += "; smaller changes count as equal"
	}
	t.Shown = "no rows"
	if n := len(v.rows); n > 0 {
		t.Shown = "rows " + say.Int(v.Offset+1) + "–" + say.Int(v.Offset+n) + " of " + say.Int(v.matching)
	} else {
		t.Blank = &page.Blank{Title: "0 of " + say.Plural(v.all, v.thing+" matches", v.things+" match"), Chips: t.Chips}
		if v.matching > 0 {
			t.Blank.Title = "There is no page " + say.Int(v.Listing.Page())
		} else if len(t.Chips) == 0 {
			t.Blank.Title, t.Blank.Text = "Nothing moved by "+v.unit.Least(max(current, 0))+" or more",
				"Choose a smaller minimum change above to see smaller moves."
		}
	}
	t.Pager = site.ListPager(v.Address, &v.Listing, v.matching)
}

// thresholds are those to choose from, the present one among them.
func (v *around) thresholds(t *page.MoveTable, list site.Address, current float64) {
	choices := slices.Clone(v.unit.Choices)
	if current > 0 && !slices.Contains(choices, current) {
		choices = append(choices, current)
		slices.Sort(choices)
	}
	selected := slices.ContainsFunc(v.filters, func(key string) bool { return list.Query.Get(key) != "" })
	for _, c := range choices {
		a := list.With("min", v.unit.Word(c))
		if c == v.unit.Usual && !selected {
			a = list.Without("min")
		}
		t.Thresholds = append(t.Thresholds,
			page.Segment{Label: v.unit.Least(c), URL: a.String(), Current: c == current})
	}
	if selected {
		t.Thresholds = append(t.Thresholds,
			page.Segment{Label: "any", Title: "everything that matches the filter", URL: list.Without("min").String(),
				Current: current < 0})
	}
	if current >= 0 {
		t.Threshold.Value = v.unit.Word(current)
	}
}

// chip writes a filter as field, operator, value.
func (v *around) chip(key, value string) string {
	switch key {
	case "state":
		for _, s := range v.states {
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

func (v *around) heads(t *page.MoveTable) {
	o := site.OrderOf(v.Sort, query.Key{Column: query.MoveAbsChange, Desc: true}, v.Address, "-abs_change")
	add := func(h page.Head, by query.Column, ascending bool) {
		if by != "" {
			h.Sort, h.URL = o.Link(by, ascending)
		}
		t.Heads = append(t.Heads, h)
	}
	add(page.Head{Column: "function", Label: strings.ToUpper(v.thing[:1]) + v.thing[1:]}, query.MoveName, true)
	add(page.Head{Column: "change", Label: "Change, " + v.unit.Name,
		Title: "B minus A; the largest change of either sign comes first"}, query.MoveAbsChange, false)
	for _, c := range v.columns {
		add(c.Head, c.sort, false)
	}
	t.Heads = append(t.Heads, page.Head{Column: "what", Label: "What changed"})
}
