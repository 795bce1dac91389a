package handlers

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"

	"github.com/a-h/templ"
)

// Stand-ins for pages: each goes when the page's own file brings the method.

func (s *server) homePage(w http.ResponseWriter, r *http.Request) error   { return errNoRoute }
func (s *server) statusPage(w http.ResponseWriter, r *http.Request) error { return errNoRoute }

func (s *server) errorPage(r *http.Request, p *problem) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := fmt.Fprintf(w, "<!doctype html><title>%s</title><h1>%[1]s</h1><p>%s</p><p>Request %s</p>",
			html.EscapeString(p.Title), html.EscapeString(p.Detail), p.RequestID)
		return err
	})
}
