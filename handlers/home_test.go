package handlers

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"proflens/fixtures/samples"
	"proflens/store"
)

// openPage asks for a page as a browser does and parses it.
func (l *live) openPage(path string, status int, headers ...string) *html.Node {
	l.t.Helper()
	a := l.get(path, append([]string{"Accept", "text/html"}, headers...)...)
	if a.StatusCode != status {
		l.t.Fatalf("GET %s: %s: %s", path, a.Status, a.body)
	}
	doc, err := html.Parse(bytes.NewReader(a.body))
	if err != nil {
		l.t.Fatal(err)
	}
	if t, ok := l.t.(*testing.T); ok {
		checkPage(t, doc)
	}
	return doc
}

func TestHomePageSaysWhereFilesGo(t *testing.T) {
	for _, c := range []struct {
		name   string
		config func(*Config)
		want   []string
	}{
		{"defaults", func(*Config) {}, []string{"and nowhere else", "until someone deletes them", "Everyone who can open this page", "1.0 MiB"}},
		{"public", func(c *Config) { c.DefaultVisibility, c.TTL = store.Unlisted, 30*24*time.Hour }, []string{"30 days at most", "Whoever has the link"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := startLive(t, c.config)
			facts := text(byTestID(t, l.openPage("/", http.StatusOK), "facts"))
			for _, want := range append(c.want, strings.TrimPrefix(l.url, "http://")) {
				if !strings.Contains(facts, want) {
					t.Errorf("%q is not in %q", want, facts)
				}
			}
		})
	}
}

func TestHomePageWithUploadToken(t *testing.T) {
	l := startLive(t, func(c *Config) { c.UploadToken = "secret" })
	page := l.get("/", "Accept", "text/html").text()
	if strings.Contains(page, "secret") {
		t.Error("the page shows the token")
	}
	if !strings.Contains(page, `name="upload_token"`) || !strings.Contains(page, "Bearer $TOKEN") {
		t.Error("the page does not ask for the token, or its commands do not send one")
	}
}

// TestHostHeaderIsTheClientsWord: it stands in commands that people paste.
func TestHostHeaderIsTheClientsWord(t *testing.T) {
	for host, want := range map[string]string{
		"localhost:8080":     "http://localhost:8080",
		"prof.example.org":   "http://prof.example.org",
		"[::1]:8080":         "'http://[::1]:8080'",
		"a$(reboot)b":        "'http://a$(reboot)b'",
		"a'b;c":              `'http://a'\''b;c'`,
		"x\u202egro.elpmaxe": "'http://x\ufffdgro.elpmaxe'",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if got := shellWord(origin(r)); got != want {
			t.Errorf("Host %q: %s, want %s", host, got, want)
		}
	}
}

func TestHomePageLists(t *testing.T) {
	l := startLive(t, nil)
	good := l.put("ir_c.profraw", sample(t, "ir_c.profraw"))
	bad := l.do("PUT", "/api/v1/profiles/cut.profraw", bytes.NewReader(sample(t, "ir_c.profraw")[:900]))
	wantProblem(t, bad, http.StatusUnprocessableEntity, bad.object(t)["kind"].(string))
	l.do("PUT", "/api/v1/profiles/hidden.profraw?visibility=unlisted", bytes.NewReader(sample(t, "ir_c.profraw")))

	list := byTestID(t, l.openPage("/", http.StatusOK), "profiles")
	if said := text(list); !strings.Contains(said, "2 profiles") || strings.Contains(said, "hidden") {
		t.Errorf("the list says %q", said)
	}
	if got := linkTo(t, list, "ir_c.profraw"); got != pageOf(good["id"].(string)) {
		t.Errorf("the link is %s", got)
	}
	rows := all(list, tag("tr"))
	for i, want := range []string{"✕", "ready"} { // newest first
		if said := text(rows[i+1]); !strings.Contains(said, want) {
			t.Errorf("row %d says %q, want %q", i, said, want)
		}
	}
	if found := text(byTestID(t, l.openPage("/?q=IR_C", http.StatusOK), "profiles")); !strings.Contains(found, "1 profile match") {
		t.Errorf("the filtered list says %q", found)
	}
	if none := text(byTestID(t, l.openPage("/?q=nothing", http.StatusOK), "profiles")); !strings.Contains(none, "No listed profile matches") {
		t.Errorf("the empty list says %q", none)
	}
	l.openPage("/?colour=red", http.StatusBadRequest)
}

