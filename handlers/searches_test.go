package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// oneOfEachFamily are the IDs of a profile of each family.
func oneOfEachFamily(t *testing.T, s *webtest.Server) (ids []string) {
	for name, f := range familyProfiles(t, s) {
		if slices.Contains([]string{"counters", "counters and heap", "machine IR", "samples", "coverage", "sample profile"}, name) {
			ids = append(ids, f.at[strings.LastIndexByte(f.at, '/')+1:])
		}
	}
	return ids
}

// queryOf gives a parameter a value, and those that an address cannot do without.
func queryOf(at, id, key, value string) string {
	q := url.Values{}
	if strings.HasPrefix(at, "/api/v1/compare") && !strings.Contains(at, "...") {
		q = url.Values{"base": {id}, "test": {id}}
	}
	q.Set(key, value)
	return "?" + q.Encode()
}

// No word and no pattern of a search, whatever is in it, is a fault of the server, and what
// is wrong is said of the parameter that was given: at every call that has one, and at the
// page of the same address.
func TestEverySearchTakesAnything(t *testing.T) {
	s := webtest.Start(t, nil)
	ids := oneOfEachFamily(t, s)
	hostile := []string{"[", "(a{1000}){2}", strings.Repeat("a", 4097), "a\x00b", "\xff\xfe", strings.Repeat("a ", 80)}
	if testing.Short() {
		hostile = hostile[:3]
	}
	asked := 0
	for path, item := range webtest.Document(t).Paths.Map() {
		if item.Get == nil {
			continue
		}
		for _, p := range item.Get.Parameters {
			if p.Value == nil || !slices.Contains([]string{"q", "re", "focus", "ignore"}, p.Value.Name) {
				continue
			}
			for _, id := range ids {
				at := strings.NewReplacer("{id}", id, "{pair}", id+"..."+id, "{project}", "p").Replace(path)
				if strings.Contains(at, "{") {
					continue
				}
				for _, text := range hostile {
					query := queryOf(at, id, p.Value.Name, text)
					for _, address := range []string{at, strings.Replace(strings.Replace(at, "/api/v1/profiles/", "/p/", 1), "/api/v1/", "/", 1)} {
						a := s.Get(address + query)
						if asked++; a.StatusCode >= 500 {
							t.Errorf("%s?%s=%.20q: %s %.200s", address, p.Value.Name, text, a.Status, a.Bytes)
						}
						if a.StatusCode == http.StatusBadRequest && strings.Contains(a.Header.Get("Content-Type"), "problem+json") && a.Object(t)["parameter"] != p.Value.Name {
							t.Errorf("%s?%s=%.20q: %.200s", address, p.Value.Name, text, a.Bytes)
						}
					}
				}
			}
		}
	}
	if asked < 500 {
		t.Errorf("only %d requests", asked)
	}
}

// Every wrong parameter is named in the answer.
func TestEveryBadRequestNamesItsParameter(t *testing.T) {
	s := webtest.Start(t, nil)
	ids := oneOfEachFamily(t, s)
	for path, item := range webtest.Document(t).Paths.Map() {
		if item.Get == nil {
			continue
		}
		keys := []string{"no-such-parameter"}
		for _, p := range item.Get.Parameters {
			if p.Value != nil && p.Value.In == "query" {
				keys = append(keys, p.Value.Name)
			}
		}
		for _, key := range keys {
			for _, id := range ids {
				at := strings.NewReplacer("{id}", id, "{pair}", id+"..."+id, "{project}", "p", "{format}", "order").Replace(path)
				if strings.Contains(at, "{") {
					continue
				}
				if a := s.Get(at + queryOf(at, id, key, "-\x01[(")); a.StatusCode == http.StatusBadRequest && a.Object(t)["parameter"] != key {
					t.Errorf("%s?%s=: %.250s", at, key, a.Bytes)
				}
			}
		}
	}
}
