package tables_test

import (
	"proflens/profile/table"
	"slices"
	"strings"
	"testing"
)

// Names are in a CSV byte for byte: line ends within, and the signs that those of
// Objective-C begin with. A guard that keeps a spreadsheet from taking them for
// formulas is asked for, and leaves linkage names alone.
func TestNamesInCSV(t *testing.T) {
	for path, want := range map[string][]string{
		"names_with_cr_lf.profraw": {
			"null\u00a0nbsp", "\u202ertl", "_D4main3fooFZv", "trail ", "?foo@@YAXXZ", "$s4main3fooyyF", "_RNvC6_123foo3bar",
			`\back\slash`, "cr\rret",
			"\ufffd bad utf8", "_ZN1a1bEv.part.0.cold", "_ZN1a1bEv.llvm.12345", "%s%d%00", "#hash", "a/b/../c.c;fn", "=1+1",
			"comma,name",
			"<script>alert(1)</script>", " lead space", "new\nline", "tab\there", "üñï😀", "a:b.c;d/e.cpp;g", "semi;colon;x",
			`we"ird`, "main",
		},
		"objc.proftext": {"+[Foo baz]", "-[Foo bar:]", "\x01_ZN1aE", "@x"},
	} {
		plain, plainLinkage := namesInCSV(t, path, false)
		if !slices.Equal(plain, want) {
			t.Errorf("%s: names %q, want %q", path, plain, want)
		}
		guarded, linkage := namesInCSV(t, path, true)
		if !slices.Equal(linkage, plainLinkage) {
			t.Errorf("%s: guarded linkage names %q, want %q", path, linkage, plainLinkage)
		}
		for i, name := range want {
			if strings.ContainsAny(name[:1], "=+-@") {
				name = "'" + name
			}
			if guarded[i] != name {
				t.Errorf("%s: guarded %q, want %q", path, guarded[i], name)
			}
		}
	}
}

// namesInCSV are the names and linkage names of a file's functions.
func namesInCSV(t *testing.T, path string, guard bool) (names, linkage []string) {
	t.Helper()
	rows, err := opened(t, database(t, "instrprof/testdata/faults/"+path), "functions",
		options).Select([]string{"name", "linkage_name"}, table.FormatCSV)
	if err != nil {
		t.Fatal(err)
	}
	rows.Head.Guard = guard
	var b strings.Builder
	if _, err := rows.Copy(t.Context(), 0, -1,
		func() (*table.Writer, error) { return table.NewWriter(&b, table.FormatCSV, rows.Head) }); err != nil {
		t.Fatal(err)
	}
	for _, row := range records(t, b.String())[1:] {
		names, linkage = append(names, row[0]), append(linkage, row[1])
	}
	return names, linkage
}
