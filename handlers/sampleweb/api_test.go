package sampleweb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/handlers/webtest"
)

// golden is what llvm-profdata says of a profile.
func golden(t testing.TB, path, kind string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/sampleprof/testdata", path+"."+kind+".golden"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// plainLines are the lines of a text without their indents.
func plainLines(text string) (list []string) {
	for line := range strings.Lines(text) {
		list = append(list, strings.TrimSpace(line))
	}
	return list
}

// object is an object of the API, as these tests read it.
type object map[string]any

func (o object) text(key string) string   { return fmt.Sprint(o[key]) }
func (o object) list(key string) []object { return objects(o[key]) }

func objects(v any) (list []object) {
	for _, one := range v.([]any) {
		list = append(list, one.(map[string]any))
	}
	return list
}

// label is a function's name, or its hash as the tool prints it.
func (o object) label() string {
	if name, ok := o["linkage_name"].(string); ok {
		return name
	}
	guid, _ := strconv.ParseUint(o.text("fid"), 16, 64)
	return strconv.FormatUint(guid, 10)
}

func (o object) at() string {
	if o.text("discriminator") == "0" {
		return o.text("offset")
	}
	return o.text("offset") + "." + o.text("discriminator")
}

// shown writes the object of a function as show --all-functions does, without indents; last
// it ends with after a callee of an inner function.
func shown(b *strings.Builder, f object, head string, probes bool, last string) {
	b.WriteString(f.label() + ": ")
	if probes {
		fmt.Fprintf(b, "CFG checksum %v\n", f["checksum"])
	}
	records, callees := f.list("records"), f.list("inlined_callees")
	fmt.Fprintf(b, "%v, %s, %d sampled lines\n", f["total"], head, len(records))
	vtables := func(at string) {
		var types []string
		for _, v := range f.list("vtables") {
			if v.at() == at {
				types = append(types, v.label()+":"+v.text("count"))
			}
		}
		if types != nil {
			fmt.Fprintf(b, "%s: vtables: %s\n", at, strings.Join(types, " "))
		}
	}
	if len(records) == 0 {
		b.WriteString("No samples collected in the function's body\n")
	} else {
		b.WriteString("Samples collected in the function's body {\n")
		for _, r := range records {
			fmt.Fprintf(b, "%s: %v", r.at(), r["count"])
			for i, target := range r.list("targets") {
				if i == 0 {
					b.WriteString(", calls:")
				}
				fmt.Fprintf(b, " %s:%v", target.label(), target["count"])
			}
			b.WriteString("\n")
			vtables(r.at())
		}
		b.WriteString("}\n")
	}
	if len(callees) == 0 {
		b.WriteString("No inlined callsites in this function\n")
	} else {
		b.WriteString("Samples collected in inlined callsites {\n")
		for i, callee := range callees {
			fmt.Fprintf(b, "%s: inlined callee: ", callee.at())
			shown(b, callee, "0", probes, "")
			if i == len(callees)-1 || callees[i+1].at() != callee.at() {
				vtables(callee.at())
			}
		}
		b.WriteString("}\n")
	}
	b.WriteString(last)
}

// The object of each function is what llvm-profdata shows of it.
func TestFunctionObjects(t *testing.T) {
	l := webtest.Start(t, nil)
	goldens, err := filepath.Glob(filepath.Join(webtest.Root(), "decode/sampleprof/testdata/text/*.show.golden"))
	if err != nil || len(goldens) < 10 {
		t.Fatal(len(goldens), err)
	}
	for _, path := range goldens {
		name := strings.TrimSuffix(filepath.Base(path), ".show.golden")
		if name == "contexts.afdotext" {
			continue // of which functions are added up
		}
		at := webtest.PutSamples(l, "text/"+name)
		probes := slices.Contains(l.OK(at).Object(t)["variant"].([]any), any("probes"))
		var got []string
		for _, fid := range l.OK(at+"/functions").Column(t, "fid") {
			f := object(l.OK(at + "/functions/" + fid).Object(t))
			var b strings.Builder
			shown(&b, f, f.text("head"), probes, "")
			got = append(got, strings.Join(plainLines(b.String()), "\n"))
			if left := f["left_out"].(map[string]any); left["records"] != json.Number("0") ||
				left["inlined_callees"] != json.Number("0") {
				t.Errorf("%s: %s leaves out %v", name, fid, left)
			}
		}
		var want []string
		for _, f := range strings.Split("\n"+golden(t, "text/"+name, "show"), "\nFunction: ")[1:] {
			want = append(want, strings.Join(plainLines(f), "\n"))
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A function of several contexts is their sum; its contexts are those that the profile
// lists, and its callers those of the contexts.
func TestContextsOfAFunction(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "text/contexts.afdotext")
	var want []string
	sum := 0
	for line := range strings.Lines(golden(t, "text/contexts.afdotext", "proftext")) {
		context, figures, ok := strings.Cut(strings.TrimSpace(line), "]:")
		if !ok || !strings.HasSuffix(context, "_Z8funcLeafi") {
			continue
		}
		total, _, _ := strings.Cut(figures, ":")
		n, err := strconv.Atoi(total)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
		want = append(want, context[1:]+" "+total)
	}
	fid := l.OK(at+"/functions?q=funcLeaf").Column(t, "fid")[0]
	f := object(l.OK(at + "/functions/" + fid).Object(t))
	if f.text("total") != strconv.Itoa(sum) || f.text("contexts") != strconv.Itoa(len(want)) {
		t.Errorf("%v in %v contexts; want %d in %d", f["total"], f["contexts"], sum, len(want))
	}
	var got []string
	for _, c := range objects(f["calling_contexts"].(map[string]any)["items"]) {
		got = append(got, c.text("context")+" "+c.text("total"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := l.OK(at+"/contexts?function="+fid).Column(t, "context"); len(got) != len(want) {
		t.Errorf("%q", got)
	}
	if got := l.OK(at+"/contexts?depth=2..&q=main").Column(t, "context"); len(got) == 0 ||
		!strings.HasPrefix(got[0], "main:") {
		t.Errorf("%q", got)
	}
}

// Filters select what they say, and the exports of tables take them too.
func TestFilters(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "llvm-22/symlist.ext.afdo")
	total := func(path string) int {
		t.Helper()
		return webtest.Number(t, l.OK(at+path).Object(t), "total")
	}
	all := total("/functions")
	hot, warm, cold := total("/functions?heat=hot"), total("/functions?heat=warm"), total("/functions?heat=cold")
	if hot+warm+cold != all ||
		hot == 0 {
		t.Errorf("%d hot, %d warm, %d cold of %d", hot, warm, cold, all)
	}
	first := l.OK(at + "/functions?limit=1").Object(t)["items"].([]any)[0].(map[string]any)
	fid := first["fid"].(string)
	if first["rank"] != json.Number("1") || first["fit"] != nil || first["lost"] != nil || first["listed"] == nil {
		t.Errorf("%v", first)
	}
	for _, path := range []string{"/records", "/targets", "/contexts"} {
		some, whole := total(path+"?function="+fid), total(path)
		if some > whole || path != "/targets" && (some == 0 || some == whole) {
			t.Errorf("%s: %d of the function, %d in all", path, some, whole)
		}
		table := strings.TrimPrefix(path, "/")
		csv := l.OK(at + "/export/csv?table=" + table + "&function=" + fid).Text()
		if got := strings.Count(csv, "\n") - 1; got != some {
			t.Errorf("%s: %d rows of CSV, want %d", path, got, some)
		}
	}
	if listed, never := total("/symbols"), total("/symbols?never=true"); never == 0 || never >= listed {
		t.Errorf("%d of %d symbols have no sample", never, listed)
	}
	for _, path := range []string{
		"/functions?heat=tepid", "/functions?fit=well", "/records?function=x", "/contexts?sort=name,x", "/summary?q=x",
		"/symbols?never=often",
	} {
		webtest.Problem(t, l.Get(at+path), 400, "bad_parameter")
	}
	webtest.Problem(t, l.Get(at+"/functions/0000000000000001"), 404, "not_found")
	webtest.Problem(t, l.Get(at+"/functions/"+fid+"?format=csv"), 400, "bad_parameter")
}

// The records of a function that is inlined everywhere are those of all places where it is.
func TestRecordsOfAnInlinedFunction(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "text/nested.afdotext")
	for _, n := range objects(l.OK(at + "/functions?among=sampled").Object(t)["items"]) {
		if n.text("contexts") != "0" {
			continue
		}
		f := object(l.OK(at + "/functions/" + n.text("fid")).Object(t))
		sum := 0
		for _, r := range f.list("records") {
			count, _ := strconv.Atoi(r.text("count"))
			sum += count
		}
		own, _ := strconv.Atoi(n.text("own"))
		if sum != own || own == 0 {
			t.Errorf("%s has %d in its records, %d of its own", n.label(), sum, own)
		}
		rows := objects(l.OK(at + "/records?function=" + n.text("fid")).Object(t)["items"])
		for _, r := range rows {
			count, _ := strconv.Atoi(r.text("count"))
			own -= count
			if r.text("inlined_linkage_name") != n.label() {
				t.Errorf("a record of %v among those of %s", r["inlined_linkage_name"], n.label())
			}
		}
		if own != 0 {
			t.Errorf("the records of %s lack %d", n.label(), own)
		}
	}
}

// Answers are what the document promises.
func TestAnswersAreAsDocumented(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	const one = "/api/v1/profiles/{id}"
	for _, path := range []string{
		"text/small.ext.afdo", "text/contexts.afdotext", "text/names.afdotext", "llvm-16/md5_compressed.ext.afdo",
		"llvm-22/vtables.ext.afdo", "llvm-22/empty.ext.afdo", "gcc/small.afdo",
	} {
		at := webtest.PutSamples(l, path)
		webtest.Validate(t, doc, one, l.OK(at))
		webtest.Validate(t, doc, one, l.OK(at+"?counts=string"))
		for _, call := range []string{
			"/functions", "/hot", "/contexts", "/records", "/targets", "/calls", "/symbols", "/summary", "/sections",
			"/suggest", "/flamegraph",
		} {
			for _, query := range []string{"", "?counts=string", "?format=csv", "?format=ndjson", "?format=text", "?limit=x"} {
				webtest.Validate(t, doc, one+call, l.Get(at+call+query))
			}
		}
		for _, fid := range l.OK(at+"/functions").Column(t, "fid") {
			webtest.Validate(t, doc, one+"/functions/{fid}", l.OK(at+"/functions/"+fid))
			webtest.Validate(t, doc, one+"/functions/{fid}", l.OK(at+"/functions/"+fid+"?counts=string"))
			webtest.Validate(t, doc, one+"/functions/{fid}/elsewhere", l.OK(at+"/functions/"+fid+"/elsewhere"))
		}
	}
}

// With its program, a profile says which functions changed, and which are gone: those of
// which the sources of that build differ.
func TestWhatIsLost(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "llvm-22/preinlined.ext.afdo", "programs/changed.elf")
	var all float64
	for fit, want := range map[string][]string{
		"stale": {"_ZNK12_GLOBAL__N_14Grid6insideEii"}, "gone": {"_ZN2vmL4growERSt6vectorIlSaIlEEl"},
	} {
		a := l.OK(at + "/functions?among=sampled&fit=" + fit)
		if got := a.Column(t, "linkage_name"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", fit, got, want)
		}
		fits := l.OK(at).Object(t)["sample"].(map[string]any)["program"].(map[string]any)["fits"].(map[string]any)[fit].(map[string]any)
		if own := a.Object(t)["matching_total"]; fits["samples"] != own ||
			fits["functions"] != json.Number(strconv.Itoa(len(want))) {
			t.Errorf("%s: %v, in the table %v", fit, fits, own)
		}
		n, _ := fits["samples"].(json.Number).Float64()
		all += n
	}
	inside := 0.0 // lost samples of all functions are those of their rows
	for _, f := range objects(l.OK(at + "/functions").Object(t)["items"]) {
		n, err := f["lost"].(json.Number).Float64()
		if err != nil {
			t.Fatal(err)
		}
		inside += n
	}
	if inside != all || all == 0 {
		t.Errorf("%v lost in the functions, %v in all", inside, all)
	}
}

// With debug info, records have the line of the source that they are of, and lines the sum
// of their records.
func TestLinesOfTheSource(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "llvm-22/line.ext.afdo", "programs/lines.elf")
	want := map[string]int{}
	for _, r := range objects(l.OK(at + "/export/json?table=records").Object(t)["items"]) {
		if r["file"] == nil {
			continue
		}
		count, _ := strconv.Atoi(r.text("count"))
		want[r.text("line")] += count
	}
	got := map[string]int{}
	for _, r := range objects(l.OK(at + "/export/json?table=sample-lines").Object(t)["items"]) {
		count, _ := strconv.Atoi(r.text("samples"))
		got[r.text("line")] += count
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
		t.Errorf("%d lines: %s", len(want), diff)
	}
	l.OK(at + "/lines?limit=1")
}

// A function is found in other profiles of its program, with its rank; suggestions lead to
// its page.
func TestElsewhere(t *testing.T) {
	l := webtest.Start(t, nil)
	both := [2]string{}
	for i, path := range []string{"llvm-22/line.ext.afdo", "llvm-19/line.afdotext"} {
		data, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/sampleprof/testdata", path))
		if err != nil {
			t.Fatal(err)
		}
		both[i] = webtest.API(l.Do("PUT", "/api/v1/profiles/line?project=grid",
			bytes.NewReader(data)).Object(t)["id"].(string))
	}
	at, other := both[0], both[1]
	first := objects(l.OK(at + "/functions?limit=1").Object(t)["items"])[0]
	suggested := objects(l.OK(at + "/suggest?q=" + first.label()).Object(t)["items"])[0]
	if suggested["fid"] != first["fid"] || suggested["total"] != first["total"] || suggested["share"] != first["share"] {
		t.Errorf("%v; want %v", suggested, first)
	}
	l.Page(strings.Replace(at, "/api/v1/profiles/", "/p/", 1)+suggested.text("path"), 200)
	seen := objects(l.OK(at + "/functions/" + first.text("fid") + "/elsewhere").Object(t)["items"])
	if len(seen) != 1 || !strings.HasSuffix(other, seen[0].text("profile")) || seen[0].text("rank") != "1" ||
		seen[0].text("measure") != "samples" {
		t.Errorf("%v", seen)
	}
}

// The object of a function with more records than an answer holds says how many it lacks;
// the table has them all.
func TestLongFunctions(t *testing.T) {
	const records = 60_000
	text := []byte("f:200000:1\n")
	for i := range records {
		text = fmt.Appendf(text, " %d: 1 g:1\n", i)
	}
	l := webtest.Start(t, nil)
	at := webtest.API(l.Do("PUT", "/api/v1/profiles/long.afdotext?wait=1m",
		bytes.NewReader(text)).Object(t)["id"].(string))
	fid := l.OK(at+"/functions").Column(t, "fid")[0]
	a := l.OK(at + "/functions/" + fid)
	f := object(a.Object(t))
	left, _ := strconv.Atoi(fmt.Sprint(f["left_out"].(map[string]any)["records"]))
	if len(a.Bytes) > 9<<20 || left == 0 || left+len(f.list("records")) != records {
		t.Errorf("%d records in %d bytes, %d are left out", len(f.list("records")), len(a.Bytes), left)
	}
	for _, table := range []string{"/records", "/targets"} {
		last := l.OK(at + table + "?function=" + fid + "&cursor=59999").Object(t)
		if row := objects(last["items"])[0]; row.text("offset") != "59999" || last["total"] != json.Number("60000") {
			t.Errorf("%s: %v", table, last)
		}
	}
}
