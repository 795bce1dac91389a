package gate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"proflens/builds/gate"
	"proflens/builds/measures"
	"proflens/decode/instrprof"
	"proflens/encode"
	"proflens/internal/humanize"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
)

const (
	counted = "../../handlers/testdata/oracles/ir_c.profdata"
	heap    = "../../profile/memprofdb/testdata/mem_cold_v4.profdata"
)

func opened(t *testing.T, paths ...string) *stored.Profile {
	t.Helper()
	p, _ := profiletest.Open(t, paths...)
	return p
}

func rules(t *testing.T, list ...string) (all []gate.Rule) {
	t.Helper()
	for _, text := range list {
		name, limit, _ := strings.Cut(text, "=")
		all = append(all, rule(t, name, limit))
	}
	return all
}

func judge(t *testing.T, base, test []*stored.Profile, list ...string) *gate.Report {
	t.Helper()
	all := rules(t, list...)
	f, err := gate.Measure(t.Context(), all, base, test)
	if err != nil {
		t.Fatal(err)
	}
	return &gate.Report{Base: "base", Test: "test", Results: gate.Judge(all, f)}
}

// said is a report in a line a rule.
func said(r *gate.Report) string {
	var lines []string
	for _, res := range r.Results {
		words := []string{
			res.Name, string(res.Outcome), humanize.Plain(res.Figure), humanize.Plain(res.Wanted), humanize.Plain(res.Why),
		}
		lines = append(lines, strings.TrimSpace(strings.Join(words, " ")))
	}
	return strings.Join(lines, "\n")
}

// edited is the real profile with another count in the place of each.
func edited(t *testing.T, count func(function string, n uint64) uint64) *stored.Profile {
	t.Helper()
	data, err := os.ReadFile(counted)
	if err != nil {
		t.Fatal(err)
	}
	src, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var whole, text strings.Builder
	if err := encode.Proftext(&whole, src); err != nil {
		t.Fatal(err)
	}
	before, function, counters := "", "", false
	for line := range strings.Lines(whole.String()) {
		word := strings.TrimSpace(line)
		n, err := strconv.ParseUint(word, 10, 64)
		if counters = counters && err == nil; counters {
			line = fmt.Sprintln(count(function, n))
		}
		switch word {
		case "# Func Hash:":
			function = before
		case "# Counter Values:":
			counters = true
		}
		before = word
		text.WriteString(line)
	}
	path := filepath.Join(t.TempDir(), "edited.proftext")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return opened(t, path)
}

