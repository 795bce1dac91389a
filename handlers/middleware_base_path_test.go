package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

const base = "/proflens"

// addressesIn are the addresses of a page's attributes, those for scripts too, and
// those that forms send to.
func addressesIn(n *html.Node) (found, forms []string) {
	for d := range n.Descendants() {
		for _, a := range d.Attr {
			switch {
			case a.Key == "href", a.Key == "src",
				strings.HasPrefix(a.Key, "data-") &&
					(strings.HasPrefix(a.Val, "/p/") || strings.HasPrefix(a.Val, base+"/") || strings.HasPrefix(a.Val, "/api/")):
				found = append(found, a.Val)
			case a.Key == "action", a.Key == "formaction":
				forms = append(forms, a.Val)
			}
		}
	}
	return found, forms
}

// Below a base path every link of every page leads to an address below it, and is
// answered.
func TestBasePath(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.BasePath = base })
	bare := l.URL
	l.URL += base
	webtest.PutMemProf(l, "mem_hist.memprofraw")
	webtest.PutMIP(l, webtest.MIPCounts...)
	webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip"))
	l.Put("a.profraw", webtest.File(t, "ir_c.profraw"))
	l.Put("b.profraw", webtest.File(t, "ir_c.profraw"))

	queue, seen, pages := []string{base + "/"}, map[string]bool{}, 0
	add := func(from, address string) {
		u, err := url.Parse(address)
		if err != nil || u.Host != "" || u.Scheme != "" || address == "" {
			return // another site's, or a place on the page
		}
		at, err := url.Parse(from)
		if err != nil {
			t.Fatal(err)
		}
		to := at.ResolveReference(u)
		to.Fragment = ""
		if !strings.HasPrefix(to.Path, base+"/") {
			t.Errorf("%s leads to %s", from, address)
			return
		}
		// One address of each page is enough, whatever its parameters are.
		if !seen[to.Path] {
			seen[to.Path] = true
			queue = append(queue, to.String())
		}
	}
	for len(queue) > 0 && pages < 400 {
		at := queue[0]
		queue = queue[1:]
		a := l.Do("GET", bare+at, nil, "Accept", "text/html")
		if to := a.Header.Get("Location"); to != "" {
			add(at, strings.TrimPrefix(to, bare))
			continue
		}
		if a.StatusCode >= 400 {
			t.Errorf("%s: %s", at, a.Status)
		}
		if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
			continue
		}
		pages++
		doc := a.Parse(t)
		found, forms := addressesIn(doc)
		for _, address := range found {
			add(at, address)
		}
		for _, address := range forms {
			if !strings.HasPrefix(address, base+"/") {
				t.Errorf("a form of %s sends to %s", at, address)
			}
		}
		if strings.Contains(a.Text(), base+base) {
			t.Errorf("%s has an address with two base paths", at)
		}
		if !strings.Contains(a.Text(), `<html data-root="`+base+`"`) {
			t.Errorf("%s does not tell the scripts", at)
		}
	}
	if pages < 50 {
		t.Errorf("%d pages were found", pages)
	}
	t.Logf("%d pages, %d addresses", pages, len(seen))
}

// What is not a page has the base path too.
func TestBasePathOfTheAPI(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.BasePath = base })
	bare := l.URL
	l.URL += base
	object := l.Put("a.profraw", webtest.File(t, "ir_c.profraw"))
	id := object["id"].(string)
	if got := object["url"]; got != nil && got != l.URL+webtest.Page(id) {
		t.Errorf("url %v", got)
	}
	for name, link := range object["links"].(map[string]any) {
		if a := l.Do("GET", bare+link.(string), nil); a.StatusCode != http.StatusOK {
			t.Errorf("link %s: %s: %s", name, link, a.Status)
		}
	}
	if text := l.OK("/p/"+id, webtest.Terminal...).Text(); !strings.Contains(text, l.URL+"/") ||
		strings.Contains(text, bare+"/p/") {
		t.Errorf("on a terminal:\n%s", text)
	}
	if a := l.OK("/api/v1/openapi.json"); !strings.Contains(a.Text(), `"servers":[{"url":"`+base+`/"}]`) {
		t.Error("the API's description has another address")
	}
	for path, want := range map[string]int{
		"": 302, "/": 404, "/p/" + id: 404, "/healthz": 404, base + "x/": 404, base + "/healthz": 200,
	} {
		at := bare + path
		if path == "" {
			at = bare + base
		}
		if a := l.Do("GET", at, nil); a.StatusCode != want {
			t.Errorf("%s: %s, expected %d", at, a.Status, want)
		}
	}
	a := l.Do("POST", "/theme", strings.NewReader("theme=dark&back=/docs"), "Content-Type",
		"application/x-www-form-urlencoded")
	if cookies := a.Cookies(); a.Header.Get("Location") != base+"/docs" || len(cookies) != 1 ||
		cookies[0].Path != base+"/" {
		t.Errorf("theme: %v to %s", cookies, a.Header.Get("Location"))
	}
}

// Addresses for scripts have it too: of a flame graph those that lead on from a frame,
// to its source file among them.
func TestBasePathOfScripts(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.BasePath = base })
	l.URL += base
	heap := l.Together(webtest.Files(t, "../decode/llvm/testdata/shapes", "heap.memprofraw", "heap.exe.gz")...)
	leads := map[string]bool{}
	for d := range l.OK("/p/"+heap+"/flame", "Accept", "text/html").Parse(t).Descendants() {
		for _, a := range d.Attr {
			if strings.HasPrefix(a.Key, "data-") && (strings.HasPrefix(a.Val, "/p/") || strings.HasPrefix(a.Val, "/api/")) {
				t.Errorf("%s is %s", a.Key, a.Val)
			}
			leads[a.Val] = leads[a.Val] || a.Key == "data-flame-lead"
		}
	}
	if !leads["file"] || !leads["function"] {
		t.Error("no frame leads on")
	}
}
