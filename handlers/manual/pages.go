// Package manual is the pages below /docs: those of docs/pages, the calls of the API, and
// the limits of the running server.
package manual

import (
	"html"
	"net/http"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"proflens/docs/pages"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
)

// Manual answers for the pages below /docs.
type Manual struct {
	*site.Site
	commands func(*http.Request) []page.Command
	calls    func() []page.CallGroup
}

// New is the manual of a server, with the document of its API and the commands that its
// first page names.
func New(s *site.Site, document func() []byte, commands func(*http.Request) []page.Command) *Manual {
	return &Manual{s, commands, sync.OnceValue(func() []page.CallGroup { return callsOf(document()) })}
}

// Index is GET /docs: the pages of the manual.
func (s *Manual) Index(w http.ResponseWriter, r *http.Request) error {
	v := page.DocsIndex{Commands: s.commands(r)}
	for _, p := range pages.All() {
		v.Pages = append(v.Pages, page.DocsEntry{Title: p.Title, URL: "/docs/" + p.Name, Summary: p.Summary})
	}
	return s.Render(w, r, views.Page(s.Shell(r, "Documentation"), views.DocsIndexMain(v)))
}

// Read is GET /docs/{name}.
func (s *Manual) Read(w http.ResponseWriter, r *http.Request) error {
	p, ok := pages.Named(chi.URLParam(r, "name"))
	if !ok {
		return site.ErrNoRoute
	}
	v := page.Docs{Title: p.Title, HTML: s.atThisServer(p.HTML, r)}
	for _, other := range pages.All() {
		v.Nav = append(v.Nav, page.Segment{Label: other.Title, URL: "/docs/" + other.Name, Current: other.Name == p.Name})
	}
	switch p.Name {
	case "limits":
		v.Limits = s.limitRows()
		v.Contents = append(v.Contents, page.Link{Label: "Limits of this server", URL: "#here"})
	case "api":
		v.Calls = s.callGroups(s.Curl(), site.ShellWord(site.Origin(r)))
	}
	for _, section := range p.Sections {
		v.Contents = append(v.Contents, page.Link{Label: section.Title, URL: "#" + section.ID})
	}
	for _, g := range v.Calls {
		v.Contents = append(v.Contents, page.Link{Label: g.Title, URL: "#" + g.ID})
	}
	return s.Render(w, r, views.Page(s.Shell(r, p.Title), views.DocsMain(v)))
}

// atThisServer puts the server's own address into a page's commands, and its token
// where it asks for one.
func (s *Manual) atThisServer(text string, r *http.Request) string {
	return strings.NewReplacer("curl ", html.EscapeString(s.Curl())+" ", pages.Address,
		html.EscapeString(humanize.Printable(site.Origin(r)))).Replace(text)
}

// limitRows are the limits of the running server.
func (s *Manual) limitRows() []page.LimitRow {
	rows := make([]page.LimitRow, 0, len(s.Limits))
	for _, l := range s.Limits {
		name := strings.ReplaceAll(strings.TrimPrefix(l.Flag, "-"), "-", " ")
		rows = append(rows, page.LimitRow{Name: name, Value: l.Value, Flag: l.Flag, Env: l.Env, Meaning: l.Meaning})
	}
	return rows
}