// TestUploadWithoutScripts is the whole road of a browser without scripts:
// form, receipt once, wrong token, deletion, gone.
func TestUploadWithoutScripts(t *testing.T) {
	l := startLive(t, nil)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	open := func(method, path, contentType string, body []byte) (*http.Response, *html.Node) {
		t.Helper()
		req, err := http.NewRequest(method, l.url+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "text/html")
		req.Header.Set("Content-Type", contentType)
		res, err := browser.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		doc, err := html.Parse(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		checkPage(t, doc)
		return res, doc
	}

	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	for _, field := range []string{"name", "project", "label", "label", "expires", "visibility"} { // the form's own, left as they are
		m.WriteField(field, map[string]string{"visibility": "unlisted"}[field])
	}
	m.WriteField("group", "auto")
	part, _ := m.CreateFormFile("file", "ir_c.profraw")
	part.Write(sample(t, "ir_c.profraw"))
	m.Close()

	res, doc := open("POST", "/upload", m.FormDataContentType(), form.Bytes())
	path := res.Request.URL.Path
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(path, "/p/") {
		t.Fatalf("the form led to %s, %s", path, res.Status)
	}
	token := text(byTestID(t, doc, "delete-token"))
	if len(token) < 26 {
		t.Errorf("the token is %q", token)
	}
	if res.Header.Get("ETag") != "" {
		t.Error("a page with a token can be kept in a cache")
	}
	if _, again := open("GET", path, "", nil); hasTestID(again, "delete-token") {
		t.Error("the token is shown twice")
	}

	const form2 = "application/x-www-form-urlencoded"
	open("GET", path+"/delete", "", nil)
	res, doc = open("POST", path+"/delete", form2, []byte("token=wrong"))
	if res.StatusCode != http.StatusForbidden || !strings.Contains(text(byTestID(t, doc, "deletion")), "not the one") {
		t.Errorf("a wrong token: %s, %q", res.Status, text(doc))
	}
	res, doc = open("POST", path+"/delete", form2, []byte(url.Values{"token": {" " + token + "\n"}}.Encode()))
	if res.StatusCode != http.StatusGone || !strings.Contains(text(byTestID(t, doc, "error")), "deleted") {
		t.Errorf("after deleting: %s, %q", res.Status, text(doc))
	}
}

func TestSampleIsStoredOnce(t *testing.T) {
	l := startLive(t, nil)
	for _, s := range samples.All {
		open := func() string {
			a := l.do("POST", "/samples/"+s.Name, nil)
			if a.StatusCode != http.StatusSeeOther {
				t.Fatalf("%s: %s: %s", s.Name, a.Status, a.body)
			}
			return a.Header.Get("Location")
		}
		first := open()
		if second := open(); second != first {
			t.Errorf("%s: %s, then %s", s.Name, first, second)
		}
		doc := l.openPage(first, http.StatusOK)
		byTestID(t, doc, "tiles")
	}
	if a := l.do("POST", "/samples/none", nil, "Accept", "text/html"); a.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown sample: %s", a.Status)
	}
}

// TestSampleIsNotSomeoneElsesProfile: anyone can set a label.
func TestSampleIsNotSomeoneElsesProfile(t *testing.T) {
	l := startLive(t, nil)
	fake := l.put("fake.profraw?label=sample%3Dcxx-ir", sample(t, "ir_c.profraw"))
	if a := l.do("POST", "/samples/cxx-ir", nil); a.Header.Get("Location") == pageOf(fake["id"].(string)) {
		t.Error("the sample's button opens a profile that someone labelled so")
	}
}
