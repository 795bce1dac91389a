package handlers

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"

	"proflens/handlers/openapi"
	"proflens/handlers/site"
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
	err := chi.Walk(newServer(site.Config{}).routes,
		func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
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

func document(t testing.TB) *openapi3.T {
	t.Helper()
	s := newServer(site.Config{})
	made, err := openapi.Make(s.routes, s.Families, objects...)
	if err != nil {
		t.Error(err) // a parameter or an object of which nothing is said, or that nothing has
	}
	doc, err := openapi3.NewLoader().LoadFromData(made)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
