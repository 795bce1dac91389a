// Package lists is how a list that is sorted and filtered is asked for, what stands
// around its rows, and its table in the API and the exports, whatever its rows are.
package lists

import (
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// List is a list of rows: its columns, and what it can be filtered by.
type List struct {
	Heads  []site.Column
	Sorts  []query.Column
	Ranges []query.Column // numbers that a range selects
	Usual  query.Key      // the order without sort=
	Noun   string         // one row
	Nouns  string         // many
	Words  string         // what words are sought in; empty for Noun
	// Nameless is set where rows have no words that could be sought.
	Nameless bool
	Vary     bool // what it is sorted by depends on the profile: it is checked later
	// Least is the number among Ranges that has a field beside the words; none where
	// its Name is empty.
	Least page.RangeField
	Of    *table.Declaration // that has its columns, with their units
	// Instead are the ranges to type in place of columns that have none.
	Instead map[string]string
}

// Selected is the parameter of pages that a row is selected by.
const Selected = "sel"

// Keys are the parameters of the list.
func (l *List) Keys() []string { return slices.Concat(l.Filters(), []string{"sort"}, site.ListingKeys) }

// Filters are the parameters that select rows.
func (l *List) Filters() []string {
	var keys []string
	if !l.Nameless {
		keys = []string{"q", "re"}
	}
	return append(keys, site.Words(l.Ranges)...)
}

// Params is a request for a list.
type Params struct {
	site.Listing
	Query query.RowQuery // with Offset and Limit as in the listing
}

// Read reads the parameters of the list.
func (l *List) Read(v *site.Values) Params { return l.Rows(v, v.Listing()) }

// Rows reads those of them that select rows; the others were read.
func (l *List) Rows(v *site.Values, listing site.Listing) Params {
	p := Params{Listing: listing}
	q := &p.Query
	q.Text, q.Regexp = strings.TrimSpace(v.Words("q")), v.Pattern("re")
	if _, err := names.NewTerms(q.Text, q.Regexp); err != nil {
		v.Fail("q", "%v", err)
	}
	q.Ranges = RangesOf(v, l.Of, l.Ranges)
	if q.Sort = v.Order("sort"); !l.Vary {
		v.Sorted("sort", q.Sort, l.Sorts)
	}
	q.Offset, q.Limit = p.Offset, p.Limit
	return p
}

// RangesOf reads the parameters that are ranges of these columns of a table.
func RangesOf(v *site.Values, of *table.Declaration, columns []query.Column) (list []query.Range) {
	for _, column := range columns {
		name := string(column)
		text := v.One(name)
		switch f := of.Field(name); {
		case text == "":
		case f != nil && f.Unit == table.Part:
			low, high := v.ShareSpan(name, text)
			list = append(list, query.Range{Column: column, Min: query.Ordered(low), Max: query.Ordered(high)})
		default:
			low, high := v.Span(name, text)
			list = append(list, query.Range{Column: column, Min: low, Max: high})
		}
	}
	return list
}

// Chip writes a filter as field, operator, value.
func (l *List) Chip(key, value string) string {
	text := site.ChipText(key, value)
	if f := l.Of.Field(key); f != nil && f.Unit == table.Part {
		text += " %"
	}
	return text
}

// Parse reads a request for the list and, of more, nothing else. Errors are
// *site.ParamError.
func (l *List) Parse(q url.Values, more ...string) (Params, error) {
	v := site.NewValues(q, slices.Concat(l.Keys(), more))
	p := l.Read(v)
	return p, v.Err
}

// Found is how many rows a page shows, and of how many. Where names are still being
// searched, that has come to Scanned of Functions.
type Found struct{ Shown, Matching, All, Scanned, Functions int }

// Frame is what stands around the rows.
func (l *List) Frame(a site.Address, p *Params, n Found) page.List {
	list := a.Without(Selected)
	first := list.FirstPage()
	m := page.List{
		Filter: l.filter(first, p), Heads: l.heads(p, a), Modes: site.ModeSegments(a, p.Names),
		CSV: first.Without("limit").With("format", "csv").String(), Shown: ShownRows(p.Offset, n.Shown, n.Matching),
		Pager: site.ListPager(list, &p.Listing, n.Matching), Chips: list.Chips(l.Filters(), l.Chip),
	}
	if n.Scanned < n.Functions && p.Query.Text+p.Query.Regexp != "" {
		m.Incomplete = &page.Incomplete{
			Searched: humanize.Say("searched {} of {function}", n.Scanned, n.Functions),
			URL:      a.String(),
		}
	}
	if n.Matching == 0 {
		m.Empty = &page.Blank{
			Title: "0 of " + humanize.Plural(n.All, l.Noun, l.Nouns) + " match", Text: l.NoColumn(p.Query.Text), Chips: m.Chips,
		}
	}
	m.Inspector = a.Inspector(l.Noun)
	return m
}

// filter is the field for words, and that for the least number.
func (l *List) filter(a site.Address, p *Params) page.QuickFilter {
	f := page.QuickFilter{
		Action: a.Path, Q: p.Query.Text, Label: l.Noun, Keep: site.Keep(a.Without("q", l.Least.Name)), Typed: l.Suggested(),
	}
	if l.Words != "" {
		f.Label = l.Words
	}
	if least := l.Least; least.Name != "" {
		least.Value = a.Query.Get(least.Name)
		f.Ranges = append(f.Ranges, least)
	}
	return f
}

func (l *List) heads(p *Params, a site.Address) []page.Head {
	word := string(l.Usual.Column)
	if l.Usual.Desc {
		word = "-" + word
	}
	return site.ColumnHeads(l.Heads, site.OrderOf(p.Query.Sort, l.Usual, a, word))
}
