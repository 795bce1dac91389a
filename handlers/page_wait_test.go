package handlers_test

import (
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// A page that is not there within a moment says what takes its time, has a way back,
// and leads to the page itself; programs just wait.
func TestPagesThatTakeTheirTime(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.PageWait = time.Nanosecond })
	at := l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))
	id := at["id"].(string)
	_, page := mipPair(l)
	for _, c := range []struct{ path, title, cancel, onward string }{
		{"/p/" + id + "/functions?q=a&sort=name", "Searching…", "/p/" + id + "/functions?sort=name", "&q=a&sort=name"},
		{"/p/" + id + "/tree?by=namespace", "Adding up…", "/p/" + id, "&by=namespace"},
		{
			page + "?q=a", "Comparing…", "/compare?base=" + strings.Split(strings.TrimPrefix(page, "/compare/"), "...")[0],
			"&q=a",
		},
	} {
		doc := l.Page(c.path, http.StatusOK)
		waiting := webtest.ByTestID(t, doc, "waiting")
		if said := webtest.Said(waiting); !strings.Contains(said, c.title) {
			t.Errorf("%s says %q", c.path, said)
		}
		if got := webtest.LinkTo(t, waiting, "Cancel"); got != c.cancel {
			t.Errorf("%s is left for %s, want %s", c.path, got, c.cancel)
		}
		path, _, _ := strings.Cut(c.path, "?")
		onward := webtest.Attr(waiting, "data-onward")
		if !strings.HasPrefix(onward, "?wait=") || !strings.HasSuffix(onward, c.onward) {
			t.Errorf("%s goes on to %q, want %q", c.path, onward, c.onward)
		}
		refresh := webtest.All(doc, webtest.Tag("noscript"))
		if len(refresh) == 0 || !strings.Contains(html.UnescapeString(refresh[0].FirstChild.Data),
			`content="1;url=`+onward+`"`) {
			t.Errorf("%s does not go on without scripts", c.path)
		}
		for made := false; !made; { // until then the script is told how far it is
			made = l.OK(path+onward, "Accept", "application/json").Object(t)["made"].(bool)
		}
		if doc := l.Page(path+onward, http.StatusOK); webtest.HasTestID(doc, "waiting") {
			t.Errorf("%s waits for ever", c.path)
		}
		// A link that was kept, and one to another page, just wait.
		for _, kept := range []string{
			path + "?wait=1" + c.onward, "/p/" + id + "/functions?wait=" + onward[len("?wait="):][:26],
		} {
			if webtest.HasTestID(l.Page(kept, http.StatusOK), "waiting") {
				t.Errorf("%s waits for ever", kept)
			}
		}
		if text := l.OK(c.path, "Accept", "*/*").Text(); strings.Contains(text, `data-testid="waiting"`) {
			t.Errorf("%s has a program wait", c.path)
		}
	}
	if a := l.Get("/p/"+id+"/functions?q=a", "Accept", "text/html"); a.Header.Get("ETag") != "" ||
		a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the page that waits is kept: %v", a.Header)
	}
}
