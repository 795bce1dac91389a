package handlers_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/handlers/webtest"

	"golang.org/x/net/html"
)

// longestPage is what no page may pass, though each of many names on it is as long as a
// name can be, and of characters that HTML writes with five.
const longestPage = 2 << 20

// longNames are n names as long as a name can be, of what takes most room on a page.
func longNames(n int) []string {
	var list []string
	for i := range n {
		head := fmt.Sprintf("a<%d/b;f%d", i%7, i)
		if i%10 == 0 { // the path is what is long
			list = append(list, strings.Repeat("<&>%", (model.MaxName-20)/4)+fmt.Sprintf(".c;f%d", i))
			continue
		}
		list = append(list, head+strings.Repeat("<&>\"", (model.MaxName-len(head))/4))
	}
	return list
}

// Pages of names as long as a name can be are short, and lead to the whole names.
func TestPagesOfLongNamesAreShort(t *testing.T) {
	n := 100
	if testing.Short() { // together still far more than a page may have
		n = 25
	}
	names := longNames(n)
	for file, data := range map[string][]byte{
		"long.proftext": webtest.Proftext(names...),
		"long.yaml":     heapOf(names),
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			l := webtest.Start(t, func(c *site.Config) { c.MaxUpload = 64 << 20 })
			id := l.Upload(file, data)
			longest, at := 0, ""
			todo, kinds := []string{webtest.Page(id)}, map[string]int{}
			for i := 0; i < len(todo); i++ {
				a := l.Get(todo[i], "Accept", "text/html")
				if a.StatusCode != http.StatusOK || len(a.Bytes) > longestPage {
					t.Errorf("GET %.120s: %s, %d bytes", todo[i], a.Status, len(a.Bytes))
				}
				if len(a.Bytes) > longest {
					longest, at = len(a.Bytes), todo[i]
				}
				for _, link := range pagesBelow(t, a.Parse(t), webtest.Page(id)) {
					kind := kindOf(t, link)
					if len(todo) < 24 && kinds[kind] < 1 && !slices.Contains(todo, link) {
						kinds[kind]++
						todo = append(todo, link)
					}
				}
			}
			t.Logf("%d pages; the longest, %.120s, has %d bytes", len(todo), at, longest)
			if len(todo) < 15 {
				t.Errorf("only %d pages", len(todo))
			}
			if file != "long.proftext" {
				return
			}
			fid := site.FID(webtest.Func(names[1], 0).NameRef)
			cut := webtest.ByTestID(t, l.Page(webtest.Page(id)+"/functions/"+fid, http.StatusOK), "name-cut")
			whole := l.OK(webtest.Attr(webtest.All(cut, webtest.Tag("a"))[0], "href")).Object(t)
			if got := fmt.Sprint(whole["name"]); got != names[1] {
				t.Errorf("the page leads to a name of %d bytes", len(got))
			}
		})
	}
}

// heapOf is a heap profile whose functions have these names: an allocation of each, and
// one with all of them on its stack.
func heapOf(names []string) []byte {
	b := []byte("---\nHeapProfileRecords:\n")
	site := func(stack ...string) {
		b = append(b, "      - Callstack:\n"...)
		for _, name := range stack {
			b = fmt.Appendf(b, "          - { Function: '%s', LineOffset: 1, Column: 1, IsInlineFrame: false }\n", name)
		}
		b = append(b, "        MemInfoBlock:\n          AllocCount: 1\n          TotalSize: 8\n"...)
	}
	for i, name := range names {
		b = fmt.Appendf(b, "  - GUID: '%s'\n    AllocSites:\n", name)
		site(name)
		if i == 0 {
			site(names...)
		}
		b = append(b, "    CallSites: []\n"...)
	}
	return append(b, "...\n"...)
}

// pagesBelow are the addresses below one that a page leads to.
func pagesBelow(t *testing.T, doc *html.Node, base string) (list []string) {
	t.Helper()
	for n := range doc.Descendants() {
		link := webtest.Attr(n, "href")
		if u, err := url.Parse(link); n.Data == "a" && err == nil &&
			(u.Path == base || strings.HasPrefix(u.Path, base+"/")) && !u.Query().Has("format") {
			u.Fragment = ""
			list = append(list, u.String())
		}
	}
	return list
}

// kindOf is what an address asks for, without the values.
func kindOf(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(u.Path, "/", 5)
	if len(parts) > 4 {
		parts[4] = "…"
	}
	return strings.Join(parts, "/") + "?" + strings.Join(slices.Sorted(maps.Keys(u.Query())), "&")
}
