package memprofweb

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// How many nodes the callers of a blame frame have: on the page, unless asked
// otherwise, and at most. openShown is how many rows a page shows them of.
const (
	callersShown = 60
	maxCallers   = 10_000
	openShown    = 20
)

// blame is the page of sites by blame.
func (s *handler) blame(ctx context.Context, p *memprofdb.Profile, v sitesRequest,
	n frameNames) (memprofview.Blame, error) {
	o := p.Overview
	by := memprofdb.SiteBy(v.By)
	m := memprofview.Blame{
		Switches: foldSwitches(v.address, v.Fold, true), Library: libraryForm(v.base, v.address, v.Filter.Library, v.kept),
	}
	contexts, err := p.Contexts(ctx, memprofdb.Query{Filter: v.Filter})
	if err != nil {
		return m, err
	}
	m.Sites = v.model(o, contexts)
	m.Names = n
	m.Flame = folded(contextFilters(v.base+"/flame", v.address), v.Fold).String()
	if m.Empty != nil {
		return m, nil
	}
	rows, err := p.Blame(ctx, memprofdb.BlameQuery{
		Filter: v.Filter, By: by, Library: v.Filter.Library, Sort: v.SiteSort, Offset: v.Offset, Limit: v.Limit,
	})
	if err != nil {
		return m, err
	}
	if m.Answers, err = s.answers(ctx, p, v, n); err != nil {
		return m, err
	}
	m.Heads = v.heads(o, memprofdb.BlameSites, blameColumns)
	whole, largest := rows.Totals.Bytes.Float64(), 0.0
	for i := range rows.Rows {
		largest = max(largest, rows.Rows[i].Bytes.Float64())
	}
	for i := range rows.Rows {
		of := &rows.Rows[i]
		row := v.blameRow(of, o, n, whole, largest)
		row.Selected = v.address.Selected(v.rowID(of))
		if row.Selected.Selected {
			if err := s.inspectBlame(ctx, p, v, n, m.Inspector, of, &row); err != nil {
				return m, err
			}
		}
		if row.Open {
			if err := s.unfold(ctx, p, v, n, of, &row, whole, largest); err != nil {
				return m, err
			}
		}
		m.Rows = append(m.Rows, row)
	}
	humanize.Apart(m.Rows, func(r *memprofview.BlameRow) *humanize.Name { return &r.Name })
	m.Heads = typed(m.Heads, m.Rows)
	m.Shown = lists.ShownRows(v.Offset, len(rows.Rows), rows.Matching)
	m.Pager = site.ListPager(v.address, &v.Listing, rows.Matching)
	if !rows.InFrames.IsZero() {
		m.InLibrary = humanize.PartPercent(rows.InFrames.Float64(), whole, 1) +
			" of the bytes are allocated in a library frame; they count for its first caller outside the library"
	}
	return m, nil
}

// contextFilters is a path with the parameters of an address that select contexts.
func contextFilters(path string, a site.Address) site.Address {
	kept := site.NewAddress(path)
	for _, key := range filterKeys {
		kept = kept.With(key, a.Query.Get(key))
	}
	return kept
}

// libraryForm is the list of what is a library's, to be edited.
// kept is the one that the browser keeps.
func libraryForm(base string, a site.Address, l *analyze.Library, kept string) memprofview.LibraryForm {
	f := memprofview.LibraryForm{
		For: base[len("/p/"):] + " " + a.FirstPage("library", selKey).String(), Kept: kept != "",
		Action: a.Path, Rules: l.Key(), Count: humanize.Plural(l.Len(), "pattern"),
		Keep: site.Keep(a.FirstPage("library")),
	}
	if text := a.Query.Get("library"); text != "" && text != kept {
		f.Default = a.FirstPage("library").String()
	}
	return f
}

// rowID names a row in addresses.
func (v *sitesRequest) rowID(of *memprofdb.BlameSite) string {
	if v.By == string(memprofdb.SitesByType) {
		if of.Type == "" {
			return unknownType
		}
		return strings.ReplaceAll(of.Type, ",", "") // the list of open rows has commas
	}
	if of.Function == nil {
		return site.FID(0)
	}
	return site.FID(of.Function.FID)
}

// rowFilter selects the contexts of a row.
func (v *sitesRequest) rowFilter(of *memprofdb.BlameSite) (f memprofdb.Filter, key, value string) {
	f = v.Filter
	if v.By == string(memprofdb.SitesByType) {
		f.Type = new(of.Type)
		if of.Type == "" {
			return f, "type", unknownType
		}
		return f, "type", of.Type
	}
	fid := uint64(0)
	if of.Function != nil {
		fid = of.Function.FID
	}
	f.Blame = &fid
	return f, "blame", site.FID(fid)
}

