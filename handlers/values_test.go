package handlers

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/store"
)

// Values lists the sites of an invented profile, most frequent value first.
func (p *inventedProfile) Values(_ context.Context, q store.ValueQuery) (*store.ValuePage, error) {
	v := &store.ValuePage{Complete: true}
	var all []store.ValueRow
	for _, r := range p.records {
		for i, site := range r.Sites[q.Kind] {
			row := store.ValueRow{Rank: r.Rank, Name: r.Name, NameRef: r.NameRef, FuncHash: r.FuncHash, Index: i, Values: byCount(site)}
			for _, value := range site {
				row.Sum.Add(value.Count)
				if q.Kind == instrprof.MemOPSize {
					v.Sizes = append(v.Sizes, store.SizeCount{Value: value.Value, Sites: 1, Count: analyze.Sum{Lo: value.Count}})
				}
			}
			if len(site) > 0 {
				v.Observed++
			}
			v.Total.AddSum(row.Sum)
			all = append(all, row)
		}
	}
	v.All, v.Matching = len(all), len(all)
	from := min(q.Offset, len(all))
	v.Rows = all[from:min(len(all), from+q.Limit)]
	return v, nil
}

// Bitmaps of an invented profile are none.
func (p *inventedProfile) Bitmaps(context.Context, int, int) (*store.BitmapPage, error) {
	return &store.BitmapPage{Complete: true}, nil
}

func (p *inventedProfile) Traces(context.Context) ([]store.TraceInfo, error) {
	var list []store.TraceInfo
	for _, t := range p.traces {
		list = append(list, store.TraceInfo{Weight: t.Weight, Length: len(t.NameRefs)})
	}
	return list, nil
}

func (p *inventedProfile) Trace(_ context.Context, i int) ([]uint64, error) {
	return p.traces[i].NameRefs, nil
}

func (p *inventedProfile) FunctionOrder(context.Context) ([]analyze.Placed, error) {
	var o analyze.Order
	for _, t := range p.traces {
		o.Add(t)
	}
	return o.Functions(), nil
}

func (p *inventedProfile) MaximaOf(_ context.Context, refs []uint64) ([]uint64, error) {
	maxima := make([]uint64, len(refs))
	for i, ref := range refs {
		for _, r := range p.records {
			if r.NameRef == ref {
				maxima[i] = max(maxima[i], r.Max)
			}
		}
	}
	return maxima, nil
}

