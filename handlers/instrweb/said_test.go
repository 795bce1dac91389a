package instrweb_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// plain is what a page says, with plain spaces, one between words.
func plain(n *html.Node) string { return strings.Join(strings.Fields(webtest.Said(n)), " ") }

// proftext is a text profile of records: name, hash and counters.
func proftext(head string, records ...string) []byte {
	var b strings.Builder
	b.WriteString(head)
	for _, r := range records {
		words := strings.Fields(r)
		fmt.Fprintf(&b, "%s\n%s\n%d\n%s\n\n", words[0], words[1], len(words)-2, strings.Join(words[2:], "\n"))
	}
	return []byte(b.String())
}

// Counters by their counts are numbered and added up from page to page, each with its share of all; below
// them are the zeros, those next to each other together.
func TestCountersByCount(t *testing.T) {
	l := webtest.Start(t, nil)
	var counters []uint64
	for i := range 40 {
		counters = append(counters, map[bool]uint64{true: 0, false: uint64(1000 - 7*i*i%311)}[i%10 > 7 || i == 3])
	}
	record := "main 1"
	total := 0.0
	for _, c := range counters {
		record += " " + strconv.FormatUint(c, 10)
		total += float64(c)
	}
	id := l.Upload("c.proftext", proftext(":ir\n", record, "other 2 5"))
	fid := l.OK(webtest.API(id)+"/functions").Column(t, "fid")[0]
	var order []int
	for i, c := range counters {
		if c > 0 {
			order = append(order, i)
		}
	}
	for _, query := range []string{"sort=-count", "sort=count"} {
		slices.SortStableFunc(order, func(a, b int) int {
			if query == "sort=count" {
				a, b = b, a
			}
			return int(counters[b]) - int(counters[a])
		})
		sum, seen := 0.0, 0
		for page := 1; seen < len(order); page++ {
			doc := l.Page(fmt.Sprintf("/p/%s/functions/%s?%s&limit=12&page=%d", id, fid, query, page), http.StatusOK)
			said := plain(doc)
			n := 0
			for _, tr := range webtest.All(webtest.ByTestID(t, doc, "counters"), webtest.Tag("tr")) {
				cells := webtest.All(tr, func(n *html.Node) bool { return n.Data == "td" || n.Data == "th" })
				at, err := strconv.Atoi(plain(cells[0]))
				if err != nil || seen >= len(order) {
					continue
				}
				c := float64(counters[at])
				sum += c
				if c != float64(counters[order[seen]]) {
					t.Errorf("%s: counter %d of %g is no. %d, want %d", query, at, c, seen, counters[order[seen]])
				}
				want := strings.Join(strings.Fields(strings.ReplaceAll(fmt.Sprint(humanize.Count(counters[at]).Text, " ",
					humanize.Percent(c/total, 1), " ", humanize.Percent(sum/total, 1)), humanize.NumberSpace, " ")), " ")
				if !strings.Contains(plain(tr), want) {
					t.Errorf("%s: counter %d says %q, want %q", query, at, plain(tr), want)
				}
				seen, n = seen+1, n+1
			}
			if n == 0 || n > 12 {
				t.Fatalf("%s: %d counters on page %d", query, n, page)
			}
			if want := "9 counters are 0 3, 8–9, 18–19, 28–29, 38–39"; !strings.Contains(said, want) {
				t.Errorf("%s: page %d does not say %q", query, page, want)
			}
		}
	}
}

