package instrweb_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"proflens/handlers/webtest"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// functionColumns are those of a record that nobody filtered or merged.
var functionColumns = slices.DeleteFunc(table.ColumnNames(instrdb.Functions.Columns()),
	func(name string) bool { return name == "share_matching" || name == "records" })

func TestFunctionList(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	first := l.OK(path + "/functions?limit=2")
	list := first.Object(t)
	if list["total"] != json.Number("45") || list["all"] != json.Number("45") || list["next_cursor"] != "2" ||
		list["complete"] != true || list["matching_total"] != json.Number("1079558") {
		t.Errorf("the envelope is %s", first.Bytes)
	}
	row := list["items"].([]any)[0].(map[string]any)
	for _, key := range functionColumns {
		if _, ok := row[key]; !ok && key != "name_hex" {
			t.Errorf("a function has no %s", key)
		}
	}
	if row["rank"] != json.Number("1") || row["entry"] != nil || row["class"] != "hot" || row["share_matching"] != nil {
		t.Errorf("the first function is %v", row)
	}

	// Cursors lead through the whole table, each function once.
	var ranks []string
	for cursor := "0"; cursor != ""; {
		page := l.OK(path + "/functions?limit=7&cursor=" + cursor)
		ranks = append(ranks, page.Column(t, "rank")...)
		cursor, _ = page.Object(t)["next_cursor"].(string)
	}
	if len(ranks) != 45 || ranks[0] != "1" || ranks[44] != "45" {
		t.Errorf("following the cursors gave ranks %v", ranks)
	}
	if page := l.OK(path + "/functions?limit=7&page=2"); !slices.Equal(page.Column(t, "rank"), ranks[7:14]) {
		t.Error("page=2 differs from its cursor")
	}
	if past := l.OK(path + "/functions?page=1000").Object(t); len(past["items"].([]any)) != 0 ||
		past["next_cursor"] != nil {
		t.Errorf("a page past the end is %v", past)
	}
	if none := l.OK(path + "/functions?limit=0").Object(t); len(none["items"].([]any)) != 0 ||
		none["total"] != json.Number("45") {
		t.Errorf("limit=0 gave %v", none)
	}
}

func TestFunctionListQuery(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	all := l.OK(path + "/functions?limit=1000")
	count := func(query string) string {
		t.Helper()
		return fmt.Sprint(l.OK(path + "/functions?limit=1000&" + query).Object(t)["total"])
	}
	byMax := l.OK(path+"/functions?sort=-max&limit=1000&cols=max").Column(t, "max")
	if !slices.IsSortedFunc(byMax, func(a, b string) int { return len(b) - len(a) }) || len(byMax) != 45 {
		t.Errorf("sort=-max gave %v", byMax)
	}
	names := l.OK(path+"/functions?sort=name&limit=1000").Column(t, "name")
	if !slices.IsSorted(names) {
		t.Errorf("sort=name gave %v", names)
	}
	hits := 0
	for _, name := range all.Column(t, "name") {
		if strings.Contains(name, "lru") {
			hits++
		}
	}
	if got := count("q=LRU"); got != fmt.Sprint(hits) || hits == 0 {
		t.Errorf("q=LRU matches %s, want %d", got, hits)
	}
	if got := count("re=" + "LRU"); got != "0" {
		t.Errorf("re=LRU matches %s: case matters", got)
	}
	never := count("class=never")
	if executed := count("executed=false"); executed != never || never == "0" {
		t.Errorf("%s never, %s not executed", never, executed)
	}
	filtered := l.OK(path + "/functions?class=hot&limit=1000")
	var shares float64
	for _, item := range filtered.Object(t)["items"].([]any) {
		share, err := item.(map[string]any)["share_matching"].(json.Number).Float64()
		if err != nil {
			t.Fatal(err)
		}
		shares += share
	}
	if shares < 0.999 || shares > 1.001 {
		t.Errorf("the shares of the matching rows add up to %v", shares)
	}
	if cols := l.OK(path + "/functions?limit=1&cols=total,fid&counts=string").Text(); !strings.HasPrefix(
		cols, `{"items":[{"total":"`) {
		t.Errorf("cols=total,fid&counts=string gave %s", cols)
	}
	for query, says := range map[string]string{
		"re=(": "missing", "cols=colour": "demangled", "foo=1": "known parameters: q, re", "sort=share": "total, max",
		"cursor=x": "whole number",
	} {
		p := webtest.Problem(t, l.Get(path+"/functions?"+query), http.StatusBadRequest, "bad_parameter")
		if !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: detail %q does not say %q", query, p["detail"], says)
		}
	}
}

