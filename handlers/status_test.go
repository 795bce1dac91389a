package handlers_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// TestFailurePage: a broken upload is shown with its error and with what could
// be read of it, on every address below it.
func TestFailurePage(t *testing.T) {
	l := webtest.Start(t, nil)
	whole := webtest.File(t, "ir_c.profraw")
	id := l.Do("PUT", "/api/v1/profiles/cut.profraw", bytes.NewReader(whole[:900])).Object(t)["id"].(string)
	for _, path := range []string{webtest.Page(id), webtest.Page(id) + "/functions"} {
		doc := l.Page(path, http.StatusOK)
		said := webtest.Text(webtest.ByTestID(t, doc, "problem"))
		for _, want := range []string{
			"error", "File cut.profraw", "Where", "Offset 0x", "Expected", "Found", "Likely cause", "What to do", "Kind",
			"Code raw.",
		} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in %q", path, want, said)
			}
		}
		if layout := webtest.Text(webtest.ByTestID(t, doc, "anatomy")); !strings.Contains(layout, "header") ||
			!strings.Contains(layout, "Version") {
			t.Errorf("the anatomy says %q", layout)
		}
		original := l.OK(webtest.LinkTo(t, doc, "cut.profraw"), "Accept", "*/*")
		if strings.HasPrefix(original.Request.URL.Path, "/api/") && !bytes.Equal(original.Bytes, whole[:900]) {
			t.Error("the original is not what was uploaded")
		}
	}
}

// TestProgressPage: the files are stored, and the page can be left and found
// again. It asks again by itself, without scripts too.
func TestProgressPage(t *testing.T) {
	l, _ := webtest.Idle(t, nil) // nobody decodes
	a := l.Do("PUT", "/api/v1/profiles/ir_c.profraw?wait=0s", bytes.NewReader(webtest.File(t, "ir_c.profraw")))
	if a.StatusCode != http.StatusAccepted {
		t.Fatal(a.Status, a.Text())
	}
	path := webtest.Page(a.Object(t)["id"].(string))
	page := l.Get(path, "Accept", "text/html")
	doc := l.Page(path, http.StatusOK)
	if said := webtest.Text(webtest.ByTestID(t, doc, "progress")); !strings.Contains(said, "received") ||
		!strings.Contains(said, l.URL+path) {
		t.Errorf("the page says %q", said)
	}
	if !strings.Contains(page.Text(), `http-equiv="refresh"`) || page.Header.Get("Cache-Control") != "no-store" {
		t.Error("the page does not ask again, or from a cache")
	}
}

func TestErrorPages(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.MaxUpload = 4 << 10 })
	for path, want := range map[string]struct {
		status int
		says   string
	}{
		"/nowhere":                               {http.StatusNotFound, "nothing at this address"},
		"/p/aaaaaaaaaaaaaaaaaaaaaaaaaa":          {http.StatusNotFound, "No such profile"},
		"/p/%3Cscript%3Ealert(1)%3C%2Fscript%3E": {http.StatusNotFound, "No such profile"},
	} {
		if said := webtest.Text(webtest.ByTestID(t, l.Page(path, want.status), "error")); !strings.Contains(said, want.says) {
			t.Errorf("%s: %q", path, said)
		}
	}
	large := l.Do("PUT", "/large.profraw", bytes.NewReader(make([]byte, 8<<10)), "Accept", "text/html")
	if large.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(large.Text(), "4096") {
		t.Errorf("too large: %s, %.300s", large.Status, large.Text())
	}
}

func TestTheme(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, c := range []struct{ theme, back, cookie, location string }{
		{"dark", "/p/x?q=1", "theme=dark; ", "/p/x?q=1"},
		{"light", "/", "theme=light; ", "/"},
		{"", "/", "theme=; ", "/"},
		{"<script>", "/", "theme=; ", "/"},
		{"dark", "//evil.example", "theme=dark; ", "/"},
		{"dark", `/\evil.example`, "theme=dark; ", "/"},
		{"dark", "https://evil.example/", "theme=dark; ", "/"},
	} {
		form := strings.NewReader("theme=" + c.theme + "&back=" + strings.ReplaceAll(c.back, "&", "%26"))
		a := l.Do("POST", "/theme", form, "Content-Type", "application/x-www-form-urlencoded")
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != c.location ||
			!strings.HasPrefix(a.Header.Get("Set-Cookie"), c.cookie) {
			t.Errorf("%+v: %s to %q with %q", c, a.Status, a.Header.Get("Location"), a.Header.Get("Set-Cookie"))
		}
	}
	dark := l.Page("/", http.StatusOK, "Cookie", "theme=dark")
	if root := webtest.All(dark, webtest.Tag("html"))[0]; webtest.Attr(root, "data-theme") != "dark" {
		t.Error("the page does not follow the cookie")
	}
}
