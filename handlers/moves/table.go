package moves

import (
	"cmp"
	"context"
	"maps"
	"math"
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
	"proflens/views"
	"proflens/views/page"
)

// table makes the table: as all declared ones are, with the name, what is compared, and what
// changed drawn alike in all comparisons.
func (v *View[P]) table(ctx context.Context, m *page.Compare) error {
	r := &lists.Request{
		Declared: v.declared(), Params: v.params, Query: table.Query{RowQuery: v.params.Query}, Address: v.Address,
		Symbols: v.Symbols, Draw: lists.Draws{},
	}
	var err error
	if r.Fields, err = r.Shown(v.Cols); err != nil {
		return err
	}
	if r.Found, err = v.find()(ctx, r.Query); err != nil {
		return err
	}
	largest := 0.0
	for i := range r.Found.Len() {
		largest = max(largest, math.Abs(r.Found.Row(i).Addr().Interface().(P).Measured().Change))
	}
	side := func(test bool) func(row P) page.GridCell {
		return func(row P) page.GridCell {
			return page.GridCell{Number: humanize.Number{Text: v.side(row, test, "–")}}
		}
	}
	fields, _ := r.OnPage()
	draw := map[string]func(row P) page.GridCell{
		"change": func(row P) page.GridCell {
			change := row.Measured().Change
			drawn := page.ChangeBarOf(change, largest, v.Unit.Change(change))
			drawn.Word = v.word(change)
			return page.GridCell{Change: &drawn}
		},
		"base": side(false), "test": side(true), "state": v.what,
		fields[0].Name: func(row P) page.GridCell {
			name, url := v.Name(row)
			return page.GridCell{Name: &name, URL: url}
		},
	}
	maps.Copy(draw, v.Draw)
	for name, cell := range draw {
		r.Draw[name] = func(row any) page.GridCell { return cell(row.(P)) }
	}
	m.Grid, err = r.Grid(v.Request.WithContext(ctx))
	if err == nil {
		m.Table = v.bar(m.Grid, &r.Found)
	}
	return err
}

// declared is the table with the heads of what is compared.
func (v *View[P]) declared() *lists.Declared {
	of := v.Of.Titled("change", "Change, "+v.Unit.Name, v.Of.Field("change").Help)
	for i, name := range []string{"base", "test"} {
		side := "AB"[i : i+1]
		if v.Unit.Name == "points" {
			of = of.Titled(name, "Share in "+side, "of the total of "+side)
		} else {
			of = of.Titled(name, side, v.Measure)
		}
	}
	return &lists.Declared{
		Declaration: of, ID: "pairs", Title: "Changes", Opens: "Open " + of.Noun, How: v.How,
		None: page.Blank{Title: "Neither profile has any " + of.Nouns},
		Inspect: func(_ *http.Request, _ *lists.Request, in *page.Inspector, row any) error {
			if v.Inspect != nil {
				v.Inspect(in, row.(P))
			}
			return nil
		},
	}
}

// what is what changed of a row: its states, and what the family says.
func (v *View[P]) what(row P) (c page.GridCell) {
	for bit, s := range v.Of.States {
		if s.Tag != "" && row.Standing()>>bit&1 != 0 {
			c.Tags = append(c.Tags, *tagOf(s))
		}
	}
	if v.What != nil {
		c.Drawn = views.Turns(v.What(row))
	}
	return c
}

// tagOf marks the rows of a state.
func tagOf(s table.StateWord) *page.Tag {
	return &page.Tag{Text: s.Tag, Tone: cmp.Or(page.Tone(s.Tone), page.Neutral), Title: s.Title}
}

// bar makes what stands over the table, and what it says where it has no rows.
func (v *View[P]) bar(g *page.Grid, found *table.Page) page.MoveTable {
	list := v.Address.FirstPage(lists.Selected)
	current := v.query.Min
	words := []string{"", "any state"}
	for _, s := range v.Of.States {
		words = append(words, s.Word, s.Label)
	}
	t := page.MoveTable{
		Says:      humanize.Say("{} of {}", found.Matching, found.All),
		Threshold: page.RangeField{Name: "min", Label: "Minimum change, in " + v.Unit.Name},
		States:    site.Options(list.Query.Get("state"), words...),
		Signs: site.Options(list.Query.Get("direction"), "", "any direction", "more", "more in B", "less", "less in B",
			"same", "the same"),
		Keep: site.Keep(list.Without("q", "state", "direction")), KeepMin: site.Keep(list.Without("min")),
	}
	g.Chips, g.Clear = list.Chips(v.filters(), v.chip), list.Without(v.filters()...).String()
	g.CSV = lists.ForAPI(v.Address, "page", "cursor", "limit").With("format", "csv").String()
	if v.Unmangled {
		g.Modes = nil
	}
	v.thresholds(&t, list, len(g.Chips) > 0)
	if current >= 0 && len(g.Chips) == 0 {
		t.Says += "; smaller changes count as equal"
	}
	switch {
	case found.All == 0 || found.Len() > 0:
	case found.Matching > 0:
		g.Empty = &page.Blank{Title: "There is no page " + humanize.Int(v.params.Page()), Chips: g.Chips}
	case len(g.Chips) > 0:
		one, many := v.Of.Noun+" matches", v.Of.Nouns+" match"
		g.Empty = &page.Blank{
			Title: "0 of " + humanize.Plural(found.All, one, many), Text: lists.ListOf(v.Of).NoColumn(v.params.Query.Text),
			Chips: g.Chips,
		}
	default:
		g.Empty = &page.Blank{
			Title: "Nothing moved by " + v.Unit.Least(max(current, 0)) + " or more",
			Text:  "Choose a smaller minimum change above to see smaller moves.",
		}
	}
	return t
}