func TestFunctionRows(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	// All rows, though a page has a hundred at most.
	table := l.OK(path + "/functions?format=csv")
	rows, err := csv.NewReader(bytes.NewReader(table.Bytes)).ReadAll()
	if err != nil || len(rows) != 46 || !slices.Equal(rows[0], functionColumns) {
		t.Fatalf("the CSV has %d lines, %v: %.200s", len(rows), err, table.Bytes)
	}
	if got := table.Header.Get("Content-Disposition"); !strings.Contains(got, "ir_c.profraw-functions.csv") {
		t.Errorf("Content-Disposition: %s", got)
	}
	lines := strings.Split(strings.TrimSpace(l.OK(path+"/functions?format=ndjson&sort=ordinal").Text()), "\n")
	if len(lines) != 46 || lines[45] != `{"_end":true,"rows":45}` {
		t.Errorf("the NDJSON has %d lines and ends %s", len(lines), lines[len(lines)-1])
	}
	for i, line := range lines[:45] {
		var row struct{ Ordinal int }
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.Ordinal != i {
			t.Fatalf("line %d: %v: %s", i, err, line)
		}
	}
	if page := l.OK(path + "/functions?format=ndjson&limit=3&page=2&cols=rank").Text(); page != "{\"rank\":4}\n{\"rank\":5}\n{\"rank\":6}\n{\"_end\":true,\"rows\":3}\n" {
		t.Errorf("page=2&limit=3 as NDJSON is %s", page)
	}
	for accept, want := range map[string]string{
		"text/csv": "text/csv", "application/x-ndjson": "application/x-ndjson", "text/plain": "text/plain",
		"application/json": "application/json",
	} {
		if got := l.OK(path+"/functions", "Accept", accept).Header.Get("Content-Type"); !strings.HasPrefix(got, want) {
			t.Errorf("Accept: %s gave %s", accept, got)
		}
	}
	text := strings.Split(l.OK(path+"/functions?format=text&limit=1").Text(), "\n")
	if len(text) != 3 || !strings.Contains(text[0], "demangled") ||
		strings.Index(text[0], "demangled") != strings.Index(
			text[1], strings.Fields(text[1])[len(strings.Fields(text[1]))-1]) {
		t.Errorf("the text is\n%s", strings.Join(text, "\n"))
	}
}

// Names that are not what a table or a terminal expects.
func TestHostileNamesInRows(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_hostile.profraw")
	rows, err := csv.NewReader(strings.NewReader(l.OK(path + "/functions?format=csv").Text())).ReadAll()
	if err != nil || len(rows) != 8 {
		t.Errorf("the CSV has %d records, %v", len(rows), err)
	}
	if lines := strings.Split(l.OK(path+"/functions?format=ndjson").Text(), "\n"); len(lines) != 9 {
		t.Errorf("the NDJSON has %d lines", len(lines))
	}
	text := l.OK(path + "/functions?format=text").Text()
	if strings.Count(text, "\n") != 8 || strings.ContainsAny(text, "\x1b\r\x00") {
		t.Errorf("the text is %q", text)
	}
}

// Names are bytes: where they are not UTF-8, name_hex has them.
func TestNameBytes(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("a.proftext", []byte(":ir\nlong_name_not\xffutf8\n1\n1\n5\n\nutf8\n1\n1\n4\n"))["id"].(string)
	items := l.OK("/api/v1/profiles/" + id + "/functions").Object(t)["items"].([]any)
	first, second := items[0].(map[string]any), items[1].(map[string]any)
	if first["name"] != "long_name_not\ufffdutf8" || first["name_hex"] != "6c6f6e675f6e616d655f6e6f74ff75746638" {
		t.Errorf("name %q, name_hex %v", first["name"], first["name_hex"])
	}
	if hex, ok := second["name_hex"]; ok || second["name"] != "utf8" {
		t.Errorf("name %q, name_hex %v", second["name"], hex)
	}
}

