package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/views"
	"proflens/views/page"
)

// pollTime is how long a browser waits for news of a page being rendered, and without
// scripts how long until it asks again.
const pollTime = 500 * time.Millisecond

// withProgress answers a browser within a moment: with the page, or with one that says how
// far that is and how to leave it. From then on the page is rendered apart from who asks,
// who has a token for it in wait=; it is given up soon after nobody asks any more. What
// was computed by then is kept where it can be gone on with. Any other wait= just waits, and
// so does a format=.
func (s *server) withProgress(h site.Handler,
	waiting func(r *http.Request) (page.Shell, page.Waiting, error)) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		asked := time.Now()
		query := r.URL.Query()
		token := query.Get("wait")
		if found := s.find(token, r.URL); found != nil {
			return s.answerProgress(w, r, found, token, pollTime, waiting)
		}
		if token != "" {
			r = r.WithContext(r.Context())
			r.URL = withoutWait(r.URL)
		}
		if token != "" || s.PageWait <= 0 || !site.WantsHTML(r) || query.Has("format") {
			return h(w, r)
		}
		ctx, end := context.WithDeadline(r.Context(), asked.Add(s.PageWait))
		defer end()
		progress := &stored.Progress{}
		err := h(w, r.WithContext(stored.Watched(ctx, progress)))
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() == nil || r.Context().Err() != nil {
			return err
		}
		token, begun := s.begin(r, progress)
		if begun == nil {
			return h(w, r)
		}
		return s.answerProgress(w, r, begun, token, 0, waiting)
	}
}

// answerProgress answers with a page that is rendered by now, or how far it is: to the script of
// the page that waits in JSON.
func (s *server) answerProgress(w http.ResponseWriter, r *http.Request, asked *render, token string,
	moment time.Duration, waiting func(r *http.Request) (page.Shell, page.Waiting, error)) error {
	made, step := asked.ready(r.Context(), moment), asked.progress.Now()
	site.Unsettled(w)
	if !site.WantsHTML(r) {
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(map[string]any{
			"made": made, "doing": step.Doing, "count": counted(step), "done": step.Done, "of": step.Of,
		})
	}
	if made {
		asked.answer.send(w)
		return nil
	}
	shell, v, err := waiting(r)
	if err != nil {
		return err
	}
	v.Doing, v.Count, v.Done, v.Of = step.Doing, counted(step), step.Done, step.Of
	onward := site.AddressOf(r.URL).With("wait", token).String()
	shell.Onward = onward[strings.Index(onward, "?"):]
	return s.Render(w, r, views.WaitingPage(shell, v))
}

func counted(step stored.Step) string {
	if step.Of == 0 {
		return ""
	}
	return humanize.Say("{} of {}", step.Done, step.Of)
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
	v := page.Waiting{Title: "Adding up…", Says: humanize.Printable(e.Name), Cancel: site.PageOf(e.ID)}
	if text := cmp.Or(q.Get("q"), q.Get("re")); text != "" {
		v.Title, v.Says = "Searching…", "“"+humanize.Printable(text)+"” in "+v.Says
		v.Cancel = site.AddressOf(r.URL).FirstPage("q", "re").String()
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
			humanize.Printable(a.Name), comparedSays(s, a), humanize.Printable(b.Name), comparedSays(s, b)),
	}
	if path := site.CompareURL(base, test); r.URL.Path != path {
		v.Cancel = path // the table, which is there sooner
	}
	return s.Shell(r, "Comparing "+humanize.Printable(a.Name)+" … "+humanize.Printable(b.Name)), v, nil
}
