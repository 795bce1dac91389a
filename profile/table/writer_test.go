package table

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"proflens/internal/memtest"
)

var hostileCells = []string{
	"plain", "=1+1", "+1", "-[View draw]", "@SUM(A1)", "\tx", "\rx", "a,b", `a"b`, "a\nb", "a\r\nb\rc", "bytes \xff\xfe",
	"\u202eabc", "<b>&amp;", "",
}

// whole is a table of rows, as it is written.
func whole(t *testing.T, f Format, h Head, rows ...[]Cell) string {
	t.Helper()
	var b strings.Builder
	w, err := NewWriter(&b, f, h)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		cells := make([]func() Cell, len(row))
		for at, c := range row {
			cells[at] = func() Cell { return c }
		}
		if err := w.row(cells, i == 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(End{Rows: len(rows)}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A CSV has texts as they are, line ends too; guarded, none that is a formula to a
// spreadsheet, but for linkage names.
func TestCSVRows(t *testing.T) {
	for _, guard := range []bool{false, true} {
		var rows [][]Cell
		for _, s := range hostileCells {
			rows = append(rows, []Cell{Text(s), Text(s), BigCount("36893488147419103232"), Ratio(0.25), Bool(true), {}})
		}
		records := parseCSV(t, whole(t, FormatCSV,
			Head{Names: []string{"text", "linkage_name", "count", "ratio", "bool", "null"}, Guard: guard}, rows...))
		if len(records) != len(hostileCells)+1 {
			t.Fatalf("%d records", len(records))
		}
		for i, record := range records[1:] {
			want := strings.ToValidUTF8(hostileCells[i], "\ufffd")
			if record[1] != want {
				t.Errorf("a linkage name %q became %q", want, record[1])
			}
			if guard && want != "" && strings.ContainsRune("=+-@\t\r\n", rune(want[0])) {
				want = "'" + want
			}
			if record[0] != want {
				t.Errorf("guarded %t: %q became %q", guard, want, record[0])
			}
			if got := strings.Join(record[2:], " "); got != "36893488147419103232 0.25 true " {
				t.Errorf("record %d: %s", i, got)
			}
		}
	}
}

// parseCSV reads RFC 4180 to the letter, as encoding/csv, which drops CR, does not.
func parseCSV(t *testing.T, text string) (records [][]string) {
	t.Helper()
	var record []string
	for text != "" {
		var field string
		if rest, ok := strings.CutPrefix(text, `"`); ok {
			for {
				part, after, ok := strings.Cut(rest, `"`)
				if !ok {
					t.Fatal("a quote is not closed")
				}
				field += part
				if rest, ok = strings.CutPrefix(after, `"`); !ok {
					text = after
					break
				}
				field += `"`
			}
		} else {
			end := strings.IndexAny(text, ",\r")
			field, text = text[:end], text[end:]
		}
		record = append(record, field)
		if rest, ok := strings.CutPrefix(text, "\r\n"); ok {
			records, record, text = append(records, record), nil, rest
			continue
		}
		text = strings.TrimPrefix(text, ",")
	}
	return records
}

func TestNDJSONRows(t *testing.T) {
	var rows [][]Cell
	for _, s := range hostileCells {
		rows = append(rows, []Cell{Text(s), Count(1<<64 - 1), Absent, {}})
	}
	text := whole(t, FormatNDJSON, Head{Names: []string{"text", "count", "gone", "null"}, Quote: true}, rows...)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != len(hostileCells)+1 || lines[len(hostileCells)] != `{"_end":true,"rows":15}` {
		t.Fatalf("%d lines, the last %s", len(lines), lines[len(lines)-1])
	}
	for i, s := range hostileCells {
		var row map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &row); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if row["text"] != strings.ToValidUTF8(s, "\ufffd") || row["count"] != "18446744073709551615" || row["null"] != nil ||
			len(row) != 3 {
			t.Errorf("%q became %v", s, row)
		}
	}
}

func TestTextRows(t *testing.T) {
	got := whole(t, FormatText, Head{Names: []string{"n", "word", "share", "name"}, Widths: []int{5, 6, 8, 0}},
		[]Cell{Int(12), Text("hot"), Ratio(0.5), Text("a\x1b[31m b")}, []Cell{Int(3), {}, Ratio(0.015), Text("c")})
	const want = "    n    word     share  name\n   12  hot       50.00%  a\ufffd[31m b\n    3             1.50%  c\n"
	if got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range hostileCells {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		defer memtest.Watch(t, len(s))()
		var got string
		if err := json.Unmarshal(AppendString(nil, s), &got); err != nil {
			t.Fatalf("%q is not JSON: %v", s, err)
		}
		if want, _ := json.Marshal(s); !json.Valid(want) || got != strings.ToValidUTF8(s, "\ufffd") &&
			!strings.Contains(got, "\ufffd") {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}

// A difference of shares has its sign where people read it, and is a plain
// number for programs.
func TestChangeCell(t *testing.T) {
	for change, want := range map[float64]string{
		0.25: "+25.00%", -0.001: "-0.10%", 1e-9: "0.00%", -1e-9: "0.00%", 0: "0.00%",
	} {
		text := whole(t, FormatText, Head{Names: []string{"change"}, Widths: []int{7}}, []Cell{Change(change)})
		if got := strings.Fields(text); len(got) != 2 || got[1] != want {
			t.Errorf("%g is %q", change, got)
		}
		table := whole(t, FormatCSV, Head{Names: []string{"change"}}, []Cell{Change(change)})
		if want := "change\r\n" + strconv.FormatFloat(change, 'g', -1, 64) + "\r\n"; table != want {
			t.Errorf("%g is %q", change, table)
		}
	}
}

// What a cell has of the row before, or of the cell before, is written as if it were alone.
func TestCSVOfWhatComesAgain(t *testing.T) {
	head := Head{Names: []string{"name", "linkage_name", "share", "change"}, Widths: make([]int, 4), Guard: true}
	rows := [][]Cell{
		{Text(""), Text(""), Ratio(0), Change(0)},
		{Text("-a,b"), Text("-a,b"), Ratio(0.5), Change(0.5)},
		{Text("-a,b"), Text("-a"), Ratio(0.5), Null},
		{Text("c,d"), Text("c,d"), Null, Change(0.5)},
		{Text("e"), Text("e"), Ratio(0.5), Change(math.Copysign(0, -1))},
	}
	const want = "name,linkage_name,share,change\r\n,,0,0\r\n\"'-a,b\",\"-a,b\",0.5,0.5\r\n\"'-a,b\",-a,0.5,\r\n" +
		"\"c,d\",\"c,d\",,0.5\r\ne,e,0.5,-0\r\n"
	if out := whole(t, FormatCSV, head, rows...); out != want {
		t.Errorf("%q, expected\n%q", out, want)
	}
}
