package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"proflens/handlers/webtest"
)

// oneOfEachFamily are the IDs of a profile of each family.
func oneOfEachFamily(t *testing.T, s *webtest.Server) (ids []string) {
	for name, f := range familyProfiles(t, s) {
		if slices.Contains([]string{"counters", "counters and heap", "machine IR", "samples", "coverage", "sample profile"},
			name) {
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

// question is a call of the interface and parameters of it.
type question struct {
	path string
	keys []string
}

// eachQuestion asks about parameters of every call that reads, several at once, with the
// profiles that it can be asked of. In the short tests that is the first that answers.
func eachQuestion(t *testing.T, s *webtest.Server, keys func(p *openapi3.Operation) []string,
	ask func(at, id, key string)) {
	ids := oneOfEachFamily(t, s)
	work := make(chan question)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for q := range work {
				for _, id := range ids {
					at := strings.NewReplacer("{id}", id, "{pair}", id+"..."+id, "{project}", "p", "{format}", "order").Replace(q.path)
					if strings.Contains(at, "{") {
						continue
					}
					if testing.Short() && id != ids[len(ids)-1] &&
						s.Get(at+queryOf(at, id, "limit", "1")).StatusCode != http.StatusOK {
						continue
					}
					for _, key := range q.keys {
						ask(at, id, key)
					}
					if testing.Short() {
						break
					}
				}
			}
		})
	}
	for path, item := range webtest.Document(t).Paths.Map() {
		if item.Get == nil {
			continue
		}
		if asked := keys(item.Get); len(asked) > 0 {
			work <- question{path, asked}
		}
	}
	close(work)
	workers.Wait()
}

// No word and no pattern of a search, whatever is in it, is a fault of the server, and what
// is wrong is said of the parameter that was given: at every call that has one, and at the
// page of the same address.
func TestEverySearchTakesAnything(t *testing.T) {
	s := webtest.Start(t, nil)
	hostile := []string{"[", "(a{1000}){2}", strings.Repeat("a", 4097), "a\x00b", "\xff\xfe", strings.Repeat("a ", 80)}
	var asked atomic.Int64
	searches := func(o *openapi3.Operation) (keys []string) {
		for _, p := range o.Parameters {
			if p.Value != nil && slices.Contains([]string{"q", "re", "focus", "ignore"}, p.Value.Name) {
				keys = append(keys, p.Value.Name)
			}
		}
		return keys
	}
	eachQuestion(t, s, searches, func(at, id, key string) {
		for _, text := range hostile {
			query := queryOf(at, id, key, text)
			for _, address := range []string{
				at, strings.Replace(strings.Replace(at, "/api/v1/profiles/", "/p/", 1), "/api/v1/", "/", 1),
			} {
				asked.Add(1)
				a := s.Get(address + query)
				if a.StatusCode >= 500 {
					t.Errorf("%s?%s=%.20q: %s %.200s", address, key, text, a.Status, a.Bytes)
				}
				if a.StatusCode == http.StatusBadRequest && strings.Contains(a.Header.Get("Content-Type"), "problem+json") &&
					a.Object(t)["parameter"] != key {
					t.Errorf("%s?%s=%.20q: %.200s", address, key, text, a.Bytes)
				}
			}
		}
	})
	if asked.Load() < 500 {
		t.Errorf("only %d requests", asked.Load())
	}
}

// Every wrong parameter is named in the answer.
func TestEveryBadRequestNamesItsParameter(t *testing.T) {
	s := webtest.Start(t, nil)
	all := func(o *openapi3.Operation) []string {
		keys := []string{"no-such-parameter"}
		for _, p := range o.Parameters {
			if p.Value != nil && p.Value.In == "query" {
				keys = append(keys, p.Value.Name)
			}
		}
		return keys
	}
	eachQuestion(t, s, all, func(at, id, key string) {
		if a := s.Get(at + queryOf(at, id, key, "-\x01[(")); a.StatusCode == http.StatusBadRequest &&
			a.Object(t)["parameter"] != key {
			t.Errorf("%s?%s=: %.250s", at, key, a.Bytes)
		}
	})
}