// Runs of one program are drawn below one another on the page of a function, with the counters that ran in
// one of them alone; those of other code are not.
func TestRunsBelowOneAnother(t *testing.T) {
	l := webtest.Start(t, nil)
	put := func(name, counters string, others ...string) string {
		return strings.TrimPrefix(l.InProject("p", name+".proftext", proftext(":ir\n", append(others, "main "+counters)...)),
			webtest.API(""))
	}
	own := put("own", "1 9 0 3 4")
	put("same", "1 5 0 1 1")
	put("more", "1 9 6 0 0")
	put("changed", "2 9 6 0 0")
	fid := l.OK(webtest.API(own)+"/functions").Column(t, "fid")[0]
	doc := l.Page("/p/"+own+"/functions/"+fid, http.StatusOK)
	said := plain(webtest.ByTestID(t, doc, "barcodes"))
	for _, want := range []string{", this 3 counters above 0", " the same ran", " 2 fewer, 1 more",
		"Counters 0 to 3 in order"} {
		if !strings.Contains(said, want) {
			t.Errorf("the runs do not say %q: %s", want, said)
		}
	}
	if n := len(webtest.All(webtest.ByTestID(t, doc, "barcodes"), webtest.Tag("svg"))); n != 3 {
		t.Errorf("%d runs are drawn, want 3", n)
	}
	// A single counter is no picture; nor is a run without any other.
	lone := put("lone", "1 9 0 3 4", "single 5 1")
	put("lone2", "1 9 0 3 4", "single 5 1")
	for _, item := range l.OK(webtest.API(lone) + "/functions").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		page := l.Page("/p/"+lone+"/functions/"+item["fid"].(string), http.StatusOK)
		if got, want := webtest.HasTestID(page, "barcodes"), item["counters"].(json.Number) != "1"; got != want {
			t.Errorf("%v is drawn with other runs: %v", item["name"], got)
		}
	}
	for i := range 4 {
		put(fmt.Sprint("further", i), "1 9 0 3 4")
	}
	doc = l.Page("/p/"+own+"/functions/"+fid, http.StatusOK)
	if n := len(webtest.All(webtest.ByTestID(t, doc, "barcodes"), webtest.Tag("svg"))); n != 6 {
		t.Errorf("of many runs %d are drawn, want 6", n)
	}
}

// The page of a function says when it first ran, and leads to where the order of first runs has it.
func TestFirstRunLeadsToItsPage(t *testing.T) {
	l := webtest.Start(t, nil)
	var records, trace []string
	for i := range 250 {
		records = append(records, fmt.Sprintf("f%d %d 1", i, i+1))
		trace = append(trace, fmt.Sprint("f", i))
	}
	head := ":ir\n:temporal_prof_traces\n2\n2\n1\n" + strings.Join(trace, ",") + "\n1\nf7,f3\n"
	id := l.Upload("t.proftext", proftext(head, append(records, "late 999 4")...))
	places := map[string]int{}
	for i, item := range l.OK(webtest.API(id) + "/traces?by=function&limit=1000").Object(t)["items"].([]any) {
		places[item.(map[string]any)["name"].(string)] = i
	}
	for _, item := range l.OK(webtest.API(id) + "/functions?limit=1000").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		name, fid := item["name"].(string), item["fid"].(string)
		want, page := "", 0
		switch place := places[name]; {
		case name == "late":
			want = "in no trace of 2 temporal traces"
		case name != "f3" && name != "f0" && name != "f99" && name != "f100" && name != "f249":
			continue
		default:
			traces := map[bool]int{true: 2, false: 1}[name == "f3"]
			want, page = fmt.Sprintf("place %d of 250, in %d of 2 traces", place+1, traces), place/100+1
		}
		tile := webtest.ByTestID(t, l.Page("/p/"+id+"/functions/"+fid, http.StatusOK), "tile-first-run")
		if said := plain(tile); !strings.Contains(said, want) {
			t.Errorf("%s first ran at %q, want %q", name, said, want)
		}
		if page == 0 {
			continue
		}
		to := webtest.Attr(webtest.All(tile, func(n *html.Node) bool {
			return n.Data == "a" && strings.Contains(webtest.Attr(n, "href"), "/order")
		})[0], "href")
		wanted := "/p/" + id + "/order"
		if page > 1 {
			wanted += fmt.Sprint("?page=", page)
		}
		path, anchor, _ := strings.Cut(to, "#")
		if path != wanted || len(webtest.All(l.Page(path, http.StatusOK), func(n *html.Node) bool {
			return webtest.Attr(n, "id") == anchor
		})) != 1 {
			t.Errorf("%s leads to %s, want a page %d that has it", name, to, page)
		}
	}
}

