package instrweb_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// What the cells of a page say, and the inspector of a row, the API says too.
func TestPagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, file := range []string{"ir_c.profraw", "temporal_two.profdata", "same_name_hashes.proftext"} {
		at := webtest.API(l.Upload(file, webtest.File(t, file)))
		base := strings.Replace(at, "/api/v1/profiles", "/p", 1)
		for path, least := range map[string]int{
			"/functions": 4, "/functions?cols=rank,total,share,cum,entry,max,counters,zero,value_sites,ordinal&sort=-zero": 4,
			"/functions?class=hot": 1, "/values": 0, "/values?sort=-top_share": 0, "/tree?by=path&sort=-functions": 1,
			"/order": 0, "/order?sort=-max": 0, "/tree?by=path&sort=-zero": 1,
		} {
			if least == 0 && file != "temporal_two.profdata" && strings.HasPrefix(path, "/order") ||
				strings.HasPrefix(path, "/values") && file == "same_name_hashes.proftext" {
				continue
			}
			rows, items := l.Agree(base+path, "executed", "place", "rank", "share")
			if len(rows) < least || len(rows) != len(items) && !strings.HasPrefix(path, "/tree") {
				t.Errorf("%s: %d rows and %d items", path, len(rows), len(items))
			}
			for i := 0; i < min(len(rows), len(items)); i += max(len(rows)/4, 1) {
				holdRow(t, l, at, path, rows[i], items[i])
			}
		}
	}
}

// holdRow holds a row and its inspector against an item of the API.
func holdRow(t *testing.T, l *webtest.Server, at, path string, row webtest.GridRow, item map[string]any) {
	t.Helper()
	share, isShare := item["share"].(json.Number)
	if text := row.Cells["share"]; isShare && text != "" && !strings.HasPrefix(path, "/order") &&
		!webtest.Numbered(text, share) {
		t.Errorf("%s%s: the share of %v is %q", at, path, item, text)
	}
	if strings.HasPrefix(path, "/tree") {
		executed, functions := webtest.Number(t, item, "executed"), webtest.Number(t, item, "functions")
		want := fmt.Sprint(" ", executed, " ", humanize.Percent(float64(executed)/float64(functions), 1))
		if !strings.HasSuffix(row.Cells["executed"], strings.ReplaceAll(want, humanize.NumberSpace, " ")) {
			t.Errorf("%s%s: %q of %v ran", at, path, row.Cells["executed"], item)
		}
		return
	}
	facts := webtest.Facts(l, row.At)
	terms := map[string]string{"Total": "total", "Maximum": "max", "Entry": "entry"}
	if strings.HasPrefix(path, "/values") {
		terms = map[string]string{
			"Rank": "rank", "Site": "index", "Sum": "sum", "Top count": "top_count", "Values": "distinct", "Share": "share",
			"Top share": "top_share",
		}
	} else if strings.HasPrefix(path, "/order") {
		terms = map[string]string{"First position": "first", "Maximum": "max", "Traces": "traces"}
	}
	for term, key := range terms {
		n, ok := item[key].(json.Number)
		if !ok && facts[term] != "" || ok && !webtest.Numbered(facts[term], n) {
			t.Errorf("%s%s: %s is %q, %v in the API", at, path, term, facts[term], item[key])
		}
	}
	fid, known := item["fid"].(string)
	if facts[""] == "" || known && facts["Name MD5"] != "" && facts["Name MD5"] != fmt.Sprint("0x", fid) {
		t.Errorf("%s%s: %v has %v", at, path, item, facts)
	}
	if list := facts["Values most frequent first"]; strings.HasPrefix(path, "/values") {
		sum, _ := new(big.Float).SetString(item["sum"].(json.Number).String())
		for _, v := range item["values"].([]any) {
			count := v.(map[string]any)["count"].(json.Number)
			n, _ := new(big.Float).SetString(count.String())
			part, _ := new(big.Float).Quo(n, sum).Float64()
			want := humanize.Percent(part, 1) + ", " + humanize.BigCount(count.String()).Text
			if !strings.Contains(list, strings.ReplaceAll(want, humanize.NumberSpace, " ")) && !strings.Contains(list, " more") {
				t.Errorf("%s%s: %q lacks %q", at, path, list, want)
			}
		}
	}
	if strings.HasPrefix(path, "/order") {
		list, traces := facts["Positions in each trace, from 0"], webtest.Number(t, item, "traces")
		if strings.Count(list, " of ") != traces || !strings.Contains(list, fmt.Sprintf(" %v of ", item["first"])) {
			t.Errorf("%s%s: %v is in %q", at, path, item, list)
		}
	}
	if !strings.HasPrefix(path, "/functions") || !known {
		return
	}
	said := webtest.Said(l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1)+"/functions/"+fid, 200))
	one := l.OK(at + "/functions/" + fid).Object(t)
	for _, record := range one["records"].([]any) {
		record := record.(map[string]any)
		for _, key := range []string{"total", "max"} {
			text := humanize.BigCount(record[key].(json.Number).String()).Text
			if !strings.Contains(said, strings.ReplaceAll(text, humanize.NumberSpace, " ")) {
				t.Errorf("%s/functions/%s does not say %s, the %s of %v", at, fid, text, key, record["func_hash"])
			}
		}
		holdRecord(t, record, said)
	}
}

