package tables_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/profile/tables"
)

// TestEveryTable tries every table of every profile.
func TestEveryTable(t *testing.T) {
	for what, profile := range profiles {
		t.Run(what, func(t *testing.T) {
			p := database(t, profile.paths...)
			got := map[string]bool{}
			for _, e := range tables.Of(p.Overview.Info.Families) {
				if len(rowsOf(t, p, e.Name)) > 0 {
					got[e.Name] = true
				}
				checkFormats(t, p, e.Name)
				checkPages(t, p, e.Name)
				checkColumns(t, p, e.Name)
				checkQuotes(t, p, e.Name)
			}
			if diff := cmp.Diff(profile.rows, got); diff != "" { // rows of what there is, and no others
				t.Error(diff)
			}
		})
	}
}

// some is how many rows are enough where each is tried in many ways.
const some = 20

// checkFormats fails unless a table has the same rows and the same values in every
// format.
func checkFormats(t *testing.T, p *stored.Profile, name string) {
	t.Helper()
	listing := opened(t, p, name, options)
	head, err := listing.Select(nil, table.FormatJSON)
	if err != nil {
		t.Fatal(name, err)
	}
	columns := head.Head.Names
	json := listed(t, listing, 0, -1, columns...)
	if json.Total != len(json.Items) || json.NextCursor != nil {
		t.Errorf("%s: %d rows of %d, and then %v", name, len(json.Items), json.Total, json.NextCursor)
	}
	asCSV, _, err := written(t.Context(), listing, table.FormatCSV, columns, 0, -1)
	if err != nil {
		t.Fatal(name, err)
	}
	rows := records(t, asCSV)
	if !slices.Equal(rows[0], columns) || len(rows) != len(json.Items)+1 {
		t.Fatalf("%s: %d rows of CSV with %v, %d of JSON with %v", name, len(rows)-1, rows[0], len(json.Items), columns)
	}
	for i, item := range json.Items {
		for n, column := range columns {
			value, has := item[column]
			if !has && column != "name_hex" {
				t.Errorf("%s: row %d has no %s", name, i, column)
			}
			if !sameCell(t, value, rows[i+1][n]) {
				t.Errorf("%s: row %d: %s is %v in JSON, and %q in CSV", name, i, column, value, rows[i+1][n])
			}
		}
	}
	checkNDJSON(t, name, listing, columns, json.Items)
	checkText(t, name, listing, len(json.Items))
}

// sameCell tells whether CSV has what JSON has.
func sameCell(t *testing.T, value any, cell string) bool {
	t.Helper()
	switch v := value.(type) {
	case nil:
		return cell == ""
	case string:
		return cell == v || strings.HasPrefix(cell, "'") && cell[1:] == v &&
			strings.ContainsRune("=+-@\t\r\n", rune(v[0])) || strings.ReplaceAll(v, "\r\n", "\n") == cell
	case json.Number:
		return cell == v.String()
	case bool:
		return cell == strconv.FormatBool(v)
	}
	var nested any
	d := json.NewDecoder(strings.NewReader(cell))
	d.UseNumber()
	return d.Decode(&nested) == nil && reflect.DeepEqual(nested, value)
}

// checkNDJSON fails unless NDJSON has the items, an object a line, and a last line
// with how many there are.
func checkNDJSON(t *testing.T, name string, listing table.Table, columns []string, items []map[string]any) {
	t.Helper()
	text, _, err := written(t.Context(), listing, table.FormatNDJSON, columns, 0, -1)
	if err != nil {
		t.Fatal(name, err)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != len(items)+1 || lines[len(items)] != `{"_end":true,"rows":`+strconv.Itoa(len(items))+`}` {
		t.Fatalf("%s: %d lines of %d rows, the last %s", name, len(lines), len(items), lines[len(lines)-1])
	}
	for i, item := range items {
		var got map[string]any
		d := json.NewDecoder(strings.NewReader(lines[i]))
		d.UseNumber()
		if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, item) {
			t.Errorf("%s: line %d is %s, %v", name, i, lines[i], err)
		}
	}
}

// checkText fails unless text is a line a row below one of names, of characters
// that a terminal can show.
func checkText(t *testing.T, name string, listing table.Table, rows int) {
	t.Helper()
	text, _, err := written(t.Context(), listing, table.FormatText, nil, 0, -1)
	if err != nil {
		t.Fatal(name, err)
	}
	if got := strings.Count(text, "\n"); got != rows+1 || !utf8.ValidString(text) {
		t.Errorf("%s: %d lines of %d rows", name, got, rows)
	}
	for _, r := range text {
		if r < ' ' && r != '\n' || r == 0x7f {
			t.Fatalf("%s: a terminal takes %q for a command in %q", name, r, text)
		}
	}
}

