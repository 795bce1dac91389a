package handlers_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
	"proflens/profile/stored"
)

// brokenStore fails, one way or another, whatever it is asked.
type brokenStore struct{ site.Store }

// OnOpen is called as a server starts.
func (brokenStore) OnOpen(func(e *catalog.Entry, p *stored.Profile)) {}

func (brokenStore) List(ctx context.Context, q catalog.ListQuery) (catalog.ListPage, error) {
	if q.Text == "panic" {
		panic("a fault of ours")
	}
	return catalog.ListPage{}, errors.New("disk on fire")
}

func TestRecoverer(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.Store = brokenStore{} })
	webtest.Problem(t, l.Get("/api/v1/profiles?q=panic"), http.StatusInternalServerError, "internal")
	if log := l.Log.String(); !strings.Contains(log, "a fault of ours") || !strings.Contains(log, "recover_test.go") {
		t.Errorf("the log has no stack:\n%s", log)
	}
	a := l.Get("/readyz")
	webtest.Problem(t, a, http.StatusServiceUnavailable, "not_ready")
}
