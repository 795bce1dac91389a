package site

import (
	"cmp"
	"net/http"
	"strings"

	"proflens/decode/model"
	"proflens/internal/humanize"
)

// WantsPlain reports whether a page is asked for by a person at a terminal: by
// curl as it is, or by whoever asks for text/plain. Other programs that take
// anything get the page.
func WantsPlain(r *http.Request) bool {
	if Accepted(r, "text/html", "text/plain", "application/json") == "text/plain" {
		return true
	}
	accept := r.Header.Values("Accept")
	return len(accept) == 1 && accept[0] == "*/*" && strings.HasPrefix(r.UserAgent(), "curl/")
}

// AsksForText reports whether all that is asked of a page is its text.
func AsksForText(r *http.Request) bool { return r.URL.RawQuery == "format=text" }

// Authorization has curl send a token, which stays in the reader's environment.
const Authorization = ` -H "Authorization: Bearer $PROFLENS_TOKEN"`

// Curl begins a command line that asks this server something: on a private one with a
// token.
func (s *Site) Curl() string {
	if s.Private {
		return "curl" + Authorization
	}
	return "curl"
}

// WritePlain writes a text that Accept or the program that asks has chosen.
func WritePlain(w http.ResponseWriter, status int, text string) error {
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

// sentence is the detail of a problem, which may begin with the name of a file.
func (p *Problem) sentence() string {
	text := humanize.Printable(p.Detail)
	if f := p.Finding; f != nil && f.File != "" && strings.HasPrefix(p.Detail, f.File+":") {
		return strings.TrimSuffix(text, ".") + "."
	}
	return Sentence(text)
}

// Text is the problem for a terminal: what is wrong, why, and what to do.
func (p *Problem) Text() string {
	f := cmp.Or(p.Finding, &model.Finding{})
	text := Sentence(humanize.Plain(humanize.Printable(p.Title))) + "\n"
	if p.Detail != "" && p.Detail != p.Title {
		text += humanize.Plain(p.sentence()) + "\n"
	}
	return text + Advice(f, "  ")
}

// Advice is the cause and the remedy of a finding for a terminal, a line each.
func Advice(f *model.Finding, indent string) (text string) {
	for _, line := range []struct{ label, says string }{{"cause", f.Cause}, {"what to do", f.Remedy}} {
		if line.says != "" {
			text += indent + line.label + ": " + humanize.Plain(humanize.Printable(line.says)) + "\n"
		}
	}
	return text
}
