package covweb

import (
	"net/http"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
)

// The pages of source coverage.
const (
	filesView     site.View = "Files"
	uncoveredView site.View = "Never ran"
	decisionsView site.View = "MC/DC conditions"
	changedView   site.View = "Changed lines"
)

// orderKeys are its parameters, in the order that addresses have them.
var orderKeys = strings.Fields("without exclude goal inst missing file show open")

// pages are those of source coverage.
func (s *handler) pages() []site.Route {
	at := site.At(s.Site, covdb.Of)
	return []site.Route{
		at("/files", s.filesPage), at("/files/*", s.sourcePage), at("/uncovered", s.uncoveredPage),
		at("/mcdc", s.decisionsPage), at("/misfits", s.misfitsPage), at("/changed", s.changedPage),
	}
}

// tabs are those of source coverage, without the files that labels and rules leave out: there and
// on the pages that they lead to.
func (s *handler) tabs(t *site.Tabs) {
	if t.Profile == nil {
		return
	}
	c, err := covdb.Counted(t.Context, t.Profile)
	if err != nil {
		return
	}
	q, err := s.usual(t.Context, t.Entry)
	if err != nil {
		return
	}
	all, sums := &covdb.Node{}, &covdb.FileSums{Files: c.Overview.Files, Sums: c.Overview.Totals}
	if len(q.without) > 0 {
		if sums, err = c.Sum(t.Context, q.query("", nil, 0, 0)); err != nil {
			return
		}
	}
	q.base = "" // which tabs are below
	t.Add(filesView, "/files", humanize.Int(sums.Files))
	t.Add(uncoveredView, q.listOf("/uncovered", all).String(), humanize.Int(sums.Functions.Missed()))
	if n := sums.MCDC.Total; n > 0 {
		t.Add(decisionsView, q.listOf("/mcdc", all).String(), humanize.Int(n))
	}
	t.Add(changedView, "/changed", "")
}

func (s *handler) coverage(r *http.Request) *covdb.Profile { return site.PartOf[*covdb.Profile](r) }
