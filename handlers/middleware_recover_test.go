package handlers_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"proflens/catalog"
	"proflens/handlers"
	"proflens/handlers/webtest"
)

// brokenStore fails, one way or another, whatever it is asked.
type brokenStore struct{ Store }

func (brokenStore) List(ctx context.Context, q catalog.ListQuery) (catalog.ListPage, error) {
	if q.Text == "panic" {
		panic("a fault of ours")
	}
	return catalog.ListPage{}, errors.New("disk on fire")
}

func TestRecoverer(t *testing.T) {
	l := webtest.Start(t, func(c *handlers.Config) { c.Store = brokenStore{} })
	webtest.Problem(t, l.Get("/api/v1/profiles?q=panic"), http.StatusInternalServerError, "internal")
	if log := l.Log.String(); !strings.Contains(log, "a fault of ours") || !strings.Contains(log, "middleware_recover_test.go") {
		t.Errorf("the log has no stack:\n%s", log)
	}
	a := l.Get("/readyz")
	webtest.Problem(t, a, http.StatusServiceUnavailable, "not_ready")
}

// A panic in the middle of an answer must not look like its end.
func TestRecovererCutsOff(t *testing.T) {
	s := newServer(Config{})
	url := webtest.Serve(t, requestID(s.recoverer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Repeat("half ", 10_000))
		panic("too late")
	}))))
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the answer ended as if it were whole")
	}
}
