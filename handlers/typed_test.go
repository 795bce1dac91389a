package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
)

// searched are the pages of a profile that its first page leads to, and those that these lead to, on which
// something can be typed, with what a condition there can begin with; so are comparisons of it with itself.
func searched(t *testing.T, l *webtest.Server, at string) map[string][]string {
	base := "/p" + strings.TrimPrefix(at, "/api/v1/profiles")
	id := strings.TrimPrefix(base, "/p/")
	compared := "/compare/" + id + "..." + id
	found, seen := map[string][]string{}, map[string]bool{}
	next := []string{base, compared + "?min=0"}
	for range 2 {
		var links []string
		for _, page := range next {
			doc := l.Page(page, http.StatusOK)
			fields := webtest.All(doc, func(n *html.Node) bool { return webtest.Attr(n, "id") == "filter-q" })
			typed := webtest.All(doc, func(n *html.Node) bool { return webtest.Attr(n, "id") == "filter-typed" })
			if len(fields) == 1 && len(typed) == 1 {
				for _, o := range webtest.All(typed[0], webtest.Tag("option")) {
					found[page] = append(found[page], webtest.Attr(o, "value"))
				}
			}
			for _, a := range webtest.All(doc, webtest.Tag("a")) {
				to, err := url.Parse(webtest.Attr(a, "href"))
				if err != nil || !strings.HasPrefix(to.Path, base+"/") && to.Path != compared ||
					strings.Count(to.Path, "/") > 3 {
					continue
				}
				key := to.Path + " " + to.Query().Get("by") + to.Query().Get("kind") + to.Query().Get("family")
				if !seen[key] && !to.Query().Has("format") {
					seen[key] = true
					to.Fragment = ""
					links = append(links, to.String())
				}
			}
		}
		next = links
	}
	return found
}

// In every table where words can be sought a condition can be typed too, on each column that a range selects
// by: the page then has it as a range. What is no column says so where it finds nothing, and names with signs
// in them stay names.
func TestConditionsAreTypedEverywhere(t *testing.T) {
	l := webtest.Start(t, nil)
	tables := map[string]bool{}
	for name, p := range familyProfiles(t, l) {
		compares := false
		for page, beginnings := range searched(t, l, p.at) {
			to, _ := url.Parse(page)
			tables[to.Path[strings.LastIndexByte(to.Path, '/'):]+" "+to.RawQuery] = true
			compares = compares || strings.HasPrefix(to.Path, "/compare/")
			typed := func(text string) *webtest.Answer {
				q := to.Query()
				for key := range q {
					if key != "by" && key != "kind" && key != "family" {
						q.Del(key)
					}
				}
				q.Set("q", text)
				return l.Get(to.Path+"?"+q.Encode(), "Accept", "text/html")
			}
			for _, begins := range beginnings {
				column := strings.TrimSuffix(begins, ">=")
				a := typed(begins + "1")
				leads, err := url.Parse(a.Header.Get("Location"))
				if err != nil || a.StatusCode != http.StatusSeeOther || leads.Query().Get(column) != "1.." ||
					leads.Query().Has("q") {
					t.Errorf("%s: %s: %q leads to %q: %s", name, page, begins+" 1", a.Header.Get("Location"), a.Status)
					continue
				}
				if removed := webtest.All(l.Page(leads.String(), http.StatusOK), func(n *html.Node) bool {
					return strings.HasPrefix(webtest.Attr(n, "aria-label"), "Remove filter")
				}); len(removed) == 0 {
					t.Errorf("%s: %s does not say what it is filtered by", name, leads)
				}
			}
			for _, text := range []string{"vector<int>", "operator>", "operator>=", "a<b>", "a::b", beginnings[0][:3] + "<T>",
				strings.TrimSuffix(beginnings[0], ">=") + "<int>"} {
				if a := typed(text); a.StatusCode != http.StatusOK {
					t.Errorf("%s: %s: the name %q is answered by %s", name, page, text, a.Status)
				}
			}
			said := webtest.Said(typed("nosuch>=5").Parse(t))
			if empty := !strings.Contains(said, "0 of "); !strings.Contains(said, "There is no column nosuch") &&
				!strings.Contains(said, "is no metric") && !strings.Contains(said, "what never ran is always 0 %") && !empty {
				t.Errorf("%s: %s does not say that there is no such column", name, page)
			}
		}
		if !compares {
			t.Errorf("%s: a comparison offers no columns while one types", name)
		}
	}
	if len(tables) < 34 {
		t.Errorf("conditions can be typed in %d tables: %v", len(tables), tables)
	}
}
