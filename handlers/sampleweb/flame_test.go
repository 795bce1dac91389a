package sampleweb_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// The stacks of a profile, folded, come to its samples: each function's own where it is the last, and of
// totals no less. How few functions have half of them the overview says, and a terminal lists the functions.
func TestStacksComeToTheSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, file := range []string{"llvm-22/line.ext.afdo", "llvm-22/contexts.ext.afdo", "text/nested.afdotext"} {
		at := webtest.PutSamples(l, file)
		of := object(l.OK(at).Object(t)["sample"].(map[string]any))
		folded := func(query string) (sum int, leaves map[string]int) {
			leaves = map[string]int{}
			for line := range strings.Lines(l.OK(at + "/flamegraph?format=folded" + query).Text()) {
				line = strings.TrimSpace(line)
				at := strings.LastIndexByte(line, ' ')
				stack, count := line[:at], line[at+1:]
				n, err := strconv.Atoi(count)
				if err != nil || n == 0 {
					t.Errorf("%s: %q, %v", file, line, err)
				}
				sum += n
				leaves[stack[strings.LastIndexByte(stack, ';')+1:]] += n
			}
			return sum, leaves
		}
		sum, leaves := folded("&names=mangled")
		if sum != of.number("samples") {
			t.Errorf("%s: the stacks come to %d samples, want %d", file, sum, of.number("samples"))
		}
		if sum, _ := folded("&w=total"); sum == 0 {
			t.Errorf("%s: no stack has a total", file)
		}
		sampled := objects(l.OK(at + "/functions?among=sampled&limit=1000").Object(t)["items"])
		slices.SortStableFunc(sampled, func(a, b object) int { return cmp.Compare(b.number("own"), a.number("own")) })
		few, half := 0, 0
		for _, f := range sampled {
			if n := f.number("own"); n > 0 && leaves[f.label()] != n && len(leaves) > 1 && leaves[f.label()] != 0 {
				t.Errorf("%s: %s ends stacks of %d samples, want %d", file, f.label(), leaves[f.label()], n)
			}
			if 2*half < of.number("samples") {
				few, half = few+1, half+f.number("own")
			}
		}
		page := strings.Replace(at, "/api/v1/profiles", "/p", 1)
		lead := words(webtest.Said(webtest.ByTestID(t, l.Page(page, 200), "lead")))
		if want := fmt.Sprintf(", half of them in the code of %d.", few); !strings.Contains(lead, want) {
			t.Errorf("%s: the overview leads with %q, want %q", file, lead, want)
		}
		graph := words(webtest.Said(l.Page(page+"/flame", 200)))
		none := words(webtest.Said(l.Page(page+"/flame?focus=nothing", 200)))
		says := words(humanize.Things(humanize.Count(uint64(of.number("samples"))).Text, "sample", "samples") + ", ")
		contexts := strings.Contains(file, "contexts")
		if !strings.Contains(graph, says) || strings.Contains(graph, "No stack that is left") ||
			strings.Contains(graph, "has no calling contexts") == contexts || strings.Contains(graph, "with nothing") {
			t.Errorf("%s: the graph does not say %q: %.600s", file, says, graph)
		}
		if !strings.Contains(none, "No stack that is left has any.") || !strings.Contains(none, "with nothing") ||
			strings.Contains(none, " frames.") {
			t.Errorf("%s: a graph of nothing says %.600s", file, none)
		}
		text := l.OK(page, webtest.Terminal...).Text()
		for _, f := range objects(l.OK(at + "/functions?limit=10").Object(t)["items"]) {
			share, _ := strconv.ParseFloat(f.text("share"), 64)
			if want := fmt.Sprintf(" %d  %6.2f%%  ", f.number("total"), 100*share); !strings.Contains(text, want) {
				t.Errorf("%s: a terminal does not read %q for %s:\n%s", file, want, f.label(), text)
			}
		}
	}
}

