package sourceweb

import (
	"cmp"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/lines"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/sourceview"
)

const (
	autoOpen = 300 // files; of more only directories that are asked for are open
	deepest  = 6   // steps that rows are indented by
	closed   = "-" // of open: nothing
)

// treeRows are the rows of the tree of files: each directory with what is in it where it is
// open. open is nil where nothing was asked for.
type treeRows struct {
	t    *lines.Table
	base string
	a    site.Address
	sort []query.Key
	open []string
	rows []sourceview.FileRow
	// whole is what shares are of.
	whole float64
}

// figuresOf adds the figures of a file or directory to its row, and its share.
func figuresOf(row *sourceview.FileRow, t *lines.Table, sums []uint64, whole float64) {
	for c := range t.Columns {
		row.Figures = append(row.Figures, site.FigureOf(&t.Columns[c], sums[c]))
	}
	share := humanize.Part(float64(sums[t.Weight()]), whole)
	row.Share, row.Bar = humanize.Percent(share, 1), chart.PartBar(share)
}

// add adds what is in a directory; at most site.MaxLimit rows there are.
func (r *treeRows) add(of *lines.Node, indent int) {
	kids := slices.Clone(of.Kids)
	slices.SortStableFunc(kids, r.compare)
	for _, kid := range kids {
		if len(r.rows) >= site.MaxLimit {
			return
		}
		row := sourceview.FileRow{
			Name: humanize.Printable(kid.Name), Title: humanize.Printable(kid.Path), Indent: min(indent, deepest),
		}
		figuresOf(&row, r.t, kid.Sums, r.whole)
		if kid.File >= 0 {
			row.URL = site.FileURL(r.base, r.t.Files[kid.File].Name)
			r.rows = append(r.rows, row)
			continue
		}
		row.IsDir, row.Name, row.Files = true, row.Name+"/", humanize.Plural(kid.Dir.Files, "file")
		row.Open, row.URL = slices.Contains(r.open, kid.Path), r.toggle(kid.Path)
		r.rows = append(r.rows, row)
		if row.Open {
			r.add(kid, indent+1)
		}
	}
}

// toggle is the page with a directory opened, or closed.
func (r *treeRows) toggle(dir string) string {
	rest := slices.DeleteFunc(slices.Clone(r.open), func(path string) bool { return path == dir || path == closed })
	if len(rest) == len(r.open) || !slices.Contains(r.open, dir) {
		rest = append(rest, dir)
	}
	if len(rest) == 0 {
		rest = []string{closed}
	}
	return r.a.With("open", strings.Join(rest, ",")).String()
}

// compare orders what is in a directory; ties end by name.
func (r *treeRows) compare(a, b *lines.Node) int {
	for _, key := range r.sort {
		order := 0
		if key.Column == "file" {
			order = strings.Compare(a.Name, b.Name)
		}
		for c := range r.t.Columns {
			if r.t.Columns[c].Key == string(key.Column) {
				order = cmp.Compare(a.Sums[c], b.Sums[c])
			}
		}
		if key.Desc {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// directories are the paths of all directories below a node.
func directories(n *lines.Node) (list []string) {
	for _, kid := range n.Kids {
		if kid.File < 0 {
			list = append(append(list, kid.Path), directories(kid)...)
		}
	}
	return list
}
