package tables_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// many is the file of a stored profile of so many functions; the first has the
// largest count.
func many(t testing.TB, functions int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(":ir\n")
	for i := range functions {
		fmt.Fprintf(&text, "function_%05d_of_many\n1\n1\n%d\n\n", i, functions-i)
	}
	p, err := decode.Open(t.Context(), []format.File{file("many.proftext", text.String())}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return profiletest.Path(t, p)
}

// A file that is damaged in the middle gives the rows before and then the fault,
// in every format: nobody takes it for the end.
func TestDamageInTheMiddle(t *testing.T) {
	path := many(t, 5000)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	hit := false
	for at := 0; at+page <= len(data); at += page {
		if bytes.Contains(data[at:at+page], []byte("function_03333_of_many")) && data[at] == 0x0d { // a leaf of a table
			copy(data[at:], make([]byte, 64))
			hit = true
		}
	}
	if !hit {
		t.Fatal("no page has the function")
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []table.Format{table.FormatCSV, table.FormatJSON, table.FormatNDJSON, table.FormatText} {
		functions := opened(t, profiletest.At(t, path), "functions", options)
		rows, err := functions.Select([]string{"rank", "name"}, f)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		begun := 0
		end, err := rows.Copy(t.Context(), 0, -1, func() (*table.Writer, error) {
			begun++
			return table.NewWriter(&b, f, rows.Head)
		})
		if !errors.Is(err, stored.ErrDamaged) || end.Rows < 3000 || end.Rows > 3332 || begun != 1 {
			t.Errorf("%s: %d rows, begun %d times, %v", f, end.Rows, begun, err)
		}
		if f == table.FormatNDJSON && strings.Contains(b.String(), "_end") || f == table.FormatJSON &&
			strings.Contains(b.String(), `"total"`) {
			t.Errorf("%s says that it is whole: %.100s", f, b.String()[b.Len()-100:])
		}
		begun = 0
		if _, err := rows.Copy(t.Context(), 3300, 100,
			func() (*table.Writer, error) { begun++; return nil, nil }); !errors.Is(err, stored.ErrDamaged) || begun != 0 {
			t.Errorf("%s: begun %d times before the fault shows, %v", f, begun, err)
		}
	}
}

// Who leaves in the middle has the rows before, and is told that they are not all.
func TestLeavingInTheMiddle(t *testing.T) {
	functions := opened(t, profiletest.At(t, many(t, 5000)), "functions", options)
	rows, err := functions.Select([]string{"rank"}, table.FormatCSV)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	leaving := &leaver{after: 1500, leave: cancel}
	begin := func(w io.Writer) func() (*table.Writer, error) {
		return func() (*table.Writer, error) { return table.NewWriter(w, table.FormatCSV, rows.Head) }
	}
	end, err := rows.Copy(ctx, 0, -1, begin(leaving))
	if !errors.Is(err, context.Canceled) || end.Rows < 1500 || end.Rows == 5000 {
		t.Errorf("%d rows, %v", end.Rows, err)
	}
	full := errors.New("the disk is full")
	failing := &leaver{after: 10, fault: full}
	if end, err := rows.Copy(t.Context(), 0, -1, begin(failing)); err != full || failing.writes != 1 {
		t.Errorf("%d writes, %+v, %v", failing.writes, end, err)
	}
	if _, err := rows.Copy(t.Context(), 0, -1, func() (*table.Writer, error) { return nil, full }); err != full {
		t.Error(err)
	}
}

// leaver is a writer whose reader leaves, or whose disk fills, after some lines.
type leaver struct {
	after, lines, writes int
	leave                func()
	fault                error
}

func (l *leaver) Write(b []byte) (int, error) {
	l.writes++
	if l.lines += bytes.Count(b, []byte("\n")); l.lines < l.after {
		return len(b), nil
	}
	if l.leave != nil {
		l.leave()
	}
	return len(b), l.fault
}

// Names are whole in CSV and JSON, whatever a spreadsheet makes of them, and harmless
// in a terminal; what is no text has its bytes beside it.
func TestHostileNames(t *testing.T) {
	hostile := []string{
		"=HYPERLINK(1)", "+1", "-[View draw]", "@SUM(A1)", `say "hi", twice`, "a,b;c", "tab\there", "\u202etxt.exe",
		"<script>alert(1)</script>", "\xff\xfe", "'quoted'",
	}
	var text strings.Builder
	text.WriteString(":ir\n")
	for i, name := range hostile {
		fmt.Fprintf(&text, "%s\n1\n1\n%d\n\n", name, 100-i)
	}
	functions := opened(t, store(t, file("x.proftext", text.String())), "functions", options)
	asCSV, _, err := written(t.Context(), functions, table.FormatCSV, []string{"name", "name_hex"}, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(asCSV)).ReadAll()
	if err != nil || len(rows) != len(hostile)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	json := listed(t, functions, 0, -1, "name", "name_hex").Items
	for i, name := range hostile {
		readable := strings.ToValidUTF8(name, "\ufffd")
		if json[i]["name"] != readable {
			t.Errorf("%q is %q in JSON", name, json[i]["name"])
		}
		if hex, has := json[i]["name_hex"]; has != (readable != name) || has && hex != fmt.Sprintf("%x", name) ||
			rows[i+1][1] != map[bool]string{true: fmt.Sprintf("%x", name)}[has] {
			t.Errorf("%q has the bytes %v", name, hex)
		}
		if cell := rows[i+1][0]; cell != readable {
			t.Errorf("%q is %q in CSV", name, cell)
		}
	}
	asText, _, err := written(t.Context(), functions, table.FormatText, []string{"name"}, 0, -1)
	if err != nil || strings.ContainsAny(asText, "\t\u202e") || !utf8.ValidString(asText) ||
		strings.Count(asText, "\n") != len(hostile)+1 {
		t.Errorf("%q, %v", asText, err)
	}
}