// What there is to say stands on a page where it is so, and nowhere else.
func TestWhatIsSaidOfCounts(t *testing.T) {
	l := webtest.Start(t, nil)
	one := l.Upload("a.proftext", proftext(":ir\n", "main 1 60 40", "cold 2 0 1", "twice 3 10",
		"_ZN1a1bEv 4 5", "_ZN1a1cEv 5 5"))
	zero := l.Upload("z.proftext", proftext(":ir\n", "main 1 0 0"))
	for path, says := range map[string]map[string]bool{
		"/p/" + one:                {"nothing ran": false, "No functions": false, "With a line": false, "Traces": false},
		"/p/" + zero:               {"No counter is above 0: nothing ran": true},
		"/p/" + one + "/functions": {"matching hold": false, "shown hold 100 %": true, " match ": false},
		"/p/" + one + "/functions?named=main": {
			"matching hold 82.6 % of the count": true, "1 of 5 match": true, "shown hold 82.6 %": true,
		},
		"/p/" + one + "/functions?named=none": {"0 of 5 functions match": true, "Remove a filter to see more.": true},
		"/p/" + one + "/functions?page=9":     {"There is no page 9": true},
		"/p/" + one + "/tree?by=namespace":    {"Namespaces": true},
		"/p/" + one + "/tree?by=path":         {"Namespaces": true},
	} {
		said := plain(l.Page(path, http.StatusOK))
		for text, want := range says {
			if strings.Contains(said, text) != want && !strings.HasSuffix(path, "by=path") {
				t.Errorf("%s says %q: %v", path, text, !want)
			}
		}
	}
	twice, once := webtest.Func("twice", 3, 7), webtest.Func("once", 4, 7)
	twice.Repeats = 2
	invented := webtest.Invent(irEntry, twice, once, webtest.Func("twice", 5, 1, 2), webtest.Func("once", 6, 1, 2))
	for f, want := range map[string]bool{fid(twice): true, fid(once): false} {
		said := plain(webtest.GetPage(t, invented, "/p/p/functions/"+f, http.StatusOK))
		if strings.Contains(said, "with one of these hashes") != want ||
			want && !strings.Contains(said, "The file has 2 more records with one") {
			t.Errorf("%s says that the file has further records: %v", f, !want)
		}
	}
	sited := l.Upload("v.proftext", []byte(":ir\nmain\n1\n2\n100\n50\n1\n0\n1\n1\nfoo:1\n\n"))
	for quality, status := range map[string]int{"full": 200, "short": 200, "full,short": 200, "odd": 400} {
		if a := l.Get(webtest.API(sited) + "/values?quality=" + quality); a.StatusCode != status {
			t.Errorf("sites that are %s: %s", quality, a.Status)
		}
	}
	// Links name a record where a name has several, and only there.
	several := l.Upload("s.proftext", proftext(":ir\n", "main 1 60 40", "main 2 5"))
	for id, want := range map[string]bool{one: false, several: true} {
		links := webtest.All(webtest.ByTestID(t, l.Page("/p/"+id+"/functions", http.StatusOK), "functions"),
			func(n *html.Node) bool {
				return n.Data == "a" && strings.Contains(webtest.Attr(n, "href"), "/p/"+id+"/functions/")
			})
		for _, a := range links {
			if to := webtest.Attr(a, "href"); strings.Contains(to, "hash=") != want {
				t.Errorf("a row leads to %s", to)
			}
		}
		if len(links) == 0 {
			t.Error("no row leads anywhere")
		}
	}
}

