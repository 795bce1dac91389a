package covweb

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/builds/gate"
	"proflens/catalog"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/covdb"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/views/chart"
	"proflens/views/covview"
	"proflens/views/page"
)

// filesPage is GET /p/{id}/files.
func (s *handler) filesPage(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Get("file") != "" {
		return s.sourcePage(w, r)
	}
	if moved, err := fileList.Typed(w, r); moved || err != nil {
		return err
	}
	labels, err := s.labels(r.Context(), s.Entry(r))
	if err != nil {
		return err
	}
	q, err := parseFiles(r.URL, s.Base(r), labels)
	if err != nil {
		return err
	}
	q.links = s.SourceLinks(s.Entry(r))
	if q.Format != "" {
		return site.Forward(w, r, q.api(string(q.Format)))
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	whole := s.coverage(r)
	x := s.exclusion(s.Entry(r), q)
	p, err := x.Of(ctx, whole)
	if err != nil {
		return err
	}
	m, err := s.filesModel(ctx, p, q)
	if err != nil {
		return err
	}
	if m.LeftOut, err = x.LeftOut(ctx, whole, p, q.query(q.path, nil, 0, 0)); err != nil {
		return err
	}
	return s.Render(w, r, covview.FilesPage(s.ProfileShell(r, filesView, ""), *m))
}

// api is the same rows in the API.
func (q *filesRequest) api(format string) string {
	a := q.address.FirstPage("goal", "open", "exclude", "limit", "names").With("format", format)
	a = a.With("without", words(q.without))
	a.Path = site.APIOf(strings.TrimPrefix(q.base, "/p/")) + "/coverage/files"
	return a.String()
}

// filesModel makes the page of the tree.
func (s *handler) filesModel(ctx context.Context, p *covdb.Profile, q *filesRequest) (*covview.Files, error) {
	at, err := p.Tree(ctx, q.path, q.tree(q.Offset, q.Limit))
	if errors.Is(err, stored.ErrNoPart) {
		return nil, &site.Absent{
			Title:  "No such directory",
			Detail: "no file of the coverage mapping is below " + humanize.Printable(q.path),
		}
	}
	if err != nil {
		return nil, err
	}
	o, never, decisions := p.Overview, q.listOf("/uncovered", at.Node), q.listOf("/mcdc", at.Node)
	sums, lists := at.Node.Sums, map[string]string{
		"functions": never.String(), "mcdc": decisions.With("missing", "true").String(),
		"branches": q.flat("branches<100", "kind,branches"), "regions": q.flat("regions<100", "kind,regions"),
	}
	if q.filters() { // lists of what is missing know no words of paths
		found, err := p.Sum(ctx, q.query(at.Node.Path, nil, 0, 0))
		if err != nil {
			return nil, err
		}
		sums, lists = found.Sums, nil
		at.Node = &covdb.Node{Name: at.Node.Name, Path: at.Node.Path, Files: found.Files, Sums: found.Sums}
	}
	m := &covview.Files{
		Of: q.of(at.Node, o), Kinds: append(q.kinds(o), q.excludes()...), Notes: columnNotes(p),
		Title: "Directories and files", Why: whyWords(&sums), Inst: q.ways(&sums), Crumbs: q.crumbs(at), CSV: q.api("csv"),
		Heads:    site.ColumnHeads(fileColumns(), q.order()),
		Measures: measures(&sums, q.union, q.goal, lists), Union: q.union, Goal: q.goal,
		Quick: page.QuickFilter{
			Action: q.address.Path, Q: q.text, Label: "path, or lines<80",
			Keep: site.Keep(q.address.FirstPage("q")), Typed: fileList.Suggested(),
		},
	}
	m.Chips, m.Clear = q.chips()
	m.Findings = misfitLines(o, q.base)
	if err := q.fillRows(ctx, p, at, m); err != nil {
		return nil, err
	}
	if err := q.fillUnder(ctx, p, m); err != nil {
		return nil, err
	}
	if sums.Partly > 0 {
		m.Partly = "partly: the line ran, a region or a branch side on it did not: " +
			humanize.Plural(sums.Partly, "line")
	}
	return m, s.fillBeside(ctx, p, q, m)
}

// words are a list as a parameter has it.
func words[T ~string](list []T) string { return strings.ReplaceAll(site.JoinWords(list), ", ", ",") }

// switched is the value of a parameter with a word more or, where it is on the list, without it.
func switched[T ~string](list []T, word T) (value string, on bool) {
	rest := slices.DeleteFunc(slices.Clone(list), func(w T) bool { return w == word })
	if on = len(rest) < len(list); !on {
		rest = append(rest, word)
	}
	return cmp.Or(words(rest), closed), on
}

// of says which files the totals are of; empty of all.
func (q *filesRequest) of(n *covdb.Node, o *covdb.Overview) string {
	if n.Files == o.Files {
		return ""
	}
	text := "Totals of " + covdb.OfFiles(n.Files, o.Files)
	if q.filters() {
		text += ", those that match"
	}
	if n.Path != "" {
		text += ", below " + humanize.Printable(n.Path) + "/"
	}
	return text + "."
}

// kinds are the files that are not one's own, each with the address where the totals are without
// them, or with them again.
func (q *filesRequest) kinds(o *covdb.Overview) (list []page.Segment) {
	for _, kind := range sources.Others {
		n := o.Kinds[kind]
		if n == 0 {
			continue
		}
		to, out := switched(q.without, kind)
		title := "in the totals: leave out"
		if out {
			title = "left out: count again"
		}
		list = append(list, page.Segment{
			Label: string(kind) + " " + humanize.Int(n), Title: title, Current: !out,
			URL: q.address.FirstPage("open").With("without", to).String(),
		})
	}
	return list
}

// labels are those of a profile, and what its project's rules say where it has none.
func (s *handler) labels(ctx context.Context, e *catalog.Entry) (map[string]string, error) {
	if e.Project == "" {
		return e.Labels, nil
	}
	text, _, err := s.Store.Projects().Rules(ctx, e.Project)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	if rules, err := gate.Parse([]byte(text)); err == nil { // else their page says so
		all[coverage.WithoutLabel], all[coverage.ExcludeLabel] = rules.Without, rules.Exclude
	}
	maps.Copy(all, e.Labels)
	return all, nil
}

// usual is a request for all files, as labels and rules have it.
func (s *handler) usual(ctx context.Context, e *catalog.Entry) (*filesRequest, error) {
	labels, err := s.labels(ctx, e)
	if err != nil {
		return nil, err
	}
	base := site.PageOf(e.ID)
	return parseFiles(&url.URL{Path: base + "/files"}, base, labels)
}

// count has the figures of a profile be those that its first page has.
func (s *handler) count(e *catalog.Entry, p *stored.Profile) {
	covdb.Count(p, func(ctx context.Context) (*covdb.Exclusion, error) {
		q, err := s.usual(ctx, e)
		if err != nil {
			return nil, err
		}
		return s.exclusion(e, q), nil
	})
}

// exclusion is what a request leaves out of all numbers.
func (s *handler) exclusion(e *catalog.Entry, q *filesRequest) *covdb.Exclusion {
	return &covdb.Exclusion{Kinds: q.without, What: q.exclude,
		Text:    func(ctx context.Context, name string) ([]byte, bool, error) { return s.SourceText(ctx, e, name) },
		Version: func(ctx context.Context) (string, error) { return s.SourcesVersion(ctx, e) }}
}

// excludes are the switches of what is left out of all numbers.
func (q *filesRequest) excludes() (list []page.Segment) {
	for _, what := range []struct{ word, label, title string }{
		{coverage.ExcludeMarkers, "without LCOV_EXCL", "leave out what LCOV and gcovr markers exclude in the sources given"},
		{coverage.ExcludeMacros, "without macros", "leave out the regions and branches in expansions of macros"},
	} {
		to, out := switched(q.exclude, what.word)
		list = append(list, page.Segment{
			Label: what.label, Title: what.title, Current: out,
			URL: q.address.FirstPage().With("exclude", to).String(),
		})
	}
	return list
}

// listOf is the address of a list of what is in a directory.
func (q *filesRequest) listOf(path string, n *covdb.Node) site.Address {
	a := site.NewAddress(q.base+path).With("without", words(q.without))
	if n.Path == "" {
		return a
	}
	return a.With("path", n.Path+"/")
}

// whyWords say what totals are made of.
func whyWords(sums *covdb.Sums) string {
	words := humanize.Say("{} of {function} never ran; one by one, {} of their {instantiation}.", sums.Functions.Missed(),
		sums.Functions.Total, sums.Instantiations.Missed(), sums.Instantiations.Total)
	if sums.Lines != sums.Union.Lines {
		words += " Best counts lines as llvm-cov report does, and Union those that the pages of files show: a line as " +
			"often as all instantiations ran it together."
	}
	return words
}

// columnNotes say why a column has nothing in any row, and what branches are not.
func columnNotes(p *covdb.Profile) (list []string) {
	in := func(ends ...string) bool {
		return slices.ContainsFunc(p.FileNames(), func(name string) bool {
			return slices.Contains(ends, strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]))
		})
	}
	rust, branches := in("rs"), p.Overview.Totals.Branches.Total > 0
	switch {
	case rust && !branches:
		list = append(list, "Branches and MC/DC show –: rustc's stable release writes neither; a nightly one writes "+
			"branches with -Zcoverage-options=branch.")
	case !branches && p.Overview.SingleByte:
		list = append(list, "Branches show –: clang writes none with counters of a single byte.")
	case !branches:
		list = append(list, "Branches show –: the mapping has none. clang writes them from LLVM 12 on.")
	case p.Overview.Totals.MCDC.Total == 0 && !rust:
		list = append(list, "MC/DC shows –: nothing was compiled with -fcoverage-mcdc, or no decision has two conditions.")
	}
	if branches && in("cc", "cpp", "cxx", "hpp", "hh", "mm") {
		list = append(list, "LLVM has no branches for exceptions: a call that throws is not counted as a side of a "+
			"condition.")
	}
	return list
}