// holdRecord holds what the page of a function says of a record against the API: its counters, the largest
// first, and its value sites.
func holdRecord(t *testing.T, record map[string]any, said string) {
	t.Helper()
	type counter struct {
		at int
		n  uint64
	}
	var counters []counter
	var total, sum float64
	zero, sites := 0, map[string]int{}
	for i, v := range record["counter_values"].([]any) {
		n, err := strconv.ParseUint(v.(json.Number).String(), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			zero++
		}
		counters, total = append(counters, counter{i, n}), total+float64(n)
	}
	var want []string
	if n := zero; n == 1 && len(counters) > 1 {
		want = append(want, "1 is zero")
	} else if n > 0 && n < len(counters) {
		want = append(want, fmt.Sprint(n, " are zero"))
	}
	slices.SortStableFunc(counters, func(a, b counter) int { return cmp.Compare(b.n, a.n) })
	for _, c := range counters[:min(len(counters), 4)] {
		if sum += float64(c.n); c.n > 0 && len(counters) > 16 { // fewer stand in their order
			want = append(want, fmt.Sprintf(" %d %s %s %s ", c.at, humanize.Count(c.n).Text,
				humanize.Percent(float64(c.n)/total, 1), humanize.Percent(sum/total, 1)))
		}
	}
	list, _ := record["sites"].([]any)
	for _, s := range list {
		sites[s.(map[string]any)["kind"].(string)]++
	}
	var words []string
	for _, of := range [][3]string{
		{"IPVK_IndirectCallTarget", "indirect call", "indirect calls"}, {"IPVK_MemOPSize", "memory op", "memory ops"},
		{"IPVK_VTableTarget", "vtable", "vtables"},
	} {
		if n := sites[of[0]]; n > 0 {
			words = append(words, humanize.Plural(n, of[1], of[2]))
		}
	}
	if words == nil {
		words = []string{"none recorded"}
	}
	for _, says := range append(want, "Value sites ? "+fmt.Sprint(len(list))+" "+strings.Join(words, ", ")+" ") {
		if !strings.Contains(said+" ", strings.ReplaceAll(says, humanize.NumberSpace, " ")) {
			t.Errorf("record %v of %v does not say %q", record["func_hash"], record["demangled"], says)
		}
	}
}

