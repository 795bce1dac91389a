package middleware

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"proflens/handlers/site"
)

// addressAttributes are those of our pages that hold an address; the data- ones are
// for scripts.
var addressAttributes = strings.Fields(`
	href src action formaction data-select data-graph data-sandwich data-suggest data-address`)

// BasePath serves everything below a path, which the other handlers know nothing
// of: it takes the path off the address of a request, and puts it before
// the addresses in headers and pages of an answer. Pages are of our own making,
// each attribute is written name="value" there, and a quotation mark in text is
// escaped: so ` href="/` is the beginning of an address wherever it stands.
func BasePath(s *site.Site, next http.Handler) http.Handler {
	base := s.BasePath
	if base == "" {
		return next
	}
	pairs := []string{"<html", `<html data-root="` + base + `"`}
	longest := len(pairs[0])
	for _, name := range addressAttributes {
		before := " " + name + `="/`
		pairs = append(pairs, before+"/", before+"/", before, " "+name+`="`+base+"/")
		longest = max(longest, len(before)+1)
	}
	rewriter := strings.NewReplacer(pairs...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		below, ok := strings.CutPrefix(r.URL.Path, base)
		switch {
		case ok && below == "":
			http.Redirect(w, r, base+"/", http.StatusFound)
			return
		case !ok || below[0] != '/':
			http.Error(w, "Proflens is at "+base+"/", http.StatusNotFound)
			return
		}
		inner := r.WithContext(site.WithBasePath(r.Context(), base))
		inner.URL = new(url.URL)
		*inner.URL = *r.URL
		inner.URL.Path = below
		inner.URL.RawPath = strings.TrimPrefix(r.URL.RawPath, base)
		b := &based{ResponseWriter: w, base: base, rewriter: rewriter, longest: longest}
		next.ServeHTTP(b, inner)
		b.end()
	})
}

// based puts the base path before the addresses of an answer.
type based struct {
	http.ResponseWriter
	base     string
	rewriter *strings.Replacer
	longest  int // of what the rewriter looks for

	began, page bool
	held        []byte // what may be the beginning of something to rewrite
}

// WriteHeader rewrites the header, and learns whether a page follows.
func (b *based) WriteHeader(status int) {
	if !b.began && status >= 200 {
		b.began = true
		h := b.Header()
		b.page = strings.HasPrefix(h.Get("Content-Type"), "text/html")
		if b.page {
			h.Del("Content-Length")
		}
		if to := h.Get("Location"); strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") &&
			!strings.HasPrefix(to, b.base+"/") {
			h.Set("Location", b.base+to)
		}
		cookies := h.Values("Set-Cookie")
		h.Del("Set-Cookie")
		for _, line := range cookies {
			if c, err := http.ParseSetCookie(line); err == nil {
				c.Path = b.base + c.Path
				line = c.String()
			}
			h.Add("Set-Cookie", line)
		}
	}
	b.ResponseWriter.WriteHeader(status)
}

// Write rewrites a page as far as it is certain and passes on anything else.
func (b *based) Write(p []byte) (int, error) {
	if !b.began {
		if b.Header().Get("Content-Type") == "" {
			b.Header().Set("Content-Type", http.DetectContentType(p))
		}
		b.WriteHeader(http.StatusOK)
	}
	if !b.page {
		return b.ResponseWriter.Write(p)
	}
	b.held = append(b.held, p...)
	sure := len(b.held)
	// What is looked for begins with one of these and has no other.
	if tail := max(0, sure-b.longest); bytes.ContainsAny(b.held[tail:], " <") {
		sure = tail + bytes.LastIndexAny(b.held[tail:], " <")
	}
	if err := b.send(sure); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (b *based) send(n int) error {
	_, err := b.rewriter.WriteString(b.ResponseWriter, string(b.held[:n]))
	b.held = append(b.held[:0], b.held[n:]...)
	return err
}

// end sends what was held back.
func (b *based) end() {
	if b.page {
		b.send(len(b.held)) // an error: the client is gone
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (b *based) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// Flush is here because others ask for it by type.
func (b *based) Flush() { http.NewResponseController(b.ResponseWriter).Flush() }
