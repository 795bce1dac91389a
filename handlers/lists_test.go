package handlers_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A list and the export of its table take the same filters and orders, and find the same
// rows; every word is sought, in any order.
func TestListsAndTheirExports(t *testing.T) {
	l := webtest.Start(t, nil)
	put := func(name string) string {
		return "/api/v1/profiles/" + l.Put(name, webtest.File(t, name))["id"].(string)
	}
	counts, heap, raw := put("ir_c.profraw"), webtest.PutMemProf(l, "mem_instr_v3.profdata"), put("ir_buildid.profraw")
	data := webtest.PutMemProf(l, "mem_dap.yaml")
	for _, c := range []struct {
		at, list, table, query string
	}{
		{counts, "/values?kind=indirect&", "values", "sort=-sum&distinct=1.."},
		{counts, "/values?kind=memop&", "values-memop", "target=8&sort=index"},
		{counts, "/coverage?by=path&", "coverage", "functions=1..&sort=name"},
		{counts, "/coverage?by=namespace&", "coverage-namespace", "q=nosuchplace"},
		{heap, "/call-sites?", "call-sites", "q=main&sort=-stack_depth"},
		{heap, "/call-sites?", "call-sites", "q=+nosuch++main+"},
		{heap, "/call-sites?", "call-sites", "stack_depth=2..&sort=function"},
		{heap, "/cloning?", "cloning", "cold_lifetime=0&cold_density=1000&cold_bytes=1..&sort=name"},
		{heap, "/pruned-contexts?", "pruned-contexts", "q=main&sort=-bytes"},
		{heap, "/calls?", "calls", "q=main&sort=caller"},
		{heap, "/sites?by=function&", "sites", "q=main&sort=name"},
		{data, "/data-access?", "data-access", "access_count=1..&sort=symbol"},
		{data, "/data-access?", "data-access", "q=file2+abc&sort=-kind"},
		{raw, "/binary-ids?", "binary-ids", "q=1a+75&sort=-id"},
		{raw, "/binary-ids?", "binary-ids", "bytes=..19"},
	} {
		listed := l.OK(c.at + c.list + c.query + "&format=csv").Text()
		exported := l.OK(c.at + "/export/csv?table=" + c.table + "&" + c.query).Text()
		if listed != exported {
			t.Errorf("%s%s lists\n%s\nand exports\n%s", c.list, c.query, listed, exported)
		}
	}
	all, some := l.OK(heap+"/call-sites").Column(t, "index"), l.OK(heap+"/call-sites?sort=-index").Column(t, "index")
	if slices.Reverse(some); len(all) < 2 || !slices.Equal(all, some) {
		t.Errorf("call sites stand as %v, and backwards as %v", all, some)
	}
	for _, path := range []string{
		"/call-sites?sort=bytes", "/call-sites?callees=x", "/data-access?access_count=2..1", "/modules?re=(",
		"/export/csv?table=modules&sort=nothing",
	} {
		webtest.Problem(t, l.Get(heap+path), 400, "bad_parameter")
	}
	page := "/p" + strings.TrimPrefix(heap, "/api/v1/profiles")
	for _, path := range []string{
		"/callsites?by=recorded&q=nosuch", "/callsites?by=recorded&q=main&callees=0..", "/modules", "/cloning?q=main",
	} {
		l.Page(page+path, 200)
	}
}

// A value site is found by what it saw, whatever its function is called.
func TestValueSitesByTarget(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/api/v1/profiles/" + l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	total := func(query string) string {
		return fmt.Sprint(l.OK(at + "/values?kind=indirect" + query).Object(t)["total"])
	}
	tops := l.OK(at+"/values?kind=indirect&sum=1..").Column(t, "top")
	for _, top := range tops {
		if n := total("&target=" + url.QueryEscape(top)); n == "0" {
			t.Errorf("no site is found by its target %q", top)
		}
	}
	if n := total("&target=nosuchtarget"); len(tops) == 0 || n != "0" {
		t.Errorf("%v; %s sites saw what there is not", tops, n)
	}
}

// Fields of a section are found by words of their name and value, and counted among these.
func TestFieldsByWords(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/api/v1/profiles/" + l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	section := func(query string) map[string]any {
		items := l.OK(at + "/anatomy?section=data" + query).Object(t)["items"].([]any)
		return items[0].(map[string]any)["sections"].([]any)[0].(map[string]any)
	}
	fields := section("&q=numcounters")["fields"].([]any)
	for _, f := range fields {
		if f.(map[string]any)["name"] != "NumCounters" {
			t.Errorf("found %v", f)
		}
	}
	value := fields[0].(map[string]any)["value"].(string)
	if some, _ := section("&q=" + value + "+NumCounters")["fields"].([]any); len(some) == 0 || len(some) > len(fields) {
		t.Errorf("%d of %d fields have the value %s", len(some), len(fields), value)
	}
	webtest.Problem(t, l.Get(at+"/anatomy?q=x"), 400, "bad_parameter")
	l.Page("/p"+strings.TrimPrefix(at, "/api/v1/profiles")+"/raw?section=data&q=numcounters", 200)
}
