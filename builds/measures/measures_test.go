package measures_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/builds/measures"
	"proflens/decode/unidiff"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
)

const (
	oracles  = "../../handlers/testdata/oracles/"
	sampled  = "../../decode/sampleprof/testdata/"
	mapped   = "../../decode/covmap/testdata/"
	machine  = "../../decode/mip/testdata/"
	heaps    = "../../profile/memprofdb/testdata/"
	database = "../../decode/dcpi/testdata/db/"
)

func opened(t *testing.T, paths ...string) *stored.Profile {
	t.Helper()
	p, _ := profiletest.Open(t, paths...)
	return p
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil && filepath.Ext(path) == ".gz" {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func of(t *testing.T, p *stored.Profile) measures.Set {
	t.Helper()
	set, err := measures.Of(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	listed(t, set, false)
	return set
}

func between(t *testing.T, base, test *stored.Profile) measures.Set {
	t.Helper()
	set, err := measures.Between(t.Context(), base, test)
	if err != nil {
		t.Fatal(err)
	}
	listed(t, set, true)
	return set
}

// listed checks that all of a set are measures of their family, and of one profile or of two.
func listed(t *testing.T, set measures.Set, pair bool) {
	t.Helper()
	for key, v := range set {
		found := measures.Find(key)
		if len(found) != 1 || found[0].Pair != pair || (found[0].Unit == measures.Part) != (v.Of > 0) ||
			found[0].Each != strings.Contains(key, ":") {
			t.Errorf("%s is %v, measured as %+v", key, found, v)
		}
	}
}

// is checks values as texts: "82", "87/106", or of three digits in per cent "72.833%".
func is(t *testing.T, set measures.Set, want map[string]string) {
	t.Helper()
	for key, text := range want {
		v, ok := set[key]
		got := strconv.FormatFloat(v.N, 'f', -1, 64)
		if percent, part := v.Share(); part {
			if got += "/" + strconv.FormatFloat(v.Of, 'f', -1, 64); strings.HasSuffix(text, "%") {
				got = fmt.Sprintf("%.3f%%", percent)
			}
		}
		if v.Exact != "" {
			got = v.Exact
		}
		if !ok {
			got = "absent"
		}
		if got != text {
			t.Errorf("%s is %s, want %s", key, got, text)
		}
	}
}

// Names are of one measure in a family, and of the same unit in all.
func TestNames(t *testing.T) {
	units := map[string]measures.Unit{}
	for _, f := range measures.Families {
		seen := map[string]bool{}
		if f.Needs == "" {
			t.Errorf("%s does not say what it needs", f.Name)
		}
		for i := range f.Measures {
			m := &f.Measures[i]
			if seen[m.Name] || m.Title == "" || m.Says == "" || m.Family != f.Name || strings.ContainsAny(m.Name, ".:") {
				t.Errorf("%+v", m)
			}
			if unit, ok := units[m.Name]; ok && unit != m.Unit {
				t.Errorf("%s is in %s and in %s", m.Name, unit, m.Unit)
			}
			seen[m.Name], units[m.Name] = true, m.Unit
			if found := measures.Find(m.Key()); len(found) != 1 || found[0] != m || measures.FamilyOf(m).Name != f.Name {
				t.Errorf("%s finds %v", m.Key(), found)
			}
			if !slices.Contains(measures.Find(m.Name), m) {
				t.Errorf("%s is not found", m.Name)
			}
		}
	}
}

// Counters are as many, and overlap as much, as llvm-profdata says.
func TestInstr(t *testing.T) {
	base := opened(t, oracles+"ir_c.profdata")
	is(t, of(t, base), map[string]string{
		"instr.total": "1079558", "instr.functions": "45", "instr.counters_run": "165/182",
	})
	test := opened(t, oracles+"ir_weighted.profdata")
	is(t, between(t, base, test), map[string]string{"instr.overlap": "72.833%", "instr.stale": "0/45"})
	same := between(t, base, base)
	is(t, same, map[string]string{
		"instr.overlap": "1/1", "instr.hot_lost": "0/" + number(of(t, base)["instr.hot_functions"]), "instr.stale": "0/45",
	})
	if v := same["instr.hot_kept"]; v.N != v.Of || v.N == 0 {
		t.Errorf("of itself it keeps %v", v)
	}
	is(t, between(t, opened(t, oracles+"base.proftext"), opened(t, oracles+"test.proftext")),
		map[string]string{"instr.overlap": "39.762%"})
}

// Context-sensitive records are judged where there are no others, and functions that
// ThinLTO promoted keep their counts under another name.
func TestInstrContextSensitive(t *testing.T) {
	const reports = "../../command/testdata/reports/"
	base, test := opened(t, reports+"cs3.profraw"), opened(t, reports+"cs5.profraw")
	is(t, between(t, base, base), map[string]string{
		"instr.overlap": "1/1", "instr.overlap_cs": "1/1", "instr.overlap_plain": "absent",
	})
	is(t, between(t, base, test), map[string]string{"instr.hot_lost": "0/2", "instr.hot_kept": "2/2"})
}

// The overlap is llvm-profdata's, which pairs names alone, so only main: neither what was
// promoted nor what is read behind it changes that.
func TestOverlapBesidePromoted(t *testing.T) {
	of := func(module string) *stored.Profile {
		path := filepath.Join(t.TempDir(), module+".proftext")
		text := ":ir\nmain\n1\n2\n10\n1\n\n_ZL6helperi.llvm." + module + "\n77\n2\n100\n50\n\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return opened(t, path)
	}
	is(t, between(t, of("111"), of("112")), map[string]string{"instr.overlap": "6.832%", "instr.hot_lost": "0/2"})
}

func number(v measures.Value) string { return strconv.FormatFloat(v.N, 'f', -1, 64) }

// A hot function is lost that is gone, has other code, never ran or is cold; one that is
// warm is neither lost nor kept.
func TestHotLost(t *testing.T) {
	write := func(name string, text string) *stored.Profile {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return opened(t, path)
	}
	function := func(name string, hash int, count uint64) string {
		return fmt.Sprintf("%s\n%d\n1\n%d\n\n", name, hash, count)
	}
	base, test := ":ir\n", ":ir\n"
	for _, f := range []struct {
		name string
		hash int
		test uint64
	}{{"kept", 1, 1 << 40}, {"changed", 2, 1 << 40}, {"never", 1, 0}, {"cold", 1, 1 << 22}, {"warm", 1, 1 << 30}} {
		base, test = base+function(f.name, 1, 1<<40), test+function(f.name, f.hash, f.test)
	}
	base += function("gone", 1, 1<<40) + function("lukewarm", 1, 5)
	test += function("lukewarm", 1, 1<<40)
	set := between(t, write("base.proftext", base), write("test.proftext", test))
	is(t, set, map[string]string{"instr.hot_kept": "1/6", "instr.hot_lost": "4/6", "instr.stale": "1/6"})
}

// A sum beyond the digits of a float64 is kept whole.
func TestExact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.proftext")
	if err := os.WriteFile(path, []byte(":ir\nmain\n1\n2\n18446744073709551600\n18446744073709551600\n\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	set := of(t, opened(t, path))
	is(t, set, map[string]string{"instr.total": "36893488147419103200"})
	if set["instr.total"].N != 0x1p65 {
		t.Error(set["instr.total"])
	}
}

// Coverage is that of llvm-cov's totals.
func TestCoverage(t *testing.T) {
	p := opened(t, mapped+"clang-22/rules/rules.profdata", mapped+"clang-22/rules/rules.exe")
	set := of(t, p)
	var totals map[string]struct{ Count, Covered int }
	if err := json.Unmarshal(read(t, "testdata/rules.totals.json"), &totals); err != nil {
		t.Fatal(err)
	}
	for name, word := range map[string]string{"coverage": "lines", "branch_coverage": "branches",
		"function_coverage": "functions", "region_coverage": "regions",
		"instantiation_coverage": "instantiations", "mcdc_coverage": "mcdc"} {
		is(t, set, map[string]string{"coverage." + name: fmt.Sprintf("%d/%d", totals[word].Covered, totals[word].Count)})
	}
	is(t, between(t, p, p), map[string]string{
		"coverage.lines_lost": "0", "coverage.lines_gained": "0", "instr.overlap": "1/1",
	})
	diff, err := unidiff.Parse(strings.NewReader("--- a/rules.h\n+++ b/rules.h\n@@ -0,0 +1,1 @@\n+x\n"))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := measures.Changed(t.Context(), p, diff, nil)
	if err != nil || len(changed) > 1 {
		t.Error(changed, err)
	}
	for key := range changed {
		if key != "coverage."+measures.ChangedLines {
			t.Error(key)
		}
	}
	if set, err := measures.Changed(t.Context(), opened(t, oracles+"ir_c.profdata"), diff, nil); err != nil ||
		len(set) > 0 {
		t.Errorf("counters alone have %v, %v", set, err)
	}
}

// Samples overlap as llvm-profdata overlap --sample says, and as many functions are hot.
func TestSample(t *testing.T) {
	base, test := opened(t, sampled+"llvm-22/line.afdotext"), opened(t, sampled+"llvm-19/line.afdotext")
	golden := string(read(t, sampled+"llvm-22/line.afdotext.overlap.golden"))
	says := func(what string) string {
		return regexp.MustCompile(regexp.QuoteMeta(what) + `: (.*)`).FindStringSubmatch(golden)[1]
	}
	set := between(t, base, test)
	is(t, of(t, base), map[string]string{
		"sample.total": says("total samples in base profile"), "sample.hot_functions": "20", "sample.stale": "absent",
	})
	is(t, set, map[string]string{
		"sample.overlap":    says("Whole program sample overlap"),
		"sample.similarity": says("Whole program profile similarity"), "sample.hot_kept": "13/20", "sample.hot_lost": "7/20",
	})
	same := between(t, base, base)
	is(t, same, map[string]string{
		"sample.overlap": "1/1", "sample.similarity": "1/1", "sample.hot_kept": "20/20", "sample.hot_lost": "0/20",
	})
	unlike := between(t, base, opened(t, sampled+"llvm-22/contexts.ext.afdo"))
	is(t, unlike, map[string]string{"sample.overlap": "absent", "sample.similarity": "absent"})
	if _, ok := unlike["sample.hot_kept"]; !ok {
		t.Error("functions compare by name, whatever the places are")
	}
	probes := of(t, opened(t, sampled+"llvm-22/contexts.ext.afdo", sampled+"programs/probes.elf"))
	if v, ok := probes["sample.stale"]; !ok || v.N > v.Of {
		t.Errorf("with its program %v is stale", v)
	}
}

// heapContext is a context as llvm-profdata show lists it: under each function that its
// allocation was inlined into.
var (
	heapContext = regexp.MustCompile(`(?s)- Callstack:\n(.*?)MemInfoBlock:\n((?: +\w+: +\d+\n)+)`)
	heapField   = regexp.MustCompile(`(\w+): +(\d+)`)
)

// A heap comes to what llvm-profdata show lists of its contexts.
func TestMemProf(t *testing.T) {
	p := opened(t, heaps+"mem_cold_v4.profdata")
	sums, old := map[string]int{}, 0
	seen := map[string]bool{}
	for _, m := range heapContext.FindAllSubmatch(read(t, "../../decode/memprof/testdata/clang-22_mem_cold_v4.golden.gz"),
		-1) {
		if seen[string(m[1])] {
			continue
		}
		seen[string(m[1])] = true
		field := map[string]int{}
		for _, f := range heapField.FindAllSubmatch(m[2], -1) {
			field[string(f[1])], _ = strconv.Atoi(string(f[2]))
			sums[string(f[1])] += field[string(f[1])]
		}
		if field["TotalLifetime"] >= 200*field["AllocCount"] {
			old += field["TotalSize"]
		}
	}
	set := of(t, p)
	is(t, set, map[string]string{
		"memprof.allocated_bytes": strconv.Itoa(sums["TotalSize"]), "memprof.allocations": strconv.Itoa(sums["AllocCount"]),
		"memprof.contexts":  "42",
		"memprof.hot_bytes": "0", "memprof.long_lived_bytes": strconv.Itoa(old),
	})
	if cold := set["memprof.cold_bytes"].N; cold <= 0 || cold > set["memprof.allocated_bytes"].N {
		t.Errorf("%v bytes are cold", cold)
	}
	is(t, between(t, p, p), map[string]string{"memprof.overlap": "1/1"})
	other := between(t, p, opened(t, heaps+"mem_prune.profdata"))
	is(t, other, map[string]string{"memprof.overlap": "0/1"})
	both := of(t, opened(t, heaps+"mem_instr_v3.profdata"))
	if both["instr.functions"].N == 0 || both["memprof.contexts"].N == 0 {
		t.Errorf("of counters and a heap in one file there is %v", both)
	}
}

// Machine IR Profiles are measured as their functions are.
func TestMIP(t *testing.T) {
	var sides [2]*stored.Profile
	var functions [2]map[string]bool // by signature, whether they ran
	for i, name := range []string{"coverage_a.mip", "coverage_b.mip"} {
		sides[i], functions[i] = opened(t, machine+"merged/"+name), map[string]bool{}
		var golden struct {
			Functions []struct {
				Signature string
				Covered   bool
				Size      int
			}
		}
		if err := json.Unmarshal(read(t, machine+"merged/"+name+".json"), &golden); err != nil {
			t.Fatal(err)
		}
		ran, size := 0, 0
		for _, f := range golden.Functions {
			if functions[i][f.Signature] = f.Covered; f.Covered {
				ran++
			}
			size += f.Size
		}
		set := of(t, sides[i])
		is(t, set, map[string]string{
			"mip.functions":     strconv.Itoa(len(golden.Functions)),
			"mip.functions_run": fmt.Sprintf("%d/%d", ran, len(golden.Functions)), "mip.calls": "absent",
		})
		if v := set["mip.coverage"]; v.Of != float64(size) || v.N == 0 || set["mip.blocks_run"].N == 0 {
			t.Errorf("%s: %v bytes ran of %d", name, v, size)
		}
	}
	dead, alive := 0, 0
	for signature, ran := range functions[0] {
		if now := functions[1][signature]; ran && !now {
			dead++
		} else if now && !ran {
			alive++
		}
	}
	is(t, between(t, sides[0], sides[1]), map[string]string{
		"mip.newly_dead": strconv.Itoa(dead), "mip.newly_covered": strconv.Itoa(alive), "mip.stale": "0/25",
	})
}

// Samples of DCPI are as many as dcpicat and dcpiprof say.
func TestDCPI(t *testing.T) {
	var golden struct {
		Events struct {
			Cycles map[string]struct {
				Total int
				Rows  []struct{ Procedure *string }
			}
		}
	}
	if err := json.Unmarshal(read(t, database+"expected.json"), &golden); err != nil {
		t.Fatal(err)
	}
	var epochs []*stored.Profile
	for _, epoch := range []string{"9711040900", "9711050900"} {
		files := []string{database + "app.nmS"}
		for _, host := range []string{"pecan", "walnut"} {
			found, err := filepath.Glob(database + epoch + "/" + host + "/app_*s")
			if err != nil || len(found) == 0 {
				t.Fatal(found, err)
			}
			files = append(files, found...)
		}
		want, known := golden.Events.Cycles[epoch], 0
		for _, row := range want.Rows {
			if row.Procedure != nil {
				known++
			}
		}
		p := opened(t, files...)
		epochs = append(epochs, p)
		total := strconv.Itoa(want.Total)
		set := of(t, p)
		is(t, set, map[string]string{"dcpi.samples": total, "dcpi.procedures": strconv.Itoa(known)})
		images := 0
		for key, v := range set {
			if strings.HasPrefix(key, "dcpi.image_samples:") {
				images++
				if number(v) != total || v.N != v.Of {
					t.Errorf("%s: the only image has %v", key, v)
				}
			}
		}
		if images != 1 {
			t.Errorf("%d images have samples", images)
		}
	}
	is(t, between(t, epochs[0], epochs[0]), map[string]string{"dcpi.overlap": "1/1"})
	if v := between(t, epochs[0], epochs[1])["dcpi.overlap"]; v.N <= 0 || v.N >= 1 {
		t.Errorf("one day is %v of the other", v)
	}
}

// What one of two profiles does not have is not measured between them.
func TestNothingInCommon(t *testing.T) {
	if set := between(t, opened(t, oracles+"ir_c.profdata"), opened(t, heaps+"mem_cold_v4.profdata")); len(set) > 0 {
		t.Error(set)
	}
}
