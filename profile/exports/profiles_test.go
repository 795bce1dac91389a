package exports_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile/exports"
	"proflens/profile/profiletest"
)

const testdata = "../../decode/"

// content is a fixture, unpacked.
func content(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(testdata + path)
	if err == nil {
		return data
	}
	packed, err := os.ReadFile(testdata + path + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}

// profile is what fixtures are together.
func profile(t testing.TB, paths ...string) *format.Profile {
	t.Helper()
	var files []format.File
	for _, path := range paths {
		files = append(files, format.File{Name: filepath.Base(path), Data: content(t, path)})
	}
	p, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// profiles are those of every family and kind that exports tell apart, by what
// they are, with the exports that a list of downloads offers of each: the label
// of each way.
var profiles = map[string]struct {
	paths   []string
	offered map[string][]string
}{
	"counters": {
		[]string{"instrprof/testdata/indexed/clang-15_ir_c.profdata"},
		map[string][]string{
			"proftext": {"Text"}, "pprof": {"pprof"}, "csv": {"CSV"}, "ndjson": {"NDJSON"}, "sqlite": {"SQLite"},
		},
	},
	"temporal counters": {
		[]string{
			"instrprof/testdata/correlate/clang-22_temporal.profraw", "instrprof/testdata/correlate/clang-22_temporal.elf",
		},
		map[string][]string{
			"proftext": {"Text"}, "order": {"Order file"}, "pprof": {"pprof"}, "csv": {"CSV"}, "ndjson": {"NDJSON"},
			"sqlite": {"SQLite"},
		},
	},
	"counters and heap": {
		[]string{"memprof/testdata/clang-22_mem_instr.profdata"},
		map[string][]string{"proftext": {"Text"}, "memprof-yaml": {"MemProf YAML"}, "pprof": {"pprof"}, "folded": {"Folded"},
			"speedscope": {"Speedscope"},
			"csv":        {"CSV"}, "ndjson": {"NDJSON"}, "sqlite": {"SQLite"}},
	},
	"indexed heap": {
		[]string{"memprof/testdata/mem_v4.profdata"},
		map[string][]string{"memprof-yaml": {"MemProf YAML"}, "pprof": {"pprof"}, "folded": {"Folded"},
			"speedscope": {"Speedscope"},
			"csv":        {"CSV"}, "ndjson": {"NDJSON"}, "sqlite": {"SQLite"}},
	},
	"raw heap": {
		[]string{"memprof/testdata/clang-22_mem_pie.memprofraw", "memprof/testdata/clang-22_mem_pie.exe"},
		map[string][]string{"memprof-yaml": {"MemProf YAML"}, "memprof-dump": {"MemProf dump"}, "pprof": {"pprof"},
			"folded": {"Folded"}, "speedscope": {"Speedscope"},
			"csv": {"CSV"}, "ndjson": {"NDJSON"}, "sqlite": {"SQLite"}},
	},
	"heap of addresses": {
		[]string{"memprof/testdata/clang-22_mem_pie.memprofraw"},
		map[string][]string{
			"pprof": {"pprof"}, "folded": {"Folded"}, "speedscope": {"Speedscope"}, "csv": {"CSV"}, "ndjson": {"NDJSON"},
			"sqlite": {"SQLite"},
		},
	},
	"report": {
		[]string{"memprof/testdata/clang-22_mem_exec.report"},
		map[string][]string{
			"pprof": {"pprof"}, "folded": {"Folded"}, "speedscope": {"Speedscope"}, "csv": {"CSV"}, "ndjson": {"NDJSON"},
			"sqlite": {"SQLite"},
		},
	},
	"counted machine IR": {
		[]string{
			"mip/testdata/merged/counts.mipmap", "mip/testdata/merged/counts.0.mipraw", "mip/testdata/merged/counts.1.mipraw",
			"mip/testdata/merged/counts.2.mipraw",
		},
		map[string][]string{
			"order": {"Order file"}, "mip-json": {"JSON"}, "mip": {"MIP", "MIP, 64-bit offsets"}, "csv": {"CSV"},
			"ndjson": {"NDJSON"}, "sqlite": {"SQLite"},
		},
	},
	"covered machine IR": {
		[]string{"mip/testdata/merged/coverage.mip"},
		map[string][]string{
			"mip-json": {"JSON"}, "mip": {"MIP", "MIP, 64-bit offsets"}, "csv": {"CSV"}, "ndjson": {"NDJSON"},
			"sqlite": {"SQLite"},
		},
	},
	"runs of machine IR": {
		[]string{"mip/testdata/merged/counts.0.mipraw"},
		map[string][]string{"mip-json": {"JSON"}, "csv": {"CSV"}, "ndjson": {"NDJSON"}, "sqlite": {"SQLite"}},
	},
	"a file of samples": {
		[]string{"dcpi/testdata/db/9711040900/pecan/app_660b03cd5eed_cycles"},
		map[string][]string{"dcpi-json": {"DCPI as JSON"}, "dcpi": {"DCPI"}, "pprof": {"pprof"},
			"folded": {"Folded, cycles"}, "speedscope": {"Speedscope"},
			"csv":  {"Procedures, CSV", "Addresses, CSV", "Profiles, CSV"},
			"json": {"Procedures, JSON", "Addresses, JSON", "Profiles, JSON"}, "sqlite": {"SQLite"}},
	},
	"samples of two hosts": {
		[]string{
			"dcpi/testdata/db/9711040900/pecan/app_660b03cd5eed_cycles",
			"dcpi/testdata/db/9711040900/walnut/app_660b03cd5eed_cycles", "dcpi/testdata/db/app.nm",
		},
		map[string][]string{"dcpi": {"DCPI"}, "pprof": {"pprof"}, "folded": {"Folded, cycles"}, "speedscope": {"Speedscope"},
			"csv":  {"Procedures, CSV", "Addresses, CSV", "Profiles, CSV"},
			"json": {"Procedures, JSON", "Addresses, JSON", "Profiles, JSON"}, "sqlite": {"SQLite"}},
	},
	"samples of two events": {
		[]string{
			"dcpi/testdata/db/9711040900/pecan/app_660b03cd5eed_cycles",
			"dcpi/testdata/db/9711040900/pecan/app_660b03cd5eed_imiss",
		},
		map[string][]string{"pprof": {"pprof"}, "folded": {"Folded, cycles", "Folded, imiss"}, "speedscope": {"Speedscope"},
			"csv":  {"Procedures, CSV", "Addresses, CSV", "Profiles, CSV"},
			"json": {"Procedures, JSON", "Addresses, JSON", "Profiles, JSON"}, "sqlite": {"SQLite"}},
	},
	"a dump of samples": {
		[]string{"dcpi/testdata/cat/dump1.txt"},
		map[string][]string{"dcpi-json": {"DCPI as JSON"}, "pprof": {"pprof"}, "speedscope": {"Speedscope"},
			"folded": {"Folded, cycles", "Folded, imiss"},
			"csv":    {"Procedures, CSV", "Addresses, CSV", "Profiles, CSV"},
			"json":   {"Procedures, JSON", "Addresses, JSON", "Profiles, JSON"}, "sqlite": {"SQLite"}},
	},
}

// export writes a profile in a form; what cannot be is its error.
func export(t testing.TB, p *format.Profile, name string, o exports.Options) ([]byte, []model.Finding, error) {
	t.Helper()
	e, err := exports.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if e.Of != "" {
		return b.Bytes(), nil, e.WriteTables(t.Context(), &b, profiletest.Store(t, p), t.TempDir(), o)
	}
	plan, err := e.Plan(p, o)
	if err != nil {
		return nil, nil, err
	}
	found, err := plan.Write(&b)
	return b.Bytes(), append(plan.Findings, found...), err
}
