package mipweb_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// What the cells of a page say, and the inspector of a row, the API says too.
func TestMIPPagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	for _, path := range []string{
		"/functions?cols=size,covered_bytes,missed_bytes,covered_share,blocks,merge_count,call_count,weight,avg_timestamp",
		"/functions?sort=-merge_count&executed=true", "/dead", "/calls", "/order", "/tree", "/tree?by=path",
	} {
		rows, items := l.Agree(page+path, "place", "address", "blocks")
		if len(rows) != len(items) {
			t.Errorf("%s: %d rows of %d", path, len(rows), len(items))
		}
	}
	runs := l.OK(at + "/runs").Object(t)["items"].([]any)
	for _, tr := range webtest.All(webtest.ByTestID(t, l.Page(page+"/runs", 200), "run-figures"), webtest.Tag("tr"))[1:] {
		head := webtest.Said(webtest.All(tr, webtest.Tag("th"))[0])
		key := map[string]string{
			"Functions": "functions", "Bytes": "bytes", "Blocks": "blocks", "Only this run": "only_functions",
			"Only this run, bytes": "only_bytes", "So far": "sum_functions", "So far, bytes": "sum_bytes",
			"So far, blocks": "sum_blocks",
		}[head]
		for i, cell := range webtest.All(tr, webtest.Tag("td")) {
			if n, ok := runs[i].(map[string]any)[key].(json.Number); ok && !webtest.Numbered(webtest.Said(cell), n) {
				t.Errorf("%s of run %d is %q, %s in the API", head, i+1, webtest.Said(cell), n)
			}
		}
	}
	if said := webtest.Said(l.Page(page+"/runs", 200)); strings.Contains(said, "executed nothing") {
		t.Error("every run executed something, and the page says otherwise")
	}
	rows, items := l.Agree(page+"/functions", "blocks")
	for i, row := range rows {
		item := items[i]
		if want := fmt.Sprint(item["covered_blocks"], " of ", item["blocks"]); row.Cells["blocks"] != want {
			t.Errorf("row %d has blocks %q, want %q", i, row.Cells["blocks"], want)
		}
		if i%8 > 0 && item["executed"] == true {
			continue
		}
		if i%8 == 0 && strings.Contains(webtest.Said(webtest.ByTestID(t, l.Page(row.At, 200), "inspector")), "more run") {
			t.Errorf("row %d has more runs than are shown", i)
		}
		facts := webtest.Facts(l, row.At)
		for term, column := range map[string]string{
			"Bytes": "size", "Covered": "covered_share", "Merge count": "merge_count", "Calls": "call_count",
			"First position": "avg_timestamp", "Timestamp sum": "timestamp_sum", "Calls × size": "weight",
			"Raw offset": "raw_offset",
		} {
			n, ok := item[column].(json.Number)
			if ok && !webtest.Numbered(facts[term], n) || !ok && strings.ContainsAny(facts[term], "123456789") {
				t.Errorf("%s of row %d is %q, %v in the API", term, i, facts[term], item[column])
			}
		}
		if facts["Signature"] != item["signature"] || facts["CFG signature"] != item["cfg_signature"] {
			t.Errorf("row %d: %v", i, facts)
		}
		runs := l.OK(at + "/functions/" + item["fid"].(string)).Object(t)["runs"].([]any)
		list := facts[fmt.Sprintf("Runs it ran in %d of 3", len(runs))]
		for _, run := range runs {
			run := run.(map[string]any)
			calls := webtest.Number(t, run, "call_count")
			file := fmt.Sprintf("counts.%d.mipraw", webtest.Number(t, run, "run")-1)
			if run["file"] != file {
				t.Errorf("row %d ran in %v, want %s", i, run, file)
			}
			want := file + " " + humanize.Plural(calls, "call", "calls")
			if !strings.Contains(list, strings.ReplaceAll(want, humanize.NumberSpace, " ")) {
				t.Errorf("row %d: %q lacks %q", i, list, want)
			}
		}
		if len(runs) == 0 && list != "" {
			t.Errorf("row %d never ran: %q", i, list)
		}
	}
}

