package sampleweb_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// What the cells of a page say, and the inspector of a row, the API says too.
func TestSamplePagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		{"llvm-22/line.ext.afdo", "programs/lines.elf"}, {"llvm-22/contexts.ext.afdo"}, {"llvm-22/probe_text.ext.afdo"},
		{"llvm-22/partial_md5.ext.afdo"},
	} {
		at := webtest.PutSamples(l, files...)
		base := strings.Replace(at, "/api/v1/profiles", "/p", 1)
		tabs := webtest.ByTestID(t, l.Page(base, 200), "tabs")
		for _, a := range webtest.All(tabs, webtest.Tag("a")) {
			path := webtest.Attr(a, "href")
			switch strings.TrimPrefix(path, base+"/") {
			case base, "downloads", "raw", "diagnostics", "flame", "files", "stale":
				continue
			}
			rows, items := l.Agree(path, "total-share=share", "place", "name", "caller", "callee")
			for _, i := range []int{0, len(rows) / 2, len(rows) - 1} {
				if rows[i].At == "" || !strings.HasSuffix(path, "/functions") {
					continue
				}
				facts, item := webtest.Facts(l, rows[i].At), items[i]
				for term, key := range map[string]string{
					"Total": "total", "Own samples": "body", "Head": "head", "Entries": "entry", "Largest count": "max",
					"Inlined into it": "inlinees", "Where inlined": "inlined", "Calls to it": "calls",
				} {
					if n, ok := item[key].(json.Number); ok && facts[term] != "" && !webtest.Numbered(facts[term], n) {
						t.Errorf("%s: %s of row %d is %q, %s in the API", path, term, i, facts[term], n)
					}
				}
				spaceless := strings.NewReplacer(" ", "") // a row can be shortened, the inspector has the whole name
				if facts["Total"] == "" || facts["Largest count"] == "" || !strings.HasPrefix(rows[i].Cells["name"], facts[""]) &&
					spaceless.Replace(facts[""]) != spaceless.Replace(fmt.Sprint(item["demangled"])) {
					t.Errorf("%s: row %d is %v, in the inspector %v", path, i, rows[i].Cells, facts)
				}
				for term, has := range map[string]bool{
					"Checksum": item["checksum"] != nil, "In the symbol list": item["listed"] != nil,
					"Name": item["name_given"] == true, "Attribute": fmt.Sprint(item["attributes"]) != "0",
					"Contexts": files[0] == "llvm-22/contexts.ext.afdo",
				} {
					if (facts[term] != "") != has {
						t.Errorf("%s: the inspector of row %d has %s %q: %v", path, i, term, facts[term], item)
					}
				}
				holdFunction(t, l, at, base, item)
			}
		}
	}
}

// holdFunction holds the page of a function against what the API says of it.
func holdFunction(t *testing.T, l *webtest.Server, at, base string, item map[string]any) {
	t.Helper()
	fid := fmt.Sprint(item["fid"])
	page := l.Page(base+"/functions/"+fid, 200)
	said := webtest.Said(page)
	one := l.OK(at + "/functions/" + fid).Object(t)
	if missing := strings.Contains(said, "only the MD5 of the name"); missing != (one["linkage_name"] == nil) {
		t.Errorf("%s/functions/%s says that there is no name: %v, and it is %v", base, fid, missing, one["linkage_name"])
	}
	for _, key := range []string{"total", "body", "head", "max"} {
		n, ok := one[key].(json.Number)
		if !ok {
			continue
		}
		text := strings.ReplaceAll(humanize.BigCount(n.String()).Text, humanize.NumberSpace, " ")
		if !strings.Contains(said, text) {
			t.Errorf("%s/functions/%s does not say that %s is %s", base, fid, key, text)
		}
	}
}