func (v *sitesRequest) blameRow(of *memprofdb.BlameSite, o *memprofdb.Overview, n frameNames,
	whole, largest float64) memprofview.BlameRow {
	id := v.rowID(of)
	row := v.blameFigures(of, o, whole, largest)
	row.PlaceURL = n.LineURL(of.File, of.Line)
	row.ID, row.Open = "b-"+strconv.FormatUint(hashOf(id), 36), slices.Contains(v.Open, id)
	open := slices.DeleteFunc(slices.Clone(v.Open), func(one string) bool { return one == id })
	if !row.Open {
		open = append(open, id)[max(0, len(open)+1-openShown):]
	}
	row.Toggle = v.address.With("open", strings.Join(open, ",")).String() + "#" + row.ID
	row.Name = humanize.Name{
		Base: "only library frames", Full: "stacks without a frame outside the library", Missing: true,
	}
	if of.Function != nil {
		row.Name = n.Function(of.Function)
	}
	if v.By == string(memprofdb.SitesByType) {
		row.Name = humanize.Name{Base: of.Type, Full: of.Type}
		if of.Type == "" {
			row.Name = humanize.Name{Base: "type not known", Full: "the frames' names do not show it", Missing: true}
		}
		if of.Function != nil {
			row.Type = n.Short(of.Function)
		}
	}
	return row
}

// hashOf is a number for an identifier in a page.
func hashOf(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// blameFigures are the cells of what some contexts come to.
func (v *sitesRequest) blameFigures(of *memprofdb.BlameSite, o *memprofdb.Overview,
	whole, largest float64) memprofview.BlameRow {
	row := memprofview.BlameRow{
		SiteRow: siteRow(&of.SiteTotals, o, whole), Of: of, Type: of.Type,
	}
	row.Bar = chart.ShareBar(row.Share, humanize.Part(largest, whole))
	if of.Function != nil || of.File != "" {
		row.At = shortFile(of.File)
		if of.Line > 0 && row.At != "" {
			row.At += ":" + strconv.FormatUint(uint64(of.Line), 10)
		}
		row.At = humanize.Printable(row.At)
		row.Place = humanize.Printable(analyze.ResolvePath(of.File))
	}
	if objects := of.Allocations.Float64(); objects > 0 {
		row.Mean = humanize.Bytes(uint64(math.Round(of.Bytes.Float64() / objects)))
		if o.Schema.Has(memprof.TotalAccessDensity) {
			row.Density = humanize.Rate(of.Touched.Float64() / objects / 100)
		}
	}
	return row
}

// unfold adds the callers of a row.
func (s *handler) unfold(ctx context.Context, p *memprofdb.Profile, v sitesRequest, n frameNames,
	of *memprofdb.BlameSite,
	row *memprofview.BlameRow, whole, largest float64) error {
	filter, key, value := v.rowFilter(of)
	tree, err := p.BlameTree(ctx, filter, v.Fold, callersShown)
	if err != nil {
		return err
	}
	row.All = contextFilters(v.base+"/sites", v.address.With(key, value)).String()
	if len(tree.Library) > 0 {
		var chain []string
		for _, f := range tree.Library {
			name := n.Short(f)
			chain = append(chain, lastName(name))
		}
		row.Chain = strings.Join(slices.Compact(chain), " → ")
		row.Folded = "up to " + humanize.Plural(of.Folded, "frame")
		if v.Fold.Library == nil {
			row.Chain = strings.Join(chain, " → ")
		}
	}
	if tree.Cut > 0 {
		row.Cut = humanize.Plural(tree.Cut, "more context")
	}
	for i := range tree.Nodes {
		node := &tree.Nodes[i]
		c := memprofview.CallerRow{
			BlameRow: v.blameFigures(&memprofdb.BlameSite{BlameSums: node.BlameSums}, p.Overview, whole, largest),
			Node:     node,
		}
		if node.Context != 0 {
			c.URL = v.base + "/sites/" + site.FID(node.Context) + v.thresholds()
		}
		row.Callers = append(row.Callers, c)
	}
	return nil
}

// typed are the heads without that of types where no row has one, as in C.
func typed(heads []page.Head, rows []memprofview.BlameRow) []page.Head {
	if slices.ContainsFunc(rows, func(r memprofview.BlameRow) bool { return r.Type != "" }) {
		return heads
	}
	return slices.DeleteFunc(heads, func(h page.Head) bool { return h.Column == "type" })
}

// lastName is a name without what it stands in.
func lastName(name string) string {
	if at := strings.LastIndex(name, "::"); at >= 0 {
		return name[at+len("::"):]
	}
	return name
}
