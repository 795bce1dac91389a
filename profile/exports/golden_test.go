package exports_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/model"
	"proflens/profile/exports"
	"proflens/profile/profiletest"
)

// Exports are what the tools whose forms they are write of the same files.
func TestExportsAsOtherToolsWriteThem(t *testing.T) {
	counts := profiles["counted machine IR"].paths
	for _, test := range []struct {
		export string
		o      exports.Options
		paths  []string
		golden string
	}{
		{
			"proftext", nil, []string{"instrprof/testdata/indexed/clang-15_ir_c.profdata"},
			"instrprof/testdata/indexed/clang-15_ir_c.profdata.golden",
		},
		{
			"proftext", nil, []string{"instrprof/testdata/correlate/clang-22_bin.profraw",
				"instrprof/testdata/correlate/clang-22_bin.elf"}, "instrprof/testdata/correlate/clang-22_bin.proftext",
		},
		{"memprof-yaml", nil, []string{"memprof/testdata/mem_v4.profdata"}, "memprof/testdata/mem_v4.golden"},
		{
			"memprof-yaml", nil, []string{"memprof/testdata/clang-22_mem_instr.profdata"},
			"memprof/testdata/clang-22_mem_instr.golden",
		},
		{"memprof-dump", nil, profiles["raw heap"].paths, "memprof/testdata/clang-22_mem_pie.golden"},
		{"mip", nil, counts, "mip/testdata/merged/counts.mip"},
		{"mip", exports.Options{"layout": "documented"}, counts, "mip/testdata/merged/counts.mip"},
		{"mip", exports.Options{"layout": "tool64"}, counts, "mip/testdata/merged/counts.tool.mip"},
		{
			"mip", nil, []string{"mip/testdata/merged/counts_a.mip", "mip/testdata/merged/counts_b.mip"},
			"mip/testdata/merged/counts_a_plus_b.mip",
		},
		{"dcpi", nil, []string{"dcpi/testdata/hand/adjacent_chunks.prof"}, "dcpi/testdata/hand/adjacent_chunks.prof"},
		{
			"sample-text", nil, []string{"sampleprof/testdata/llvm-22/probe_text.ext.afdo"},
			"sampleprof/testdata/llvm-22/probe_text.ext.afdo.proftext.golden",
		},
		{
			"sample-text", exports.Options{"convert": "flat"}, []string{"sampleprof/testdata/llvm-22/line.afdotext"},
			"sampleprof/testdata/llvm-22/flat.afdotext",
		},
		{
			"sample-binary", nil, []string{"sampleprof/testdata/llvm-22/weighted.afdo"},
			"sampleprof/testdata/llvm-22/weighted.afdo",
		},
	} {
		got, _, err := export(t, profile(t, test.paths...), test.export, test.o)
		if err != nil || !bytes.Equal(got, content(t, test.golden)) {
			t.Errorf("%s of %v: %v\n%.2000s", test.export, test.paths, err,
				cmp.Diff(string(content(t, test.golden)), string(got)))
		}
	}
}

// JSON says what the fixtures' own readers say; of runs one by one too.
func TestJSONAsOtherReadersHaveIt(t *testing.T) {
	for _, test := range []struct {
		export string
		o      exports.Options
		paths  []string
		golden string
	}{
		{"mip-json", nil, []string{"mip/testdata/merged/counts.mip"}, "mip/testdata/merged/counts.mip.json"},
		{
			"mip-json", exports.Options{"run": "2"}, profiles["counted machine IR"].paths,
			"mip/testdata/merged/counts.1.mipraw.json",
		},
		{"dcpi-json", nil, []string{"dcpi/testdata/cat/dump1.txt"}, "dcpi/testdata/cat/dump1.txt.json"},
	} {
		got, _, err := export(t, profile(t, test.paths...), test.export, test.o)
		if err != nil {
			t.Fatal(test.export, err)
		}
		var is, want map[string]any
		if err := json.Unmarshal(got, &is); err != nil {
			t.Fatal(test.export, err)
		}
		if err := json.Unmarshal(content(t, test.golden), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, is); diff != "" {
			t.Errorf("%s of %v: %s", test.export, test.paths, diff)
		}
	}
}

// Of indexed heap profiles there is no text: a script gets the nothing that
// llvm-profdata writes, anybody else the reason.
func TestNothingToWrite(t *testing.T) {
	e, _ := exports.Find("proftext")
	plan, err := e.Plan(profile(t, "memprof/testdata/mem_v4.profdata"), nil)
	if err != nil || !strings.Contains(plan.Nothing, "memprof-yaml") {
		t.Fatalf("%+v, %v", plan, err)
	}
	var b bytes.Buffer
	if _, err := plan.Write(&b); err != nil || b.Len() != 0 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
}

