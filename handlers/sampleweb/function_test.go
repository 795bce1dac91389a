package sampleweb_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

func (o object) number(key string) int {
	n, _ := o[key].(json.Number)
	v, _ := strconv.Atoi(n.String())
	return v
}

// words is a text on one line, as the pages of these tests have it.
func words(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, humanize.NumberSpace, " ")), " ")
}

// row is a line of the page of a function.
type row struct {
	line, place   string
	count, inside string
	targets       string
}

func rowsOf(table *html.Node, located bool) (list []row, inlined [][]*html.Node) {
	for _, tr := range webtest.All(table, webtest.Tag("tr"))[1:] {
		cells := webtest.All(tr, webtest.Tag("td"))
		r := row{}
		if located {
			r.line = words(webtest.Said(cells[0]))
			cells = cells[1:]
		}
		r.place, r.count = words(webtest.Said(cells[0])), words(webtest.Said(cells[1]))
		r.inside = words(webtest.Said(cells[3]))
		for _, s := range webtest.All(tr, webtest.Tag("span")) {
			if webtest.Attr(s, "class") == "sample-targets" {
				for _, a := range webtest.All(s, webtest.Tag("a")) { // in full
					a.FirstChild.FirstChild.Data = cut(webtest.Attr(a, "title"))
				}
				r.targets = words(webtest.Said(s))
			}
		}
		list = append(list, r)
		var lists []*html.Node
		for _, s := range webtest.All(tr, webtest.Tag("span")) {
			if webtest.Attr(s, "class") == "inlinee" {
				lists = append(lists, s)
			}
		}
		inlined = append(inlined, lists)
	}
	return list, inlined
}

// wanted are the rows that the page of a function has of what the API says: of each place or, where those
// of a line stand together, of each line.
func wanted(f object, located, byLine, probes bool) []row {
	type spot struct {
		at           [2]int
		line         int
		count, sum   int
		counted, has bool
		targets      []object
	}
	spots := map[[2]int]*spot{}
	at := func(o object) *spot {
		key := [2]int{o.number("offset"), o.number("discriminator")}
		if byLine {
			key[1] = 0
		}
		if spots[key] == nil {
			spots[key] = &spot{at: key, line: o.number("line")}
		}
		return spots[key]
	}
	for _, r := range f.list("records") {
		s := at(r)
		s.count, s.counted = max(s.count, r.number("count")), true
		s.targets = append(s.targets, r.list("targets")...)
	}
	for _, c := range f.list("inlined_callees") {
		s := at(c)
		s.sum, s.has = s.sum+c.number("sum"), true
	}
	list := slices.SortedFunc(maps.Values(spots), func(a, b *spot) int {
		if byLine {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.at[0], b.at[0]))
		}
		return slices.Compare(a.at[:], b.at[:])
	})
	var rows []row
	for _, s := range list {
		r := row{place: fmt.Sprint("+", s.at[0])}
		switch {
		case probes:
			r.place = strconv.Itoa(s.at[0])
		case s.at[0] > 1<<15:
			r.place = fmt.Sprint("−", 1<<16-s.at[0])
		}
		if s.at[1] > 0 {
			r.place += fmt.Sprint(".", s.at[1])
		}
		if located {
			if r.line = "none"; s.line > 0 {
				r.line = strconv.Itoa(s.line)
			}
		}
		if s.counted {
			r.count = words(humanize.Count(uint64(s.count)).Text)
		}
		if s.has {
			r.inside = words(humanize.Count(uint64(s.sum)).Text)
		}
		slices.SortStableFunc(s.targets, func(a, b object) int { return cmp.Compare(b.number("count"), a.number("count")) })
		sum := 0
		for _, t := range s.targets {
			sum += t.number("count")
		}
		for i, t := range s.targets {
			if i == 4 {
				r.targets += fmt.Sprint(" ", len(s.targets)-4, " more")
				break
			}
			r.targets += fmt.Sprint(" ", cut(full(t)), " ", humanize.Percent(float64(t.number("count"))/float64(sum), 0))
		}
		if r.targets != "" {
			r.targets = words("→" + r.targets)
		}
		rows = append(rows, r)
	}
	return rows
}

// cut is the beginning of a name, since pages cut long ones.
func cut(name string) string { return name[:min(len(name), 80)] }