// Two profiles compared say on the page what they say in the API.
func TestComparedSamplesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(path string) string { return strings.TrimPrefix(webtest.PutSamples(l, path), "/api/v1/profiles/") }
	a, b := id("llvm-22/line.ext.afdo"), id("llvm-22/contexts.ext.afdo")
	c, d := id("llvm-22/line.afdotext"), id("llvm-22/weighted.afdo")
	hot := func(names ...string) string {
		text := "main:900:1\n 1: 900\n"
		for _, name := range names {
			text += name + ":600:1\n 1: 600\n"
		}
		return l.Upload(strings.Join(names, "-")+".afdotext", []byte(text))
	}
	none, one, two := hot(), hot("f"), hot("g", "h")
	for _, pair := range [][2]string{
		{a, b}, {b, a}, {c, d}, {d, c}, {one, none}, {none, one}, {two, none}, {one, two}, {two, one},
	} {
		path := "/compare/" + pair[0] + "..." + pair[1]
		object := l.OK("/api/v1" + path).Object(t)
		page := l.Page(path, 200)
		items := object["items"].([]any)
		rows := webtest.Grid(page)
		for i := range min(len(rows), len(items)) {
			row, item := rows[i], items[i].(map[string]any)
			var shares [2]float64
			for n, side := range []string{"base", "test"} {
				share, ok := item[side+"_share"].(json.Number)
				if text, has := row.Cells[side]; has && (!ok && text != "–" || ok && !webtest.Numbered(text, share)) {
					t.Errorf("%s: row %d has %v, %v in the API", path, i, row.Cells, item)
				}
				shares[n], _ = share.Float64()
				total, ok := item[side+"_total"].(json.Number)
				if text, has := row.Cells[side+"_total"]; has && ok && !webtest.Numbered(text, total) {
					t.Errorf("%s: row %d has a total of %q, %s in the API", path, i, text, total)
				}
			}
			want := humanize.Points(shares[1]-shares[0], 2)
			if got := row.Cells["change"]; !strings.HasPrefix(got, want[:len(want)-1]) {
				t.Errorf("%s: row %d changes by %q, want %q", path, i, got, want)
			}
		}
		figures := object["figures"].(map[string]any)
		inA, inB := webtest.Number(t, figures, "hot_base"), webtest.Number(t, figures, "hot_test")
		hot, are := "", func(n int) string { return map[bool]string{true: "is", false: "are"}[n == 1] }
		switch {
		case inA > 0 && inB > 0:
			hot = fmt.Sprintf("%d hot in A are not in B, %d the other way round.", inA, inB)
		case inA > 0:
			hot = fmt.Sprintf("%d hot in A %s not in B.", inA, are(inA))
		case inB > 0:
			hot = fmt.Sprintf("%d hot in B %s not in A.", inB, are(inB))
		}
		if pair[0] == one && hot == "" || pair[0] == none && inB != 1 {
			t.Errorf("%s: of what is hot on one side alone it knows nothing: %v", path, figures)
		}
		if said := words(webtest.Said(page)); !strings.Contains(said, hot) ||
			strings.Contains(said, "the other way round") != (inA > 0 && inB > 0) {
			t.Errorf("%s does not say %q: %v", path, hot, figures)
		}
		l.ComparedLinks(path, pair[0], pair[1])
		if len(rows) == 0 {
			t.Errorf("%s has no rows of %d", path, len(items))
		}
	}
}

// Functions are suggested by their words, and found in other profiles of the program.
func TestSampledFunctionsAreFound(t *testing.T) {
	l := webtest.Start(t, nil)
	l.Suggested(webtest.PutSamples(l, "llvm-22/line.ext.afdo"), "/functions", "demangled", "")
	of := func(name string) string {
		return l.InProject("p", webtest.Files(t, webtest.Root()+"/decode/sampleprof/testdata", name)...)
	}
	one, two := of("llvm-22/line.ext.afdo"), of("llvm-22/contexts.ext.afdo")
	if n := l.Elsewhere(one, two, "total") + l.Elsewhere(two, one, "total"); n < 8 {
		t.Errorf("%d functions are found elsewhere", n)
	}
	// What another profile has of a function is said as it is there.
	kinds := map[string]int{}
	for _, pair := range [][2]string{{one, two}, {two, one}} {
		for _, f := range objects(l.OK(pair[0] + "/functions?among=sampled&limit=1000").Object(t)["items"]) {
			if kinds["rank"] > 1 && kinds["inlined everywhere"] > 1 { // pages take time
				break
			}
			for _, found := range objects(l.OK(pair[0] + "/functions/" + f.text("fid") + "/elsewhere").Object(t)["items"]) {
				if webtest.API(found.text("profile")) != pair[1] {
					continue
				}
				there := object(l.OK(pair[1] + "/functions/" + found.text("fid")).Object(t))
				says, kind := "samples, rank "+there.text("rank"), "rank"
				if there.number("rank") == 0 {
					if says, kind = "inlined everywhere", "inlined everywhere"; there.number("inlined_at") == 0 {
						says, kind = "no samples", "no samples"
					}
				}
				kinds[kind]++
				said := words(webtest.Said(l.Page(webtest.Page(strings.TrimPrefix(pair[0], webtest.API("")))+"/functions/"+
					f.text("fid"), 200)))
				if !strings.Contains(said, says) && !strings.Contains(said, strings.Replace(says, "samples,", "sample,", 1)) {
					t.Errorf("the page of %s does not say %q of the other profile: %v", f.label(), says, found)
				}
			}
		}
	}
	if kinds["rank"] == 0 || kinds["inlined everywhere"] == 0 {
		t.Errorf("found are %v", kinds)
	}
}

