package tables_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/names"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/profile/tables"
)

const testdata = "../../decode/"

// content is a fixture, unpacked.
func content(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(testdata + path)
	if err == nil {
		return data
	}
	packed, err := os.Open(testdata + path + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}

// database is where fixtures are, that are together one profile, as it is stored.
func database(t testing.TB, paths ...string) *stored.Profile {
	t.Helper()
	var files []format.File
	for _, path := range paths {
		files = append(files, format.File{Name: filepath.Base(path), Data: content(t, path)})
	}
	return store(t, files...)
}

func store(t testing.TB, files ...format.File) *stored.Profile {
	t.Helper()
	p, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return profiletest.Store(t, p)
}

var options = table.Options{Demangle: func(linkage string) string { return names.Demangle(linkage, names.Full) }}

// opened is a table of a profile.
func opened(t testing.TB, p *stored.Profile, name string, o table.Options) table.Table {
	t.Helper()
	e, err := tables.Find(p.Overview.Info.Families, name)
	if err != nil {
		t.Fatal(err)
	}
	listing, err := e.Open(t.Context(), p, o)
	if err != nil {
		t.Fatal(name, err)
	}
	return listing
}

// written is rows of a table in a format.
func written(ctx context.Context, listing table.Table, f table.Format, columns []string,
	offset, limit int) (string, table.End, error) {
	rows, err := listing.Select(columns, f)
	if err != nil {
		return "", table.End{}, err
	}
	var b bytes.Buffer
	end, err := rows.Copy(ctx, offset, limit, func() (*table.Writer, error) { return table.NewWriter(&b, f, rows.Head) })
	return b.String(), end, err
}

// list is what a table is in JSON: its rows, and the members beside them.
type list struct {
	Items      []map[string]any
	NextCursor *string `json:"next_cursor"`
	Total      int
	more       map[string]any
}

// listed is rows of a table as JSON, with numbers as they are written.
func listed(t testing.TB, listing table.Table, offset, limit int, columns ...string) (l list) {
	t.Helper()
	text, _, err := written(t.Context(), listing, table.FormatJSON, columns, offset, limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, into := range []any{&l, &l.more} {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(into); err != nil {
			t.Fatalf("%v in %.300s", err, text)
		}
	}
	return l
}

// rowsOf are all rows of a table of a profile.
func rowsOf(t testing.TB, p *stored.Profile, name string, columns ...string) []map[string]any {
	t.Helper()
	return listed(t, opened(t, p, name, options), 0, -1, columns...).Items
}

// records are the rows of CSV, the names first.
func records(t testing.TB, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return rows
}

// profiles are files of every family and kind, and of which tables they have rows.
var profiles = map[string]struct {
	paths []string
	rows  map[string]bool // of tables that are not empty
}{
	"counters": {
		[]string{"instrprof/testdata/indexed/clang-22_cs_merged.profdata"},
		set("functions values values-memop coverage coverage-namespace binary-ids"),
	},
	"vtables": {[]string{"instrprof/testdata/indexed/clang-22_vtable_kept.profdata"},
		set("functions values values-memop values-vtable vtables vtable-sites coverage coverage-namespace binary-ids")},
	"bitmaps": {
		[]string{"instrprof/testdata/indexed/clang-19_mcdc.profdata"},
		set("functions coverage coverage-namespace bitmaps binary-ids"),
	},
	"build IDs": {
		[]string{"instrprof/testdata/indexed/clang-16_buildid.profdata"},
		set("functions values values-memop coverage coverage-namespace binary-ids"),
	},
	"traces": {
		[]string{"instrprof/testdata/indexed/text_temporal.profdata"},
		set("functions coverage coverage-namespace traces order"),
	},
	"with heap": {
		[]string{"memprof/testdata/clang-22_mem_instr.profdata"},
		set("functions values values-memop coverage coverage-namespace binary-ids allocations sites sites-line sites-file " +
			"sites-blame calls pruned-contexts call-sites"),
	},
	"raw heap": {
		[]string{"memprof/testdata/clang-22_mem_pie.memprofraw", "memprof/testdata/clang-22_mem_pie.exe"},
		set("allocations sites sites-line sites-file sites-blame calls heap-lines pruned-contexts modules call-sites"),
	},
	"addresses": {
		[]string{"memprof/testdata/clang-22_mem_pie.memprofraw"},
		set("allocations sites sites-line sites-file sites-blame calls pruned-contexts modules"),
	},
	"histograms": {
		[]string{"memprof/testdata/clang-22_mem_hist.memprofraw", "memprof/testdata/clang-22_mem_hist.exe"},
		set("allocations sites sites-line sites-file sites-blame calls heap-lines pruned-contexts modules call-sites"),
	},
	"data": {
		[]string{"memprof/testdata/mem_dap.yaml"},
		set("data-access allocations sites sites-line sites-file sites-blame pruned-contexts call-sites"),
	},
	"report": {
		[]string{"memprof/testdata/clang-22_mem_exec.report"},
		set("allocations sites sites-line sites-file sites-blame calls heap-lines pruned-contexts modules"),
	},
	"IR lines": {
		[]string{"llvm/testdata/shapes/ir.profraw", "llvm/testdata/shapes/ir.exe"},
		set("functions function-lines values coverage coverage-namespace binary-ids"),
	},
	"machine IR": {
		[]string{"mip/testdata/merged/counts.mipmap", "mip/testdata/merged/counts.0.mipraw",
			"mip/testdata/merged/counts.1.mipraw"}, set("functions dead coverage coverage-namespace order runs"),
	},
	"covered":    {[]string{"mip/testdata/merged/coverage.mip"}, set("functions dead coverage coverage-namespace")},
	"runs alone": {[]string{"mip/testdata/merged/counts.0.mipraw"}, set("runs")},
	"odd names":  {[]string{"mip/testdata/names/all.mip"}, set("functions dead coverage coverage-namespace order")},
	"samples": {[]string{
		"dcpi/testdata/db/9711040900/pecan/app_660b03cd5eed_cycles",
		"dcpi/testdata/db/9711040900/walnut/app_660b03cd5eed_imiss",
		"dcpi/testdata/db/9711050900/pecan/app_660b03cd5eed_cycles", "dcpi/testdata/db/app.nmS",
	},
		set("samples procedures images epochs platforms diff dcpi-profiles")},
	"lines": {[]string{"covmap/testdata/clang-22/rules/rules.profdata", "covmap/testdata/clang-22/rules/rules.exe"},
		set("functions coverage coverage-namespace bitmaps binary-ids coverage-files coverage-functions coverage-lines " +
			"coverage-branches coverage-mcdc")},
	"lines of another build": {[]string{"covmap/testdata/joined/stale.profdata", "covmap/testdata/joined/stale.exe"},
		set("functions coverage coverage-namespace binary-ids coverage-files coverage-functions coverage-lines " +
			"coverage-branches coverage-misfits")},
	"samples of lines": {
		[]string{"sampleprof/testdata/llvm-22/symlist.ext.afdo"},
		set("functions hot contexts records targets edges symbols summary sections"),
	},
	"samples located": {
		[]string{"sampleprof/testdata/llvm-22/line.ext.afdo", "sampleprof/testdata/programs/lines.elf"},
		set("functions hot contexts records targets edges symbols sample-lines summary sections"),
	},
	"contexts": {
		[]string{"sampleprof/testdata/text/contexts.afdotext"}, set("functions hot contexts records targets edges summary"),
	},
	"samples of probes": {
		[]string{"sampleprof/testdata/text/small.ext.afdo"},
		set("functions hot contexts records targets edges symbols summary sections"),
	},
	"hashes": {
		[]string{"sampleprof/testdata/llvm-16/md5_compressed.ext.afdo"},
		set("functions hot contexts records targets edges summary sections"),
	},
	"a dump": {
		[]string{"dcpi/testdata/cat/dump1.txt"}, set("samples procedures images epochs platforms diff dcpi-profiles"),
	},
}

func set(words string) map[string]bool {
	s := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		s[word] = true
	}
	return s
}
