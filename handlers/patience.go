package handlers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/site"
	"proflens/say"
	"proflens/views"
	"proflens/views/page"
)

// patiently answers a browser within a moment: with the page, or with one that says
// what takes its time and how to leave it. The browser leaves that for the page itself,
// which then has wait=1, as soon as it answers; going elsewhere ends the work. What was
// computed by then is kept where it can be gone on with.
func (s *server) patiently(h site.Handler, waiting func(r *http.Request) (page.Shell, page.Waiting, error)) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		asked, waited := r.URL, r.URL.Query().Has("wait")
		if waited {
			r = r.WithContext(r.Context())
			r.URL = withoutWait(asked)
		}
		if waited || s.Patience <= 0 || !site.WantsHTML(r) {
			return h(w, r)
		}
		ctx, end := context.WithTimeout(r.Context(), s.Patience)
		defer end()
		err := h(w, r.WithContext(ctx))
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() == nil || r.Context().Err() != nil {
			return err
		}
		shell, v, err := waiting(r)
		if err != nil {
			return err
		}
		site.Unsettled(w)
		onward := site.AddressOf(asked).With("wait", "1").String()
		shell.Onward = onward[strings.Index(onward, "?"):]
		return s.Render(w, r, http.StatusOK, views.WaitingPage(shell, v))
	}
}

func withoutWait(asked *url.URL) *url.URL {
	u := *asked
	q := u.Query()
	q.Del("wait")
	u.RawQuery = q.Encode()
	return &u
}

// waitingForProfile is of a page of one profile: a search is left for the list without
// it, another page for the overview.
func (s *server) waitingForProfile(r *http.Request) (page.Shell, page.Waiting, error) {
	e, q := s.Entry(r), r.URL.Query()
	v := page.Waiting{Title: "Adding up…", Says: say.Printable(e.Name), Cancel: site.PageOf(e.ID)}
	if text := cmp.Or(q.Get("q"), q.Get("re")); text != "" {
		v.Title, v.Says = "Searching…", "“"+say.Printable(text)+"” in "+v.Says
		v.Cancel = site.AddressOf(r.URL).Without("q", "re", "page", "cursor").String()
	} else if r.URL.Path == v.Cancel {
		v.Cancel = "/"
	}
	if figures := comparedSays(s, e); figures != "" {
		v.Says += " (" + figures + ")"
	}
	v.Says += ". The first time takes a while; the result is kept."
	return s.ProfileShell(r, "", strings.TrimSuffix(v.Title, "…")), v, nil
}

// waitingForComparison is of a page of two.
func (s *server) waitingForComparison(r *http.Request) (page.Shell, page.Waiting, error) {
	base, test, _ := strings.Cut(chi.URLParam(r, "pair"), "...")
	a, err := s.Store.Entry(r.Context(), base)
	if err != nil {
		return page.Shell{}, page.Waiting{}, err
	}
	b, err := s.Store.Entry(r.Context(), test)
	if err != nil {
		return page.Shell{}, page.Waiting{}, err
	}
	v := page.Waiting{
		Title: "Comparing…", Cancel: "/compare?base=" + a.ID,
		Says: fmt.Sprintf("%s (%s) with %s (%s). The first time takes a while, depending on their size; the result is kept.",
			say.Printable(a.Name), comparedSays(s, a), say.Printable(b.Name), comparedSays(s, b)),
	}
	if path := site.CompareURL(base, test); r.URL.Path != path {
		v.Cancel = path // the table, which is there sooner
	}
	return s.Shell(r, "Comparing "+say.Printable(a.Name)+" … "+say.Printable(b.Name)), v, nil
}