// ways choose how instantiations are counted.
func (q *filesRequest) ways(sums *covdb.Sums) []page.Segment {
	percent := func(m coverage.Metric) string { return humanize.Percent(m.Percent()/100, 2) }
	to := q.address.FirstPage()
	return []page.Segment{
		{
			Label: "Best " + percent(sums.Lines),
			Title: "of a template's instantiations the one with the most, in each number, as llvm-cov counts",
			URL:   to.Without("inst").String(), Current: !q.union,
		},
		{
			Label: "Union " + percent(sums.Union.Lines),
			Title: "lines as often as all instantiations ran them together: what ran in any ran",
			URL:   to.With("inst", instUnion).String(), Current: q.union,
		},
	}
}

// flat is the list of files that pass a threshold, in an order.
func (q *filesRequest) flat(threshold, sort string) string {
	return q.address.FirstPage("open").With("q", threshold).With("sort", sort).String()
}

// misfitLines say what is in no total.
func misfitLines(o *covdb.Overview, base string) []covview.Finding {
	var list []covview.Finding
	for _, k := range []struct {
		kind covdb.MisfitKind
		text string
	}{
		{covdb.Mismatched, "of another build, in no total."},
		{covdb.Short, "with fewer counters than the mapping speaks of, in no total."},
		{covdb.Bitmapless, "whose MC/DC cannot be told: the profile has no bitmaps of them."},
		{covdb.Lost, "without lines: the mapping has others of the same name."},
	} {
		if n := o.Misfits[k.kind]; n > 0 {
			list = append(list, covview.Finding{
				Tag: page.Tag{Text: misfitWords[k.kind], Tone: page.Caution}, Link: humanize.Plural(n, "function"),
				URL: base + "/misfits?kind=" + string(k.kind), Text: k.text,
			})
		}
	}
	return list
}