// full is a function's name.
func full(o object) string {
	if d, ok := o["demangled"].(string); ok {
		return d
	}
	return o.label()
}

// The page of a function has the places, counts, targets and inlined callees that the API has of it, which
// are what llvm-profdata shows (TestFunctionObjects): by offset, and by line where the program tells those.
func TestFunctionPages(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		{"llvm-22/line.ext.afdo", "programs/lines.elf"}, {"llvm-22/preinlined.ext.afdo", "programs/changed.elf"},
		{"text/plain.afdotext"}, {"text/nested.afdotext"}, {"text/ties.afdotext"},
	} {
		at := webtest.PutSamples(l, files...)
		probes := slices.Contains(l.OK(at).Object(t)["variant"].([]any), any("probes"))
		for i, fid := range l.OK(at+"/functions").Column(t, "fid") {
			if i >= 12 {
				break
			}
			f := object(l.OK(at + "/functions/" + fid).Object(t))
			located := !probes && f["line"] != nil
			path := strings.Replace(at, "/api/v1/profiles", "/p", 1) + "/functions/" + fid
			ways := []string{""}
			if located {
				ways = []string{"?rows=source", "?rows=offsets"}
			}
			for _, way := range ways {
				doc := l.Page(path+way, 200)
				byLine := way == "?rows=source"
				want := wanted(f, located, byLine, probes)
				if len(want) == 0 {
					continue
				}
				got, _ := rowsOf(webtest.ByTestID(t, doc, "lines"), located)
				if !slices.Equal(got, want) {
					t.Errorf("%s%s: %s has\n%q, want\n%q", path, way, f.label(), got, want)
				}
				says := humanize.Plural(len(want), "place", "places")
				if byLine {
					says = humanize.Plural(len(want), "line", "lines") + " from " + f.text("line")
				}
				if says += "; head " + humanize.Int(f.number("head")); !strings.Contains(words(webtest.Said(doc)), words(says)) {
					t.Errorf("%s%s: %s does not say %q", path, way, f.label(), says)
				}
				holdInlined(t, doc, path, f, files[0])
			}
		}
	}
}

// holdInlined holds what is inlined into a function, by callee, against the API.
func holdInlined(t *testing.T, doc *html.Node, path string, f object, file string) {
	t.Helper()
	type callee struct{ times, sum int }
	callees := map[string]callee{}
	whole := f.number("sum")
	for _, r := range f.list("inlined_callees") {
		c := callees[r.text("fid")]
		callees[r.text("fid")] = callee{c.times + 1, c.sum + r.number("sum")}
	}
	said := words(webtest.Said(webtest.ByTestID(t, doc, "inlined")))
	for _, c := range callees {
		times := ""
		if c.times > 1 {
			times = fmt.Sprint("× ", c.times, " ")
		}
		want := words(fmt.Sprint(times, humanize.Count(uint64(c.sum)).Text, " ",
			humanize.Percent(float64(c.sum)/float64(whole), 1)))
		if len(callees) <= 12 && !strings.Contains(said, want) {
			t.Errorf("%s of %s does not say %q: %s", path, file, want, said)
		}
	}
	own := 0
	for _, r := range f.list("records") {
		own += r.number("count")
	}
	if want := words(fmt.Sprint("own lines ", humanize.Count(uint64(own)).Text, " ",
		humanize.Percent(float64(own)/float64(whole), 1))); len(callees) > 0 && whole > 0 && !strings.Contains(said, want) {
		t.Errorf("%s of %s does not say %q: %s", path, file, want, said)
	}
	lead := words(webtest.Said(webtest.ByTestID(t, doc, "lead")))
	if want := words(humanize.Percent(float64(whole-own)/float64(whole), 0) +
		" of its counts are in inlined bodies: "); whole >
		own && f.number("rank") > 0 && !strings.Contains(lead, want) {
		t.Errorf("%s of %s leads with %q, want %q", path, file, lead, want)
	}
	more := ""
	if len(callees) > 12 {
		more = fmt.Sprint(len(callees)-12, " more")
	}
	if !strings.Contains(said, more) || strings.HasPrefix(file, "text/") && more == "" && strings.Contains(said, " more") {
		t.Errorf("%s has %d callees, and says %s", path, len(callees), said)
	}
}

