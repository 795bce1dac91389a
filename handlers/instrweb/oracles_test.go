package instrweb_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// shownFunction is a record as llvm-profdata show prints it.
type shownFunction struct {
	counters []string
	sites    map[string]map[string]int // "kind index" to "target count" and how often it stands there
}

var (
	shownName  = regexp.MustCompile(`^  (\S.*):$`)
	shownHash  = regexp.MustCompile(`^    Hash: 0x([0-9a-f]{16})$`)
	shownCount = regexp.MustCompile(`^    (?:Function count: |Block counts: \[)([0-9, ]*)`)
	shownValue = regexp.MustCompile(`^\t\[\s*(\d+), \s*(.*?),\s*(\d+) \]`)
)

var shownKinds = map[string]string{
	"    Indirect Target Results:": "IPVK_IndirectCallTarget", "    VTable Results:": "IPVK_VTableTarget",
	"    Memory Intrinsic Size Results:": "IPVK_MemOPSize",
}

// readShow reads the functions of show --all-functions --counts by name and
// hash. FE profiles have the first counter on a line of its own.
func readShow(text string) map[string]*shownFunction {
	functions := map[string]*shownFunction{}
	var name, kind string
	f := &shownFunction{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case shownName.MatchString(line):
			name, kind = shownName.FindStringSubmatch(line)[1], ""
		case shownHash.MatchString(line):
			f = &shownFunction{sites: map[string]map[string]int{}}
			functions[name+" "+shownHash.FindStringSubmatch(line)[1]] = f
		case shownCount.MatchString(line):
			for count := range strings.SplitSeq(shownCount.FindStringSubmatch(line)[1], ", ") {
				if count != "" {
					f.counters = append(f.counters, count)
				}
			}
		case shownKinds[line] != "":
			kind = shownKinds[line]
		case !strings.HasPrefix(line, "\t"):
			if !strings.HasPrefix(line, " ") {
				kind = "" // histograms and totals follow
			}
		case kind != "":
			v := shownValue.FindStringSubmatch(line)
			site := kind + " " + v[1]
			if f.sites[site] == nil {
				f.sites[site] = map[string]int{}
			}
			f.sites[site][v[2]+" "+v[3]]++
		}
	}
	return functions
}

// apiShow is the same from the API: every function of a list, each by itself.
func apiShow(t *testing.T, l *webtest.Server, at, query string, withSites bool) map[string]*shownFunction {
	t.Helper()
	functions := map[string]*shownFunction{}
	for _, fid := range l.OK(at+"/functions?limit=1000&sort=ordinal&"+query).Column(t, "fid") {
		object := l.OK(at + "/functions/" + fid).Object(t)
		for _, record := range object["records"].([]any) {
			r := record.(map[string]any)
			if want, only := strings.CutPrefix(query, "cs="); only && fmt.Sprint(r["context_sensitive"]) != want {
				continue
			}
			f := &shownFunction{sites: map[string]map[string]int{}}
			for _, c := range r["counter_values"].([]any) {
				f.counters = append(f.counters, fmt.Sprint(c))
			}
			for _, site := range r["sites"].([]any) {
				if withSites {
					f.addSite(site.(map[string]any))
				}
			}
			functions[fmt.Sprint(r["name"], " ", r["func_hash"])] = f
		}
	}
	return functions
}

func (f *shownFunction) addSite(site map[string]any) {
	values := map[string]int{}
	for _, value := range site["values"].([]any) {
		v := value.(map[string]any)
		what := v["value"]
		if target, ok := v["target"].(map[string]any); ok {
			what = target["name"]
		}
		values[fmt.Sprint(what, " ", v["count"])]++
	}
	if len(values) > 0 {
		f.sites[fmt.Sprint(site["kind"], " ", site["index"])] = values
	}
}

func compareShown(t *testing.T, file string, want, got map[string]*shownFunction) {
	t.Helper()
	if len(want) == 0 || !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) {
		t.Errorf("%s: %d functions, llvm-profdata shows %d", file, len(got), len(want))
	}
	for key, w := range want {
		g := got[key]
		if g == nil {
			t.Errorf("%s: no %s", file, key)
			continue
		}
		if !slices.Equal(g.counters, w.counters) {
			t.Errorf("%s: %s has counters %v, want %v", file, key, g.counters, w.counters)
		}
		if !maps.EqualFunc(g.sites, w.sites, func(a, b map[string]int) bool { return maps.Equal(a, b) }) {
			t.Errorf("%s: %s has value sites %v, want %v", file, key, g.sites, w.sites)
		}
	}
}

// oracleProfile uploads a file of testdata/oracles and returns its address.
func oracleProfile(t *testing.T, l *webtest.Server, file string) string {
	t.Helper()
	return "/api/v1/profiles/" + l.Put(file, webtest.File(t, "oracles/"+file))["id"].(string)
}

