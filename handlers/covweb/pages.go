package covweb

import (
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

// tabs are those of source coverage.
func tabs(_ *catalog.Entry, p *stored.Profile, base string, current site.View) []page.Tab {
	c, err := site.OpenPart(p, covdb.Of)
	if err != nil {
		return nil
	}
	o := c.Overview
	list := []page.Tab{
		site.Counted(site.Tab(filesView, base+"/files", current), humanize.Int(o.Files)),
		site.Counted(site.Tab(uncoveredView, base+"/uncovered", current), humanize.Int(o.Totals.Functions.Missed())),
	}
	if n := o.Totals.MCDC.Total; n > 0 {
		list = append(list, site.Counted(site.Tab(decisionsView, base+"/mcdc", current), humanize.Int(n)))
	}
	return append(list, site.Tab(changedView, base+"/changed", current))
}

func (s *handler) coverage(r *http.Request) *covdb.Profile { return site.PartOf[*covdb.Profile](r) }