var misfitWords = map[covdb.MisfitKind]string{
	covdb.Mismatched: "mismatch", covdb.Short: "too few counters", covdb.Bitmapless: "no bitmap", covdb.Lost: "lost",
	covdb.Hidden: "hidden", covdb.DummyRecord: "dummy",
}

func (q *filesRequest) crumbs(at *covdb.TreePage) []page.Link {
	var list []page.Link
	for _, n := range append(slices.Clone(at.Above), at.Node) {
		name := n.Name
		if n.Path == "" {
			name = "All files"
		}
		list = append(list, page.Link{Label: humanize.Printable(name), URL: q.into(n).String()})
	}
	list[len(list)-1].URL = ""
	return list
}

// into is the address of a directory by itself.
func (q *filesRequest) into(n *covdb.Node) site.Address {
	path := n.Path
	if path != "" {
		path += "/"
	}
	return q.address.FirstPage("open").With("path", path)
}

// fillRows lists the tree, or what passes the filters.
func (q *filesRequest) fillRows(ctx context.Context, p *covdb.Profile, at *covdb.TreePage, m *covview.Files) error {
	m.Count = humanize.Plural(at.Node.Files, "file")
	if q.filters() {
		files, matching, err := p.Files(ctx, q.query(at.Node.Path, ownFirst(q.sort), q.Offset, q.Limit))
		if err != nil {
			return err
		}
		for _, f := range files {
			m.Rows = append(m.Rows, q.row(f))
		}
		m.Count = humanize.Say("{} of {file}", matching, p.Overview.Files)
		m.Shown, m.Pager = lists.ShownRows(q.Offset, len(m.Rows), matching), site.ListPager(q.address, &q.Listing, matching)
		if matching == 0 {
			m.Empty = &page.Blank{Title: "No file matches", Chips: m.Chips}
		}
		return nil
	}
	open, err := q.opened(ctx, p, at)
	if err != nil {
		return err
	}
	if err := q.addNodes(ctx, p, at.Children, open, 0, m); err != nil {
		return err
	}
	m.Shown, m.Pager = lists.ShownRows(q.Offset, len(at.Children), at.Matching),
		site.ListPager(q.address, &q.Listing, at.Matching)
	if len(m.Rows) > len(at.Children) {
		m.Shown = humanize.Plural(len(m.Rows), "row")
	}
	if at.Matching == 0 {
		m.Empty = &page.Blank{Title: "No files", Text: "The mapping names no file of source."}
	}
	return nil
}

