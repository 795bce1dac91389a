package handlers

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/go-chi/chi/v5"

	"proflens/tables"
)

func loadDocument(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openAPIDocument)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// isPage reports whether a route is a page or serves pages; the rest is the
// API, which the document describes.
func isPage(method, route string) bool {
	return !strings.HasPrefix(route, "/api/") && method != http.MethodPut &&
		!slices.Contains([]string{"/healthz", "/readyz", "/version", "/metrics"}, route)
}

// The document and the routes say the same, both ways.
func TestOpenAPIPaths(t *testing.T) {
	doc := loadDocument(t)
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("the document is not OpenAPI 3.1: %v", err)
	}
	described := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described[method+" "+path] = true
		}
	}
	routed := map[string]bool{}
	err := chi.Walk(newServer(Config{}).routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if route = strings.TrimSuffix(route, "/"); route != "" && !isPage(method, route) {
			routed[method+" "+route] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range slices.Sorted(maps.Keys(routed)) {
		if !described[call] {
			t.Errorf("the document lacks %s", call)
		}
	}
	for _, call := range slices.Sorted(maps.Keys(described)) {
		if !routed[call] {
			t.Errorf("the document has %s, which is no route", call)
		}
	}
}

// The parameters that a call takes are those the document lists.
func TestOpenAPIParameters(t *testing.T) {
	doc := loadDocument(t)
	for path, known := range map[string][]string{
		"/api/v1/profiles/{id}/functions":       together(functionKeys, mipFunctionKeys),
		"/api/v1/profiles/{id}/export/{format}": together(functionExportKeys, mipFunctionExportKeys, allocationExportKeys, []string{"w"}, dcpiExportKeys(), []string{"version", "lossy", "keep-vtable-symbols", "macho", "run", "min-runs", "layout"}),
		"/api/v1/profiles/{id}/functions/{fid}": {"counters", "hash", "names", "counts", "format", "sel"},
		"/api/v1/profiles/{id}/samples":         sampleKeys,
		"/api/v1/profiles/{id}/procedures":      procedureKeys,
		"/api/v1/profiles/{id}/images":          dcpiTotalKeys,
		"/api/v1/profiles/{id}/epochs":          dcpiTotalKeys,
		"/api/v1/profiles/{id}/platforms":       dcpiTotalKeys,
		"/api/v1/profiles/{id}/diff":            dcpiDiffKeys,
		"/api/v1/profiles/{id}/heat":            heatKeys,
		"/api/v1/profiles":                      listKeys,
		"/api/v1/profiles/{id}/allocations":     allocationKeys,
		"/api/v1/profiles/{id}/sites":           siteKeys,
		"/api/v1/profiles/{id}/flamegraph":      flameAPIKeys,
		"/api/v1/profiles/{id}/tree":            treeKeys,
		"/api/v1/profiles/{id}/coverage":        coverageKeys,
		"/api/v1/profiles/{id}/anatomy":         anatomyKeys,
		"/api/v1/compare":                       together(compareKeys, []string{"base", "test"}),
		"/api/v1/compare/tree":                  together(changeTreeKeys, []string{"base", "test"}),
	} {
		var listed []string
		for _, p := range doc.Paths.Value(path).Get.Parameters {
			if p.Value.In == "query" {
				listed = append(listed, p.Value.Name)
			}
		}
		if want := slices.Sorted(slices.Values(known)); !slices.Equal(slices.Sorted(slices.Values(listed)), want) {
			t.Errorf("%s: the document lists %v, the parser knows %v", path, listed, want)
		}
	}
	var fields []string
	for _, p := range doc.Paths.Value("/api/v1/profiles").Post.Parameters {
		fields = append(fields, p.Value.Name)
	}
	if !slices.Equal(slices.Sorted(slices.Values(fields)), slices.Sorted(slices.Values(uploadKeys))) {
		t.Errorf("uploads: the document lists %v, the parser knows %v", fields, uploadKeys)
	}
}

// together is the parameters of all families, each once.
func together(lists ...[]string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...))))
}

// The columns of the function table are those of the document's object.
func TestOpenAPIColumns(t *testing.T) {
	listed := slices.Sorted(maps.Keys(loadDocument(t).Components.Schemas["Function"].Value.Properties))
	if want := slices.Sorted(slices.Values(tables.ColumnNames(tables.FunctionColumns))); !slices.Equal(listed, want) {
		t.Errorf("the document lists %v, the table has %v", listed, want)
	}
}

