package profiletest

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/table"
)

// Envelope is what JSON has around and of the rows of a table.
func Envelope(t testing.TB, d *table.Declaration, find table.Find) map[string]any {
	t.Helper()
	rows, err := d.Open(find, table.Query{}, table.Options{Demangle: strings.Clone}, true).Select(nil, table.FormatJSON)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := rows.Page(t.Context(), &b, 0, few); err != nil {
		t.Fatal(err)
	}
	object := map[string]any{}
	if err := json.Unmarshal(b.Bytes(), &object); err != nil {
		t.Fatal(err, b.String())
	}
	return object
}

// Records are the rows of a table as CSV has them, by column.
func Records(t testing.TB, of table.Table) (list []map[string]string) {
	t.Helper()
	rows, err := of.Select(nil, table.FormatCSV)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_, err = rows.Copy(t.Context(), 0, -1, func() (*table.Writer, error) {
		return table.NewWriter(&b, table.FormatCSV, rows.Head)
	})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		list = append(list, row)
	}
	return list
}

// Row is a row of a table: the text of each column, and its number where it has one.
type Row struct {
	Text   map[string]string
	Number map[string]float64
	Names  []string // that words are sought in
}

// key tells rows apart that differ in anything but where they stand.
func (r *Row) key() string {
	var list []string
	for name, text := range r.Text {
		if name != "rank" && name != "cum_share" {
			list = append(list, name+"="+text)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// Rows are those of a table that a query selects.
func Rows(t testing.TB, d *table.Declaration, find table.Find, q table.Query) []Row {
	t.Helper()
	q.Limit = cmp.Or(q.Limit, math.MaxInt32)
	page, err := find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]Row, page.Len())
	for i := range rows {
		rows[i] = Row{Text: map[string]string{}, Number: map[string]float64{}}
		for _, f := range d.Fields() {
			row := page.Row(i)
			text := f.Text(row)
			rows[i].Text[f.Name] = text
			if sought, ok := f.Value(row).(table.Sought); ok && f.Words {
				sought.Words(func(name []byte) { rows[i].Names = append(rows[i].Names, string(name)) })
			} else if f.Words && text != "" {
				rows[i].Names = append(rows[i].Names, text)
			}
			if n, ok := f.Float(row); ok {
				rows[i].Number[f.Name] = n
			}
		}
	}
	return rows
}

// few is how many rows are looked at in every order: of larger tables the first.
const few = 60

// Table fails unless a table selects, orders and pages its rows as a plain list of them would be:
// by what their columns show. Columns with an order of their own are left to the caller, and with
// "q" among them words that are sought elsewhere.
func Table(t testing.TB, d *table.Declaration, find table.Find, own ...string) {
	t.Helper()
	all := Rows(t, d, find, table.Query{})
	same := func(what string, got, want []Row) {
		t.Helper()
		keys := func(rows []Row) (list []string) {
			for i := range rows {
				list = append(list, rows[i].key())
			}
			return list
		}
		a, b := keys(got), keys(want)
		slices.Sort(a)
		if slices.Sort(b); !slices.Equal(a, b) {
			t.Errorf("%s: %d rows, not the %d of a plain list", what, len(a), len(b))
		}
	}
	for _, column := range d.Sorts() {
		name := string(column)
		for _, desc := range []bool{false, true} {
			q := query.RowQuery{Sort: []query.Key{{Column: column, Desc: desc}}, Limit: few}
			rows := Rows(t, d, find, table.Query{RowQuery: q})
			if len(all) <= few {
				same("sort="+name, rows, all)
			}
			if slices.Contains(own, name) {
				continue
			}
			for i := 1; i < len(rows); i++ {
				order := compared(&rows[i-1], &rows[i], name)
				if desc && order < 0 || !desc && order > 0 {
					t.Errorf("sort=%s, descending %v: row %d has %q after %q", name, desc, i, rows[i].Text[name],
						rows[i-1].Text[name])
					break
				}
			}
		}
	}
	for _, f := range d.Fields() {
		if f.Range && len(all) > 0 {
			least := all[len(all)/2].Number[f.Name]
			low, high := math.Floor(max(least, 1)), math.Floor(max(least, 1))*3
			r := query.Range{Column: query.Column(f.Name), Min: uint64(low), Max: uint64(high)}
			if f.Unit == table.Part {
				low, high = least, least*3
				r.Min, r.Max = query.Ordered(low), query.Ordered(high)
			}
			same(f.Name+" in a range", Rows(t, d, find, table.Query{RowQuery: query.RowQuery{Ranges: []query.Range{r}}}),
				where(all, func(r2 *Row) bool {
					n, ok := r2.Number[f.Name]
					return ok && n >= low && n <= high
				}))
		}
	}
	for _, i := range []int{0, len(all) / 2} {
		if i >= len(all) || len(all[i].Names) == 0 || slices.Contains(own, "q") {
			continue
		}
		word := all[i].Names[len(all[i].Names)/2]
		matcher, err := names.NewMatcher(word, "")
		if err != nil {
			t.Fatal(err)
		}
		same("q="+word, Rows(t, d, find, table.Query{RowQuery: query.RowQuery{Text: word}}), where(all, func(r *Row) bool {
			return matcher.Match([]byte(strings.Join(r.Names, "\n")))
		}))
	}
	var paged []Row
	for size := len(all)/3 + 1; len(paged) < len(all); {
		page := Rows(t, d, find, table.Query{RowQuery: query.RowQuery{Offset: len(paged), Limit: size}})
		if paged = append(paged, page...); len(page) == 0 {
			break
		}
	}
	same("pages", paged, all)
	if items, _ := Envelope(t, d, find)["items"].([]any); len(items) != min(few, len(all)) {
		t.Errorf("%d items of %d rows", len(items), len(all))
	}
}

// compared orders two rows by a column, 0 where one has nothing there.
func compared(a, b *Row, name string) int {
	if _, metric := a.Number[name+"_covered"]; metric { // they are ordered by the share that is covered
		name += "_share"
	}
	x, has := a.Number[name]
	y, both := b.Number[name]
	v, w := a.Text[name], b.Text[name]
	switch {
	case has && both && strings.HasSuffix(name, "_change"): // by their size
		return cmp.Compare(math.Abs(x), math.Abs(y))
	case has && both:
		return cmp.Compare(x, y)
	case has || both || v == "" || w == "":
		return 0
	case strings.HasPrefix(v, "0x") && strings.HasPrefix(w, "0x"): // addresses
		return cmp.Or(len(v)-len(w), strings.Compare(v, w))
	}
	return strings.Compare(strings.ToLower(v), strings.ToLower(w))
}

func where(rows []Row, has func(*Row) bool) (list []Row) {
	for i := range rows {
		if has(&rows[i]) {
			list = append(list, rows[i])
		}
	}
	return list
}