// opened are the directories that are open: those asked for, or the one with the most
// to see.
func (q *filesRequest) opened(ctx context.Context, p *covdb.Profile, at *covdb.TreePage) ([]string, error) {
	if q.open != nil || at.Node.Files > manyFiles {
		return q.open, nil
	}
	var open []string
	for {
		i := slices.IndexFunc(at.Children, func(n *covdb.Node) bool { return n.File == nil && n.Files <= autoOpen })
		if i < 0 {
			return open, nil
		}
		open = append(open, at.Children[i].Path)
		var err error
		if at, err = p.Tree(ctx, at.Children[i].Path, q.tree(0, site.MaxLimit)); err != nil {
			return nil, err
		}
	}
}

// addNodes lists directories and files, with what is below those that are open.
func (q *filesRequest) addNodes(ctx context.Context, p *covdb.Profile, nodes []*covdb.Node, open []string, indent int,
	m *covview.Files) error {
	const deepest = 6
	for _, n := range nodes {
		row := covview.FileRow{Node: n, Indent: min(indent, deepest)}
		if n.File != nil {
			row.URL, row.Source = fileURL(q.base, n.File), sourceweb.Elsewhere(q.links, n.File.Name, n.File.Path, 0)
			m.Rows = append(m.Rows, row)
			continue
		}
		row.Into, row.Open = q.into(n).String(), slices.Contains(open, n.Path) && len(m.Rows) < site.MaxLimit
		rest := slices.DeleteFunc(slices.Clone(open), func(path string) bool { return path == n.Path || path == closed })
		if !row.Open {
			rest = append(rest, n.Path)
		}
		if len(rest) == 0 {
			rest = []string{closed}
		}
		row.URL = q.address.With("open", strings.Join(rest, ",")).String()
		m.Rows = append(m.Rows, row)
		if !row.Open {
			continue
		}
		below, err := p.Tree(ctx, n.Path, q.tree(0, site.MaxLimit-len(m.Rows)))
		if err != nil {
			return err
		}
		if err := q.addNodes(ctx, p, below.Children, open, indent+1, m); err != nil {
			return err
		}
	}
	return nil
}

