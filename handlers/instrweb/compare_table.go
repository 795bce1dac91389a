package instrweb

import (
	"math"
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/instrview"
	"proflens/views/page"
)

// pairHeads are the columns of the table of changes and what they sort by.
var pairHeads = []struct {
	key, label, title string
	number            bool
	sort              query.Column
	ascending         bool
}{
	{"function", "Function", "name", false, instrdb.PairName, true},
	{"change", "Change of share", "share of the total in B minus that in A; the largest change of either sign comes first", false, instrdb.PairChange, false},
	{"a-share", "Share in A", "of the total of A", true, "", false},
	{"b-share", "Share in B", "of the total of B", true, "", false},
	{"a-total", "Total in A", "sum of all its counters", true, instrdb.PairBaseTotal, false},
	{"b-total", "Total in B", "sum of all its counters", true, instrdb.PairTestTotal, false},
	{"a-max", "Max. in A", "largest counter", true, instrdb.PairBaseMax, false},
	{"b-max", "Max. in B", "largest counter", true, instrdb.PairTestMax, false},
	{"a-class", "Class in A", "how the compiler treats it, by its maximum counter", false, "", false},
	{"b-class", "Class in B", "how the compiler treats it, by its maximum counter", false, "", false},
	{"overlap", "Overlap", "of the two records' counters, each by its own sum", true, instrdb.PairOverlap, true},
	{"state", "Record", "what the profiles have of it", false, "", false},
}

// table fills in the changes.
func (v *compareRequest) table(m *instrview.Compare, rows *instrdb.ComparePage) {
	list := v.address.Without("page", "cursor")
	m.Q = say.Visible(list.Query.Get("q"))
	m.WithState = site.Options(list.Query.Get("state"), "", "any record", "matched", "matched", "changed", "another hash", "only_base", "only in A", "only_test", "only in B")
	m.Signs = site.Options(list.Query.Get("direction"), "", "any change", "more", "more in B", "less", "less in B", "same", "the same share")
	m.Keep = site.Keep(list.Without("q", "state", "direction"))
	for _, key := range pairFilterKeys {
		if value := strings.Join(list.Query[key], ", "); value != "" {
			m.Chips = append(m.Chips, page.Chip{Text: pairChip(key, say.Printable(value)), Remove: list.Without(key).String()})
		}
	}
	m.Clear = list.Without(pairFilterKeys...).String()
	for _, h := range pairHeads {
		head := page.Head{Column: h.key, Label: h.label, Title: h.title, Number: h.number}
		if h.sort != "" {
			head.Sort, head.URL = v.sortLink(h.sort, h.ascending)
		}
		m.Heads = append(m.Heads, head)
	}
	var largest float64
	for i := range rows.Rows {
		largest = max(largest, math.Abs(rows.Rows[i].Change))
	}
	for i := range rows.Rows {
		m.Rows = append(m.Rows, v.row(&rows.Rows[i], largest))
	}
	m.Shown, m.NoMatch = "no rows", "0 of "+say.Plural(rows.All, "record matches", "records match")
	if n := len(m.Rows); n > 0 {
		m.Shown = "rows " + say.Int(v.Offset+1) + "–" + say.Int(v.Offset+n) + " of " + say.Int(rows.Matching)
	} else if rows.Matching > 0 {
		m.NoMatch = "There is no page " + say.Int(v.Page())
	}
	if rows.Matching < rows.All && rows.Matching > 0 {
		m.Held = "matching hold " + say.Percent(site.Part(rows.BaseTotal.Float64(), v.base.Total.Float64()), 1) + " of A, " +
			say.Percent(site.Part(rows.TestTotal.Float64(), v.test.Total.Float64()), 1) + " of B"
	}
	m.Pager = site.ListPager(v.address, &v.Listing, rows.Matching)
}

// pairChip writes a filter as field, operator, value.
func pairChip(key, value string) string {
	switch key {
	case "state", "base_class", "test_class", "direction":
		return strings.NewReplacer("_", " ", "base ", "A ", "test ", "B ").Replace(key+" = ") + strings.ReplaceAll(value, "_", " ")
	case "overlap":
		return "overlap " + value + " %"
	case "q", "re", "path", "rewrite", "namespace", "class", "cs":
		return site.ChipText(key, value)
	}
	return strings.NewReplacer("base_", "A ", "test_", "B ").Replace(key) + " " + site.RangeText(value)
}

// sortLink is how a column stands in the order, and the link that sorts by it.
func (v *compareRequest) sortLink(column query.Column, ascending bool) (sorted, url string) {
	o := site.OrderOf(v.Query.Sort, query.Key{}, v.address)
	return o.Link(column, ascending)
}

// row is a pair; largest is the largest change of the table, by which bars are
// drawn.
func (v *compareRequest) row(r *instrdb.PairRow, largest float64) instrview.PairRow {
	f, o, id := r.Record(), v.base, v.compared.base.ID
	if r.Base == nil {
		o, id = v.test, v.compared.test.ID
	}
	row := instrview.PairRow{
		Name: v.symbols.Name(f.Name, f.NameRef), URL: functionURL(site.PageOf(id), o, f), CS: f.CS,
		Change: page.NewChange(r.Change, largest), BaseShare: "–", TestShare: "–", Overlap: "–",
		State: stateWords[r.State][0], StateTitle: stateWords[r.State][1],
		Base: say.Number{Text: "–"}, Test: say.Number{Text: "–"}, BaseMax: say.Number{Text: "–"}, TestMax: say.Number{Text: "–"},
		BaseClass: page.Class{Reason: "no such record"}, TestClass: page.Class{Reason: "no such record"},
	}
	if b := r.Base; b != nil {
		row.BaseShare, row.Base, row.BaseMax, row.BaseClass = say.Percent(b.Share, 2), say.BigCount(b.Total.String()), say.Count(b.Max), classOf(v.base, b)
	}
	if t := r.Test; t != nil {
		row.TestShare, row.Test, row.TestMax, row.TestClass = say.Percent(t.Share, 2), say.BigCount(t.Total.String()), say.Count(t.Max), classOf(v.test, t)
	}
	if r.Overlap != nil && r.Overlap.Scored {
		row.Overlap = say.Percent(nearlyWhole(r.Overlap.Overlap.Edge), 1)
	}
	if r.State == instrdb.PairChanged && r.Base != nil && r.Test != nil {
		row.StateTitle = say.Hex64(r.Base.FuncHash) + " in A, " + say.Hex64(r.Test.FuncHash) + " in B"
	}
	return row
}

// wholeNumber writes a double that counts something.
func wholeNumber(f float64) string { return strconv.FormatFloat(f, 'f', 0, 64) }