// Two profiles compared say on the page what they say in the API: cells, the sentence, lists.
func TestComparedMachineIRAgreesWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(paths ...string) string {
		return strings.TrimPrefix(webtest.PutMIP(l, paths...), "/api/v1/profiles/")
	}
	one, two := id("merged/counts.mipmap", webtest.MIPCounts[1]), id("merged/counts.mipmap", webtest.MIPCounts[2],
		webtest.MIPCounts[3])
	other := id("merged/coverage.mipmap", "merged/coverage.0.mipraw")
	for _, c := range []struct{ base, test, by string }{
		{one, two, ""}, {two, one, "size"}, {one, two, "order"}, {one, other, ""}, {other, one, "size"}, {one, one, ""},
	} {
		query := ""
		if c.by != "" {
			query = "?by=" + c.by
		}
		path := c.base + "..." + c.test
		object := l.OK("/api/v1/compare/" + path + query).Object(t)
		states, figures := map[string]int{}, object["figures"].(map[string]any)
		for state, of := range object["states"].(map[string]any) {
			states[state] = webtest.Number(t, of.(map[string]any), "rows")
		}
		for _, item := range object["items"].([]any) {
			item := item.(map[string]any)
			side := func(s string) int {
				if item[s] == nil {
					return 0
				}
				return webtest.Number(t, item, s)
			}
			column := map[string]string{"": "covered_bytes", "size": "size", "order": "place"}[c.by]
			if got, want := webtest.Number(t, item, "change"), side("test_"+column)-side("base_"+column); got != want {
				t.Errorf("%s by %q: %v changes by %d, want %d", path, c.by, item["name"], got, want)
			}
		}
		for _, state := range []string{"newly_covered", "newly_dead", "moved", "grown", "shrunk"} {
			if n := webtest.Number(t, figures, state); c.by != "order" && n != states[state] {
				t.Errorf("%s: %d are %s, want %d", path, n, state, states[state])
			}
		}
		doc := l.Page("/compare/"+path+query, 200)
		page := webtest.Said(doc)
		n := func(key string) string { return humanize.Int(webtest.Number(t, figures, key)) }
		bytes := func(key string) string { return humanize.Bytes(uint64(webtest.Number(t, figures, key))).Text }
		want := []string{n("newly_covered") + " functions newly covered, " + n("newly_dead") + " newly dead."}
		if n("newly_covered") == "1" {
			want[0] = strings.Replace(want[0], "functions", "function", 1)
		}
		if n("newly_covered")+n("newly_dead") == "00" {
			want[0] = "The same functions ran."
		}
		for key, says := range map[string]string{"newly_covered": "B", "newly_dead": "A"} {
			if said := " ran only in " + says + "."; n(key) != "0" {
				want = append(want, bytes(key+"_bytes")+said)
			} else if strings.Contains(page, said) {
				t.Errorf("%s says %q", path, said)
			}
		}
		if n("grown")+n("shrunk") != "00" {
			want = append(want, n("grown")+" grew, by "+bytes("grown_bytes")+"; "+n("shrunk")+" shrank, by "+
				bytes("shrunk_bytes")+".")
		}
		for key, says := range map[string]string{
			"moved": " moved in the start-up order.", "only_base": " lost.", "only_test": " new.",
		} {
			count := states[key]
			if key == "moved" {
				count = webtest.Number(t, figures, key)
			}
			if count > 0 {
				want = append(want, humanize.Int(count)+says)
			} else if strings.Contains(page, says) && c.by != "order" {
				t.Errorf("%s says %q", path, says)
			}
		}
		want = append(want, "Minimum change, in "+map[bool]string{true: "places", false: "bytes"}[c.by == "order"])
		for id, state := range map[string]string{
			"newly-covered": "newly_covered", "newly-dead": "newly_dead", "moved": "moved", "grown": "grown",
			"shrunk": "shrunk", "lost": "only_base", "new": "only_test",
		} {
			count := states[state]
			if figures[state] != nil {
				count = webtest.Number(t, figures, state)
			}
			if c.by == "order" && id != "moved" { // which has only what ran in both
				continue
			}
			list := webtest.AllByTestID(doc, "list-"+id)
			if (len(list) > 0) != (count > 0) || count > 0 && !strings.Contains(webtest.Said(list[0]),
				" "+strings.ReplaceAll(humanize.Plural(count, "function", "functions"), humanize.NumberSpace, " ")) {
				t.Errorf("%s by %q: %s has %d lists of %d", path, c.by, id, len(list), count)
			}
		}
		for _, says := range want {
			if !strings.Contains(page, strings.ReplaceAll(says, humanize.NumberSpace, " ")) {
				t.Errorf("%s by %q does not say %q", path, c.by, says)
			}
		}
		items := object["items"].([]any)
		if len(items) > 0 {
			l.ComparedLinks("/compare/"+path+query, c.base, c.test)
		}
		for i, row := range webtest.Grid(l.Page("/compare/"+path+query, 200)) {
			item := items[i].(map[string]any)
			for _, side := range []string{"base", "test"} {
				text, ran := row.Cells[side+"_covered_bytes"], item[side+"_executed"]
				if ran == false && text != "never" || ran == nil && text != "–" ||
					ran == true && !webtest.Numbered(text, item[side+"_covered_bytes"].(json.Number)) {
					t.Errorf("%s: row %d of %v says %q", path, i, item, text)
				}
			}
		}
	}
}