// The overview says in words and figures what the API has of the profile and of its program.
func TestSampleOverviewAgreesWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		{"llvm-22/line.ext.afdo"}, {"llvm-22/line.ext.afdo", "programs/lines.elf"},
		{"llvm-22/line.ext.afdo", "programs/changed.elf"}, {"llvm-22/partial_md5.ext.afdo"},
		{"llvm-22/preinlined.ext.afdo", "programs/changed.elf"}, {"llvm-22/contexts.ext.afdo", "programs/probes.elf"},
		{"llvm-22/symlist.ext.afdo"}, {"gcc/small.afdo"}, {"llvm-22/partial_md5.ext.afdo", "programs/names.txt"},
		{"text/ties.afdotext"},
	} {
		at := webtest.PutSamples(l, files...)
		doc := l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1), 200)
		said, of := webtest.Said(doc), l.OK(at).Object(t)["sample"].(map[string]any)
		number := func(path string) int {
			object, keys := of, strings.Split(path, ".")
			for _, key := range keys[:len(keys)-1] {
				object = object[key].(map[string]any)
			}
			return webtest.Number(t, object, keys[len(keys)-1])
		}
		part := func(n, whole int) string { return humanize.Percent(float64(n)/float64(whole), 1) }
		all, zero := number("places.all"), number("places.zero")
		want := []string{
			humanize.Count(uint64(number("samples"))).Text + " sum of all counts",
			part(number("inlined"), number("samples")) + " of the samples are in inlined bodies",
			part(zero, all) + " of " + humanize.Plural(all, "place has", "places have") + " no sample",
			part(number("places.one"), all-zero) + " of the others have one",
		}
		if reads := "Read by GCC, and LLVM"; strings.Contains(said, reads) != (files[0] == "gcc/small.afdo") {
			t.Errorf("%v: the overview says %q: %v", files, reads, files[0] != "gcc/small.afdo")
		}
		if functions, sampled := number("functions"), number("sampled"); functions != sampled {
			want = append(want, humanize.Int(functions)+" "+humanize.Int(sampled)+" with inlined ones")
		}
		if program, ok := of["program"].(map[string]any); ok && program["fits"] != nil && number("program.defined") > 0 {
			sampled, defined := number("program.defined_sampled"), number("program.defined")
			want = append(want, humanize.Int(sampled)+" of "+humanize.Int(defined)+" functions in the program have samples, "+
				part(sampled, defined))
			for _, fit := range []string{"stale", "gone"} {
				if n := number("program.fits." + fit + ".functions"); n > 0 {
					want = append(want, part(number("program.fits."+fit+".samples"), number("samples")))
				}
			}
		}
		for _, says := range want {
			if !strings.Contains(said, strings.ReplaceAll(says, humanize.NumberSpace, " ")) {
				t.Errorf("%v: the overview does not say %q", files, says)
			}
		}
		holdTabs(t, doc, of, files)
		holdChecks(t, of, words(said), files)
		holdLost(t, l, at, doc, of, files)
		holdSummary(t, doc, files[0])
		items := l.OK(at + "/functions?limit=20").Object(t)["items"].([]any)
		i := 0
		for _, row := range webtest.Grid(doc) {
			if row.Cells["rank"] == "" || i >= len(items) {
				continue
			}
			item := items[i].(map[string]any)
			for _, column := range []string{"rank", "total", "share", "head", "inlinees"} {
				if n, ok := item[column].(json.Number); ok && !webtest.Numbered(row.Cells[column], n) {
					t.Errorf("%v: %s of row %d is %q, %s in the API", files, column, i, row.Cells[column], n)
				}
			}
			i++
		}
		if i < min(len(items), 10) {
			t.Errorf("%v: %d rows of %d", files, i, len(items))
		}
	}
}