// Counters, and value sites with their targets, are those that llvm-profdata
// show prints.
func TestShowOracle(t *testing.T) {
	l := webtest.Start(t, nil)
	for file, query := range map[string]string{"ir_c": "", "fe_vp": "", "cs_merged": "cs=false"} {
		at := oracleProfile(t, l, file+".profdata")
		compareShown(t, file, readShow(string(webtest.File(t, "oracles/"+file+".show.txt"))), apiShow(t, l, at, query, true))
	}
}

// Context-sensitive records are those of show --showcs.
func TestShowCSOracle(t *testing.T) {
	l := webtest.Start(t, nil)
	at := oracleProfile(t, l, "cs_merged.profdata")
	compareShown(t, "cs_merged", readShow(string(webtest.File(t, "oracles/cs_merged.showcs.txt"))),
		apiShow(t, l, at, "cs=true", false))
}

var topLine = regexp.MustCompile(`(?m)^  (.*), max count = (\d+)$`)

// The functions with the largest maxima are those of show --topn.
func TestTopNOracle(t *testing.T) {
	l := webtest.Start(t, nil)
	for file, query := range map[string]string{"ir_c": "", "cs_merged": "&cs=false"} {
		at := oracleProfile(t, l, file+".profdata")
		var want []string
		for _, m := range topLine.FindAllStringSubmatch(string(webtest.File(t, "oracles/"+file+".topn.txt")), -1) {
			want = append(want, m[1]+" "+m[2])
		}
		page := l.OK(at + "/functions?sort=-max,ordinal&limit=10" + query)
		names, maxima := page.Column(t, "name"), page.Column(t, "max")
		var got []string
		for i := range names {
			got = append(got, names[i]+" "+maxima[i])
		}
		if len(want) != 10 || !slices.Equal(got, want) {
			t.Errorf("%s: the top are %q, want %q", file, got, want)
		}
	}
}

var (
	summaryFigure = regexp.MustCompile(`(?m)^(Total functions|Maximum function count|Maximum internal block count|Total number of blocks|Total count): (\d+)$`)
	summaryCutoff = regexp.MustCompile(`(?m)^(\d+) blocks .*with count >= (\d+) account for ([0-9.]+)% of the total counts`)
)

// The summary is that of show --detailed-summary.
func TestSummaryOracle(t *testing.T) {
	keys := map[string]string{"Total functions": "num_functions", "Maximum function count": "max_function_count",
		"Maximum internal block count": "max_internal_count", "Total number of blocks": "num_counts",
		"Total count": "total_count"}
	l := webtest.Start(t, nil)
	for _, file := range []string{"ir_c", "fe_vp", "cs_merged"} {
		summary := l.OK(oracleProfile(t, l, file+".profdata")).Object(t)["summary"].(map[string]any)
		text := string(webtest.File(t, "oracles/"+file+".summary.txt"))
		figures := summaryFigure.FindAllStringSubmatch(text, -1)
		if len(figures) != len(keys) {
			t.Fatalf("%s: read %q", file, figures)
		}
		for _, m := range figures {
			if got := summary[keys[m[1]]]; got != json.Number(m[2]) {
				t.Errorf("%s: %s is %v, want %s", file, keys[m[1]], got, m[2])
			}
		}
		var got, want []string
		for _, cutoff := range summary["detailed"].([]any) {
			c := cutoff.(map[string]any)
			ppm, err := c["cutoff"].(json.Number).Float64()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(c["num_counts"], " ", c["min_count"], " ", strconv.FormatFloat(ppm/10000, 'f', -1, 64)))
		}
		for _, m := range summaryCutoff.FindAllStringSubmatch(text, -1) {
			want = append(want, strings.Join(m[1:], " "))
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: the detailed summary is %q, want %q", file, got, want)
		}
	}
}

// The order of a few small traces is that of llvm-profdata order; of larger
// ones that balances locality, and is not the same (instrprof.md §6.6).
func TestOrderOracle(t *testing.T) {
	l := webtest.Start(t, nil)
	at := oracleProfile(t, l, "temporal.proftext")
	var want []string
	for line := range strings.Lines(string(webtest.File(t, "oracles/temporal.order.txt"))) {
		if !strings.HasPrefix(line, "#") {
			want = append(want, strings.TrimSpace(line))
		}
	}
	if got := strings.Fields(l.OK(at + "/export/order").Text()); len(want) != 3 || !slices.Equal(got, want) {
		t.Errorf("the order is %q, want %q", got, want)
	}
	if got := l.OK(at+"/traces?by=function").Column(t, "name"); !slices.Equal(got, want) {
		t.Errorf("the list is in the order %q, want %q", got, want)
	}
}
