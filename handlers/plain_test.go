package handlers

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"unicode"
)

// curl is how curl asks when it is told nothing.
var curl = []string{"Accept", "*/*", "User-Agent", "curl/8.14.1"}

func wantText(t testing.TB, a *answer, parts ...string) {
	t.Helper()
	if got := a.Header.Get("Content-Type"); got != "text/plain; charset=utf-8" {
		t.Fatalf("GET %s: Content-Type %q", a.Request.URL, got)
	}
	for _, r := range a.text() {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("GET %s: the text has %q", a.Request.URL, r)
		}
	}
	for _, part := range parts {
		if !strings.Contains(a.text(), part) {
			t.Errorf("GET %s: the text lacks %q:\n%s", a.Request.URL, part, a.body)
		}
	}
}

// A terminal gets text with this server's address, a browser and other programs
// get the page.
func TestPlainText(t *testing.T) {
	l := startLive(t, nil)
	id := l.put("ir_c.profraw", sample(t, "ir_c.profraw"))["id"].(string)
	page, api := "/p/"+id, "/api/v1/profiles/"+id
	wantText(t, l.ok("/", curl...), "curl -T default.profraw "+l.url+"/", l.url+"/docs")
	whole := l.ok(page, curl...)
	wantText(t, whole, "ir_c.profraw\n", "IR", l.url+page, "functions", "hot threshold", "hottest functions", "curl '"+l.url+api+"/functions?format=text'")
	for _, a := range []*answer{l.ok(api + "?format=text"), l.ok(api, "Accept", "text/plain"), l.ok(page, "Accept", "text/plain")} {
		if !bytes.Equal(a.body, whole.body) {
			t.Errorf("GET %s is not what curl gets of the page", a.Request.URL)
		}
	}
	for _, accept := range []string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "*/*"} {
		for _, path := range []string{"/", page} {
			if a := l.ok(path, "Accept", accept, "User-Agent", "Mozilla/5.0"); a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("GET %s, Accept %s: %s", path, accept, a.Header.Get("Content-Type"))
			}
		}
	}
	if a := l.ok(api, curl...); a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("the API answers curl with %s", a.Header.Get("Content-Type"))
	}
	if a := l.get(page, append(curl, "If-None-Match", whole.Header.Get("ETag"))...); a.StatusCode != http.StatusNotModified {
		t.Errorf("the same text again: %s", a.Status)
	}
	validate(t, loadDocument(t), "/api/v1/profiles/{id}", l.ok(api+"?format=text"))
}

// What a terminal would obey is shown as U+FFFD.
func TestPlainTextOfHostileNames(t *testing.T) {
	l := startLive(t, nil)
	object := l.put("a%1b%5b31m.proftext", proftext("quiet", "\x1b[31mred\x07", "quiet too", "\u202eevil\x9b31m"))
	wantText(t, l.ok("/p/"+object["id"].(string), curl...), "\ufffd[31mred\ufffd", "\ufffdevil\ufffd31m")
}

func TestPlainTextOfFailed(t *testing.T) {
	l := startLive(t, nil)
	id := l.do("PUT", "/api/v1/profiles/cut", bytes.NewReader(sample(t, "ir_c.profraw")[:900])).object(t)["id"].(string)
	wantText(t, l.ok("/p/"+id, curl...), "not decodable", "offset 0x", "/anatomy'")
}