// An indexed profile has the version that was asked for, and says what is not
// quite as it was; it is read again to the same counters.
func TestIndexedVersions(t *testing.T) {
	p := profile(t, "instrprof/testdata/indexed/clang-15_ir_c.profdata")
	want, _, err := export(t, p, "proftext", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := exports.Find("profdata")
	for asked, version := range map[string]int{"8": 8, "12": 12} {
		plan, err := e.Plan(p, exports.Options{"version": asked})
		if err != nil || plan.Version != version {
			t.Fatalf("version %s: %+v, %v", asked, plan, err)
		}
		var b bytes.Buffer
		if _, err := plan.Write(&b); err != nil || b.Bytes()[8] != byte(version) {
			t.Errorf("version %s: %v", asked, err)
		}
	}
	if got, _, err := export(t, p, "proftext", nil); err != nil || !bytes.Equal(got, want) {
		t.Errorf("writing it changed the profile: %v", err)
	}
	temporal := profile(t, profiles["temporal counters"].paths...)
	if _, err := e.Plan(temporal, exports.Options{"version": "5"}); model.KindOf(err) != model.KindLossy {
		t.Errorf("traces in version 5: %v", err)
	}
	if plan, err := e.Plan(temporal, exports.Options{"version": "5", "lossy": "true"}); err != nil ||
		len(plan.Findings) == 0 {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestOrderOptions(t *testing.T) {
	p := profile(t, profiles["temporal counters"].paths...)
	lines := func(o exports.Options) []string {
		got, _, err := export(t, p, "order", o)
		if err != nil {
			t.Fatal(o, err)
		}
		return strings.Split(strings.TrimSuffix(string(got), "\n"), "\n")
	}
	all, macho := lines(nil), lines(exports.Options{"macho": "true"})
	for i := range all {
		if len(macho) != len(all) || macho[i] != "_"+all[i] && macho[i] != all[i] { // a name with \1 has none
			t.Errorf("line %d: %q and %q", i, all[i], macho[i])
		}
	}
	p = profile(t, profiles["counted machine IR"].paths...)
	all = lines(nil)
	if often := lines(exports.Options{"min-runs": "3"}); len(often) == 0 || len(often) >= len(all) {
		t.Errorf("%d of %d functions ran in each run", len(often), len(all))
	}
	if _, _, err := export(t, p, "order", exports.Options{"run": "4"}); err == nil {
		t.Error("there are three runs")
	}
}

// The weights of folded stacks add up to what the profile has of each.
func TestFoldedWeights(t *testing.T) {
	p := profile(t, "memprof/testdata/mem_v4.profdata")
	sums := map[string]string{}
	for _, w := range []string{"", "bytes", "allocations"} {
		got, _, err := export(t, p, "folded", exports.Options{"w": w})
		if err != nil {
			t.Fatal(w, err)
		}
		sums[w] = string(got)
	}
	if sums[""] != sums["bytes"] || sums["bytes"] == sums["allocations"] {
		t.Errorf("%v", sums)
	}
	mangled, _, err := export(t, profile(t, profiles["raw heap"].paths...), "folded", exports.Options{"names": "mangled"})
	full, _, other := export(t, profile(t, profiles["raw heap"].paths...), "folded", nil)
	if err != nil || other != nil || !strings.Contains(string(mangled), ";_Z") || strings.Contains(string(full), ";_Z") {
		t.Errorf("%v, %v:\n%.500s\n%.500s", err, other, mangled, full)
	}
}

// A table is whole, in the form that was asked for, and says of which files only
// the beginning was read.
func TestTables(t *testing.T) {
	p := profile(t, profiles["samples of two hosts"].paths...)
	p.Info.Partial = []model.Partial{{File: "cut", Section: "samples", End: 9, Records: 1, Promised: 2, Leading: true}}
	db := profiletest.Store(t, p)
	write := func(name, table string) string {
		e, _ := exports.Find(name)
		var b bytes.Buffer
		if err := e.WriteTables(t.Context(), &b, db, t.TempDir(), exports.Options{"table": table}); err != nil {
			t.Fatal(name, table, err)
		}
		return b.String()
	}
	rows, err := csv.NewReader(strings.NewReader(write("csv", "platforms"))).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != "pecan" || rows[2][0] != "walnut" {
		t.Errorf("%v, %v", rows, err)
	}
	const says = `"partial":["partial: \"cut\": records 1-1 of 2; the file ends at byte 9, in the samples"]`
	for _, name := range []string{"json", "ndjson"} {
		if text := write(name, "procedures"); !strings.Contains(text, says) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if database := write("sqlite", ""); !strings.HasPrefix(database, "SQLite format 3\x00") {
		t.Errorf("%.20q is no database", database)
	}
}

// A table that is written without storing the profile is the same as of the stored one.
func TestTablesOfWhatIsNotStored(t *testing.T) {
	listed := 0
	for what, test := range profiles {
		for _, o := range []exports.Options{
			{}, {"names": "mangled", "guard": "true"}, {"cols": "total,demangled,cum", "names": "short"},
		} {
			for _, name := range []string{"csv", "json", "ndjson", "sqlite"} {
				e, _ := exports.Find(name)
				var b bytes.Buffer
				written, err := e.WriteTable(t.Context(), &b, profile(t, test.paths...), o)
				if !written {
					if b.Len() > 0 {
						t.Errorf("%s as %s is not written, and has %d bytes", what, name, b.Len())
					}
					continue
				}
				listed++
				var want bytes.Buffer
				stored := profiletest.Store(t, profile(t, test.paths...))
				if other := e.WriteTables(t.Context(), &want, stored, t.TempDir(), o); err != nil || other != nil ||
					b.String() != want.String() {
					t.Errorf("%s as %s, %v: %v, %v:\n%.500s\nwant\n%.500s", what, name, o, err, other, b.String(), want.String())
				}
			}
		}
	}
	if listed < 3*3 {
		t.Errorf("%d tables were written without storing", listed)
	}
	e, _ := exports.Find("csv")
	_, err := e.WriteTable(t.Context(), io.Discard, profile(t, profiles["counters"].paths...),
		exports.Options{"cols": "total,nothing"})
	if wrong, ok := errors.AsType[*exports.OptionError](err); !ok || wrong.Name != "cols" ||
		!strings.Contains(wrong.Msg, `"nothing"`) {
		t.Error(err)
	}
}
