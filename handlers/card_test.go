package handlers_test

import (
	"bytes"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// metaOf is what a page tells those who show links to it, by name.
func metaOf(doc *html.Node) map[string]string {
	list := map[string]string{}
	for _, n := range webtest.All(doc, webtest.Tag("meta")) {
		name := webtest.Attr(n, "property") + webtest.Attr(n, "name")
		if strings.HasPrefix(name, "og:") || name == "description" || strings.HasPrefix(name, "twitter:") {
			list[name] = webtest.Attr(n, "content")
		}
	}
	return list
}

// pictured asks for the picture that a page names, and holds it to its size.
func pictured(t *testing.T, l *webtest.Server, path string) {
	t.Helper()
	a := l.OK(path)
	image, err := png.DecodeConfig(bytes.NewReader(a.Bytes))
	if err != nil || image.Width != 1200 || image.Height != 630 || len(a.Bytes) > 60<<10 ||
		a.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%s: %s, %d bytes, %d × %d, %v", path, a.Header.Get("Content-Type"), len(a.Bytes), image.Width,
			image.Height, err)
	}
	if again := l.Get(path, "If-None-Match", a.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("%s: asked again: %s", path, again.Status)
	}
}

// A link to a profile says what it is and what is in it, whatever its family, and
// shows a picture of that.
func TestLinksPreview(t *testing.T) {
	l := webtest.Start(t, nil)
	counts := putSample(t, l, "cxx-ir")
	const rulesFile = "clang-22/rules/rules"
	const coverageSays = "Coverage · LLVM indexed · front end: 91.3 % lines, "
	for at, want := range map[string]string{
		counts: "functions", webtest.PutMemProf(l, "mem_hist.memprofraw"): "contexts",
		webtest.PutMIP(l, webtest.MIPCounts[:2]...):                     "bytes covered",
		webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip")):     "samples",
		webtest.PutCoverage(l, rulesFile+".profdata", rulesFile+".exe"): coverageSays,
	} {
		path := strings.Replace(at, "/api/v1/profiles/", "/p/", 1)
		meta := metaOf(l.Page(path, http.StatusOK))
		says := meta["og:description"]
		if !strings.Contains(says, want) || strings.Count(says, ",") < 2 || strings.Contains(says, "\u00a0") ||
			meta["description"] != says {
			t.Errorf("%s: says %q", path, says)
		}
		if meta["og:title"] == "" || meta["og:url"] != l.URL+path || meta["twitter:card"] != "summary_large_image" ||
			meta["og:image"] != l.URL+path+"/card.png" {
			t.Errorf("%s: %v", path, meta)
		}
		pictured(t, l, path+"/card.png")
	}
	page := strings.Replace(counts, "/api/v1/profiles/", "/p/", 1)
	if got := metaOf(l.Page(page+"/functions?q=a", http.StatusOK)); got["og:url"] != l.URL+page+"/functions?q=a" ||
		!strings.HasPrefix(got["og:title"], "Functions · ") {
		t.Errorf("the link to a list says %v", got)
	}
	if got := metaOf(l.Page("/", http.StatusOK)); got["og:image"] != "" {
		t.Errorf("the home page has a profile's picture: %v", got)
	}
}

// One of a thing is said in the singular, in a link's preview, in lists and to who hears a tree.
func TestOneOfAThing(t *testing.T) {
	l := webtest.Start(t, nil)
	for text, want := range map[string]string{
		":ir\nmain\n1\n1\n1\n": "Counts · LLVM text · IR: 1 function, 100 % executed, 1 total count.",
		"main:1:1\n 1: 1\n":    "Samples · sample profile (text): 1 sample, 1 function, 0 % inlined.",
	} {
		path := "/p/" + l.Put("one.txt", []byte(text))["id"].(string)
		if says := metaOf(l.Page(path, http.StatusOK))["og:description"]; says != want {
			t.Errorf("says %q, want %q", says, want)
		}
	}
	list, several := webtest.Text(l.Page("/", http.StatusOK)), regexp.MustCompile(`\b1 (functions|counts|samples)\b`)
	if said := several.FindString(list); said != "" || !strings.Contains(list, "1 count") ||
		!strings.Contains(list, "1 sample") {
		t.Errorf("the list says %q: %s", said, list)
	}
}

func TestComparisonsPreview(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(name string) string { return strings.TrimPrefix(putSample(t, l, name), "/api/v1/profiles/") }
	path := site.CompareURL(id("cxx-ir"), id("rust-ir"))
	meta := metaOf(l.Page(path, http.StatusOK))
	if !strings.Contains(meta["og:title"], " … ") || meta["og:description"] == "" ||
		meta["og:image"] != l.URL+path+"/card.png" {
		t.Errorf("%v", meta)
	}
	pictured(t, l, path+"/card.png")
}

// What is gone tells nothing, and nobody sees more by a picture than by the page.
func TestPreviewsNeedTheRightToLook(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.BasePath, c.UploadToken, c.Private = "/tools", "secret", true })
	put := l.Do("PUT", "/tools/api/v1/profiles/a.proftext?wait=5m&visibility=unlisted",
		strings.NewReader(string(webtest.Proftext("hostile\u202e<meta>"))), "Authorization", "Bearer secret").Object(t)
	path := "/tools/p/" + put["id"].(string)
	login := l.Get(path, "Accept", "text/html")
	if meta := metaOf(login.Parse(t)); login.StatusCode != http.StatusUnauthorized || len(meta) != 0 {
		t.Errorf("%s: the login says %v", login.Status, meta)
	}
	if a := l.Get(path + "/card.png"); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("the picture answers %s", a.Status)
	}
	a := l.OK(path, "Authorization", "Bearer secret", "Accept", "text/html")
	if meta := metaOf(a.Parse(t)); meta["og:image"] != l.URL+path+"/card.png" || meta["og:url"] != l.URL+path {
		t.Errorf("below a path: %v", meta)
	}
	l.OK(path+"/card.png", "Authorization", "Bearer secret")
	l.Do("DELETE", "/tools/api/v1/profiles/"+put["id"].(string), nil, "Authorization", "Bearer secret")
	for _, gone := range []string{path, path + "/card.png"} {
		a := l.Do("GET", gone, nil, "Authorization", "Bearer secret", "Accept", "text/html")
		if meta := metaOf(a.Parse(t)); a.StatusCode != http.StatusGone || len(meta) != 0 {
			t.Errorf("%s: %s, %v", gone, a.Status, meta)
		}
	}
}

// What cannot be read has a picture that says so.
func TestFailedProfilePreviews(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Do("PUT", "/api/v1/profiles/bad.profdata?wait=5m",
		strings.NewReader("\xfflprofi\x81 and no more")).Object(t)["id"]
	path := "/p/" + id.(string)
	if meta := metaOf(l.Page(path, http.StatusOK)); meta["og:title"] == "" || meta["og:image"] == "" {
		t.Errorf("%v", meta)
	}
	if a := l.OK(path + "/card.png"); a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the picture may be kept: %v", a.Header)
	}
}