// Two profiles compared say on the page what they say in the API.
func TestComparisonsAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	text := func(name string, records ...string) string {
		return l.Upload(name, []byte(":ir\n:entry_first\n"+strings.Join(records, "\n")+"\n"))
	}
	a := text("a.proftext", "main\n1\n2\n100\n50", "gone\n2\n1\n30", "turned\n3\n1\n20", "cold\n4\n2\n0\n0")
	b := text("b.proftext", "main\n1\n2\n100\n250", "new\n2\n1\n7", "turned\n9\n2\n20\n3", "cold\n4\n2\n0\n0")
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		path := "/compare/" + pair[0] + "..." + pair[1]
		l.ComparedLinks(path, pair[0], pair[1])
		rows, items := l.Agree(path, "place", "base=base_share", "test=test_share", "ratio", "change")
		if len(rows) != 4 || len(items) != 4 {
			t.Errorf("%d rows and %d items", len(rows), len(items))
		}
		states := map[string]string{"matched": "", "changed": "code changed", "only_base": "lost", "only_test": "new"}
		for i, row := range rows {
			change, _ := items[i]["change"].(json.Number).Float64()
			if want := humanize.Points(change, 2); row.Cells["change"] != want {
				t.Errorf("row %d changes by %q, want %q", i, row.Cells["change"], want)
			}
			if state := items[i]["state"].(string); row.Cells["state"] != states[state] {
				t.Errorf("row %d is %q, %s in the API", i, row.Cells["state"], state)
			}
			base, _ := items[i]["base_total"].(json.Number)
			test, both := items[i]["test_total"].(json.Number)
			if both = both && base != ""; strings.Contains(row.Cells["ratio"], "×") != both {
				t.Errorf("row %d: %q of %s and %s", i, row.Cells["ratio"], base, test)
			}
		}
	}
}

// Functions are suggested by their words, and found in other profiles of the program.
func TestFunctionsAreFound(t *testing.T) {
	l := webtest.Start(t, nil)
	file := webtest.File(t, "ir_c.profraw")
	l.Suggested(webtest.API(l.Upload("ir_c.profraw", file)), "/functions", "demangled", "total")
	text := func(counts string) string {
		return l.InProject("p", "a.proftext",
			[]byte(":ir\nmain\n1\n2\n100\n"+counts+"\ncold\n4\n2\n0\n"+counts+"\nmain\n9\n1\n3\n"))
	}
	one, two := text("50"), text("7")
	if n := l.Elsewhere(one, two, "total") + l.Elsewhere(two, one, "total"); n < 4 {
		t.Errorf("%d functions are found elsewhere", n)
	}
}

// Kinds of value sites are compared where either profile has counts of them, and of a profile without
// functions nobody is told to ask for the hottest.
func TestWhatThereIsToCompareAndAsk(t *testing.T) {
	l := webtest.Start(t, nil)
	const head, site = ":ir\nmain\n1\n2\n100\n50\n", "1\n0\n1\n1\nfoo:1\n\n"
	bare, sited := l.Upload("bare.proftext", []byte(head)), l.Upload("sited.proftext", []byte(head+site))
	for _, test := range []struct {
		base, test string
		want       []string
	}{{bare, sited, []string{"0", "1"}}, {sited, bare, []string{"1", "0"}}, {bare, bare, nil}} {
		path := "/api/v1/compare/" + test.base + "..." + test.test
		values := l.OK(path).Object(t)["overlap"].(map[string]any)["values"].(map[string]any)
		kind, has := values["IPVK_IndirectCallTarget"].(map[string]any)
		if has != (test.want != nil) || len(values) > 1 ||
			has && (fmt.Sprint(kind["base"]) != test.want[0] || fmt.Sprint(kind["test"]) != test.want[1]) {
			t.Errorf("%s: %v, want %q", path, values, test.want)
		}
	}
	for text, asked := range map[string]bool{":ir\n": false, head: true} {
		a := l.Do("PUT", "/x.proftext", strings.NewReader(text), "User-Agent", "curl/8.0", "Accept", "*/*")
		if got := strings.Contains(a.Text(), "hottest functions"); got != asked || a.StatusCode != 201 {
			t.Errorf("%q: %s: %s", text, a.Status, a.Text())
		}
	}
}