// The inspector says why a function is of its class, by the thresholds of its profile.
func TestClassesSayWhy(t *testing.T) {
	l := webtest.Start(t, nil)
	records := []string{"big 1 900000 100000", "never 2 0 0", "small 3 1"}
	for i := range 40 {
		records = append(records, fmt.Sprintf("f%d %d %d", i, i+10, 1000+i))
	}
	id := l.Upload("c.proftext", proftext(":ir\n", records...))
	seen := map[string]bool{}
	for _, row := range webtest.Grid(l.Page("/p/"+id+"/functions?limit=100&cols=rank,total,max", http.StatusOK)) {
		if row.At == "" {
			continue
		}
		fid, _, _ := strings.Cut(strings.Split(row.At, "sel=")[1], ":")
		if len(fid) > 16 {
			fid = fid[:16]
		}
		class := ""
		for _, r := range l.OK(webtest.API(id) + "/functions/" + fid).Object(t)["records"].([]any) {
			class, _ = r.(map[string]any)["class"].(string)
		}
		if seen[class] {
			continue
		}
		seen[class] = true
		text := l.OK("/p/"+id+"/functions/"+fid, "Accept", "text/html").Text()
		for of, says := range map[string]string{
			"hot":  "the largest counter reaches the hot threshold, ",
			"warm": "the largest counter is between the cold and the hot",
			"cold": "executed, but no counter exceeds the cold threshold, ", "never": "every counter is 0",
		} {
			if strings.Contains(text, says) != (of == class) {
				t.Errorf("%s is %s, and is said to be %s: %v", fid, class, of, of != class)
			}
		}
	}
	if !seen["hot"] || !seen["never"] || len(seen) < 3 {
		t.Errorf("the classes are %v", seen)
	}
}

// Of two profiles that are the same nothing is said of what llvm-profdata counts otherwise; of plain and
// context-sensitive records together it is.
func TestNotesOfComparisons(t *testing.T) {
	l := webtest.Start(t, nil)
	text := func(name string, records ...string) string { return l.Upload(name, proftext(":ir\n", records...)) }
	a, b := text("a.proftext", "main 1 60 40", "cold 2 0 1"), text("b.proftext", "main 1 30 20", "cold 2 3 1")
	moved := text("c.proftext", "/old/a.c;f 1 60 40", "x.llvm.12 2 4")
	here := text("d.proftext", "/new/a.c;f 1 60 40", "x.llvm.99 2 4")
	const another = "takes a function whose name has the path of another build folder"
	for pair, want := range map[[2]string]string{{a, a}: "", {a, b}: "", {moved, here}: another, {here, moved}: another} {
		said := plain(l.Page("/compare/"+pair[0]+"..."+pair[1], http.StatusOK))
		if strings.Contains(said, another) != (want != "") || strings.Contains(said, "divides by the sum over both") {
			t.Errorf("%v: the notes say %q: %v", pair, another, want == "")
		}
		if pair[0] == pair[1] && !strings.Contains(said, "100 %") {
			t.Errorf("a profile and itself do not overlap whole: %s", said)
		}
	}
	// What llvm-profdata prints of context-sensitive records is offered where there are any.
	const file = "clang-22_cs_merged.profdata"
	cs := l.Upload(file, webtest.Files(t, webtest.Root()+"/decode/instrprof/testdata/indexed", file)[1].([]byte))
	for pair, has := range map[[2]string]bool{{a, b}: false, {cs, a}: true, {a, cs}: true, {cs, cs}: true} {
		to, of := "", "Context-sensitive records"
		for page := "/compare/" + pair[0] + "..." + pair[1]; ; page = to {
			to = ""
			part := webtest.ByTestID(t, l.Page(page, http.StatusOK), "overlap-part")
			for _, link := range webtest.All(part, webtest.Tag("a")) {
				if plain(link) == of {
					to = webtest.Attr(link, "href")
				}
			}
			if (to != "") != has {
				t.Errorf("%s offers %s: %v", page, of, !has)
			}
			if of == "Plain records" || !has {
				break
			}
			of = "Plain records"
		}
	}
}