func TestFunctionDetail(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	// Counters as the compiler's own tool prints them.
	want := countersOf(t, "main")
	find := l.OK(path + "/functions?re=^main$").Object(t)["items"].([]any)[0].(map[string]any)
	a := l.OK(path + "/functions/" + find["fid"].(string))
	f := a.Object(t)
	record := f["records"].([]any)[0].(map[string]any)
	if f["fid"] != find["fid"] || f["demangled"] != "main" || record["func_hash"] != find["func_hash"] ||
		record["total"] != find["total"] {
		t.Errorf("the function is %.300s", a.Bytes)
	}
	if got := fmt.Sprint(record["counter_values"]); got != fmt.Sprint(want) {
		t.Errorf("counters %s, want %v", got, want)
	}
	part := l.OK(path + "/functions/" + find["fid"].(string) +
		"?counters=2..4&counts=string").Object(t)["records"].([]any)[0].(map[string]any)
	if got := fmt.Sprint(part["counter_values"]); got != fmt.Sprint(want[2:5]) ||
		part["counter_values_from"] != json.Number("2") {
		t.Errorf("counters=2..4 gave %s from %v", got, part["counter_values_from"])
	}
	if _, ok := part["counter_values"].([]any)[0].(string); !ok {
		t.Error("counts=string did not quote a counter")
	}
	for _, query := range []string{"counters=100000..", "counters=..0"} {
		l.OK(path + "/functions/" + find["fid"].(string) + "?" + query)
	}
	for _, fid := range []string{"0123456789abcdef", "main", "0", strings.Repeat("0", 17)} {
		webtest.Problem(t, l.Get(path+"/functions/"+fid), http.StatusNotFound, "not_found")
	}
}

// countersOf reads a function's counters off the oracle.
func countersOf(t testing.TB, name string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(string(webtest.File(t, "ir_c.proftext")), "\n"+name+"\n# Func Hash:\n")
	_, rest, ok2 := strings.Cut(rest, "# Counter Values:\n")
	if !ok || !ok2 {
		t.Fatalf("the oracle has no %s", name)
	}
	var values []string
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			break
		}
		values = append(values, line)
	}
	return values
}

func TestFunctionTargets(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	resolved := 0
	for _, fid := range l.OK(path+"/functions?sites=1..&limit=1000").Column(t, "fid") {
		for _, record := range l.OK(path + "/functions/" + fid).Object(t)["records"].([]any) {
			for _, site := range record.(map[string]any)["sites"].([]any) {
				for _, value := range site.(map[string]any)["values"].([]any) {
					target, ok := value.(map[string]any)["target"].(map[string]any)
					if ok && target["has_record"] == true {
						resolved++
						there := l.OK(path + "/functions/" + target["fid"].(string)).Object(t)
						if there["name"] != target["name"] {
							t.Errorf("target %v leads to %v", target["name"], there["name"])
						}
					}
				}
			}
		}
	}
	if resolved == 0 {
		t.Error("no indirect call target was resolved")
	}
}

func TestSeveralRecordsOfAName(t *testing.T) {
	l, path := webtest.StartWith(t, "same_name_hashes.proftext")
	fid := l.OK(path+"/functions?q=dup&limit=1").Column(t, "fid")[0]
	records := l.OK(path + "/functions/" + fid).Object(t)["records"].([]any)
	if len(records) != 3 {
		t.Errorf("dup has %d records, want 3", len(records))
	}
	one := l.OK(path + "/functions/" + fid + "?hash=000000000000000a").Object(t)["records"].([]any)
	if len(one) != 1 || one[0].(map[string]any)["func_hash"] != "000000000000000a" {
		t.Errorf("hash=a gave %v", one)
	}
}

func TestEntryCounts(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_entry_first.proftext")
	for _, entry := range l.OK(path+"/functions").Column(t, "entry") {
		if entry == "<nil>" {
			t.Error("a profile with entry counts has a function without one")
		}
	}
}