// A function's page leads with what it has, lists its contexts as the API does, and its callers and callees;
// lists mark what is cold.
func TestWhatFunctionsSay(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		{"llvm-22/contexts.ext.afdo"}, {"llvm-22/preinlined.ext.afdo", "programs/changed.elf"}, {"llvm-22/line.ext.afdo"},
		{"text/nested.afdotext"}, {"text/zero.afdotext"}, {"text/probe.afdotext"},
	} {
		at := webtest.PutSamples(l, files...)
		if files[0] != "text/probe.afdotext" { // which has more than a number holds
			holdSums(t, l, at, files)
		}
		page := strings.Replace(at, "/api/v1/profiles", "/p", 1)
		items := objects(l.OK(at + "/functions?among=sampled&limit=1000").Object(t)["items"])
		kinds := map[string]int{}
		for i, f := range items {
			kind := "row"
			if f["rank"] == nil || f.text("rank") == "0" {
				kind = "inlined"
			}
			if kinds[kind]++; kinds[kind] > 6 && i > 0 {
				continue
			}
			doc := l.Page(page+"/functions/"+f.text("fid"), 200)
			lead := words(webtest.Said(webtest.ByTestID(t, doc, "lead")))
			total := humanize.Count(uint64(f.number("total"))).Text
			want := fmt.Sprintf("%s, rank %s.", humanize.Things(total, "sample", "samples"),
				f.text("rank"))
			if files[0] == "text/zero.afdotext" {
				want = humanize.Things(total, "sample", "samples") + "."
			}
			tags, _, _ := strings.Cut(lead, words(total))
			plain := strings.NewReplacer("warm", "", "same", "", "<nil>", "")
			heat, fit := plain.Replace(f.text("heat")), plain.Replace(f.text("fit"))
			if kind == "row" && (!strings.Contains(tags, heat) || !strings.Contains(tags, fit) ||
				len(tags) > len(heat)+len(fit)+2) {
				t.Errorf("%q: %s leads with %q, and is %q and %q", files, f.label(), lead, heat, fit)
			}
			if kind == "inlined" {
				want = fmt.Sprintf("%s of its own, all where it is inlined, at %s.",
					humanize.Things(humanize.Count(uint64(f.number("inlined"))).Text, "sample", "samples"),
					humanize.Plural(f.number("inlined_at"), "place", "places"))
			}
			if !strings.Contains(lead, words(want)) {
				t.Errorf("%q: %s leads with %q, want %q", files, f.label(), lead, want)
			}
			holdContexts(t, l, at, doc, f, files[0] == "llvm-22/contexts.ext.afdo" && kind == "row")
			for id, key := range map[string]string{"callers": "callee", "callees": "caller"} {
				calls := objects(l.OK(at + "/calls?limit=1000&" + key + "=" + f.text("fid")).Object(t)["items"])
				if got := webtest.HasTestID(doc, id); got != (len(calls) > 0) {
					t.Errorf("%q: %s has %s: %v, want %d", files, f.label(), id, got, len(calls))
				}
			}
		}
		for _, list := range []string{"", "?among=sampled"} {
			rows := webtest.Grid(l.Page(page+"/functions"+list, 200))
			for i, item := range objects(l.OK(at + "/functions" + list).Object(t)["items"]) {
				if i < len(rows) && strings.HasSuffix(rows[i].Cells["name"], " cold") != (item["heat"] == "cold" &&
					item.number("rank") > 0) {
					t.Errorf("%q%s: %q is %v, rank %v", files, list, rows[i].Cells["name"], item["heat"], item["rank"])
				}
			}
		}
		called := map[string]int{}
		for _, call := range objects(l.OK(at + "/calls?limit=1000").Object(t)["items"]) {
			called[call.text("callee_fid")] += call.number("calls")
		}
		for _, f := range items {
			delete(called, f.text("fid"))
		}
		for fid, calls := range called { // of what has no samples
			if object(l.OK(at+"/functions/"+fid).Object(t)).number("inlined_at") > 0 {
				continue
			}
			want := "No samples; " + humanize.Plural(calls, "sampled call", "sampled calls") + " of it."
			if calls == 0 {
				want = "No samples."
			}
			lead := words(webtest.Said(webtest.ByTestID(t, l.Page(page+"/functions/"+fid, 200), "lead")))
			if lead != words(want) {
				t.Errorf("%q: %s leads with %q, want %q", files, fid, lead, want)
			}
		}
		if files[0] == "text/zero.afdotext" {
			continue
		}
		hot := l.OK(at+"/hot?limit=1000").Column(t, "offset")
		all := l.OK(at+"/contexts?limit=1000").Column(t, "offset")
		if chosen := l.OK(at+"/contexts?limit=1000&hot=true").Column(t, "offset"); len(chosen) != len(hot) ||
			len(hot) > len(all) || len(hot) == 0 {
			t.Errorf("%q: %d of %d contexts are hot, want %d", files, len(chosen), len(all), len(hot))
		}
	}
}