// Answers are what the document promises, errors too.
func TestOpenAPIAnswers(t *testing.T) {
	for _, media := range []string{"application/x-ndjson", "application/zip", "application/vnd.sqlite3"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.PlainBodyDecoder)
	}
	doc := loadDocument(t)
	l := startLive(t, nil)
	raw := sample(t, "ir_c.profraw")
	check := func(path string, a *answer) {
		t.Helper()
		validate(t, doc, path, a)
	}
	const profiles, one = "/api/v1/profiles", "/api/v1/profiles/{id}"
	uploaded := l.do("PUT", profiles+"/ir_c.profraw?label=a=b&project=p&expires=7d", bytes.NewReader(raw))
	check(one, uploaded)
	at := profiles + "/" + uploaded.object(t)["id"].(string)
	check(profiles, l.do("POST", profiles, bytes.NewReader(raw)))
	body, ct := form(t, "group", "auto", "file:a", string(raw), "file:b", string(sample(t, "same_name_hashes.proftext")))
	check(profiles, l.do("POST", profiles, body, "Content-Type", ct))
	check("/{id}", l.do("PUT", "/a.profraw", bytes.NewReader(raw), "Accept", "*/*"))
	broken := l.do("PUT", profiles+"/cut", bytes.NewReader(raw[:900]))
	check(one, broken)
	failed := profiles + "/" + broken.object(t)["id"].(string)
	check(one+"/anatomy", l.ok(failed+"/anatomy?section=data&from=3"))
	check(one+"/anatomy", l.get(failed+"/anatomy?section=none"))
	salvaged := l.do("PUT", profiles+"/cut?salvage=1", bytes.NewReader(raw[:4000]))
	check(one, salvaged)
	check(one+"/salvage", l.do("POST", profiles+"/"+salvaged.object(t)["id"].(string)+"/salvage", nil))
	cut := l.do("PUT", profiles+"/cut", bytes.NewReader(raw[:4000]))
	check(one+"/salvage", l.do("POST", profiles+"/"+cut.object(t)["id"].(string)+"/salvage?wait=10s", nil))

	check(profiles, l.ok(profiles))
	check(profiles, l.get(profiles+"?limit=x"))
	for _, base := range []string{at, failed} {
		check(one, l.ok(base))
		check(one+"/anatomy", l.ok(base+"/anatomy"))
		check(one+"/diagnostics", l.ok(base+"/diagnostics"))
		check(one+"/functions", l.get(base+"/functions"))
		for _, query := range []string{"", "?by=namespace", "?counts=string&cols=path,total", "?path=nowhere", "?format=csv", "?format=text", "?by=x"} {
			check(one+"/tree", l.get(base+"/tree"+query))
			check(one+"/coverage", l.get(base+"/coverage"+query))
		}
		check(one+"/export/{format}", l.get(base+"/export/proftext"))
		for _, export := range []string{"csv", "json", "ndjson", "json?table=traces", "csv?table=x", "sqlite", "pprof"} {
			check(one+"/export/{format}", l.get(base+"/export/"+export))
		}
		check(one+"/export/{format}", l.get(base+"/export/profdata"))
		check(one+"/export/{format}", l.get(base+"/export/profdata?version=5"))
		check(one+"/original", l.ok(base+"/original"))
	}
	check(one, l.ok(at+"?counts=string"))
	for _, query := range []string{"?class=hot", "?counts=string&cols=fid,total", "?format=csv", "?format=ndjson", "?format=text", "?foo=1"} {
		check(one+"/functions", l.get(at+"/functions"+query))
	}
	for _, fid := range columnOf(t, l.ok(at+"/functions?sort=-sites&limit=3"), "fid") {
		check(one+"/functions/{fid}", l.ok(at+"/functions/"+fid))
		check(one+"/functions/{fid}", l.ok(at+"/functions/"+fid+"?counts=string&counters=1..2"))
	}
	check(one+"/functions/{fid}", l.get(at+"/functions/x"))
	check(one+"/files", l.do("POST", at+"/files", bytes.NewReader(raw)))
	check(one+"/original", l.ok(at+"/original"))
	check(one, l.do("DELETE", at, nil, "X-Delete-Token", "wrong"))
	check(one, l.do("DELETE", at, nil, "X-Delete-Token", uploaded.object(t)["delete_token"].(string)))
	check(one, l.get(at))
	check(one, l.get(profiles+"/nothing"))
	for _, path := range []string{"/healthz", "/readyz", "/version", "/metrics", "/api/v1/openapi.json"} {
		check(path, l.ok(path))
	}
}

// validate checks an answer of a path against the document.
func validate(t testing.TB, doc *openapi3.T, path string, a *answer) {
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
			Request: a.Request, Route: &routers.Route{Spec: doc, Path: path, PathItem: item, Method: a.Request.Method, Operation: operation},
		},
		Status: a.StatusCode, Header: a.Header, Body: io.NopCloser(bytes.NewReader(a.body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		t.Errorf("%s %s: %s: %.1500v", a.Request.Method, a.Request.URL, a.Status, err)
	}
}
