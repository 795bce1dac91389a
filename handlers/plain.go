package handlers

import (
	"fmt"
	"net/http"
	"strings"
)

// wantsPlain reports whether a page is asked for by a person at a terminal: by
// curl as it is, or by whoever asks for text/plain. Other programs that take
// anything get the page.
func wantsPlain(r *http.Request) bool {
	if accepted(r, "text/html", "text/plain", "application/json") == "text/plain" {
		return true
	}
	accept := r.Header.Values("Accept")
	return len(accept) == 1 && accept[0] == "*/*" && strings.HasPrefix(r.UserAgent(), "curl/")
}

// writePlain writes a text that Accept or the program that asks has chosen.
func writePlain(w http.ResponseWriter, status int, text string) error {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Add("Vary", "Accept, User-Agent")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	_, err := w.Write([]byte(text))
	return err
}

// usage is the home page for a terminal: what can be done, with this server's
// own address.
func (s *server) usage(r *http.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Proflens %s reads compiler profiles.\n", s.Version.Version)
	for _, c := range s.commands(r) {
		fmt.Fprintf(&b, "\n%s\n  %s\n", c.Does, c.Line)
	}
	at := shellWord(origin(r))
	fmt.Fprintf(&b, "\nWhat is in a profile, by the link that its upload printed\n  curl %s/p/ID\n", at)
	fmt.Fprintf(&b, "\nThe profiles on this server\n  curl %s/api/v1/profiles\n", at)
	fmt.Fprintf(&b, "\nDocumentation\n  %s/docs\n", at)
	return b.String()
}
