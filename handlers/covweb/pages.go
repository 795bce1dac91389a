package covweb

import (
	"context"

	"net/http"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/stored"
	"proflens/views/page"
)

// The pages of source coverage.
const (
	filesView     site.View = "Files"
	uncoveredView site.View = "Never ran"
	decisionsView site.View = "MC/DC conditions"
	changedView   site.View = "Changed lines"
)

// orderKeys are its parameters, in the order that addresses have them.
var orderKeys = []string{"without", "exclude", "goal", "inst", "missing", "file", "show", "open"}

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
func (s *handler) tabs(ctx context.Context, e *catalog.Entry, p *stored.Profile, base string,
	current site.View) []page.Tab {
	if p == nil {
		return nil
	}
	c, err := covdb.Counted(ctx, p)
	if err != nil {
		return nil
	}
	q, err := s.usual(ctx, e)
	if err != nil {
		return nil
	}
	all, sums := &covdb.Node{}, &covdb.FileSums{Files: c.Overview.Files, Sums: c.Overview.Totals}
	if len(q.without) > 0 {
		if sums, err = c.Sum(ctx, q.query("", nil, 0, 0)); err != nil {
			return nil
		}
	}
	list := []page.Tab{
		site.Counted(site.Tab(filesView, base+"/files", current), humanize.Int(sums.Files)),
		site.Counted(site.Tab(uncoveredView, q.listOf("/uncovered", all).String(), current),
			humanize.Int(sums.Functions.Missed())),
	}
	if n := sums.MCDC.Total; n > 0 {
		list = append(list, site.Counted(site.Tab(decisionsView, q.listOf("/mcdc", all).String(), current), humanize.Int(n)))
	}
	return append(list, site.Tab(changedView, base+"/changed", current))
}

func (s *handler) coverage(r *http.Request) *covdb.Profile { return site.PartOf[*covdb.Profile](r) }
