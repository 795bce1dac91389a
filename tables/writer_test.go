package tables

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"proflens/memtest"
)

var hostileCells = []string{
	"plain", "=1+1", "+1", "-[View draw]", "@SUM(A1)", "\tx", "\rx", "a,b", `a"b`, "a\nb", "a\r\nb\rc", "bytes \xff\xfe", "\u202eabc", "<b>&amp;", "",
}

// A CSV has texts as they are, line ends too; guarded, none that is a formula to a
// spreadsheet, but for linkage names.
func TestCSVRows(t *testing.T) {
	for _, guard := range []bool{false, true} {
		var b bytes.Buffer
		w, err := newCSV(&b, Head{Names: []string{"text", "linkage_name", "count", "ratio", "bool", "null"}, Guard: guard})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range hostileCells {
			if err := w.Row([]Cell{Text(s), Text(s), BigCount("36893488147419103232"), Ratio(0.25), Bool(true), {}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.End(End{Rows: len(hostileCells)}); err != nil {
			t.Fatal(err)
		}
		records := parseCSV(t, b.String())
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
	var b bytes.Buffer
	w := newNDJSON(&b, Head{Names: []string{"text", "count", "gone", "null"}, Quote: true})
	for _, s := range hostileCells {
		if err := w.Row([]Cell{Text(s), Count(1<<64 - 1), Absent, {}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(End{Rows: len(hostileCells)}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != len(hostileCells)+1 || lines[len(hostileCells)] != `{"_end":true,"rows":15}` {
		t.Fatalf("%d lines, the last %s", len(lines), lines[len(lines)-1])
	}
	for i, s := range hostileCells {
		var row map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &row); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if row["text"] != strings.ToValidUTF8(s, "\ufffd") || row["count"] != "18446744073709551615" || row["null"] != nil || len(row) != 3 {
			t.Errorf("%q became %v", s, row)
		}
	}
}

func TestTextRows(t *testing.T) {
	var b bytes.Buffer
	w, err := newText(&b, Head{Names: []string{"n", "word", "share", "name"}, Widths: []int{5, 6, 8, 0}})
	if err != nil {
		t.Fatal(err)
	}
	w.Row([]Cell{Int(12), Text("hot"), Ratio(0.5), Text("a\x1b[31m b")})
	w.Row([]Cell{Int(3), {}, Ratio(0.015), Text("c")})
	w.End(End{Rows: 2})
	const want = "    n    word     share  name\n   12  hot       50.00%  a\ufffd[31m b\n    3             1.50%  c\n"
	if got := b.String(); got != want {
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
		if want, _ := json.Marshal(s); !json.Valid(want) || got != strings.ToValidUTF8(s, "\ufffd") && !strings.Contains(got, "\ufffd") {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}

// A difference of shares has its sign where people read it, and is a plain
// number for programs.
func TestChangeCell(t *testing.T) {
	for change, want := range map[float64]string{0.25: "+25.00%", -0.001: "-0.10%", 1e-9: "0.00%", -1e-9: "0.00%", 0: "0.00%"} {
		var text, table bytes.Buffer
		w, err := newText(&text, Head{Names: []string{"change"}, Widths: []int{7}})
		if err == nil {
			err = w.Row([]Cell{Change(change)})
		}
		if err == nil {
			err = w.End(End{})
		}
		if got := strings.Fields(text.String()); err != nil || len(got) != 2 || got[1] != want {
			t.Errorf("%g is %q, %v", change, got, err)
		}
		c, err := newCSV(&table, Head{Names: []string{"change"}})
		if err == nil {
			err = c.Row([]Cell{Change(change)})
		}
		if err == nil {
			err = c.End(End{})
		}
		if want := "change\r\n" + strconv.FormatFloat(change, 'g', -1, 64) + "\r\n"; err != nil || table.String() != want {
			t.Errorf("%g is %q, %v", change, table.String(), err)
		}
	}
}
