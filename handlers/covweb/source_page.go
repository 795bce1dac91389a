package covweb

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-chi/chi/v5"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/stored"
	"proflens/views/covview"
	"proflens/views/page"
)

// sourcePage is GET /p/{id}/files/*, and /p/{id}/files with a file.
func (s *handler) sourcePage(w http.ResponseWriter, r *http.Request) error {
	p := s.coverage(r)
	base := s.Base(r)
	f, other, err := fileOf(p, r, base)
	if err != nil {
		if t, wrong := s.Lines(r.Context(), s.Profile(r)); wrong == nil && t != nil && sourceweb.Has(t, r) {
			return site.ErrPass
		}
		return err
	}
	if other != "" {
		return site.SeeOther(w, r, other)
	}
	q, err := parseSource(r.URL, base)
	if err != nil {
		return err
	}
	if q.Format != "" {
		return site.Forward(w, r, linesAPI(base, f, string(q.Format)))
	}
	q.origin, q.unsettled = site.Origin(r), func() { site.Unsettled(w) }
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	m, err := s.sourceModel(ctx, s.Entry(r), p, f, q)
	if err != nil {
		return err
	}
	return s.Render(w, r, covview.SourcePage(s.ProfileShell(r, filesView, f.Path), *m))
}

// fileOf is the file that an address names. Of one that ends as several do, other is the
// address of their list; of the only one that ends so, that of its page.
func fileOf(p *covdb.Profile, r *http.Request, base string) (f *covdb.File, other string, err error) {
	name := r.URL.Query().Get("file")
	if name == "" {
		if name, err = url.PathUnescape(chi.URLParam(r, "*")); err != nil {
			name = chi.URLParam(r, "*")
		}
	}
	list := p.FilesOf(name)
	if len(list) != 1 || list[0].Path != name && list[0].Name != name {
		if whole := p.FilesOf("/" + name); len(whole) == 1 && whole[0].Name == "/"+name {
			list, name = whole, "/"+name
		}
	}
	switch {
	case len(list) == 0:
		return nil, "", &site.Absent{
			Title:  "No such file",
			Detail: "the coverage mapping has no file " + humanize.Printable(name),
		}
	case len(list) > 1:
		return nil, site.NewAddress(base+"/files").With("q", name).String(), nil
	case list[0].Path == name || list[0].Name == name:
		return list[0], "", nil
	}
	to, err := url.Parse(fileURL(base, list[0]))
	if err != nil {
		return nil, "", err
	}
	a := site.AddressOf(r.URL)
	a.Query = r.URL.Query()
	a.Query.Del("file")
	for key, values := range to.Query() {
		a.Query[key] = values
	}
	a.Path = to.Path
	return nil, a.String(), nil
}

// linesAPI is a file's lines in the API.
func linesAPI(base string, f *covdb.File, format string) string {
	a := site.NewAddress(site.APIOf(strings.TrimPrefix(base, "/p/"))+"/coverage/lines").With("file", f.Name)
	return a.With("format", format).String()
}

// sourceModel makes the page of a file.
func (s *handler) sourceModel(ctx context.Context, e *catalog.Entry, p *covdb.Profile, f *covdb.File,
	q *sourceRequest) (*covview.Source, error) {
	u, err := p.Union(ctx, f.Index)
	if err != nil {
		return nil, err
	}
	text, hasText, err := s.SourceText(ctx, e, f.Name)
	if err != nil {
		return nil, err
	}
	m := &covview.Source{
		NoText: !hasText, Measures: fileMeasures(&f.Sums, true), CSV: linesAPI(q.base, f, "csv"), Ways: sourceWays(q),
	}
	m.Name = f.Base()
	m.Dir = humanize.Printable(strings.TrimSuffix(f.Path, m.Name))
	m.Name = humanize.Printable(m.Name)
	links := s.SourceLinks(e)
	m.Elsewhere = sourceweb.Elsewhere(links, f.Name, f.Path, 0)
	v := &source{
		profile: p.Profile, name: f.Name, listing: &listing{rows: u.Rows}, q: q, cov: u.Coverage, files: p, file: f.Index,
		links: links, link: links.File(f.Name, f.Path),
	}
	what := fmt.Sprintf("coverage extents %d", f.Index)
	v.groups, err = stored.Cached(ctx, p.Profile, what, func() ([]extent, int64, error) {
		list := extents(u.Coverage, f.Index)
		return list, int64(len(list)) * int64(unsafe.Sizeof(extent{})), nil
	})
	if err != nil {
		return nil, err
	}
	if len(v.rows) == 0 {
		m.Empty = &page.Blank{
			Title: "No lines of this file are mapped",
			Text:  "Functions mention it, as the place of a macro or an include, and have no code there.",
		}
		m.Shown = "no lines"
		return m, nil
	}
	if hasText {
		if m.Embedded, err = s.SourceEmbedded(ctx, e, f.Name); err != nil {
			return nil, err
		}
		v.text = sources.Lines(text)
	}
	if m.Ask, err = s.ask(ctx, e, p, q.base, v); err != nil {
		return nil, err
	}
	if err := s.beside(ctx, v, m); err != nil {
		return nil, err
	}
	s.fill(m, v, text)
	return m, nil
}

