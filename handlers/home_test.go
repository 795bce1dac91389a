package handlers_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"proflens/catalog"
	"proflens/handlers/examples"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

func TestHomePageSaysWhereFilesGo(t *testing.T) {
	for _, c := range []struct {
		name   string
		config func(*site.Config)
		want   []string
	}{
		{
			"defaults", func(*site.Config) {},
			[]string{"and nowhere else", "until someone deletes them", "Everyone who can open this page", "1.0 MiB"},
		},
		{
			"public", func(c *site.Config) { c.DefaultVisibility, c.TTL = catalog.Unlisted, 30*24*time.Hour },
			[]string{"30 days at most", "Only people with the link"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := webtest.Start(t, c.config)
			facts := webtest.Text(webtest.ByTestID(t, l.Page("/", http.StatusOK), "facts"))
			for _, want := range append(c.want, strings.TrimPrefix(l.URL, "http://")) {
				if !strings.Contains(facts, want) {
					t.Errorf("%q is not in %q", want, facts)
				}
			}
		})
	}
}

// What is sought stands first; else what can be given does.
func TestHomePageBeginsWithWhatIsSought(t *testing.T) {
	l := webtest.Start(t, nil)
	l.Put("a.proftext", webtest.Proftext("f"))
	for path, first := range map[string]bool{"/": false, "/?q=a": true} {
		page := l.Get(path, "Accept", "text/html").Text()
		if list, form := strings.Index(page, `id="profiles-title"`), strings.Index(page, `action="/upload"`); list < 0 ||
			list < form != first {
			t.Errorf("%s: the list is at %d, the form at %d", path, list, form)
		}
	}
}

func TestHomePageWithUploadToken(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.UploadToken = "secret" })
	page := l.Get("/", "Accept", "text/html").Text()
	if strings.Contains(page, "secret") {
		t.Error("the page shows the token")
	}
	if !strings.Contains(page, `name="upload_token"`) || !strings.Contains(page, "Bearer $PROFLENS_TOKEN") {
		t.Error("the page does not ask for the token, or its commands do not send one")
	}
}

// A list has the head figure of a family in the place of the total: lines covered, where programs
// are given with counters. What scripts have stays.
func TestHeadFigures(t *testing.T) {
	l := webtest.Start(t, nil)
	families := familyProfiles(t, l)
	for family, want := range map[string]string{
		"coverage": "% of lines", "machine IR": "% of bytes", "counters": "counts", "heap": "KiB",
	} {
		id := strings.TrimPrefix(families[family].at, "/api/v1/profiles/")
		said := ""
		for _, row := range webtest.All(l.Page("/", http.StatusOK), webtest.Tag("tr")) {
			if webtest.Attr(row, "data-profile") == id {
				said = webtest.Said(row)
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s has no %q: %s", family, want, said)
		}
		if total := l.OK(families[family].at).Object(t)["total"]; family == "coverage" && total == nil {
			t.Error("JSON has no total")
		}
	}
}

func TestHomePageLists(t *testing.T) {
	l := webtest.Start(t, nil)
	good := l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))
	bad := l.Do("PUT", "/api/v1/profiles/cut.profraw", bytes.NewReader(webtest.File(t, "ir_c.profraw")[:900]))
	webtest.Problem(t, bad, http.StatusUnprocessableEntity, bad.Object(t)["kind"].(string))
	l.Do("PUT", "/api/v1/profiles/hidden.profraw?visibility=unlisted", bytes.NewReader(webtest.File(t, "ir_c.profraw")))

	list := webtest.ByTestID(t, l.Page("/", http.StatusOK), "profiles")
	if said := webtest.Text(list); !strings.Contains(said, "2 profiles") || strings.Contains(said, "hidden") {
		t.Errorf("the list says %q", said)
	}
	if got := webtest.LinkTo(t, list, "ir_c.profraw"); got != webtest.Page(good["id"].(string)) {
		t.Errorf("the link is %s", got)
	}
	rows := webtest.All(list, webtest.Tag("tr"))
	for i, want := range []string{"failed", "ready"} { // newest first
		if said := webtest.Text(rows[i+1]); !strings.Contains(said, want) {
			t.Errorf("row %d says %q, want %q", i, said, want)
		}
	}
	if found := webtest.Text(webtest.ByTestID(t, l.Page("/?q=IR_C", http.StatusOK), "profiles")); !strings.Contains(
		found, "1 profile match") {
		t.Errorf("the filtered list says %q", found)
	}
	if none := webtest.Text(webtest.ByTestID(t, l.Page("/?q=nothing", http.StatusOK),
		"profiles")); !strings.Contains(none, "No listed profile matches") {
		t.Errorf("the empty list says %q", none)
	}
	l.Page("/?colour=red", http.StatusBadRequest)
}