// holdSums holds what lists of functions say that these come to.
func holdSums(t *testing.T, l *webtest.Server, at string, files []string) {
	t.Helper()
	samples := object(l.OK(at).Object(t)["sample"].(map[string]any)).number("samples")
	for _, c := range []struct{ page, list, key, says string }{
		{"/functions", "/functions?limit=1000", "total", " in total; inlined code counts for the function that it is in."},
		{
			"/functions?among=sampled", "/functions?limit=1000&among=sampled", "own",
			" of their own; inlined code counts for the function that it is of.",
		},
		{
			"/stale", "/functions?limit=1000&among=sampled&fit=stale,gone", "own",
			" of their own, %s of all; inlined code counts for the function that it is of.",
		},
	} {
		if c.page == "/stale" && len(files) == 1 {
			continue
		}
		items, sum := objects(l.OK(at + c.list).Object(t)["items"]), 0
		for _, f := range items {
			sum += f.number(c.key)
		}
		want := humanize.Plural(len(items), "function", "functions") + " with " +
			humanize.Things(humanize.Count(uint64(sum)).Text, "sample", "samples") +
			strings.Replace(c.says, "%s", humanize.Percent(float64(sum)/float64(samples), 1), 1)
		says := words(webtest.Said(webtest.ByTestID(t, l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1)+c.page,
			200), "says")))
		if says != words(want) {
			t.Errorf("%q: %s says %q, want %q", files, c.page, says, words(want))
		}
	}
}

func holdContexts(t *testing.T, l *webtest.Server, at string, doc *html.Node, f object, has bool) {
	t.Helper()
	if webtest.HasTestID(doc, "contexts") != has {
		t.Errorf("%s has contexts: %v", f.label(), !has)
	}
	if !has {
		return
	}
	list := objects(l.OK(at + "/contexts?limit=1000&sort=-total&function=" + f.text("fid")).Object(t)["items"])
	panel := webtest.ByTestID(t, doc, "contexts")
	says := humanize.Plural(len(list), "context", "contexts")
	if len(list) > 50 {
		says = "the 50 with the most samples of " + says
	}
	if said := words(webtest.Said(panel)); !strings.Contains(said, "Calling contexts "+words(says)) {
		t.Errorf("%s says %.80q, want %q", f.label(), said, says)
	}
	rows := webtest.All(panel, webtest.Tag("tr"))[1:]
	if len(rows) != min(len(list), 50) {
		t.Errorf("%s has %d rows of %d contexts", f.label(), len(rows), len(list))
	}
	var got, want []string
	for i, tr := range rows {
		cells := webtest.All(tr, webtest.Tag("td"))
		got = append(got, words(webtest.Said(cells[0])+" "+webtest.Said(cells[3])))
		want = append(want, words(humanize.Count(uint64(list[i].number("total"))).Text+" "+
			humanize.Count(uint64(list[i].number("head"))).Text))
		frames := webtest.All(tr, webtest.Tag("a"))
		places := 0
		for _, s := range webtest.All(webtest.All(tr, webtest.Tag("th"))[0], webtest.Tag("span")) {
			if strings.Contains(webtest.Attr(s, "class"), "mono") {
				places++
			}
		}
		if places != len(frames)-1 {
			t.Errorf("%s: context %d has %d frames and %d places: %s", f.label(), i, len(frames), places,
				words(webtest.Said(tr)))
		}
	}
	slices.Sort(got)
	if slices.Sort(want); len(list) <= 50 && !slices.Equal(got, want) {
		t.Errorf("%s has the contexts %q, want %q", f.label(), got, want)
	}
}
