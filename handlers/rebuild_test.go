package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"proflens/catalog"
	"proflens/handlers/webtest"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/stored"
)

// damagedProfile has a function table that cannot be read.
type damagedProfile struct{ *webtest.Invented }

func (damagedProfile) Functions(context.Context, instrdb.Query) (*instrdb.Page, error) {
	return nil, fmt.Errorf("%w: page 7", stored.ErrDamaged)
}

type rebuiltStore struct {
	partialStore
	rebuilt []string
}

func (s *rebuiltStore) Rebuild(_ context.Context, id string) error {
	s.rebuilt = append(s.rebuilt, id)
	return nil
}

// Damage that shows only while rows are read is mended too, and told as such.
func TestDamageFoundWhileReading(t *testing.T) {
	st := &rebuiltStore{partialStore: partialStore{
		entry:   catalog.Entry{ID: "x", State: catalog.Ready, Digest: "d"},
		profile: damagedProfile{inventedClang(3)},
	}}
	url := webtest.Serve(t, newServer(Config{Store: st, Ingest: liveIngest{}}).handler())
	for _, path := range []string{"/api/v1/profiles/x/functions", "/p/x/functions"} {
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
