package instrdb_test

import (
	"bytes"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// A list of a profile that nobody stores has the rows of the stored one in its order: many of one
// total, names alike to their last bytes, totals beyond 64 bits.
func TestAListHasTheStoredRows(t *testing.T) {
	alike := func(n int) *synthetic {
		src := typical(n, 3)
		for i := range src.functions {
			f := &src.functions[i]
			f.Name = []byte(strings.Repeat("x", 20) + string(rune('a'+i%7)) + "yyyyyy" + string(rune('a'+i%11)))
			f.NameRef = refOf(f.Name)
			if i%3 > 0 {
				f.Counters = []uint64{0, uint64(i % 2)}
			}
		}
		return src
	}
	vast := awkward(2_000, 5)
	for i := range 50 {
		vast.functions[i].Counters = []uint64{instrprof.MaxCount, instrprof.MaxCount - uint64(i%3), 1}
	}
	for name, src := range map[string]*synthetic{
		"typical": typical(5_000, 1), "awkward": awkward(5_001, 9), "names alike": alike(2_000), "a few alike": alike(300),
		"vast totals": vast, "empty": typical(0, 1),
	} {
		list, err := instrdb.List(t.Context(), partOf(src))
		if err != nil {
			t.Fatal(err)
		}
		stored := openSource(t, src).FindFunctions(instrdb.Query{})
		got, want := csvOf(t, instrdb.Functions, list.Find), csvOf(t, instrdb.Functions, stored)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the list differs", name)
		}
		if want := csvOf(t, instrdb.Functions.And("records"), stored); !bytes.Equal(got, want) {
			t.Errorf("%s: whole rows are not their cells", name)
		}
	}
}

// csvOf is the usual columns as a declaration writes them: cell by cell where it has others too.
func csvOf(t *testing.T, d *table.Declaration, find table.Find) []byte {
	t.Helper()
	o := table.Options{Demangle: func(linkage string) string { return strings.Replace(linkage, "a", "a, b", 1) }}
	var columns []string
	for _, f := range instrdb.Functions.Columns() {
		if !f.Extra {
			columns = append(columns, f.Name)
		}
	}
	rows, err := d.Open(find, table.Query{}, o, true).Select(columns, table.FormatCSV)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := rows.Copy(t.Context(), 0, -1,
		func() (*table.Writer, error) { return table.NewWriter(&b, table.FormatCSV, rows.Head) }); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
