package handlers_test

import (
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
	l := webtest.Start(t, func(c *site.Config) { c.Patience = time.Nanosecond })
	at := l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))
	id := at["id"].(string)
	_, page := mipPair(l)
	for _, c := range []struct{ path, title, cancel, onward string }{
		{"/p/" + id + "/functions?q=a&sort=name", "Searching…", "/p/" + id + "/functions?sort=name", "0;url=?wait=1&q=a&sort=name"},
		{"/p/" + id + "/tree?by=namespace", "Adding up…", "/p/" + id, "0;url=?wait=1&by=namespace"},
		{page + "?q=a", "Comparing…", "/compare?base=" + strings.Split(strings.TrimPrefix(page, "/compare/"), "...")[0], "0;url=?wait=1&q=a"},
	} {
		doc := l.Page(c.path, http.StatusOK)
		waiting := webtest.ByTestID(t, doc, "waiting")
		if said := webtest.Said(waiting); !strings.Contains(said, c.title) {
			t.Errorf("%s says %q", c.path, said)
		}
		if got := webtest.LinkTo(t, waiting, "Cancel"); got != c.cancel {
			t.Errorf("%s is left for %s, want %s", c.path, got, c.cancel)
		}
		refresh := ""
		for _, m := range webtest.All(doc, webtest.Tag("meta")) {
			if webtest.Attr(m, "http-equiv") == "refresh" {
				refresh = webtest.Attr(m, "content")
			}
		}
		if refresh != c.onward {
			t.Errorf("%s goes on to %q, want %q", c.path, refresh, c.onward)
		}
		path, _, _ := strings.Cut(c.path, "?")
		if webtest.HasTestID(l.Page(path+strings.TrimPrefix(refresh, "0;url="), http.StatusOK), "waiting") {
			t.Errorf("%s waits for ever", c.path)
		}
		if text := l.OK(c.path, "Accept", "*/*").Text(); strings.Contains(text, `data-testid="waiting"`) {
			t.Errorf("%s has a program wait", c.path)
		}
	}
	if a := l.Get("/p/"+id+"/functions?q=a", "Accept", "text/html"); a.Header.Get("ETag") != "" || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the page that waits is kept: %v", a.Header)
	}
}
