package gate_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/builds/gate"
)

func rule(t *testing.T, name, limit string) gate.Rule {
	t.Helper()
	r, err := gate.ParseRule(name, limit)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A rule says what of which measure is judged, in the measure's unit.
func TestParseRule(t *testing.T) {
	for _, test := range []struct {
		name, limit string
		want        gate.Rule
	}{
		{"min_overlap", "95", gate.Rule{Measure: "overlap", Min: true, Limit: 95}},
		{"min_overlap", "95.5%", gate.Rule{Measure: "overlap", Min: true, Limit: 95.5}},
		{"min_total_ratio", "0.5", gate.Rule{Measure: "total", Of: gate.Ratio, Min: true, Limit: 0.5}},
		{"min_total_ratio", "50 %", gate.Rule{Measure: "total", Of: gate.Ratio, Min: true, Limit: 0.5}},
		{"max_cold_bytes_growth", "10%", gate.Rule{Measure: "cold_bytes", Of: gate.Growth, Limit: 10}},
		{"min_coverage_growth", "-1", gate.Rule{Measure: "coverage", Of: gate.Growth, Min: true, Limit: -1}},
		{"max_cold_bytes", "10 MiB", gate.Rule{Measure: "cold_bytes", Limit: 10 << 20}},
		{"max_cold_bytes", "1.5kB", gate.Rule{Measure: "cold_bytes", Limit: 1500}},
		{"memprof.min_overlap", "5", gate.Rule{Measure: "memprof.overlap", Min: true, Limit: 5}},
		{"min_functions", "1e3", gate.Rule{Measure: "functions", Min: true, Limit: 1000}},
		{"max_hot_lost", "0", gate.Rule{Measure: "hot_lost"}},
		{"max_image_samples:/usr/lib/a.so", "40", gate.Rule{Measure: "image_samples:/usr/lib/a.so", Limit: 40}},
		{"dcpi.max_image_samples_growth:a:b", "40", gate.Rule{Measure: "dcpi.image_samples:a:b", Of: gate.Growth, Limit: 40}},
	} {
		test.want.Name = test.name
		if diff := cmp.Diff(test.want, rule(t, test.name, test.limit)); diff != "" {
			t.Errorf("%s=%s: %s", test.name, test.limit, diff)
		}
	}
}

// A rule that cannot be says what would be right.
func TestNoRule(t *testing.T) {
	for _, test := range []struct{ name, limit, want string }{
		{"overlap", "95", "min_ or max_; the nearest are min_overlap"},
		{"min_overlpa", "95", "the nearest are min_overlap"},
		{"min_lines", "80", "the nearest are min_coverage (Lines covered), "},
		{"min_branches", "80", "the nearest are min_branch_coverage"},
		{"max_hot_losst", "0", "the nearest are max_hot_lost"},
		{"mip.min_overlap", "95", "no such measure"},
		{"nothing.min_overlap", "95", "no such measure"},
		{"min_", "1", "no such measure"},
		{"", "1", "min_ or max_"},
		{"min_overlap_ratio", "1", "leave out _ratio"},
		{"max_image_samples", "1", "max_image_samples:NAME"},
		{"min_total:x", "1", `leave out ":x"`},
		{"min_overlap", "101", "from 0 to 100"},
		{"min_overlap", "-1", "from 0 to 100"},
		{"min_overlap", "NaN", "from 0 to 100"},
		{"min_overlap", "", "from 0 to 100"},
		{"min_overlap", "ten", "from 0 to 100"},
		{"min_total", "10%", "not a part of anything"},
		{"min_total", "Inf", "a number"},
		{"min_total", "-1", "a number"},
		{"max_cold_bytes", "10 parsecs", "10 MiB"},
		{"min_total_ratio", "-0.5", "a ratio"},
		{"max_total_growth", "x%", "per cent"},
		{"min_" + strings.Repeat("x", 1<<20), "1", "no such measure"},
	} {
		_, err := gate.ParseRule(test.name, test.limit)
		var fault *gate.RuleError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.50s=%s: %v, want %q", test.name, test.limit, err, test.want)
		}
	}
}

// The file of a project has rules of all families, of one, and of some branches.
func TestParse(t *testing.T) {
	text, err := os.ReadFile("testdata/proflens.toml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := gate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if c.Project != "libsass" {
		t.Error(c.Project)
	}
	all := []gate.Rule{
		rule(t, "min_overlap", "95"), rule(t, "max_hot_lost", "2%"), rule(t, "max_cold_bytes", "10 MiB"),
		rule(t, "memprof.max_cold_bytes_growth", "10"),
	}
	if diff := cmp.Diff(all, c.For("main")); diff != "" {
		t.Error(diff)
	}
	all[0] = rule(t, "min_overlap", "99")
	if diff := cmp.Diff(append(all, rule(t, "mip.min_coverage", "50.5")), c.For("release/7")); diff != "" {
		t.Error(diff)
	}
	if none, err := gate.Parse(nil); err != nil || len(none.For("main")) > 0 {
		t.Error(none, err)
	}
}

// The file and the rules that the manual shows can be.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```toml\n")
	example, table, _ := strings.Cut(example, "```")
	if c, err := gate.Parse([]byte(example)); err != nil || len(c.For("release/2")) != 6 || c.Project == "" {
		t.Error(c, err)
	}
	shown := regexp.MustCompile("`((?:min|max)_[a-z_]+(?::[^`]+)?)`").FindAllStringSubmatch(table, -1)
	if len(shown) < 12 {
		t.Errorf("the manual shows %d rules", len(shown))
	}
	for _, m := range shown {
		rule(t, m[1], "1")
	}
}

// A fault in the file is told with its place.
func TestParseFaults(t *testing.T) {
	for text, want := range map[string]string{
		"project = 7":                            "project is not a text",
		"[gates]\n":                              "unknown key gates; use project, coverage and gate",
		"[gate]\nmin_overlap = 95\nmax_hot":      "proflens.toml:3",
		"[gate]\nmin_overlpa = 95":               "gate.min_overlpa: rule \"min_overlpa\": there is no such measure; the nearest are min_overlap",
		"[gate]\nmin_overlap = [95]":             "is not a limit",
		"[gate]\nmin_overlap = true":             `"true" is not a limit`,
		"[gate.other]\nmin_overlap = 9":          "gate.other is neither a rule nor a family",
		"gate = 1":                               "gate is neither a rule nor a family",
		"[[gate]]\nmin_overlap = 9":              "neither a rule",
		"[gate.branch.\"[\"]\nmin_overlap = 9":   "is not a pattern",
		"[gate]\nbranch = 1":                     "gate.branch is not a table",
		"[gate.mip]\nmin_overlap = 9":            "mip.min_overlap",
		"[gate]\nmemprof = 3":                    "memprof is neither",
		strings.Repeat("#", gate.MaxFile+1):      "it may have 65536",
		strings.Repeat("[gate.", 1000):           "proflens.toml:1",
		manyRules():                              "more than 200 rules",
		"a = " + strings.Repeat("[", 60000):      "proflens.toml",
		"[gate]\n\"min_overlap\\u0000\" = \"1\"": "no such measure",
	} {
		_, err := gate.Parse([]byte(text))
		var fault *gate.ConfigError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

func manyRules() string {
	text := "[gate]\n"
	for i := range 1000 {
		text += fmt.Sprintf("\"max_image_samples:%d\" = 1\n", i)
	}
	return text
}

func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/proflens.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := gate.Parse(text)
		var fault *gate.ConfigError
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%T: %v", err, err)
		}
		if err == nil {
			c.For("release/1")
		}
	})
}