// row is a file of a list.
func (q *filesRequest) row(f *covdb.File) covview.FileRow {
	base := f.Base()
	return covview.FileRow{
		Node:   &covdb.Node{Name: base, Path: f.Path, File: f, Kind: f.Kind, Sums: f.Sums},
		Folder: humanize.Printable(strings.TrimSuffix(f.Path, base)), URL: fileURL(q.base, f),
		Source: sourceweb.Elsewhere(q.links, f.Name, f.Path, 0),
	}
}

// fillUnder counts what is below the goal.
func (q *filesRequest) fillUnder(ctx context.Context, p *covdb.Profile, m *covview.Files) error {
	t := covdb.Threshold{Column: "lines", Op: "<", Percent: float64(q.goal)}
	_, matching, err := p.Files(ctx, covdb.FileQuery{
		Dir: q.path, Thresholds: []covdb.Threshold{t}, Union: q.union, Without: q.without,
	})
	if err != nil || matching == 0 {
		return err
	}
	current := slices.Contains(q.thresholds, t)
	m.Under = &page.Segment{
		Label: "Under goal, " + humanize.Plural(matching, "file"),
		URL:   q.flat(t.String(), q.address.Query.Get("sort")),
		Title: "files with fewer lines covered than the goal", Current: current,
	}
	if current {
		m.Under.URL = q.address.FirstPage("q").String()
	}
	return nil
}

// fillBeside draws the map and lists the longest functions that never ran.
func (s *handler) fillBeside(ctx context.Context, p *covdb.Profile, q *filesRequest, m *covview.Files) error {
	drawn, all, err := p.Files(ctx, q.query(q.path, []query.Key{{Column: "total", Desc: true}}, 0, mapFiles))
	if err != nil {
		return err
	}
	root := chart.TreemapNode{}
	for _, f := range drawn {
		of := f.Of(q.union)
		if of.Lines.Total == 0 {
			continue
		}
		total := float64(of.Lines.Total)
		root.Weight += total
		root.Children = append(root.Children, chart.TreemapNode{
			Label: humanize.Printable(f.Base()) + " " + covview.Share(of.Lines), URL: fileURL(q.base, f), Weight: total,
			Title: humanize.Say("{}\n{} of {line} covered, {} missing", humanize.Printable(f.Path), covview.Share(of.Lines),
				of.Lines.Total, of.Lines.Missed()),
			Part: float64(of.Lines.Covered) / total, Half: float64(min(f.Partly, of.Lines.Covered)) / total,
		})
	}
	m.Map = chart.NewPanelTreemap(root)
	if more := all - len(drawn); more > 0 {
		m.MapNote = "; " + humanize.Int(more) + " smaller ones are not drawn"
	}
	return s.longest(ctx, p, q, longestN, m)
}

// longest lists the longest functions that never ran in the files that are shown, those of one's own
// code first.
func (s *handler) longest(ctx context.Context, p *covdb.Profile, q *filesRequest, limit int, m *covview.Files) error {
	m.Never = q.listOf("/uncovered", &covdb.Node{Path: q.path}).String()
	shown, _, err := p.Files(ctx, q.query(q.path, nil, 0, p.Overview.Files))
	if err != nil {
		return err
	}
	never := covdb.FunctionQuery{State: covdb.Never, OwnFirst: true, RowQuery: query.RowQuery{Limit: limit}}
	if len(shown) < p.Overview.Files {
		never.Files = []int{}
		for _, f := range shown {
			never.Files = append(never.Files, f.Index)
		}
	}
	list, err := p.Functions(ctx, never)
	if err != nil {
		return err
	}
	for i := range list.Rows {
		m.Longest = append(m.Longest, s.longRow(q.base, &list.Rows[i]))
	}
	m.NeverN = humanize.Int(list.Matching) + leftOut(list.LeftOut)
	return nil
}

// leftOut says how many of a list's rows are in no number; empty for none.
func leftOut(rows int) string {
	if rows == 0 {
		return ""
	}
	return ", " + humanize.Int(rows) + " left out"
}

// longRow is a function that never ran.
func (s *handler) longRow(base string, f *covdb.Function) covview.LongRow {
	row := covview.LongRow{Function: f, Name: s.name(f.Shown, names.NoTemplates)}
	if f.File != nil {
		row.URL = lineURL(base, f.File, f.Line)
	}
	return row
}