// fill makes the rows of the page, and what stands beside them. The colours of its lines are
// found in text; without it they are known.
func (s *handler) fill(m *covview.Source, v *source, text []byte) {
	q := v.q
	if v.groups == nil {
		v.groups = extents(v.cov, v.file)
	}
	v.gaps = coverage.Gaps(v.rows)
	v.columns = widest(v.rows)
	v.fold()
	opens := q.sel
	if opens == 0 && len(v.gaps) > 0 {
		opens = v.gaps[0].First
	}
	rows := sourceRows
	if q.report != nil {
		rows = len(v.text)
	}
	list, before, after := window(v.runs(), q.from, opens, rows)
	if text != nil {
		var settled bool
		first, last := int(list[0].first), int(list[len(list)-1].last)
		if v.syntax, settled = s.syntax.Between(v.name, text, first, last, s.PageWait == 0); !settled {
			q.unsettled()
		}
	}
	v.index()
	m.Rows = s.lines(v, list)
	m.Minimap = v.minimap(list)
	m.Inspector = s.inspect(v)
	never := 0
	for i := range v.groups {
		if v.groups[i].never {
			never++
		}
		if i < maxFunctions {
			row := s.functionRow(q, &v.groups[i])
			row.Current = v.groups[i].holds(q.sel) && around(v.groups, q.sel) == &v.groups[i]
			m.Functions = append(m.Functions, row)
		}
	}
	humanize.Apart(m.Functions, func(f *covview.FunctionRow) *humanize.Name { return &f.Name })
	m.Says = humanize.Int(len(v.groups))
	if never > 0 {
		m.Says += ", " + humanize.Int(never) + " never ran"
	}
	m.More = humanize.More(len(v.groups) - maxFunctions)
	m.Previous, m.Next = v.steps()
	m.Gaps, m.GapAt = gapWords(v.gaps), v.gapNumber()
	m.Shown = "lines " + (span{list[0].first, list[len(list)-1].last}).words()
	turn := q.address.Without("sel", "from")
	if before > 0 {
		m.Earlier = turn.With("from", span{before, before}.String()).String()
	}
	if after > 0 {
		m.Later = turn.With("from", span{after, after}.String()).String()
	}
}

// fold folds what the request does not want to see.
func (v *source) fold() {
	if v.q.show == showGaps {
		wanted := v.q.wanted()
		v.foldGaps(v.groups, wanted)
		v.unfold(v.q.opens, wanted)
	}
	if v.text == nil {
		v.foldBlank()
	}
}

// index finds by line what rows need.
func (v *source) index() {
	v.before, v.after = v.q.selects()
	v.starts, v.gapAt = map[uint32][]*extent{}, map[uint32]bool{}
	for i := range v.groups {
		if g := &v.groups[i]; len(g.Functions) > 1 && (v.q.report == nil || v.q.report.Instances) {
			v.starts[g.first] = append(v.starts[g.first], g)
		}
	}
	for _, g := range v.gaps {
		v.gapAt[g.First] = true
	}
}

// steps are the gaps before and after the selected line.
func (v *source) steps() (previous, next string) {
	at, found := slices.BinarySearchFunc(v.gaps, v.q.sel, func(g coverage.Gap, line uint32) int {
		return cmp.Compare(g.First, line)
	})
	if at > 0 {
		previous = v.q.line(v.gaps[at-1].First)
	}
	if found {
		at++
	}
	if at < len(v.gaps) {
		next = v.q.line(v.gaps[at].First)
	}
	return previous, next
}

// gapNumber is the place of the selected line among the gaps: "7 of 19".
func (v *source) gapNumber() string {
	all := humanize.Plural(len(v.gaps), "gap")
	for i, g := range v.gaps {
		if g.First <= v.q.sel && v.q.sel <= g.Last {
			return humanize.Int(i+1) + " of " + all
		}
	}
	return all
}

func gapWords(gaps []coverage.Gap) string {
	if len(gaps) == 0 {
		return "no gap"
	}
	lines := 0
	for _, g := range gaps {
		lines += g.Lines
	}
	return humanize.Say("{gap}, {line}", len(gaps), lines)
}

// sourceWays choose between all lines and gaps.
func sourceWays(q *sourceRequest) []page.Segment {
	return q.address.Without("open", "from").Ways("show", showAll, q.show, []site.Way{
		{showAll, "All lines", ""}, {showGaps, "Gaps", "what is covered is folded"},
	})
}

// fileMeasures are a file's or a function's figures in a line.
func fileMeasures(sums *covdb.Sums, union bool) []covview.Measure {
	// they stand beside the lines
	list := slices.DeleteFunc(measures(sums, union, 0, nil), func(m covview.Measure) bool { return m.ID == "functions" })
	for i := range list {
		list[i].Of = strings.Replace(list[i].Of, " of ", "/", 1)
		list[i].Label, _, _ = strings.Cut(list[i].Label, " ")
	}
	return list
}
