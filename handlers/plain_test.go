package handlers_test

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"
	"unicode"

	"proflens/handlers/webtest"
)

// curl is how curl asks when it is told nothing.
var curl = []string{"Accept", "*/*", "User-Agent", "curl/8.14.1"}

func wantText(t testing.TB, a *webtest.Answer, parts ...string) {
	t.Helper()
	if got := a.Header.Get("Content-Type"); got != "text/plain; charset=utf-8" {
		t.Fatalf("GET %s: Content-Type %q", a.Request.URL, got)
	}
	for _, r := range a.Text() {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("GET %s: the text has %q", a.Request.URL, r)
		}
	}
	for _, part := range parts {
		if !strings.Contains(a.Text(), part) {
			t.Errorf("GET %s: the text lacks %q:\n%s", a.Request.URL, part, a.Bytes)
		}
	}
}

// A terminal gets text with this server's address, a browser and other programs
// get the page.
func TestPlainText(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	page, api := "/p/"+id, "/api/v1/profiles/"+id
	wantText(t, l.OK("/", webtest.Terminal...), "curl -T default.profraw "+l.URL+"/", l.URL+"/docs")
	whole := l.OK(page, webtest.Terminal...)
	wantText(t, whole, "ir_c.profraw\n", "IR", l.URL+page, "functions", "hot threshold", "hottest functions",
		"curl '"+l.URL+api+"/functions?format=text'")
	for _, a := range []*webtest.Answer{
		l.OK(page+"?format=text", "Accept", "text/html"), l.OK(api + "?format=text"), l.OK(api, "Accept", "text/plain"),
		l.OK(page, "Accept", "text/plain"),
	} {
		if !bytes.Equal(a.Bytes, whole.Bytes) {
			t.Errorf("GET %s is not what curl gets of the page", a.Request.URL)
		}
	}
	for _, accept := range []string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "*/*"} {
		for _, path := range []string{"/", page} {
			if a := l.OK(path, "Accept", accept, "User-Agent",
				"Mozilla/5.0"); a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("GET %s, Accept %s: %s", path, accept, a.Header.Get("Content-Type"))
			}
		}
	}
	if a := l.OK(api, webtest.Terminal...); a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("the API answers curl with %s", a.Header.Get("Content-Type"))
	}
	if a := l.Get(page, append(curl, "If-None-Match",
		whole.Header.Get("ETag"))...); a.StatusCode != http.StatusNotModified {
		t.Errorf("the same text again: %s", a.Status)
	}
	webtest.Validate(t, webtest.Document(t), "/api/v1/profiles/{id}", l.OK(api+"?format=text"))
}

// Pages that draw have a text too: what a file is made of, and stacks by their weight.
func TestPlainTextOfDrawings(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := "/p/" + l.Put("a%1b%5b31m.proftext", webtest.Proftext("quiet"))["id"].(string) + "/raw?format=text"
	wantText(t, l.OK(raw), "a\ufffd[31m.proftext: LLVM text", "0x00000000  header, 4 bytes")
	id := l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	wantText(t, l.OK("/p/"+id+"/raw?format=text&section=data&from=2"), "data, ", "FuncHash")
	webtest.Validate(t, webtest.Document(t), "/api/v1/profiles/{id}/anatomy",
		l.OK("/api/v1/profiles/"+id+"/anatomy?format=text"))
	data, err := os.ReadFile(webtest.Root() + "/profile/memprofdb/testdata/mem_cold_v4.profdata")
	if err != nil {
		t.Fatal(err)
	}
	heap := l.Put("heap.profdata", data)["id"].(string)
	wantText(t, l.OK("/p/"+heap+"/flame?format=text&view=table"), ";0x0a5f1049689adb47;")
	wantText(t, l.OK("/compare/"+heap+"..."+heap+"/flame?format=text"), ";0x0a5f1049689adb47;")
	if a := l.Get("/p/" + heap + "/flame?format=text&layout=callers"); a.StatusCode != http.StatusBadRequest {
		t.Error(a.Status)
	}
}

// What a terminal would obey is shown as U+FFFD, and bytes that are no character by their number.
func TestPlainTextOfHostileNames(t *testing.T) {
	l := webtest.Start(t, nil)
	object := l.Put("a%1b%5b31m.proftext", webtest.Proftext("quiet", "\x1b[31mred\x07", "quiet too", "\u202eevil\x9b31m"))
	wantText(t, l.OK("/p/"+object["id"].(string), webtest.Terminal...), "\ufffd[31mred\ufffd", `�evil\x9b31m`)
}

func TestPlainTextOfFailed(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Do("PUT", "/api/v1/profiles/cut",
		bytes.NewReader(webtest.File(t, "ir_c.profraw")[:900])).Object(t)["id"].(string)
	wantText(t, l.OK("/p/"+id, webtest.Terminal...), "cannot be decoded", "offset 0x", "/anatomy'")
	wantText(t, l.OK("/p/"+id+"?format=text"), "cannot be decoded")
}

// What fails at a terminal is said there as what succeeds is: as text, with the cause and
// what to do. Programs that name no format get the problem as an object.
func TestFailuresAtATerminal(t *testing.T) {
	l := webtest.Start(t, nil)
	bad := l.Do("PUT", "/bad.bin", strings.NewReader("garbage\x00"), webtest.Terminal...)
	wantText(t, bad, l.URL+"/p/", "delete token: ", "Stored, but cannot be decoded.", "match no known profile format",
		"cause: it is another kind of file", "what to do: give a .profraw")
	if bad.StatusCode != http.StatusUnprocessableEntity || bad.Header.Get("Location") == "" {
		t.Errorf("%s, at %q", bad.Status, bad.Header.Get("Location"))
	}
	missing := l.Get("/p/aaaaaaaaaaaaaaaaaaaaaaaaaa", webtest.Terminal...)
	if wantText(t, missing, "\n"); missing.StatusCode != http.StatusNotFound {
		t.Error(missing.Status)
	}
	webtest.Problem(t, l.Do("PUT", "/bad.bin", strings.NewReader("garbage\x00")), http.StatusUnprocessableEntity,
		"unrecognized_format")
	webtest.Problem(t, l.Get("/api/v1/profiles/aaaaaaaaaaaaaaaaaaaaaaaaaa", webtest.Terminal...), http.StatusNotFound,
		"not_found")
}