// holdTabs holds which pages a profile has: of what is lost where a program can tell that, and of symbols
// where the file or a program lists them, each with how many there are.
func holdTabs(t *testing.T, doc *html.Node, of object, files []string) {
	t.Helper()
	tabs := words(webtest.Said(webtest.ByTestID(t, doc, "tabs")))
	stale, symbols := "", ""
	if program, ok := of["program"].(map[string]any); ok && program["fits"] != nil {
		fits := object(program["fits"].(map[string]any))
		stale = fmt.Sprint("Stale ", object(fits["stale"].(map[string]any)).number("functions")+
			object(fits["gone"].(map[string]any)).number("functions"))
	}
	if of["symbols"] != nil {
		symbols = "Symbols " + humanize.Int(of.number("symbols"))
	} else if program, ok := of["program"].(map[string]any); ok && object(program).number("defined") > 0 {
		symbols = "Symbols " + humanize.Int(object(program).number("defined"))
	}
	if !strings.Contains(tabs, stale) || !strings.Contains(tabs, words(symbols)) || stale == "" &&
		strings.Contains(tabs, "Stale") || symbols == "" && strings.Contains(tabs, "Symbols") {
		t.Errorf("%v: the tabs are %q, want %q and %q", files, tabs, stale, symbols)
	}
}

// holdChecks holds what the overview says of whether a profile is enough against the API's figures.
func holdChecks(t *testing.T, of object, said string, files []string) {
	t.Helper()
	q, places := object(of["quality"].(map[string]any)), object(of["places"].(map[string]any))
	odd := 0
	has := func(when bool, bad bool, text string) {
		if bad && when {
			odd++
		}
		if strings.Contains(said, words(text)) != when {
			t.Errorf("%v: the overview says %q: %v", files, words(text), !when)
		}
	}
	heads, functions, equal := q.number("heads"), q.number("head_functions"), q.number("equal_heads")
	flat := functions >= 10 && equal*10 > functions*9
	has(heads == 0, true, "No head samples: it is not known how often functions were entered.")
	has(heads > 0 && flat, true, fmt.Sprintf("Flat: %s of ", humanize.Int(equal)))
	has(heads > 0 && !flat, false, humanize.Plural(heads, "head sample", "head samples")+", not flat.")
	unnamed := q.number("hashed") - q.number("named")
	has(unnamed > 0, true, fmt.Sprintf("%s of %s are known by their hash alone.", humanize.Int(unnamed),
		humanize.Plural(of.number("functions"), "name", "names")))
	has(unnamed == 0 && q.number("hashed") > 0, false,
		humanize.Plural(q.number("hashed"), "name", "names")+" by MD5, all given back.")
	has(q.number("hashed") == 0, false, "All in full; none by MD5.")
	has(of["symbols"] == nil, true, "No symbol list: cold cannot be told from unseen.")
	if of["symbols"] != nil {
		never := fmt.Sprintf("%s of %s have no sample: cold.", q.text("never"),
			humanize.Plural(of.number("symbols"), "listed symbol", "listed symbols"))
		has(q.number("unlisted") == 0, false, never)
		has(q.number("unlisted") > 0, true, "no place in the list of ")
	}
	has(places.number("targets") == 0 && of.number("functions") > 1, true,
		"No calls were sampled: indirect calls cannot be promoted.")
	has(q.number("empty") > 0, true, "and no place for them")
	if strings.Contains(said, " thin ") {
		odd++
	}
	want := ""
	if odd > 0 {
		want = fmt.Sprintf(", %d to look at", odd)
	}
	if _, rest, _ := strings.Cut(said, "Is it enough? ? "); !strings.Contains(rest[:min(len(rest), 60)], want) ||
		odd == 0 && strings.Contains(rest, " to look at") {
		t.Errorf("%v: the checks say %.60q, want %q", files, rest, want)
	}
}