func TestProftextExport(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	a := l.OK(path + "/export/proftext")
	if !bytes.Equal(a.Bytes, webtest.File(t, "ir_c.proftext")) {
		t.Error("the text form differs from llvm-profdata's")
	}
	if got := a.Header.Get("Content-Disposition"); got != `attachment; filename=ir_c.proftext` {
		t.Errorf("Content-Disposition: %s", got)
	}
	p := webtest.Problem(t, l.Get(path+"/export/pdf"), http.StatusNotFound, "not_found")
	if !strings.Contains(p["detail"].(string),
		"proftext, profdata, order, memprof-yaml, memprof-dump, mip-json, mip, dcpi-json, dcpi, sample-text, "+
			"sample-extbinary, sample-binary, pprof, folded, speedscope, llvm-cov-json, lcov, cobertura, cov-report, csv, "+
			"json, ndjson, sqlite") {
		t.Errorf("detail %q does not list the formats", p["detail"])
	}
}

func TestProfdataExport(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	a := l.OK(path + "/export/profdata")
	if got := a.Header.Get("Content-Disposition"); got != `attachment; filename=ir_c.profdata` ||
		a.Header.Get("Proflens-Indexed-Version") != "13" {
		t.Errorf("Content-Disposition: %s, version %s", got, a.Header.Get("Proflens-Indexed-Version"))
	}
	const profiles = "/api/v1/profiles/"
	again := profiles + l.Put("again.profdata", a.Bytes)["id"].(string)
	if text := l.OK(again + "/export/proftext"); !bytes.Equal(text.Bytes, webtest.File(t, "ir_c.proftext")) {
		t.Error("the indexed profile reads back as another text")
	}

	entry := profiles + l.Put("entry.proftext", webtest.File(t, "ir_entry_first.proftext"))["id"].(string)
	p := webtest.Problem(t, l.Get(entry+"/export/profdata?version=6"), http.StatusConflict, "lossy")
	if detail := p["detail"].(string); !strings.Contains(detail, "entry count (since version 7)") ||
		!strings.Contains(detail, "lossy=true") {
		t.Errorf("detail: %s", detail)
	}
	a = l.OK(entry + "/export/profdata?version=6&lossy=true")
	if got := a.Header.Values("Proflens-Finding"); len(got) != 1 ||
		!strings.Contains(got[0], "warning profdata.flag: ") || a.Bytes[8] != 6 {
		t.Errorf("findings %q, version %d", got, a.Bytes[8])
	}
	for _, query := range []string{"?version=4", "?version=15", "?version=x", "?lossy=perhaps", "?bogus=1"} {
		webtest.Problem(t, l.Get(path+"/export/profdata"+query), http.StatusBadRequest, "bad_parameter")
	}
	webtest.Problem(t, l.Get(path+"/export/proftext?version=8"), http.StatusBadRequest, "bad_parameter")
}

func TestOriginal(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	raw := webtest.File(t, "ir_c.profraw")
	a := l.OK(path + "/original")
	if !bytes.Equal(a.Bytes, raw) || a.Header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("the original is %d bytes of %s", len(a.Bytes), a.Header.Get("Content-Type"))
	}
	if part := l.Get(path+"/original", "Range", "bytes=8-15"); part.StatusCode != http.StatusPartialContent ||
		!bytes.Equal(part.Bytes, raw[8:16]) {
		t.Errorf("Range: %s, %d bytes", part.Status, len(part.Bytes))
	}
	if again := l.Get(path+"/original", "If-None-Match",
		a.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("If-None-Match: %s", again.Status)
	}
}