// TestUploadWithoutScripts is the whole road of a browser without scripts:
// form, receipt once, wrong token, deletion, gone.
func TestUploadWithoutScripts(t *testing.T) {
	l := webtest.Start(t, nil)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: 10 * time.Minute}
	open := func(method, path, contentType string, body []byte) (*http.Response, *html.Node) {
		t.Helper()
		req, err := http.NewRequest(method, l.URL+path, bytes.NewReader(body))
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
		webtest.CheckPage(t, doc)
		return res, doc
	}

	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	// the form's own, left as they are
	for _, field := range []string{"name", "project", "label", "label", "expires", "visibility"} {
		m.WriteField(field, map[string]string{"visibility": "unlisted"}[field])
	}
	m.WriteField("group", "auto")
	part, _ := m.CreateFormFile("file", "ir_c.profraw")
	part.Write(webtest.File(t, "ir_c.profraw"))
	m.Close()

	res, doc := open("POST", "/upload", m.FormDataContentType(), form.Bytes())
	path := res.Request.URL.Path
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(path, "/p/") {
		t.Fatalf("the form led to %s, %s", path, res.Status)
	}
	token := webtest.Text(webtest.ByTestID(t, doc, "delete-token"))
	if len(token) < 26 {
		t.Errorf("the token is %q", token)
	}
	if res.Header.Get("ETag") != "" {
		t.Error("a page with a token can be kept in a cache")
	}
	if _, again := open("GET", path, "", nil); webtest.HasTestID(again, "delete-token") {
		t.Error("the token is shown twice")
	}

	const form2 = "application/x-www-form-urlencoded"
	open("GET", path+"/delete", "", nil)
	res, doc = open("POST", path+"/delete", form2, []byte("token=wrong"))
	if res.StatusCode != http.StatusForbidden ||
		!strings.Contains(webtest.Text(webtest.ByTestID(t, doc, "deletion")), "does not belong to this profile") {
		t.Errorf("a wrong token: %s, %q", res.Status, webtest.Text(doc))
	}
	res, doc = open("POST", path+"/delete", form2, []byte(url.Values{"token": {" " + token + "\n"}}.Encode()))
	if res.StatusCode != http.StatusGone || !strings.Contains(webtest.Text(webtest.ByTestID(t, doc, "error")), "deleted") {
		t.Errorf("after deleting: %s, %q", res.Status, webtest.Text(doc))
	}
}

func TestSampleIsStoredOnce(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, s := range examples.All {
		open := func() string {
			a := l.Do("POST", "/samples/"+s.Name, nil)
			if a.StatusCode != http.StatusSeeOther {
				t.Fatalf("%s: %s: %s", s.Name, a.Status, a.Bytes)
			}
			return a.Header.Get("Location")
		}
		first := open()
		if second := open(); second != first {
			t.Errorf("%s: %s, then %s", s.Name, first, second)
		}
		// Decoding may outlast the form's patience, and two that are compared must be ready.
		for begun := time.Now(); l.Do("GET", first, nil).StatusCode == http.StatusConflict &&
			time.Since(begun) < 10*time.Minute; {
			time.Sleep(20 * time.Millisecond)
		}
		l.Page(first, http.StatusOK)
	}
	if a := l.Do("POST", "/samples/none", nil, "Accept", "text/html"); a.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown sample: %s", a.Status)
	}
}

// TestSampleIsNotSomeoneElsesProfile: anyone can set a label.
func TestSampleIsNotSomeoneElsesProfile(t *testing.T) {
	l := webtest.Start(t, nil)
	fake := l.Put("fake.profraw?label=sample%3Dcxx-ir", webtest.File(t, "ir_c.profraw"))
	if a := l.Do("POST", "/samples/cxx-ir", nil); a.Header.Get("Location") == webtest.Page(fake["id"].(string)) {
		t.Error("the sample's button opens a profile that someone labelled so")
	}
}

// The list answers in place for scripts and terminals, as tables do.
func TestHomePageAsATable(t *testing.T) {
	l := webtest.Start(t, nil)
	body, form := webtest.Form(t, "file:a.proftext", "f\n1\n1\n5\n", "name", "alpha, beta", "visibility", "listed",
		"label", "branch=main")
	id := l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", form).Object(t)["id"].(string)
	csv := l.OK("/?format=csv&q=alpha").Text()
	head, row, _ := strings.Cut(csv, "\r\n")
	if head != "id,name,kinds,status,project,labels,created,describe,size,functions,total" ||
		!strings.HasPrefix(row, id+`,"alpha, beta",instr,ready,,branch=main,`) || !strings.HasSuffix(row, ",1,5\r\n") {
		t.Errorf("as CSV it is\n%s", csv)
	}
	for format, begin := range map[string]string{
		"json": `{"items":[{"id":"` + id, "ndjson": `{"id":"` + id + `","name":"alpha, beta","kinds":"instr"`,
	} {
		if text := l.OK("/?format="+format, "Accept", "text/html").Text(); !strings.HasPrefix(text, begin) {
			t.Errorf("as %s it is %s", format, text)
		}
	}
	if text := l.OK("/?format=text", "Accept", "text/html").Text(); !strings.Contains(text, id) ||
		!strings.Contains(text, "alpha, beta") || strings.Contains(text, "<") {
		t.Errorf("as text it is\n%s", text)
	}
	webtest.Problem(t, l.Get("/?format=yaml"), 400, "bad_parameter")
	webtest.Problem(t, l.Get("/api/v1/profiles?format=csv&group=project"), 400, "bad_parameter")
}
