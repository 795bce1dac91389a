package static

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, url string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest("GET", url, nil))
	return w
}

func TestFilesAreServedUnderTheirHashForEver(t *testing.T) {
	for name, mime := range map[string]string{
		"app.js": "text/javascript; charset=utf-8", "style.css": "text/css; charset=utf-8", "mark.svg": "image/svg+xml",
		"fonts/ibm-plex-sans-latin-400-normal.woff2": "font/woff2",
	} {
		url := URL(name)
		if !regexp.MustCompile(`^/static/.*\.[0-9a-f]{8}\.\w+$`).MatchString(url) {
			t.Errorf("URL(%s) = %s: no hash", name, url)
		}
		w := get(t, url)
		if w.Code != http.StatusOK || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %d bytes", url, w.Code, w.Body.Len())
		}
		if got := w.Header().Get("Content-Type"); got != mime {
			t.Errorf("%s: %s, want %s", url, got, mime)
		}
		if got := w.Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("%s: Cache-Control %q", url, got)
		}
	}
}

// TestStyleNamesFontsByHash: a font under its plain name would be asked for
// again and again, or be an old one for ever.
func TestStyleNamesFontsByHash(t *testing.T) {
	css := get(t, URL("style.css")).Body.String()
	fonts := regexp.MustCompile(`url\(([^)]*woff2)\)`).FindAllStringSubmatch(css, -1)
	if len(fonts) != 5 {
		t.Errorf("%d fonts in the style sheet, want 5", len(fonts))
	}
	for _, f := range fonts {
		if !Has(Prefix + strings.Trim(f[1], `"'`)) {
			t.Errorf("the style sheet names %s, which is not served", f[1])
		}
	}
}

func TestOtherNamesAreNotFound(t *testing.T) {
	for _, url := range []string{"/static/app.js", "/static/", "/static/fs.go", "/static/../go.mod", "/static/fonts/"} {
		if Has(url) || get(t, url).Code != http.StatusNotFound {
			t.Errorf("%s is served", url)
		}
	}
}

func TestUnknownNamePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("URL of a file that is not there did not panic")
		}
	}()
	URL("nothing.js")
}