// Every site of every function is in the list of its kind once, with the same
// values, and the most frequent come first.
func TestListValues(t *testing.T) {
	l := startLive(t, nil)
	at := "/api/v1/profiles/" + l.put("ir_c.profraw", sample(t, "ir_c.profraw"))["id"].(string)
	for kind, word := range map[string]string{"IPVK_IndirectCallTarget": "indirect", "IPVK_MemOPSize": "memop", "IPVK_VTableTarget": "vtable"} {
		want := map[string]int{}
		for _, fid := range columnOf(t, l.ok(at+"/functions?limit=1000"), "fid") {
			for _, record := range l.ok(at + "/functions/" + fid).object(t)["records"].([]any) {
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
			list := l.ok(at + "/values?kind=" + word + "&limit=3&cursor=" + cursor).object(t)
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
		lines := strings.Split(strings.TrimSpace(l.ok(at+"/values?format=ndjson&kind="+word).text()), "\n")
		if len(lines)-1 != len(want) {
			t.Errorf("%s: %d lines for %d sites", word, len(lines)-1, len(want))
		}
	}
	first := l.ok(at + "/values?limit=1").object(t)["items"].([]any)[0].(map[string]any)
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
	l := startLive(t, nil)
	at := "/api/v1/profiles/" + l.put("two.profdata", sample(t, "temporal_two.profdata"))["id"].(string)
	list := l.ok(at + "/traces?limit=1000").object(t)
	var got strings.Builder
	lengths := map[string]int{}
	for _, item := range list["items"].([]any) {
		lengths[string(item.(map[string]any)["trace"].(json.Number))]++
	}
	got.WriteString("Temporal Profile Traces (samples=" + string(list["traces"].(json.Number)) + " seen=" + string(list["trace_stream_size"].(json.Number)) + "):\n")
	for _, item := range list["items"].([]any) {
		row := item.(map[string]any)
		if trace := string(row["trace"].(json.Number)); row["position"] == json.Number("0") {
			got.WriteString("  Temporal Profile Trace " + trace + " (weight=" + string(row["weight"].(json.Number)) + " count=" + string(intText(lengths[trace])) + "):\n")
		}
		got.WriteString("    " + row["name"].(string) + "\n")
	}
	printed := string(sample(t, "temporal_two.traces.txt"))
	_, want, _ := strings.Cut(printed, "Temporal Profile Traces")
	if want = "Temporal Profile Traces" + want; strings.TrimSpace(got.String()) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	var order strings.Builder
	for _, name := range columnOf(t, l.ok(at+"/traces?by=function&limit=1000"), "linkage_name") {
		order.WriteString(name + "\n")
	}
	if file := l.ok(at + "/export/order"); file.text() != order.String() {
		t.Errorf("the order file is\n%s\nbut by=function has\n%s", file.text(), order.String())
	}
	if file := l.ok(at + "/export/order?macho=true"); !strings.HasPrefix(file.text(), "_main\n") {
		t.Errorf("for Mach-O: %.40q", file.text())
	}
	// Pages, joined, are the whole, also across the border of traces.
	whole := columnOf(t, l.ok(at+"/traces?limit=1000"), "fid")
	var joined []string
	for cursor := "0"; cursor != ""; {
		page := l.ok(at + "/traces?limit=7&cursor=" + cursor)
		joined = append(joined, columnOf(t, page, "fid")...)
		cursor, _ = page.object(t)["next_cursor"].(string)
	}
	if !slices.Equal(joined, whole) {
		t.Errorf("pages have %d rows, the whole %d", len(joined), len(whole))
	}
	none := "/api/v1/profiles/" + l.put("c.profraw", sample(t, "ir_c.profraw"))["id"].(string)
	wantProblem(t, l.get(none+"/export/order"), 404, "no_temporal_traces")
	if n := l.ok(none + "/traces").object(t)["total"]; n != json.Number("0") {
		t.Errorf("%v traces", n)
	}
}

func intText(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// Binary ids are those that llvm-profdata show --binary-ids prints.
func TestListBinaryIDs(t *testing.T) {
	l := startLive(t, nil)
	at := "/api/v1/profiles/" + l.put("b.profraw", sample(t, "ir_buildid.profraw"))["id"].(string)
	_, printed, _ := strings.Cut(string(sample(t, "ir_buildid.binids.txt")), "Binary IDs: \n")
	if want, got := strings.Fields(printed), columnOf(t, l.ok(at+"/binary-ids"), "id"); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := l.ok(at + "/binary-ids?format=csv").text(); !strings.HasPrefix(got, "id,bytes\r\n") {
		t.Errorf("CSV %q", got)
	}
	wantProblem(t, l.get(at+"/binary-ids?names=full"), 400, "bad_parameter")
}

// The document describes these calls, and their answers are as it says.
func TestOpenAPIValues(t *testing.T) {
	doc := loadDocument(t)
	l := startLive(t, nil)
	for name, profile := range map[string]string{"ir_c.profraw": "", "temporal_two.profdata": ""} {
		profile = "/api/v1/profiles/" + l.put(name, sample(t, name))["id"].(string)
		for call, known := range map[string][]string{"values": valueKeys, "traces": together(traceKeys, mipOrderKeys), "binary-ids": binaryIDKeys} {
			path := "/api/v1/profiles/{id}/" + call
			var listed []string
			for _, p := range doc.Paths.Value(path).Get.Parameters {
				if p.Value.In == "query" {
					listed = append(listed, p.Value.Name)
				}
			}
			if want := slices.Sorted(slices.Values(known)); !slices.Equal(slices.Sorted(slices.Values(listed)), want) {
				t.Errorf("%s: the document lists %v, the parser knows %v", path, listed, want)
			}
			queries := []string{"", "?format=csv", "?format=ndjson", "?format=text", "?limit=0", "?nonsense=1"}
			switch call {
			case "values":
				queries = append(queries, "?kind=memop&counts=string", "?kind=vtable", "?kind=x", "?cols=sum,values&names=short")
			case "traces":
				queries = append(queries, "?by=function&counts=string", "?counts=string")
			}
			for _, query := range queries {
				validate(t, doc, path, l.get(profile+"/"+call+query))
			}
		}
	}
}
