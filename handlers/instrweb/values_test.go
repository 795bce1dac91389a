package instrweb_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// Every site of every function is in the list of its kind once, with the same
// values, and the most frequent come first.
func TestListValues(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/api/v1/profiles/" + l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	for kind, word := range map[string]string{
		"IPVK_IndirectCallTarget": "indirect", "IPVK_MemOPSize": "memop", "IPVK_VTableTarget": "vtable",
	} {
		want := map[string]int{}
		for _, fid := range l.OK(at+"/functions?limit=1000").Column(t, "fid") {
			for _, record := range l.OK(at + "/functions/" + fid).Object(t)["records"].([]any) {
				for _, s := range record.(map[string]any)["sites"].([]any) {
					if site := s.(map[string]any); site["kind"] == kind {
						want[siteKey(fid, site)]++
					}
				}
			}
		}
		got := map[string]int{}
		last := ""
		for cursor := "0"; cursor != ""; {
			list := l.OK(at + "/values?kind=" + word + "&limit=3&cursor=" + cursor).Object(t)
			for _, item := range list["items"].([]any) {
				site := item.(map[string]any)
				got[siteKey(site["fid"].(string), site)]++
				top := string(site["top_count"].(json.Number))
				if last != "" && (len(top) > len(last) || len(top) == len(last) && top > last) {
					t.Errorf("%s: %s after %s", word, top, last)
				}
				last = top
			}
			cursor, _ = list["next_cursor"].(string)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %d sites listed, %d in functions:\n%v\n%v", word, len(got), len(want), got, want)
		}
		lines := strings.Split(strings.TrimSpace(l.OK(at+"/values?format=ndjson&kind="+word).Text()), "\n")
		if len(lines)-1 != len(want) {
			t.Errorf("%s: %d lines for %d sites", word, len(lines)-1, len(want))
		}
	}
	first := l.OK(at + "/values?limit=1").Object(t)["items"].([]any)[0].(map[string]any)
	if first["top"] != "cmp_up" || first["sum"] != json.Number("61568") {
		t.Errorf("the first candidate is %v of %v", first["top"], first["sum"])
	}
}

// siteKey holds what identifies a site and what it recorded, in any order.
func siteKey(fid string, site map[string]any) string {
	var values []string
	for _, v := range site["values"].([]any) {
		b, _ := json.Marshal(v)
		values = append(values, string(b))
	}
	slices.Sort(values)
	return fid + " " + string(site["index"].(json.Number)) + " " + strings.Join(values, " ")
}

// Traces are those that llvm-profdata show --temporal-profile-traces prints.
func TestListTraces(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/api/v1/profiles/" + l.Put("two.profdata", webtest.File(t, "temporal_two.profdata"))["id"].(string)
	list := l.OK(at + "/traces?limit=1000").Object(t)
	var got strings.Builder
	lengths := map[string]int{}
	for _, item := range list["items"].([]any) {
		lengths[string(item.(map[string]any)["trace"].(json.Number))]++
	}
	got.WriteString("Temporal Profile Traces (samples=" + string(list["traces"].(json.Number)) + " seen=" +
		string(list["trace_stream_size"].(json.Number)) + "):\n")
	for _, item := range list["items"].([]any) {
		row := item.(map[string]any)
		if trace := string(row["trace"].(json.Number)); row["position"] == json.Number("0") {
			got.WriteString("  Temporal Profile Trace " + trace + " (weight=" + string(row["weight"].(json.Number)) +
				" count=" + string(intText(lengths[trace])) + "):\n")
		}
		got.WriteString("    " + row["name"].(string) + "\n")
	}
	printed := string(webtest.File(t, "temporal_two.traces.txt"))
	_, want, _ := strings.Cut(printed, "Temporal Profile Traces")
	if want = "Temporal Profile Traces" + want; strings.TrimSpace(got.String()) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	var order strings.Builder
	for _, name := range l.OK(at+"/traces?by=function&limit=1000").Column(t, "linkage_name") {
		order.WriteString(name + "\n")
	}
	if file := l.OK(at + "/export/order"); file.Text() != order.String() {
		t.Errorf("the order file is\n%s\nbut by=function has\n%s", file.Text(), order.String())
	}
	if file := l.OK(at + "/export/order?macho=true"); !strings.HasPrefix(file.Text(), "_main\n") {
		t.Errorf("for Mach-O: %.40q", file.Text())
	}
	// Pages, joined, are the whole, also across the border of traces.
	whole := l.OK(at+"/traces?limit=1000").Column(t, "fid")
	var joined []string
	for cursor := "0"; cursor != ""; {
		page := l.OK(at + "/traces?limit=7&cursor=" + cursor)
		joined = append(joined, page.Column(t, "fid")...)
		cursor, _ = page.Object(t)["next_cursor"].(string)
	}
	if !slices.Equal(joined, whole) {
		t.Errorf("pages have %d rows, the whole %d", len(joined), len(whole))
	}
	none := "/api/v1/profiles/" + l.Put("c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	webtest.Problem(t, l.Get(none+"/export/order"), 404, "no_temporal_traces")
	if n := l.OK(none + "/traces").Object(t)["total"]; n != json.Number("0") {
		t.Errorf("%v traces", n)
	}
}

func intText(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// Binary ids are those that llvm-profdata show --binary-ids prints.
func TestListBinaryIDs(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/api/v1/profiles/" + l.Put("b.profraw", webtest.File(t, "ir_buildid.profraw"))["id"].(string)
	_, printed, _ := strings.Cut(string(webtest.File(t, "ir_buildid.binids.txt")), "Binary IDs: \n")
	if want, got := strings.Fields(printed), l.OK(at+"/binary-ids").Column(t, "id"); len(want) == 0 ||
		!slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := l.OK(at + "/binary-ids?format=csv").Text(); !strings.HasPrefix(got, "id,bytes\r\n") {
		t.Errorf("CSV %q", got)
	}
	webtest.Problem(t, l.Get(at+"/binary-ids?nosuch=full"), 400, "bad_parameter")
}

// The document describes these calls, and their answers are as it says.
func TestOpenAPIValues(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	for name, profile := range map[string]string{"ir_c.profraw": "", "temporal_two.profdata": ""} {
		profile = "/api/v1/profiles/" + l.Put(name, webtest.File(t, name))["id"].(string)
		for _, call := range []string{"values", "traces", "binary-ids"} {
			path := "/api/v1/profiles/{id}/" + call
			queries := []string{"", "?format=csv", "?format=ndjson", "?format=text", "?limit=0", "?nonsense=1"}
			switch call {
			case "values":
				queries = append(queries, "?kind=memop&counts=string", "?kind=vtable", "?kind=x", "?cols=sum,values&names=short")
			case "traces":
				queries = append(queries, "?by=function&counts=string", "?counts=string")
			}
			for _, query := range queries {
				webtest.Validate(t, doc, path, l.Get(profile+"/"+call+query))
			}
		}
	}
}
