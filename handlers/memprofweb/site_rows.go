package memprofweb

import (
	"context"

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
	m.Heads = v.heads(o, memprofdb.Sites, siteColumns)
	whole := p.Totals.Bytes.Float64()
	for i := range p.Rows {
		of := &p.Rows[i]
		row := siteRow(&of.SiteTotals, o, whole)
		name := humanize.Name{Base: "stacks without frames", Missing: true}
		contexts, id := v.address.FirstPage("by", "sort", "node", "cols", selKey), "none"
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

// fillFolders adds the files and folders below a node of the tree of paths.
func (v *sitesRequest) fillFolders(ctx context.Context, m *memprofview.Sites, o *memprofdb.Overview,
	t *memprofdb.Tree) error {
	m.Heads = v.heads(o, memprofdb.Sites, siteColumns)
	node, above, ok := t.Find(v.Node)
	if !ok {
		m.Empty = &page.Blank{Title: "Nothing is allocated in " + humanize.Printable(v.Node), Chips: m.Chips}
		return nil
	}
	at := v.address.FirstPage(selKey)
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
	contexts := v.address.FirstPage("by", "sort", "node", "cols", selKey).With("path", n.Filter)
	row.URL = contexts.With("by", string(memprofdb.SitesByLine)).String()
	switch n.Kind {
	case query.Branch:
		row.URL = v.address.FirstPage(selKey).With("node", n.Path).String()
	case query.None:
		row.Label, row.Title = "no file", "frames with unknown source file"
	case query.Direct:
		row.Label = "(own)"
	}
	row.MixedURL = contexts.With("mixed", "true").String()
	return row
}
