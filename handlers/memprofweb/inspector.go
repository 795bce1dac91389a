package memprofweb

import (
	"context"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// How many frames and callers the inspector shows.
const (
	inspectedFrames  = 24
	inspectedCallers = 12
)

// selKey is the parameter of pages that a row is selected by.
const selKey = "sel"

const perByte = "per byte and second"

// siteFacts are the figures of contexts added up.
func siteFacts(r *memprofview.SiteRow) page.Facts {
	var facts page.Facts
	for _, f := range []struct {
		term string
		of   humanize.Number
		note string
	}{
		{"Bytes", humanize.SumBytes(r.Bytes), humanize.Percent(r.Share, 1)},
		{"Objects", humanize.SumCount(r.Allocations), ""}, {"Contexts", humanize.Count(r.Contexts), ""},
		{"Sites", humanize.Number{Text: humanize.Int(r.Sites)}, memprofview.Mixed(r.SiteTotals)},
		{"Accesses", humanize.SumCount(r.Accesses), ""}, {"Density", r.Density, perByte}, {"Lifetime", r.Lifetime, "mean"},
		{"Cold", memprofview.ClassBytes(r.SiteTotals, analyze.MemProfCold), ""},
		{"Hot", memprofview.ClassBytes(r.SiteTotals, analyze.MemProfHot), ""},
	} {
		if f.of.Text == "" {
			continue
		}
		if f.of.Exact != "" && f.note != "mean" && f.note != perByte {
			f.note = join(f.of.Exact, f.note)
		}
		facts.Add(f.term, f.of.Text, f.note)
	}
	return facts
}

func join(a, b string) string {
	if a != "" && b != "" {
		return a + ", " + b
	}
	return a + b
}

// inspectSite shows a site, or a file or folder; contexts are what it is made of.
func (v *sitesRequest) inspectSite(in *page.Inspector, r *memprofview.SiteRow, contexts site.Address) {
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Name: humanize.Name{Base: r.Label}, Place: r.Place, Facts: siteFacts(r), URL: r.URL,
		Open: "Open",
		Links: []page.Segment{
			{Label: "Flame graph", Title: "of these contexts alone", URL: contextFilters(v.base+"/flame", contexts).String()},
		},
	}
	if r.Name != nil {
		in.Name, in.Open = *r.Name, "Contexts"
	}
}

// inspectContext shows a context with its call stack.
func inspectContext(in *page.Inspector, url string, c *memprofdb.Row, n frameNames) {
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Tags: []page.Tag{memprofview.ClassTag(c.Class)},
		Name: memprofview.Allocator(c, n), URL: url, Open: "Open context",
	}
	if len(c.Stack) > 0 {
		in.Place = memprofview.Place(&c.Stack[c.Own])
	}
	for _, t := range contextTiles(c) {
		in.Facts.Add(t.Label, t.Value.Text, t.Note)
	}
	stack := page.Lines{Title: "Call stack", Note: "allocating function first"}
	for i := range c.Stack[:min(len(c.Stack), inspectedFrames)] {
		f := &c.Stack[i]
		name := n.Function(f.Function)
		stack.List = append(stack.List, page.NoteLine{
			Text: n.Short(f.Function), Title: name.Full, Note: shortPlace(f.File, f.Line), NoteURL: n.LineURL(f.File, f.Line),
		})
	}
	if more := c.Depth - len(stack.List); more > 0 {
		stack.More = humanize.Plural(more, "more frame")
	}
	in.Lists = append(in.Lists, stack)
}

// inspectBlame shows a blame frame, or a type, with the callers that tell its contexts
// apart.
func (s *handler) inspectBlame(ctx context.Context, p *memprofdb.Profile, v sitesRequest, n frameNames,
	in *page.Inspector, of *memprofdb.BlameSite, row *memprofview.BlameRow) error {
	filter, key, value := v.rowFilter(of)
	contexts := contextFilters(v.base+"/sites", v.address.With(key, value))
	v.inspectSite(in, &row.SiteRow, contexts)
	in.Name, in.Place, in.Tags = row.Name, row.Place, memprofview.ClassTags(&of.SiteTotals)
	in.URL, in.Open = contexts.String(), "Contexts"
	if of.Function != nil && filter.Blame != nil {
		in.Posts = skipPosts(of.Function.Name, v.Filter.Library, v.base, v.address, "profile", v.kept)
	}
	if row.At != "" {
		in.Facts = append(page.Facts{{Term: "Line", Value: row.At, Note: memprofview.More(of.Lines)}}, in.Facts...)
	}
	if row.Type != "" && row.Type != row.Name.Base {
		in.Facts = append(page.Facts{{Term: "Type", Value: row.Type, Note: memprofview.More(of.Types)}}, in.Facts...)
	}
	tree, err := p.BlameTree(ctx, filter, v.Fold, callersShown)
	if err != nil {
		return err
	}
	callers := page.Lines{Title: "Callers", Note: "of the most bytes"}
	for i := range tree.Nodes {
		node := &tree.Nodes[i]
		if len(node.Callers) == 0 || node.Depth > tree.Nodes[0].Depth || len(callers.List) == inspectedCallers {
			continue
		}
		f := node.Callers[0]
		callers.List = append(callers.List, page.NoteLine{
			Text: n.Short(f), Title: n.Function(f).Full, Note: humanize.SumBytes(node.Bytes).Text,
		})
	}
	if len(callers.List) > 0 {
		in.Lists = append(in.Lists, callers)
	}
	return nil
}

// skipPosts are what the browser does about a blame frame: what calls it is blamed from now on, and
// what it keeps of that is forgotten. They lead back to a page of what is said: a profile, or a
// comparison, whose base they keep the list for.
func skipPosts(function string, l *analyze.Library, base string, at site.Address, what, kept string) []page.Post {
	back := page.Hidden{
		Name: "for", Value: base[len("/p/"):] + " " + at.FirstPage("open", "library", selKey).String(),
	}
	var posts []page.Post
	if rule := analyze.SkipRule(names.Demangle(function, names.Short)); rule != "" {
		posts = []page.Post{{
			Label: "Skip this frame", Action: "/library", Title: "From now on what calls it is blamed: " + rule +
				" is a library frame of this " + what + " and its project, in this browser",
			Fields: []page.Hidden{{Name: "library", Value: l.With(rule)}, back},
		}}
	}
	if kept != "" {
		back.Name = "forget"
		posts = append(posts, page.Post{
			Label: "Forget skipped frames", Action: "/library", Title: "Blames frames by the server's list again",
			Fields: []page.Hidden{back},
		})
	}
	return posts
}

// shortPlace is a file's name with a line.
func shortPlace(file string, line uint32) string {
	at := shortFile(file)
	if at == "" || line == 0 {
		return humanize.Printable(at)
	}
	return humanize.Printable(at) + ":" + strconv.FormatUint(uint64(line), 10)
}

// quick is the field that filters contexts by words.
func (v *sitesRequest) quick() page.QuickFilter {
	return page.QuickFilter{
		Action: v.address.Path, Q: v.Filter.Text, Label: "function or file",
		Keep: site.Keep(v.address.FirstPage("q", selKey)), Typed: contextList.Suggested(),
	}
}

// shortFile is a path cut from the left, to its file.
func shortFile(file string) string {
	file = analyze.ResolvePath(file)
	return file[strings.LastIndexByte(file, '/')+1:]
}
