package handlers

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/tables"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
)

// isPage reports whether a route is a page or serves pages; the rest is the
// API, which the document describes.
func isPage(method, route string) bool {
	return !strings.HasPrefix(route, "/api/") && method != http.MethodPut &&
		!slices.Contains([]string{"/healthz", "/readyz", "/version", "/metrics"}, route)
}

// The document and the routes say the same, both ways.
func TestOpenAPIPaths(t *testing.T) {
	doc := document(t)
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
	doc := document(t)
	for path, known := range map[string][]string{
		"/api/v1/profiles/{id}/functions":       together(functionKeys, mipFunctionKeys),
		"/api/v1/profiles/{id}/export/{format}": exportedKeys(),
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
		"/api/v1/profiles/{id}/values":          valueKeys,
		"/api/v1/profiles/{id}/traces":          together(traceKeys, mipOrderKeys),
		"/api/v1/profiles/{id}/binary-ids":      binaryIDKeys,
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

// exportedKeys are the parameters of all exports: of the formats, and of the tables.
func exportedKeys() []string {
	keys := append([]string{"w", "version", "lossy", "keep-vtable-symbols", "macho", "run", "min-runs", "layout"}, tableExportKeys...)
	for _, f := range newServer(Config{}).families {
		for name, table := range f.tables {
			if _, err := tables.Find([]model.Family{f.name}, name); err == nil { // the heat map is listed alone
				keys = append(keys, exportKeys(table.keys)...)
			}
		}
	}
	return together(keys)
}

func document(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openAPIDocument)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