// A profile that lost 84 % of its counts is caught, though its shares are what they were.
func TestLostCounts(t *testing.T) {
	base := opened(t, counted)
	test := edited(t, func(_ string, n uint64) uint64 { return n * 16 / 100 })
	list := []string{
		"min_total_ratio=0.9", "max_total_growth=0", "min_total_growth=-10%", "min_overlap=99", "min_functions=45",
	}
	report := judge(t, []*stored.Profile{base}, []*stored.Profile{test}, list...)
	if report.Passed() || len(report.Failed()) != 2 {
		t.Error(said(report))
	}
	for i, want := range []string{"min_total_ratio fail 1079558 → 172646, ×0.160 ≥ ×0.9 Total count: 1079558 → 172646, " +
		"×0.160, less than ×0.9",
		"max_total_growth pass 1079558 → 172646, -84.0% ≤ 0%", "min_total_growth fail 1079558 → 172646, -84.0% ≥ -10%",
		"min_overlap pass 100.0% ≥ 99%", "min_functions pass 45 ≥ 45"} {
		if got := strings.Split(said(report), "\n")[i]; !strings.HasPrefix(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	if same := judge(t, []*stored.Profile{base}, []*stored.Profile{base}, "min_total_ratio=1", "min_overlap=100",
		"max_hot_lost=0", "max_stale=0", "min_hot_kept=100"); !same.Passed() {
		t.Error(said(same))
	}
}

// A profile that lost a hot function is caught, though its total is about the same.
func TestLostHotFunction(t *testing.T) {
	base := opened(t, counted)
	test := edited(t, func(function string, n uint64) uint64 {
		if function == "a/main.c;cmp_up" {
			return 0
		}
		return n
	})
	report := judge(t, []*stored.Profile{base}, []*stored.Profile{test}, "max_hot_lost=0", "min_total_ratio=95%",
		"max_stale=0")
	lines := strings.Split(said(report), "\n")
	if len(report.Failed()) != 1 || !strings.HasPrefix(lines[0], "max_hot_lost fail 1 of ") {
		t.Error(said(report))
	}
}

// What a profile lacks makes a rule fail by name.
func TestMissing(t *testing.T) {
	instr, memory := opened(t, counted), opened(t, heap)
	none := []*stored.Profile(nil)
	for _, test := range []struct {
		base, test []*stored.Profile
		rule, want string
	}{
		{none, []*stored.Profile{instr}, "max_cold_bytes=1", "no heap profile"},
		{none, []*stored.Profile{instr}, "min_coverage=1", "no source coverage, no Machine IR Profile"},
		{none, []*stored.Profile{instr}, "min_changed_lines_coverage=1", "no source coverage"},
		{none, []*stored.Profile{instr}, "min_overlap=1", "there is no base"},
		{none, []*stored.Profile{instr}, "min_total_ratio=1", "there is no base"},
		{[]*stored.Profile{memory}, []*stored.Profile{instr}, "min_total_ratio=1", "no instrumentation profile in the base"},
		{[]*stored.Profile{instr}, []*stored.Profile{memory}, "min_functions=1", "no instrumentation profile in the test"},
		{
			[]*stored.Profile{instr, memory}, []*stored.Profile{memory}, "min_overlap=1",
			"no instrumentation profile in the test",
		},
		{[]*stored.Profile{instr, memory}, []*stored.Profile{instr}, "memprof.min_overlap=1", "no heap profile in the test"},
		{none, []*stored.Profile{instr}, "max_image_samples:x=1", "no database of DCPI"},
		{
			none, []*stored.Profile{opened(t, "../../decode/mip/testdata/merged/coverage_a.mip")}, "min_calls=1",
			"the test cannot tell",
		},
		{
			none, []*stored.Profile{opened(t, "../../decode/sampleprof/testdata/llvm-22/line.afdotext")}, "max_stale=1",
			"no program that tells it",
		},
		{
			none, []*stored.Profile{opened(t, "../../decode/covmap/testdata/clang-22/rules/rules.profdata",
				"../../decode/covmap/testdata/clang-22/rules/rules.exe")}, "min_changed_lines_coverage=1", "no diff that tells it",
		},
	} {
		report := judge(t, test.base, test.test, test.rule)
		res := report.Results[0]
		if report.Passed() || res.Outcome != gate.Missing || res.Why != test.want || res.Test != nil || res.Figure != "" {
			t.Errorf("%s: %s %q, want %q", test.rule, res.Outcome, res.Why, test.want)
		}
	}
}

// Profiles of several families are judged each by its own rules.
func TestSeveralFamilies(t *testing.T) {
	both := []*stored.Profile{opened(t, counted), opened(t, heap)}
	report := judge(t, both, both, "min_overlap=100", "memprof.min_overlap=100", "max_cold_bytes_growth=0",
		"max_cold_bytes=10 MiB", "min_functions=1")
	if !report.Passed() || report.Results[0].Key != "instr.overlap" || report.Results[2].Key != "memprof.cold_bytes" {
		t.Error(said(report))
	}
	_, err := gate.Measure(t.Context(), rules(t, "min_overlap=1"), nil, append(both, both[0]))
	var twice *gate.TwiceError
	if !errors.As(err, &twice) || err.Error() != "the test has an instrumentation profile twice; give one" {
		t.Error(err)
	}
}

// Figures are judged in the unit of the limit, and are said with as many digits as tell
// them from it.
func TestJudge(t *testing.T) {
	f := &gate.Figures{
		Base: measures.Set{
			"instr.total": {N: 0}, "memprof.cold_bytes": {N: 1 << 20}, "coverage.coverage": {N: 90, Of: 100},
			"dcpi.image_samples:a": {N: 1, Of: 4}, "mip.calls": {N: 0},
		},
		Test: measures.Set{"instr.total": {N: 5}, "memprof.cold_bytes": {N: 3 << 19},
			"coverage.coverage": {N: 89999, Of: 100000}, "dcpi.image_samples:a": {N: 2, Of: 4}, "mip.calls": {N: 0},
			"memprof.allocations": {N: 0x1p64, Exact: "18446744073709551616"}},
		Between: measures.Set{
			"instr.overlap": {N: 1 - 1e-12, Of: 1}, "sample.overlap": {N: 0, Of: 0}, "sample.hot_lost": {N: 0, Of: 7},
		},
	}
	for ruled, want := range map[string]string{
		"min_total_ratio=0.5": "min_total_ratio missing  ≥ ×0.5 the base has none, the test 5",
		"max_calls_growth=0":  "max_calls_growth pass 0 → 0, 0.0% ≤ 0%",
		"max_cold_bytes_growth=10": "max_cold_bytes_growth fail 1.0MiB → 1.5MiB, +50.0% ≤ +10% Cold bytes: 1.0MiB → " +
			"1.5MiB, +50.0%, more than +10%",
		"max_cold_bytes=1 MiB": "max_cold_bytes fail 1.5MiB ≤ 1.0MiB Cold bytes: 1.5MiB, more than 1.0MiB",
		"min_coverage=90": "min_coverage fail 89999 of 100000, 89.999% ≥ 90% Lines covered: 89999 of " +
			"100000, 89.999%, less than 90%",
		"min_coverage_ratio=1": "min_coverage_ratio fail 90.0% → 90.0%, ×0.99999 ≥ ×1 Lines covered: 90.0% → " +
			"90.0%, ×0.99999, less than ×1",
		"max_image_samples:a=50": "max_image_samples:a pass 2 of 4, 50.0% ≤ 50%",
		"max_image_samples_growth:a=99": "max_image_samples_growth:a fail 25.0% → 50.0%, +100.0% ≤ +99% Samples by image: " +
			"a: 25.0% → 50.0%, +100.0%, more than +99%",
		"max_image_samples:b=50": "max_image_samples:b missing  ≤ 50% nothing of that name in the test",
		"min_overlap=100":        "min_overlap pass 100.0% ≥ 100%",
		"max_allocations=1": "max_allocations fail 18446744073709551616 ≤ 1 Allocations: " +
			"18446744073709551616, more than 1",
		"max_hot_lost=0": "max_hot_lost missing  ≤ 0% the two cannot tell",
	} {
		if got := said(&gate.Report{Results: gate.Judge(rules(t, ruled), f)}); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// Counters that differ in kind are warned of where a rule judges them, and nowhere else.
func TestWarningIsOfWhatIsJudged(t *testing.T) {
	between := measures.Set{"instr.overlap": {Doubt: "one has counts, the other bytes"}, "coverage.lines_lost": {N: 1}}
	for name, want := range map[string]string{
		"max_lines_lost": "", "min_coverage": "", "instr.min_overlap": "of base and test, one has counts, the other bytes",
		"max_total_growth": "of base and test, one has counts, the other bytes",
	} {
		rule, err := gate.ParseRule(name, "1")
		f := &gate.Figures{Between: between}
		if f.Warn([]gate.Rule{rule}); err != nil || f.Warning != want {
			t.Errorf("%s: %v, %q, want %q", name, err, f.Warning, want)
		}
	}
}
