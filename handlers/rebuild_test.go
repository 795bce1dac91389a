package handlers_test

import (
	"context"
	"net/http"
	"testing"

	"proflens/catalog"
	"proflens/handlers"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
	"proflens/profile/stored"
)

type rebuiltStore struct {
	webtest.Store
	rebuilt []string
}

func (s *rebuiltStore) Rebuild(_ context.Context, id string) error {
	s.rebuilt = append(s.rebuilt, id)
	return nil
}

// Damage that shows only while rows are read is mended too, and told as such.
func TestDamageFoundWhileReading(t *testing.T) {
	whole, _ := manyRows().Path(t)
	broken := damaged(t, whole)
	st := &rebuiltStore{Store: webtest.Store{
		Held:        &catalog.Entry{ID: "x", State: catalog.Ready, Digest: "d"},
		OpenProfile: func(context.Context) (*stored.Profile, error) { return stored.Open(broken) },
	}}
	url := webtest.Serve(t, handlers.New(site.Config{Store: st}))
	for _, path := range []string{"/api/v1/profiles/x/functions?limit=1000&cursor=20000", "/p/x/functions?page=200"} {
		res, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	if len(st.rebuilt) != 2 || st.rebuilt[0] != "x" {
		t.Errorf("made again: %v", st.rebuilt)
	}
}
