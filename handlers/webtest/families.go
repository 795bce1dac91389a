package webtest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"golang.org/x/net/html"

	"proflens/handlers"
	"proflens/handlers/site"
)

// DCPIArchive is the database of the test data as a zip or a tar, with listings
// beside the epochs.
func DCPIArchive(t testing.TB, kind string, listings ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, tr := zip.NewWriter(&b), tar.NewWriter(&b)
	db := filepath.Join(filepath.Join(Root(), "decode/dcpi/testdata"), "db")
	err := filepath.WalkDir(db, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(db, path)
		top := !strings.Contains(name, "/")
		wanted := !top
		for _, l := range listings {
			wanted = wanted || l == name
		}
		if err != nil || d.IsDir() || !wanted || strings.HasSuffix(name, ".json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if kind == "tar" {
			if err := tr.WriteHeader(&tar.Header{Name: "db/" + name, Mode: 0o644, Size: int64(len(data))}); err != nil {
				return err
			}
			_, err = tr.Write(data)
			return err
		}
		w, err := z.Create("db/" + name)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if kind == "tar" {
		err = tr.Close()
	} else {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// PutDCPI uploads files as one profile and returns its path in the API.
func PutDCPI(l *Server, name string, data []byte) string {
	l.T.Helper()
	a := l.Do("PUT", "/api/v1/profiles/"+name+"?wait=5m", bytes.NewReader(data))
	if a.StatusCode != 201 {
		l.T.Fatalf("%s: %s", a.Status, a.Text())
	}
	return "/api/v1/profiles/" + a.Object(l.T)["id"].(string)
}

// These upload files of a package's tests together, such as a profile and its programs, and return the path
// of the profile in the API.
var (
	PutMIP      = putOf("decode/mip/testdata")
	PutSamples  = putOf("decode/sampleprof/testdata")
	PutMemProf  = putOf("profile/memprofdb/testdata")
	PutCoverage = putOf("decode/covmap/testdata")
)

func putOf(folder string) func(l *Server, paths ...string) string {
	return func(l *Server, paths ...string) string {
		l.T.Helper()
		return API(l.Together(Files(l.T, filepath.Join(Root(), folder), paths...)...))
	}
}

// Proftext writes a text profile of functions with the counters 1 and 0.
func Proftext(names ...string) []byte {
	b := []byte(":ir\n")
	for i, name := range names {
		b = fmt.Appendf(b, "%s\n%d\n2\n%d\n0\n\n", name, i+1, i%2)
	}
	return b
}

// GetPage asks for a page of an invented profile.
func GetPage(t *testing.T, p *Invented, address string, status int) *html.Node {
	t.Helper()
	return p.Serve(t).Page(address, status)
}

// StartWith starts a server with one profile and returns its address.
func StartWith(t *testing.T, file string) (*Server, string) {
	t.Helper()
	l := Start(t, nil)
	return l, "/api/v1/profiles/" + l.Put(file, File(t, file))["id"].(string)
}

// document is read once for all tests of a package, which change nothing of it.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	registerMedia()
	w := httptest.NewRecorder()
	handlers.New(site.Config{}).ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/api/v1/openapi.json", nil))
	return openapi3.NewLoader().LoadFromData(w.Body.Bytes())
})

// Document is what the server says of its API.
func Document(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Validate checks an answer of a path against the document.
func Validate(t testing.TB, doc *openapi3.T, path string, a *Answer) {
	t.Helper()
	item := doc.Paths.Value(path)
	if item == nil || item.GetOperation(a.Request.Method) == nil {
		t.Errorf("the document lacks %s %s", a.Request.Method, path)
		return
	}
	operation := item.GetOperation(a.Request.Method)
	if operation.Responses.Status(a.StatusCode) == nil {
		t.Errorf("%s %s: the document lacks status %s", a.Request.Method, a.Request.URL, a.Status)
		return
	}
	err := openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: a.Request, Route: &routers.Route{Spec: doc, Path: path, PathItem: item, Method: a.Request.Method,
				Operation: operation},
		},
		Status: a.StatusCode, Header: a.Header, Body: io.NopCloser(bytes.NewReader(a.Bytes)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		t.Errorf("%s %s: %s: %.1500v", a.Request.Method, a.Request.URL, a.Status, err)
	}
}

var MIPCounts = []string{
	"merged/counts.mipmap", "merged/counts.0.mipraw", "merged/counts.1.mipraw", "merged/counts.2.mipraw",
}

// Root is the module's folder, wherever a package's tests run.
func Root() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Join(dir, "..")
	}
	panic("no go.mod above the tests")
}

// registerMedia tells the validator of bodies that it need not read.
var registerMedia = sync.OnceFunc(func() {
	for _, media := range []string{"application/x-ndjson", "application/zip", "application/vnd.sqlite3"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.PlainBodyDecoder)
	}
})