// Functions are suggested by their words, and found in other profiles of the program.
func TestMIPFunctionsAreFound(t *testing.T) {
	l := webtest.Start(t, nil)
	l.Suggested(webtest.PutMIP(l, webtest.MIPCounts...), "/functions", "demangled", "size")
	of := func(runs ...string) string {
		return l.InProject("p", webtest.Files(t, webtest.Root()+"/decode/mip/testdata",
			append([]string{"merged/counts.mipmap"}, runs...)...)...)
	}
	one, two := of(webtest.MIPCounts[1]), of(webtest.MIPCounts[2:]...)
	if n := l.Elsewhere(one, two, "covered_bytes") + l.Elsewhere(two, one, "covered_bytes"); n < 30 {
		t.Errorf("%d functions are found elsewhere", n)
	}
}

// A range of blocks is those of the whole function, and a page of filters that leave out all says so.
func TestMIPRangesAndFilters(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	for _, item := range l.OK(at + "/functions?limit=6").Object(t)["items"].([]any) {
		one := at + "/functions/" + item.(map[string]any)["fid"].(string)
		whole := l.OK(one).Object(t)["block_values"].([]any)
		for _, r := range [][2]int{{0, 0}, {1, 2}, {0, len(whole) + 3}, {len(whole), len(whole)}} {
			part := l.OK(fmt.Sprintf("%s?counters=%d..%d", one, r[0], r[1])).Object(t)
			want := whole[min(r[0], len(whole)):max(min(r[1]+1, len(whole)), min(r[0], len(whole)))]
			if fmt.Sprint(part["block_values"]) != fmt.Sprint(want) || webtest.Number(t, part, "block_values_from") != min(r[0],
				len(whole)) {
				t.Errorf("%s: blocks %v are %v, want %v", one, r, part["block_values"], want)
			}
		}
	}
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	all := webtest.Number(t, l.OK(at+"/functions?limit=1").Object(t), "total")
	for _, filter := range []string{
		"run=2", "only-run=2", "min-runs=3", "executed=true", "size=400..", "q=visit", "saturated=true",
	} {
		matching := webtest.Number(t, l.OK(at+"/functions?limit=1&"+filter).Object(t), "total")
		said := webtest.Said(l.Page(page+"/functions?"+filter, 200))
		if want := fmt.Sprintf("%d of %d match", matching, all); matching > 0 && !strings.Contains(said, want) {
			t.Errorf("%s does not say %q", filter, want)
		}
	}
	clean := webtest.PutMIP(l, "coverage/small.mipmap", "coverage/small.mipraw")
	none := l.OK(clean).Object(t)["mip"].(map[string]any)["removed_blocks"] == json.Number("0")
	if said := webtest.Said(l.Page("/p/"+strings.TrimPrefix(clean, "/api/v1/profiles/"), 200)); none &&
		strings.Contains(said, "removed after instrumentation") || !none {
		t.Errorf("none removed: %v; the overview speaks of removed blocks", none)
	}
	for _, q := range []string{"", "?only-run=1", "?min-runs=2", "?size=1.."} {
		ran := webtest.PutMIP(l, "numbers/raw.mipmap", "numbers/raw.mipraw")
		object := l.OK(ran + "/functions?executed=false" + strings.Replace(q, "?", "&", 1)).Object(t)
		said := webtest.Said(l.Page("/p/"+strings.TrimPrefix(ran, "/api/v1/profiles/")+"/dead"+q, 200))
		want := q == "" && webtest.Number(t, object, "total") == 0
		if every := strings.Contains(said, "Every function ran"); every != want {
			t.Errorf("/dead%s says that every function ran: %v, of %v", q, every, object["total"])
		}
	}
}