// checkPages fails unless the pages of a table are the table, however small they
// are: each ends where the next begins.
func checkPages(t *testing.T, p *stored.Profile, name string) {
	t.Helper()
	listing := opened(t, p, name, options)
	whole := listed(t, listing, 0, -1)
	for _, size := range []int{1, max(1, whole.Total*2/3)} {
		if whole.Total > some*size/2 {
			continue
		}
		var items []map[string]any
		for offset := 0; ; {
			page := listed(t, listing, offset, size)
			items = append(items, page.Items...)
			if page.Total != whole.Total || len(page.Items) > size {
				t.Errorf("%s: %d rows of %d from %d on, %d were asked for", name, len(page.Items), page.Total, offset, size)
			}
			if page.NextCursor == nil {
				break
			}
			next, err := strconv.Atoi(*page.NextCursor)
			if err != nil || next != offset+size {
				t.Fatalf("%s: after %d rows from %d on comes %s", name, size, offset, *page.NextCursor)
			}
			offset = next
		}
		if len(whole.Items) > 0 && !reflect.DeepEqual(whole.Items, items) {
			t.Errorf("%s in pages of %d: %.1000s", name, size, cmp.Diff(whole.Items, items))
		}
	}
	if past := listed(t, listing, whole.Total+5, 10); len(past.Items) != 0 || past.Total != whole.Total ||
		past.NextCursor != nil {
		t.Errorf("%s: %d rows past its end of %d", name, len(past.Items), past.Total)
	}
}

// checkColumns fails unless any column can be had, and any two the other way round;
// one that is not there is told with those that are.
func checkColumns(t *testing.T, p *stored.Profile, name string) {
	t.Helper()
	listing := opened(t, p, name, options)
	_, err := listing.Select([]string{"no such column"}, table.FormatCSV)
	unknown, ok := errors.AsType[*table.ColumnError](err)
	if !ok || unknown.Name != "no such column" || len(unknown.Known) == 0 {
		t.Fatalf("%s: %v", name, err)
	}
	all := unknown.Known
	if slices.Sort(all); len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("%s has two columns of one name: %v", name, all)
	}
	whole := listed(t, listing, 0, some/4, all...).Items
	for i, column := range all {
		beside := all[(i+1)%len(all)]
		text, _, err := written(t.Context(), listing, table.FormatCSV, []string{beside, column}, 0, some/4)
		if err != nil {
			t.Fatal(name, column, err)
		}
		rows := records(t, text)
		if !slices.Equal(rows[0], []string{beside, column}) {
			t.Errorf("%s: %v was asked for, and here is %v", name, []string{beside, column}, rows[0])
		}
		for n, item := range whole {
			if !sameCell(t, item[beside], rows[n+1][0]) || !sameCell(t, item[column], rows[n+1][1]) {
				t.Errorf("%s, row %d: %v; in JSON %s is %v, and %s %v", name, n, rows[n+1], beside, item[beside], column,
					item[column])
			}
		}
	}
	for _, f := range []table.Format{table.FormatCSV, table.FormatText} { // what is usual is there
		if _, err := listing.Select(nil, f); err != nil {
			t.Errorf("%s, %s: %v", name, f, err)
		}
	}
}

// checkQuotes fails unless counts are strings where JavaScript asks for it, and
// numbers for everybody else: nothing else differs.
func checkQuotes(t *testing.T, p *stored.Profile, name string) {
	t.Helper()
	plain := listed(t, opened(t, p, name, options), 0, some)
	o := options
	o.Quote = true
	quoted := listed(t, opened(t, p, name, o), 0, some)
	if !sameButForQuotes(plain.more, quoted.more) {
		t.Errorf("%s: %.500s", name, cmp.Diff(plain.more, quoted.more))
	}
	large := func(n json.Number) bool {
		digits := strings.TrimPrefix(n.String(), "-")
		return len(digits) >= 16 && !strings.ContainsAny(digits, ".e")
	}
	for i, item := range quoted.Items {
		for column, value := range item {
			if n, ok := value.(json.Number); ok && large(n) {
				t.Errorf("%s, row %d: JavaScript cannot hold %s %s", name, i, column, n)
			}
		}
	}
}

// sameButForQuotes tells whether two values of JSON are the same but for numbers
// that are strings in the second.
func sameButForQuotes(plain, quoted any) bool {
	switch p := plain.(type) {
	case map[string]any:
		q, ok := quoted.(map[string]any)
		if !ok || len(p) != len(q) {
			return false
		}
		for key := range p {
			if !sameButForQuotes(p[key], q[key]) {
				return false
			}
		}
		return true
	case []any:
		q, ok := quoted.([]any)
		if !ok || len(p) != len(q) {
			return false
		}
		for i := range p {
			if !sameButForQuotes(p[i], q[i]) {
				return false
			}
		}
		return true
	case json.Number:
		return quoted == any(p) || quoted == any(p.String())
	}
	return plain == quoted
}