func TestProfileList(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	for i := range 5 {
		l.Put(fmt.Sprintf("n%d.profraw?project=p%d&label=parity=%d", i, i, i%2), raw)
	}
	var names []string
	for cursor := ""; ; {
		page := l.OK("/api/v1/profiles?limit=2&cursor=" + cursor)
		names = append(names, page.Column(t, "name")...)
		next, ok := page.Object(t)["next_cursor"].(string)
		if !ok {
			break
		}
		cursor = next
	}
	if got := strings.Join(names, " "); got != "n4.profraw n3.profraw n2.profraw n1.profraw n0.profraw" {
		t.Errorf("newest first: %s", got)
	}
	for query, want := range map[string]string{
		"label=parity=1": "n3.profraw n1.profraw", "project=p2": "n2.profraw", "q=N4": "n4.profraw", "kind=dcpi": "",
		"kind=instr&q=n0": "n0.profraw",
	} {
		if got := strings.Join(l.OK("/api/v1/profiles?"+query).Column(t, "name"), " "); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	webtest.Problem(t, l.Get("/api/v1/profiles?colour=red"), http.StatusBadRequest, "bad_parameter")
	webtest.Problem(t, l.Get("/api/v1/profiles?cursor=!"), http.StatusBadRequest, "bad_parameter")
	webtest.Problem(t, l.Get("/api/v1/profiles?limit=501"), http.StatusBadRequest, "bad_parameter")
}

func TestNowhere(t *testing.T) {
	l := webtest.Start(t, nil)
	webtest.Problem(t, l.Get("/api/v1/nothing"), http.StatusNotFound, "not_found")
	webtest.Problem(t, l.Get("/nothing"), http.StatusNotFound, "not_found")
	a := l.Do("PATCH", "/api/v1/profiles", nil)
	webtest.Problem(t, a, http.StatusMethodNotAllowed, "method_not_allowed")
	if allow := strings.Join(a.Header.Values("Allow"), ", "); allow != "GET, POST" {
		t.Errorf("Allow: %s", allow)
	}
	webtest.Problem(t, l.Get("/upload"), http.StatusNotFound, "not_found")
	page := l.Get("/nothing", "Accept", "text/html")
	if page.StatusCode != http.StatusNotFound || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		t.Errorf("a browser gets %s, %s", page.Status, page.Header.Get("Content-Type"))
	}
	if !strings.Contains(page.Text(), page.Header.Get("X-Request-Id")) {
		t.Error("the error page does not say the request id")
	}
}

func TestOps(t *testing.T) {
	l := webtest.Start(t, nil)
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		if got := l.OK(path).Text(); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
	if v := l.OK("/version").Object(t); v["version"] != "test" || v["schema"] != json.Number("1") {
		t.Errorf("version %v", v)
	}
	if a := l.Do("HEAD", "/healthz", nil); a.StatusCode != http.StatusOK || len(a.Bytes) > 0 {
		t.Errorf("HEAD: %s, %q", a.Status, a.Bytes)
	}
}

// format= on a page leads to the same query of the API.
func TestPageFormats(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	page := "/p/" + strings.TrimPrefix(path, "/api/v1/profiles/")
	fid := l.OK(path+"/functions?limit=1").Column(t, "fid")[0]
	for from, to := range map[string]string{
		"?format=json": "?format=json",
		"/functions?sort=-max&format=csv&q=lru&sel=x": "/functions?q=lru&sort=-max&format=csv",
		"/functions/" + fid + "?format=json":          "/functions/" + fid + "?format=json",
	} {
		if here := l.OK(page+from, "Accept", "text/html").Text(); here != l.OK(path+to).Text() {
			t.Errorf("%s: %.300s", from, here)
		}
	}
}

// Uploads, readers and deletes at once.
func TestConcurrently(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for i := range 3 {
				a := l.Do("PUT", fmt.Sprintf("/api/v1/profiles/%d-%d.profraw", n, i), bytes.NewReader(raw))
				if a.StatusCode != http.StatusCreated {
					t.Errorf("%s: %s", a.Status, a.Bytes)
					return
				}
				p := a.Object(t)
				path := "/api/v1/profiles/" + p["id"].(string)
				for _, call := range []string{"", "/functions?q=lru", "/functions?format=csv", "/anatomy", "/export/proftext"} {
					if got := l.Get(path + call); got.StatusCode != http.StatusOK {
						t.Errorf("%s: %s", call, got.Status)
					}
				}
				if a := l.Do("DELETE", path, nil, "X-Delete-Token",
					p["delete_token"].(string)); a.StatusCode != http.StatusNoContent {
					t.Errorf("delete: %s", a.Status)
				}
			}
		})
	}
	group.Wait()
	if list := l.OK("/api/v1/profiles").Object(t); list["total"] != json.Number("0") {
		t.Errorf("%v profiles are left", list["total"])
	}
}
