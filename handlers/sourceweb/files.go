package sourceweb

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/lines"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// anyColumns are the figures that a profile may have, but for samples, which are called
// after their events.
var anyColumns = lines.Table{
	Columns: []lines.Column{
		{Key: "functions"}, {Key: "entry"}, {Key: "total"}, {Key: "bytes"}, {Key: "allocations"}, {Key: "through_bytes"},
	},
}

// fileList is the list of files with the figures of a table.
func fileList(t *lines.Table) *lists.List { return lists.ListOf(t.FileRows()) }

// filesPage is GET /p/{id}/files.
func (s *handler) filesPage(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Get("file") != "" {
		return s.sourcePage(w, r)
	}
	if r.URL.Query().Has("format") {
		return site.AnswerByAPI(w, r)
	}
	t, err := s.figures(r)
	if err != nil {
		return err
	}
	l, weight := fileList(t), t.Weight()
	p, err := parseFiles(l, r)
	if err != nil {
		return err
	}
	if moved, err := l.Typed(w, r); moved || err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	if len(p.Query.Sort) == 0 {
		p.Query.Sort = []query.Key{l.Usual}
	}
	found, err := t.FileRows().Within(table.Set{Rows: t.Files})(ctx, table.Query{RowQuery: p.Query})
	if err != nil {
		return err
	}
	m := sourceview.Files{Weight: weight,
		List: l.Frame(site.AddressOf(r.URL), &p.Params, lists.Found{
			Shown: found.Len(), Matching: found.Matching, All: found.All,
		}),
	}
	m.List.Modes = nil
	m.Heads = slices.Insert(m.Heads, weight+2, page.Head{
		Column: "share", Label: "Share", Title: "of all files", Number: true,
	})
	base := s.Base(r)
	plain := site.AddressOf(r.URL).FirstPage("show", "open")
	m.Ways = []page.Segment{
		{Label: "Tree", Title: "by directory", URL: plain.Without("q", "re").String(), Current: p.tree},
		{Label: "List", Title: "all files in one order", URL: plain.With("show", "list").String(), Current: !p.tree},
	}
	root := t.Tree()
	whole := float64(root.Sums[weight])
	if p.tree {
		rows := treeRows{t: t, base: base, a: site.AddressOf(r.URL), sort: p.Query.Sort, open: p.open, whole: whole}
		if rows.open == nil && len(t.Files) <= autoOpen {
			rows.open = directories(root)
		}
		rows.add(root, 0)
		m.Rows, m.List.Pager = rows.rows, page.Pager{}
		m.List.Shown = humanize.Plural(len(t.Files), "file")
		return s.Render(w, r, sourceview.FilesPage(s.ProfileShell(r, site.FilesView, ""), m))
	}
	for _, f := range table.RowsOf[lines.File](&found) {
		at := strings.LastIndexByte(f.Name, '/') + 1
		row := sourceview.FileRow{
			Dir: humanize.Printable(f.Name[:at]), Name: humanize.Printable(f.Name[at:]), Title: humanize.Printable(f.Name),
			URL: site.FileURL(base, f.Name),
		}
		figuresOf(&row, t, f.Sums, whole)
		m.Rows = append(m.Rows, row)
	}
	return s.Render(w, r, sourceview.FilesPage(s.ProfileShell(r, site.FilesView, ""), m))
}

// filesRequest is a request for the page of files.
type filesRequest struct {
	lists.Params
	tree bool     // rather than a list of those that a filter selects
	open []string // directories; nil for what opens by itself
}

func parseFiles(l *lists.List, r *http.Request) (*filesRequest, error) {
	v := site.NewValues(r.URL.Query(), slices.Concat(l.Keys(), []string{"show", "open"}))
	q := &filesRequest{Params: l.Read(v), open: v.List("open")}
	q.tree = site.Choice(v, "show", "tree", "list") == "tree" && q.Query.Text+q.Query.Regexp == "" &&
		len(q.Query.Ranges) == 0 && q.Offset == 0
	return q, v.Err
}

// listFiles is GET /profiles/{id}/files of the API.
func (s *handler) listFiles(w http.ResponseWriter, r *http.Request) error {
	t, err := s.figures(r)
	if err == errNoLines { // what is wrong with the parameters is told first
		_, wrong := fileList(&anyColumns).Parse(r.URL.Query())
		return cmp.Or(wrong, err)
	}
	if err != nil {
		return err
	}
	l := fileList(t)
	p, err := l.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	return s.ListTable(w, r, p.Listing, "-files",
		func(_ context.Context, o table.Options, whole bool) (table.Table, error) {
			d := t.FileRows()
			return d.Open(d.Within(table.Set{Rows: t.Files}), table.Query{RowQuery: p.Query}, o, whole), nil
		})
}
