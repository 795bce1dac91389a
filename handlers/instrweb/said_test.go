package instrweb_test

import (
	"encoding/json"
	"fmt"
	"net/http"
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
	for _, want := range []string{", this 3 counters above 0", " the same ran", " 2 fewer, 1 more", "Counters 0 to 3 in order"} {
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
	for i := range 8 {
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
}