// What is typed as a condition becomes a filter of its own; what cannot be one says why, and what only looks
// like one is looked for in names.
func TestConditionsAreTyped(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Upload("a.proftext", proftext(":ir\n", "main 1 600 40", "cold 2 0 1", "_ZN1a1bEv 4 5 5 5", "hot 5 100000 2"))
	page := "/p/" + id + "/functions?"
	for typed, want := range map[string]string{
		"total>=100": "total=100..", "total>100": "total=101..", "max<5": "max=..4", "max<=5": "max=..5",
		"max≥5":      "max=5..",
		"counters=3": "counters=3", "total=1k..2k": "total=1000..2000", "total:2.5M": "total=2500000",
		"total=1 000": "total=1000",
		"rank<=2":     "rank=..2", "executed=no": "executed=false", "executed=true": "executed=true",
		"class=hot,cold": "class=hot,cold",
		"class=hot cold": "class=hot,cold", "name~^ma": "re=^ma", "name=main": "q=main", "path=lib": "path=lib",
		"total=7..": "total=7..",
		"total=..7": "total=..7",
	} {
		a := l.Get(page+"q="+url.QueryEscape(typed), "Accept", "text/html")
		to, err := url.Parse(a.Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := url.QueryUnescape(to.RawQuery)
		if a.StatusCode/100 != 3 || got != want {
			t.Errorf("%q leads to %q, want %q: %s", typed, got, want, a.Status)
		}
	}
	for typed, says := range map[string]string{
		"share>5%": "There is no filter for share; use total.", "sum>5": "use total",
		"executed=maybe": "Executed is yes or no.",
		"class=lukewarm": "A class is one of hot, warm, cold, never, none.", "total<0": "total is out of range.",
		"total=9..3": "is not a range.", "total=..x": "is not a range.", "total~5": "total takes =, >=, <=, > and <.",
		"total=many": "is not a number.", "total=2.55": "is not a whole number.",
		"total>18446744073709551615": "total is out of range.",
	} {
		a := l.Get(page+"q="+url.QueryEscape(typed), "Accept", "text/html")
		if said := plain(a.Parse(t)); !strings.Contains(strings.ToLower(said), strings.ToLower(says)) ||
			a.StatusCode/100 == 3 {
			t.Errorf("%q does not say %q: %s", typed, says, a.Status)
		}
	}
	for query, want := range map[string]string{
		"total=..500&q=total>100": "total=101..500", "total=50..&q=total<100": "total=50..99",
		"total=..500&q=total>=500": "total=500", "total=50..&q=total<=50": "total=50",
		"total=50..60&q=total>=100": "total=100..",
		"total=50..60&q=total<=10":  "total=..10",
	} {
		key, typed, _ := strings.Cut(query, "&q=")
		to, _ := url.Parse(l.Get(page+key+"&q="+url.QueryEscape(typed), "Accept", "text/html").Header.Get("Location"))
		if got, _ := url.QueryUnescape(to.RawQuery); got != want {
			t.Errorf("%s leads to %q, want %q", query, got, want)
		}
	}
	for _, name := range []string{"a::b", "main", "total"} {
		if a := l.Get(page+"q="+url.QueryEscape(name), "Accept", "text/html"); a.StatusCode != http.StatusOK {
			t.Errorf("%q is not looked for: %s", name, a.Status)
		}
	}
}

// Of the usual columns those are left out of which the profile has nothing; asked for, they are there.
func TestUsualColumns(t *testing.T) {
	l := webtest.Start(t, nil)
	for head, entries := range map[string]bool{"": true, ":ir\n": false} {
		page := webtest.Page(l.Upload("a.proftext", proftext(head, "main 1 5 60"))) + "/functions"
		for query, want := range map[string][2]bool{"": {entries, false}, "?cols=total,entry,file": {true, true}} {
			rows := webtest.Grid(l.Page(page+query, http.StatusOK))
			cells := rows[slices.IndexFunc(rows, func(r webtest.GridRow) bool { return r.At != "" })].Cells
			_, entry := cells["entry"]
			_, place := cells["path"]
			if [2]bool{entry, place} != want {
				t.Errorf("%q%s has the columns %v", head, query, cells)
			}
		}
	}
}

// The field for a filter gives an example of what finds something in the profile.
func TestExampleOfAFilter(t *testing.T) {
	l := webtest.Start(t, nil)
	for head, records := range map[string]map[string]string{
		"":      {"main 1 5 60": "entry>=5", "main 1 0 60": "total>=60", "main 1 0 0": "counters>=1"},
		":ir\n": {"main 1 5 60": "total>=60", "main 1 5000 3": "total>=1000", "main 1 0 0": "counters>=1"},
	} {
		for record, want := range records {
			page := webtest.Page(l.Upload("a.proftext", proftext(head, record))) + "/functions"
			fields := webtest.All(l.Page(page, http.StatusOK), func(n *html.Node) bool {
				return webtest.Attr(n, "id") == "filter-q"
			})
			_, example, _ := strings.Cut(webtest.Attr(fields[0], "placeholder"), "or ")
			if example != want {
				t.Errorf("of %s%s the example is %q, want %q", head, record, example, want)
			}
			to := l.Get(page+"?q="+url.QueryEscape(example), "Accept", "text/html").Header.Get("Location")
			if n := webtest.Number(t, l.OK(to+"&format=json").Object(t), "total"); n != 1 {
				t.Errorf("of %s%s %s finds %d functions", head, record, example, n)
			}
		}
	}
}

// Bitmaps name the bits that are set, those next to each other together, as many as there is room for; a
// plain and a context-sensitive record stand side by side with their shares, each with the thresholds of its
// own summary.
func TestBitsAndContexts(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Upload("b.proftext", []byte("f\n1\n1\n5\n$3\n0x55\n0x55\n0x01\n\ng\n2\n1\n5\n$2\n0xff\n0x11\n\n"+
		"h\n3\n1\n5\n$1\n0x00\n\n"))
	said := plain(l.Page("/p/"+id+"/bitmaps", http.StatusOK))
	for _, want := range []string{"0, 2, 4, 6, 8, 10, 12, 14 …", "0–8, 12", "none", "19 of 48 bits are set"} {
		if !strings.Contains(said, want) {
			t.Errorf("the bitmaps do not say %q: %s", want, said)
		}
	}
	if strings.Contains(said, "0–8, 12 …") {
		t.Errorf("there are more bits than are set: %s", said)
	}
	id = l.Upload("c.proftext", proftext(":ir\n:csir\n", "main 1 80 20", "idle 2 0 0", "main 1152921504606846977 40 10",
		"idle 1152921504606846978 5 0"))
	for _, item := range l.OK(webtest.API(id) + "/functions?cs=false").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		panel := plain(webtest.ByTestID(t, l.Page("/p/"+id+"/functions/"+item["fid"].(string), http.StatusOK), "contexts"))
		want := map[any]string{"main": "100 50 50.0 %", "idle": "0 5"}[item["name"]]
		if !strings.Contains(panel, want) || item["name"] == "idle" && strings.Contains(panel, " %") {
			t.Errorf("%v side by side does not say %q: %s", item["name"], want, panel)
		}
	}
	empty := plain(l.Page("/p/"+l.Upload("e.proftext", []byte(":ir\n")), http.StatusOK))
	if strings.Contains(empty, "nothing ran") || !strings.Contains(empty, "no function records") {
		t.Errorf("a profile without functions says %s", empty)
	}
}