// holdLost holds what a program does not have, or has changed, against the API.
func holdLost(t *testing.T, l *webtest.Server, at string, doc *html.Node, of object, files []string) {
	t.Helper()
	said := words(webtest.Said(doc))
	program, _ := of["program"].(map[string]any)
	fits, ok := program["fits"].(map[string]any)
	if !ok {
		few := words(" in " + humanize.Plural(of.number("functions"), "function", "functions"))
		if !strings.Contains(said, few) {
			t.Errorf("%v: the overview does not say %q", files, few)
		}
		return
	}
	whole := 0
	for _, fit := range fits {
		whole += object(fit.(map[string]any)).number("samples")
	}
	lost := 0
	for _, fit := range []struct{ key, sign, text string }{
		{"same", "", "same code"}, {"unknown", "", "cannot be told"}, {"stale", "▾ ", "stale, another checksum"},
		{"gone", "× ", "gone"},
	} {
		f := object(fits[fit.key].(map[string]any))
		n, functions := f.number("samples"), f.number("functions")
		line := words(fmt.Sprintf("%s%s: %s, %s", fit.sign, fit.text, humanize.Int(n),
			humanize.Plural(functions, "function", "functions")))
		if strings.Contains(said, line) != (functions > 0) {
			t.Errorf("%v: the overview says %q: %v", files, line, functions == 0)
		}
		if fit.sign == "" {
			continue
		}
		lost += n
		rows := l.OK(at + "/functions?among=sampled&fit=" + fit.key).Object(t)
		var names []string
		for i, row := range objects(rows["items"]) {
			if i == 5 {
				break
			}
			names = append(names, words(fmt.Sprint(humanize.Count(uint64(row.number("own"))).Text, " ",
				humanize.Percent(float64(row.number("own"))/float64(whole), 1))))
		}
		for _, table := range webtest.All(doc, webtest.Tag("table")) {
			caption := webtest.All(table, webtest.Tag("caption"))
			if len(caption) == 0 || !strings.HasPrefix(strings.ToLower(webtest.Said(caption[0])), fit.key+", ") {
				continue
			}
			var got []string
			for _, tr := range webtest.All(table, webtest.Tag("tr"))[1:] {
				cells := webtest.All(tr, webtest.Tag("td"))
				got = append(got, words(webtest.Said(cells[0])+" "+webtest.Said(cells[1])))
			}
			if !slices.Equal(got, names) || len(got) == 0 {
				t.Errorf("%v: %s are %q, want %q", files, fit.key, got, names)
			}
			names = nil
		}
		if len(names) > 0 {
			t.Errorf("%v: %s are not listed: %q", files, fit.key, names)
		}
	}
	var parts []string
	for _, fit := range []struct{ key, text string }{
		{"same", "same code"}, {"unknown", "cannot be told"}, {"stale", "stale"}, {"gone", "gone"},
	} {
		if n := object(fits[fit.key].(map[string]any)).number("samples"); n > 0 {
			parts = append(parts, humanize.Percent(float64(n)/float64(whole), 1)+" "+fit.text)
		}
	}
	bars := webtest.All(doc, func(n *html.Node) bool { return webtest.Attr(n, "class") == "lost-bar" })
	if want := words(strings.Join(parts, ", ")); len(bars) != 1 || words(webtest.Attr(bars[0], "aria-label")) != want {
		t.Errorf("%v: the bar says %q, want %q", files, webtest.Attr(bars[0], "aria-label"), want)
	} else {
		end := 0.0
		for _, rect := range webtest.All(bars[0], webtest.Tag("rect"))[1:] {
			x, _ := strconv.ParseFloat(webtest.Attr(rect, "x"), 64)
			width, _ := strconv.ParseFloat(webtest.Attr(rect, "width"), 64)
			if x < end-3 || x > end+3 {
				t.Errorf("%v: a part of the bar begins at %v, and the one before ends at %v", files, x, end)
			}
			end = x + width
		}
		if end < 995 || end > 1005 {
			t.Errorf("%v: the bar ends at %v of 1000", files, end)
		}
	}
	lead := words(webtest.Said(webtest.ByTestID(t, doc, "lead")))
	probes := slices.Contains(l.OK(at).Object(t)["variant"].([]any), any("probes")) && object(program).number("probes") > 0
	gone := object(fits["gone"].(map[string]any))
	var want string
	switch percent := humanize.Percent(float64(lost)/float64(whole), 1); {
	case probes && lost == 0:
		want = "No sample is lost on this program. The code of every function is the same."
	case probes:
		want = percent + " of the samples are lost on this program:"
	case gone.number("functions") == 0:
		want = "This program has every function of the profile."
	default:
		want = humanize.Percent(float64(gone.number("samples"))/float64(whole), 1) +
			" of the samples are of functions that this program has not."
	}
	if !strings.HasPrefix(lead, words(want)) {
		t.Errorf("%v: the overview leads with %q, want %q", files, lead, want)
	}
}

var goldenCutoff = regexp.MustCompile(`(?m)^(\d+) blocks .* with count >= (\d+) account for ([\d.]+)% `)

// holdSummary holds the detailed summary against llvm-profdata's.
func holdSummary(t *testing.T, doc *html.Node, file string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(webtest.Root(), testdata, file+".summary.golden"))
	if err != nil {
		return
	}
	said := words(webtest.Said(doc))
	for _, m := range goldenCutoff.FindAllStringSubmatch(string(text), -1) {
		words := map[string]string{"99": " (hot threshold)", "99.9999": " (cold threshold)"}
		blocks, _ := strconv.ParseUint(m[1], 10, 64)
		least, _ := strconv.ParseUint(m[2], 10, 64)
		want := strings.ReplaceAll(fmt.Sprint(m[3], " %", words[m[3]], " ", humanize.Int(blocks), " ",
			humanize.Count(least).Text), humanize.NumberSpace, " ")
		if !strings.Contains(said, want) {
			t.Errorf("%s: the summary does not say %q", file, want)
		}
	}
}
