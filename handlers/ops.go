package handlers

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"proflens/catalog"
	"proflens/handlers/site"
)

const healthzSays = `
	operation healthz: Check that the process answers
	>200 text: OK.
	>default`

// healthz says that the process answers.
func (s *server) healthz(w http.ResponseWriter, r *http.Request) error {
	return writeText(w, "ok\n")
}

const readyzSays = `
	operation readyz: Check that the catalog answers and the server is not stopping
	>200 text: Ready.
	>default`

// readyz says that the catalog answers too, and that the server is not about to stop.
func (s *server) readyz(w http.ResponseWriter, r *http.Request) error {
	if s.stopping() {
		return notReady("the server is stopping")
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	if _, err := s.Store.List(ctx, catalog.ListQuery{Limit: 1}); err != nil {
		return notReady("the catalog does not answer")
	}
	return writeText(w, "ready\n")
}

func notReady(why string) error {
	return &site.Problem{Status: http.StatusServiceUnavailable, Kind: "not_ready", Title: "Not ready", Detail: why}
}

func (s *server) stopping() bool { return s.Stopping != nil && s.Stopping.Err() != nil }

const versionSays = `
	operation version: Versions of this program
	>200 Version: Versions of the program, Go, the tables and the decoders.
	>default`

func (s *server) version(w http.ResponseWriter, r *http.Request) error {
	return site.WriteJSON(w, s.Version)
}

func writeText(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	site.NoStore(w)
	_, err := fmt.Fprint(w, text)
	return err
}
