package instrweb

import (
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/page"
)

// rowList is a list of rows of functions: its columns, and what it can be filtered
// by.
type rowList struct {
	heads  []site.Column
	sorts  []query.Column
	ranges []query.Column // numbers that a range selects
	usual  query.Key      // the order without sort=
	noun   [2]string      // one row, many
}

// keys are the parameters of the list.
func (l *rowList) keys() []string {
	return slices.Concat([]string{"q", "re"}, columnWords(l.ranges), []string{"sort"}, site.ListingKeys)
}

// rowParams is a request for such a list.
type rowParams struct {
	site.Listing
	Query instrdb.RowQuery // with Offset and Limit as in the listing
	Sel   string           // the row in the inspector; of pages alone
}

// read reads the parameters of the list.
func (l *rowList) read(v *site.Values) rowParams {
	p := rowParams{Listing: v.Listing(), Sel: v.One("sel")}
	q := &p.Query
	q.Text, q.Regexp = strings.TrimSpace(v.One("q")), v.One("re")
	if _, err := names.NewMatcher(q.Text, ""); err != nil {
		v.Fail("q", "%v", err)
	}
	if _, err := names.NewMatcher("", q.Regexp); err != nil {
		v.Fail("re", "%v; use RE2 syntax", err)
	}
	for _, column := range l.ranges {
		if text := v.One(string(column)); text != "" {
			low, high := v.Span(string(column), text)
			q.Ranges = append(q.Ranges, query.Range{Column: column, Min: low, Max: high})
		}
	}
	q.Sort = v.Sort("sort", l.sorts)
	q.Offset, q.Limit = p.Offset, p.Limit
	return p
}

// parse reads a request for the list and nothing else. Errors are *site.ParamError.
func (l *rowList) parse(q url.Values, more ...string) (rowParams, error) {
	v, err := site.NewValues(q, slices.Concat(l.keys(), more))
	if err != nil {
		return rowParams{}, err
	}
	p := l.read(v)
	return p, v.Err
}

// selKey is the parameter of pages that a row of a list is selected by.
const selKey = "sel"

// rowsFound is how many rows a page shows, and of how many.
type rowsFound struct{ shown, matching, all, scanned, functions int }

// frame is what stands around the rows.
func (l *rowList) frame(a site.Address, p *rowParams, n rowsFound) page.List {
	list := a.Without(selKey)
	m := page.List{
		Filter: page.QuickFilter{Action: a.Path, Q: p.Query.Text, Label: "function", Keep: site.Keep(list.Without("q", "page", "cursor"))},
		Heads:  site.ColumnHeads(l.heads, site.OrderOf(p.Query.Sort, l.usual, a, orderWord(l.usual))), Modes: site.ModeSegments(a, p.Names),
		CSV: list.Without("page", "cursor", "limit").With("format", "csv").String(), Shown: "no rows",
		Pager: site.ListPager(a.Without(selKey), &p.Listing, n.matching),
	}
	for _, key := range slices.Concat([]string{"q", "re"}, columnWords(l.ranges)) {
		if value := a.Query.Get(key); value != "" {
			m.Chips = append(m.Chips, page.Chip{Text: site.ChipText(key, say.Printable(value)), Remove: list.Without(key, "page", "cursor").String()})
		}
	}
	if n.shown > 0 {
		m.Shown = "rows " + say.Int(p.Offset+1) + "–" + say.Int(p.Offset+n.shown) + " of " + say.Int(n.matching)
	}
	if n.scanned < n.functions && p.Query.Text+p.Query.Regexp != "" {
		m.Incomplete = &page.Incomplete{Searched: "searched " + say.Int(n.scanned) + " of " + say.Plural(n.functions, "function", "functions"), URL: a.String()}
	}
	if n.matching == 0 {
		m.Empty = &page.Blank{Title: "0 of " + say.Plural(n.all, l.noun[0], l.noun[1]) + " match", Chips: m.Chips}
	}
	m.Inspector = a.Inspector(l.noun[0])
	return m
}

// orderWord is a key as sort= has it.
func orderWord(k query.Key) string {
	if k.Desc {
		return "-" + string(k.Column)
	}
	return string(k.Column)
}

func init() {
	site.OrderKeys([]string{"sum", "top_count", "distinct", "bytes", "set", "unset", "place", "first", "traces", "addresses"})
}
