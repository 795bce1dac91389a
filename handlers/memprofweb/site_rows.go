package memprofweb

import (
	"context"
	"strings"

	"proflens/decode/memprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// fillSites adds a page of functions or lines.
func (v *sitesRequest) fillSites(m *memprofview.Sites, o *memprofdb.Overview, p *memprofdb.SitePage, n frameNames) {
	m.Heads = v.siteHeads(o)
	whole := p.Totals.Bytes.Float64()
	for i := range p.Rows {
		of := &p.Rows[i]
		row := siteRow(&of.SiteTotals, o, whole)
		name := humanize.Name{Base: "stacks without frames", Missing: true}
		contexts, id := v.address.Without("by", "sort", "page", "cursor", "node", "cols", selKey), "none"
		if of.Function != nil {
			name = n.Function(of.Function)
			if v.By == string(memprofdb.SitesByLine) {
				id = site.FID(of.ID)
				contexts = contexts.With("site", id)
				row.Place = memprofview.Place(of.Frame())
				row.PlaceURL = n.LineURL(of.File, of.Line)
			} else {
				id = site.FID(of.Function.FID)
				contexts = contexts.With("owner", id)
				row.Place = humanize.Printable(of.File)
			}
		}
		row.Name, row.URL = &name, contexts.String()
		row.MixedURL = contexts.With("mixed", "true").String()
		row.Selected = v.address.Selected(id)
		if row.Selected.Selected {
			v.inspectSite(m.Inspector, &row, contexts)
		}
		m.Sites = append(m.Sites, row)
	}
	humanize.Apart(m.Sites, func(r *memprofview.SiteRow) *humanize.Name { return r.Name })
	m.Shown = lists.ShownRows(v.Offset, len(p.Rows), p.Matching)
	m.Pager = site.ListPager(v.address, &v.Listing, p.Matching)
}

// siteRow is a row of totals.
func siteRow(t *memprofdb.SiteTotals, o *memprofdb.Overview, whole float64) memprofview.SiteRow {
	row := memprofview.SiteRow{SiteTotals: t, Share: humanize.Part(t.Bytes.Float64(), whole)}
	lifetime, density, known := sumMeans(&t.MemProfTotals, o.Schema)
	if known[0] {
		row.Lifetime = humanize.Milliseconds(lifetime)
	}
	if known[1] {
		row.Density = humanize.Rate(density)
	}
	return row
}

// siteHeads are the heads of the table of sites, each with the link that sorts
// by it.
func (v *sitesRequest) siteHeads(o *memprofdb.Overview) []page.Head {
	order := orderOf(v.SiteSort, v.address)
	first := map[string]string{string(memprofdb.SitesByFunction): "Function", string(memprofdb.SitesByLine): "Line",
		byFolder: "File or folder"}[v.By]
	var list []page.Head
	for _, c := range []struct {
		key          query.Column
		label, title string
		how          page.How
		needs        memprof.MIBField
	}{
		{memprofdb.ColName, first, "by name", page.How{}, 0},
		{memprofdb.ColBytes, "Bytes", "requested, of all objects", page.How{}, memprof.TotalSize},
		{"", "Share", "of the bytes of the contexts that match", page.How{}, memprof.TotalSize},
		{memprofdb.ColCount, "Objects", "number of allocations", page.How{}, memprof.AllocCount},
		{memprofdb.ColContexts, "Contexts", "call stacks that allocate here", page.HowMemProfContexts, 0},
		{memprofdb.ColSites, "Sites", "calls that allocate", page.HowMemProfSite, 0},
		{memprofdb.ColMixed, "Cloning", "sites that mix cold and other contexts", page.HowMemProfMixed, 0},
		{memprofdb.ColCold, "Cold bytes", "of cold contexts", page.HowMemProfClass, memprof.TotalLifetimeAccessDensity},
		{"", "Hot bytes", "of hot contexts", page.HowMemProfClass, memprof.TotalLifetimeAccessDensity},
		{memprofdb.ColAccesses, "Accesses", "loads and stores", page.How{}, memprof.TotalAccessCount},
		{
			"", "Density", "accesses per byte and second, mean over objects", page.HowMemProfDensity,
			memprof.TotalLifetimeAccessDensity,
		},
		{"", "Lifetime", "mean over objects", page.HowMemProfLifetime, memprof.TotalLifetime},
	} {
		if c.needs != 0 && !o.Schema.Has(c.needs) {
			continue
		}
		h := page.Head{
			Column: strings.ToLower(strings.ReplaceAll(c.label, " ", "-")), Label: c.label, Title: c.title,
			Number: c.key != memprofdb.ColName && c.label != "Share", How: c.how,
		}
		if c.key == memprofdb.ColName {
			h.Column = "name"
		}
		if c.key != "" {
			h.Sort, h.URL = order.Link(c.key, c.key == memprofdb.ColName)
		}
		list = append(list, h)
	}
	return list
}

// fillFolders adds the files and folders below a node of the tree of paths.
func (v *sitesRequest) fillFolders(ctx context.Context, m *memprofview.Sites, o *memprofdb.Overview,
	t *memprofdb.Tree) error {
	m.Heads = v.siteHeads(o)
	node, above, ok := t.Find(v.Node)
	if !ok {
		m.Empty = &page.Blank{Title: "Nothing is allocated in " + humanize.Printable(v.Node), Chips: m.Chips}
		return nil
	}
	at := v.address.Without("page", "cursor", selKey)
	m.Crumbs = []page.Link{{Label: "all", URL: at.Without("node").String()}}
	for i := range above {
		m.Crumbs = append(m.Crumbs, page.Link{
			Label: humanize.Printable(above[i].Name), URL: at.With("node", above[i].Path).String(),
		})
	}
	if v.Node == "" {
		m.Crumbs[0].URL = ""
	} else {
		m.Crumbs = append(m.Crumbs, page.Link{Label: humanize.Printable(node.Name)})
	}
	list := t.Children(node)
	if len(list) == 0 && node.Sum.Contexts > 0 {
		list = []memprofdb.Node{node}
	}
	if err := memprofdb.SortNodes(ctx, list, v.SiteSort); err != nil {
		return err
	}
	whole := t.Root().Sum.Bytes.Float64()
	from := min(v.Offset, len(list))
	to := min(from+v.Limit, len(list))
	for i := range list[from:to] {
		n := &list[from+i]
		row := v.folderRow(n, o, whole)
		row.Selected = v.address.Selected(string(n.Kind) + ":" + n.Path)
		if row.Selected.Selected {
			v.inspectSite(m.Inspector, &row, v.address.With("path", n.Filter))
		}
		m.Sites = append(m.Sites, row)
	}
	m.Shown = lists.ShownRows(from, to-from, len(list))
	m.Pager = site.ListPager(v.address, &v.Listing, len(list))
	return nil
}

func (v *sitesRequest) folderRow(n *memprofdb.Node, o *memprofdb.Overview, whole float64) memprofview.SiteRow {
	row := siteRow(&n.Sum, o, whole)
	row.Label, row.Title = humanize.Printable(n.Name), humanize.Printable(n.Path)
	contexts := v.address.Without("by", "sort", "page", "cursor", "node", "cols", selKey).With("path", n.Filter)
	row.URL = contexts.With("by", string(memprofdb.SitesByLine)).String()
	switch n.Kind {
	case query.Branch:
		row.URL = v.address.Without("page", "cursor", selKey).With("node", n.Path).String()
	case query.None:
		row.Label, row.Title = "no file", "frames with unknown source file"
	case query.Direct:
		row.Label = "(own)"
	}
	row.MixedURL = contexts.With("mixed", "true").String()
	return row
}
