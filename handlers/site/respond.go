package site

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"proflens/catalog"
	"proflens/profile/budget"
	"proflens/profile/stored"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"
)

// Page makes a page of a handler: its error becomes an error page.
func (s *Site) Page(h Handler) http.HandlerFunc { return s.adapt(h, s.Fail) }

// Serve has pages answer at their addresses, which add adds: the Get or the Post of a router.
func (s *Site) Serve(add func(path string, h http.HandlerFunc), pages map[string]Handler) {
	for path, page := range pages {
		add(path, s.Page(page))
	}
}

// API makes an API call of a handler: its error becomes problem+json.
func (s *Site) API(h Handler) http.HandlerFunc { return s.adapt(h, s.failJSON) }

func (s *Site) adapt(h Handler, fail func(http.ResponseWriter, *http.Request, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if pattern := chi.RouteContext(r.Context()).RoutePattern(); pattern != "" {
			RequestOf(r).Route = pattern
		}
		err := h(w, r)
		if cut, ok := errors.AsType[*cutError](err); ok {
			RequestOf(r).Err = cut
			panic(http.ErrAbortHandler)
		}
		if err != nil && !putOff(r, err) {
			fail(w, r, err)
		}
	}
}

// Fail answers an error as a page to a browser, as text to a terminal, as problem+json
// to others.
func (s *Site) Fail(w http.ResponseWriter, r *http.Request, err error) {
	if WantsPlain(r) {
		p := s.explain(w, r, err)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(p.Status)
		io.WriteString(w, p.Text())
		return
	}
	if !WantsHTML(r) {
		s.failJSON(w, r, err)
		return
	}
	p := s.explain(w, r, err)
	r = r.WithContext(context.WithoutCancel(r.Context())) // which may be what ended
	if err := s.RenderStatus(w, r, p.Status, s.errorPage(r, p)); err != nil {
		http.Error(w, p.Title+"\n"+p.Detail, p.Status)
	}
}

// failJSON answers an error as problem+json.
func (s *Site) failJSON(w http.ResponseWriter, r *http.Request, err error) {
	p := s.explain(w, r, err)
	body, _ := Marshal(p) // plain strings and numbers
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.Status)
	w.Write(body)
}

// rebuilt has the tables of the address made again when err says that they are
// damaged, and returns what to tell the client.
func (s *Site) rebuilt(r *http.Request, err error) error {
	entry, ok := r.Context().Value(entryKey).(*catalog.Entry)
	if !ok || !errors.Is(err, stored.ErrDamaged) {
		return err
	}
	if again := s.Store.Rebuild(r.Context(), entry.ID); again != nil {
		return errors.Join(err, again)
	}
	return catalog.ErrRebuilding
}

// explain notes the error for the log and sets the headers that belong to it.
func (s *Site) explain(w http.ResponseWriter, r *http.Request, err error) *Problem {
	if refused := budget.RefusalOf(r.Context()); refused != nil &&
		(errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		err = refused
	} else if errors.Is(err, context.Canceled) && r.Context().Err() == nil {
		err = errors.New("part of the work was cancelled: " + err.Error()) // not by the client
	}
	p := ProblemOf(s.rebuilt(r, err))
	p = p.brief()
	req := RequestOf(r)
	req.Err = err
	p.Type, p.RequestID = "about:blank", req.Id
	h := w.Header()
	h.Del("Etag")
	h.Del("Content-Disposition")
	h.Set("Cache-Control", "no-store")
	for key, values := range p.header {
		h[key] = values
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="Proflens"`)
	}
	return p
}

// longestDetail is how many bytes an answer says of what is wrong: it may repeat what was
// given.
const longestDetail = 2 << 10

// brief is a problem that does not grow with the request.
func (p *Problem) brief() *Problem {
	if len(p.Detail) <= longestDetail && len(p.Param) <= longestDetail {
		return p
	}
	short := *p
	cut := func(text string) string {
		if len(text) <= longestDetail {
			return text
		}
		return strings.ToValidUTF8(text[:longestDetail], "") + "…"
	}
	short.Detail, short.Param = cut(p.Detail), cut(p.Param)
	return &short
}

// NoStore keeps an answer from being kept: it is of what is there just now.
func NoStore(w http.ResponseWriter) { w.Header().Set("Cache-Control", "no-store") }

// Render writes a page. It is made whole first, so that a component that fails
// is an error and not half a page.
func (s *Site) Render(w http.ResponseWriter, r *http.Request, c templ.Component) error {
	return s.RenderStatus(w, r, http.StatusOK, c)
}

// RenderStatus is Render with a status of its own.
func (s *Site) RenderStatus(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	var b bytes.Buffer
	if err := c.Render(r.Context(), &b); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-cache")
	}
	w.WriteHeader(status)
	w.Write(b.Bytes())
	return nil
}

// WriteJSON writes an API object.
func WriteJSON(w http.ResponseWriter, v any) error { return WriteStatusJSON(w, http.StatusOK, v) }

// WriteStatusJSON is WriteJSON with a status of its own.
func WriteStatusJSON(w http.ResponseWriter, status int, v any) error {
	body, err := Marshal(v)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	w.Write(body)
	return nil
}

// Marshal leaves < and > of C++ names as they are: JSON is never put into HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// RequestContext bounds what is answered at once. It ends with the request at the latest.
func (s *Site) RequestContext(r *http.Request) context.Context {
	ctx, cancel := context.WithTimeout(r.Context(), cmp.Or(s.RequestTimeout, defaultRequestTimeout))
	context.AfterFunc(r.Context(), cancel)
	return ctx
}

// The defaults of Config's timeouts.
const (
	defaultRequestTimeout  = time.Minute
	DefaultTransferTimeout = 6 * time.Hour
	DefaultIdleTimeout     = 2 * time.Minute
)