// Of a program without probes it cannot be told what is stale, and that is said where something is gone; a
// profile of one function has no half.
func TestWhatCannotBeTold(t *testing.T) {
	l := webtest.Start(t, nil)
	said := func(files ...string) string {
		at := webtest.PutSamples(l, files...)
		return words(webtest.Said(l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1), 200)))
	}
	const cannot, fits = "Cannot be told: there are no checksums.", "No function has another checksum."
	for _, c := range []struct {
		files   []string
		has, no string
	}{
		{[]string{"llvm-22/contexts.ext.afdo", "programs/probes.elf"}, "the same", cannot},
		{[]string{"llvm-22/preinlined.ext.afdo", "programs/changed.elf"}, "stale", cannot},
		{[]string{"text/zero.afdotext"}, "no count above 0", "half of them"},
		{[]string{"text/zero.afdotext"}, "places have no sample", "of the others"},
	} {
		text := said(c.files...)
		if !strings.Contains(text, c.has) || strings.Contains(text, c.no) {
			t.Errorf("%q: the overview does not say %q, or says %q", c.files, c.has, c.no)
		}
	}
	files := webtest.Files(t, webtest.Root()+"/"+testdata, "llvm-22/line.afdotext", "programs/lines.elf")
	files[1] = append(slices.Clone(files[1].([]byte)), "nowhere:10:0\n 1: 10\n"...)
	lost := words(webtest.Said(l.Page("/p/"+l.Together(files...), 200)))
	if !strings.Contains(lost, cannot) || strings.Contains(lost, fits) ||
		!strings.Contains(lost, "× gone: 10, 1 function") {
		t.Errorf("of lines alone the overview says %s", lost)
	}
	one := l.Upload("one.afdotext", []byte("main:30:0\n 1: 10\n 2: 20\n"))
	text := words(webtest.Said(l.Page("/p/"+one, 200)))
	if !strings.Contains(text, words(humanize.Plural(1, "function", "functions"))) ||
		strings.Contains(text, "half of them") || strings.Contains(text, "No calls were sampled") {
		t.Errorf("the overview of one function says %s", text)
	}
}

// What a program tells of lines leads from a graph, a function and a file to each other; without it nothing
// leads there. Calls are asked for by their ends.
func TestLinesLeadToEachOther(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, c := range []struct {
		files   []string
		located bool
	}{{[]string{"llvm-22/line.ext.afdo", "programs/lines.elf"}, true}, {[]string{"llvm-22/line.ext.afdo"}, false}} {
		at := webtest.PutSamples(l, c.files...)
		page := strings.Replace(at, "/api/v1/profiles", "/p", 1)
		if text := l.OK(page+"/flame", "Accept", "text/html").Text(); strings.Contains(text, page+"/files") != c.located {
			t.Errorf("%q: a frame leads to files: %v", c.files, !c.located)
		}
		for _, row := range objects(l.OK(at + "/functions?limit=3").Object(t)["items"]) {
			function := l.Page(page+"/functions/"+row.text("fid"), 200)
			files := webtest.All(function, func(n *html.Node) bool {
				return n.Data == "a" && strings.HasPrefix(webtest.Attr(n, "href"), page+"/files")
			})
			if (len(files) > 0) != (c.located && row["line"] != nil) {
				t.Errorf("%q: %s has %d links to lines", c.files, row.label(), len(files))
			}
			for _, a := range files[:min(len(files), 2)] {
				path, _, _ := strings.Cut(webtest.Attr(a, "href"), "#")
				if said := words(webtest.Said(l.Page(path, 200))); !strings.Contains(said, ".cpp") {
					t.Errorf("%q: %s leads to %s, which says %.300s", c.files, row.label(), path, said)
				}
			}
			for key, of := range map[string]string{"caller": "caller_fid", "callee": "callee_fid"} {
				list := l.OK(at + "/calls?limit=1000&" + key + "=" + row.text("fid")).Object(t)
				for _, call := range objects(list["items"]) {
					if call.text(of) != row.text("fid") {
						t.Errorf("%q: a call of %s %s is %v", c.files, key, row.label(), call)
					}
				}
				said := words(webtest.Said(l.Page(page+"/calls?"+key+"="+row.text("fid"), 200)))
				n := len(objects(list["items"]))
				if n > 0 && !strings.Contains(said, fmt.Sprintf("rows 1–%d of %d", min(n, 100), n)) {
					t.Errorf("%q: calls of %s %s are not %d: %.400s", c.files, key, row.label(), n, said)
				}
			}
		}
		if a := l.Get(page + "/card.png"); a.StatusCode != 200 || len(a.Bytes) < 1000 {
			t.Errorf("%q: the card is %s", c.files, a.Status)
		}
	}
}
