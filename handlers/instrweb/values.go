package instrweb

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/table"
	"proflens/views/instrview"
	"proflens/views/page"
)

// inspectedValues is how many values of a site the inspector lists.
const inspectedValues = 40

// valueKindWords are the values of the parameter kind.
var valueKindWords = []string{"indirect", "memop", "vtable"}

// siteQuality is a value of the parameter quality of value sites.
type siteQuality struct {
	word string
	mark analyze.SiteMark
	says string
}

var siteQualities = []siteQuality{
	{"full", analyze.SiteFull, "possibly truncated sites"},
	{"short", analyze.SiteShort, "incomplete sites"},
}

// values is the page and the table of value sites.
var values = lists.Declared{
	Declaration: instrdb.ValueSites, ID: "sites", API: "/values", View: site.ValuesView, Opens: "Open function",
	Own: []string{"kind", "target", "quality"},
	None: page.Blank{
		Title: "No value sites of this kind",
		Text: "The file has none. -fprofile-generate records them; front-end instrumentation needs -mllvm " +
			"-enable-value-profiling=true.",
	},
	Find: findValues(instrprof.IndirectCallTarget), Inspect: inspectSite,
}

// findValues finds those of a kind where a request says none.
func findValues(usual instrprof.ValueKind) func(v *site.Values) lists.Finder {
	return func(v *site.Values) lists.Finder {
		kind := usual
		if word := site.Choice(v, "kind", valueKindWords...); v.One("kind") != "" {
			kind = instrprof.ValueKind(slices.Index(valueKindWords, word))
		}
		marks, target := siteMarks(v), strings.TrimSpace(v.One("target"))
		if _, err := names.NewTerms(target, ""); err != nil {
			v.Fail("target", "%v", err)
		}
		return lists.Of(instrdb.OfAny, func(ctx context.Context, p *instrdb.Profile) (table.Find, error) {
			return p.FindValues(ctx, kind, marks, target)
		})
	}
}

// siteMarks reads the parameter quality.
func siteMarks(v *site.Values) (marks analyze.SiteMark) {
	for _, word := range v.List("quality") {
		i := slices.IndexFunc(siteQualities, func(q siteQuality) bool { return q.word == word })
		if i < 0 {
			v.Fail("quality", "unknown value %q; use full, short or both", word)
			break
		}
		marks |= siteQualities[i].mark
	}
	return marks
}

// valuesPage is GET /p/{id}/values: of the first kind that the profile has, unless one is
// given.
func (s *handler) valuesPage(w http.ResponseWriter, r *http.Request) error {
	o, d := s.records(r).Overview, values // a copy: what is first depends on the kind
	kind := firstKind(o)
	d.Find = findValues(kind)
	d.Fixed = []string{"kind", valueKindWords[kind]}
	d.Adorn = func(_ *http.Request, v *lists.Request, g *page.Grid) error {
		aroundValues(v, o, g)
		return nil
	}
	return d.Serve(s.Site)(w, r)
}

// firstKind is the first kind that a profile has sites of.
func firstKind(o *instrdb.Overview) instrprof.ValueKind {
	for _, k := range siteKinds {
		if o.Sites[k.kind] > 0 {
			return k.kind
		}
	}
	return instrprof.IndirectCallTarget
}

// valueNotes say of each kind what it is, and valueFirsts what its usual order is for.
var valueNotes = [instrprof.NumValueKinds]string{
	instrprof.IndirectCallTarget: "Functions called through a pointer.",
	instrprof.MemOPSize: "Bytes per memcpy, memset and so on; the runtime groups sizes above 8 that are not " +
		"powers of two into ranges.",
	instrprof.VTableTarget: "Vtables of the objects of virtual calls.",
}

var valueFirsts = [instrprof.NumValueKinds]string{
	instrprof.IndirectCallTarget: "Sorted by the count of the top target: best candidates for call promotion first.",
	instrprof.MemOPSize:          "Sorted by the count of the top size: best candidates for specialisation first.",
	instrprof.VTableTarget:       "Sorted by the count of the top vtable: best candidates for devirtualisation first.",
}

// valueWords are what the sites of each kind saw.
var valueWords = [instrprof.NumValueKinds]string{
	instrprof.IndirectCallTarget: "Target", instrprof.MemOPSize: "Size", instrprof.VTableTarget: "Vtable",
}

// aroundValues says what the sites of a kind are, and offers the others.
func aroundValues(v *lists.Request, o *instrdb.Overview, g *page.Grid) {
	a, sums := v.Address.FirstPage(lists.Selected), v.Found.Around.(*instrdb.ValueSums)
	kind := firstKind(o)
	if i := slices.Index(valueKindWords, a.Query.Get("kind")); i >= 0 {
		kind = instrprof.ValueKind(i)
	}
	g.Note, v.First = valueNotes[kind], valueFirsts[kind]
	var ways []site.Way
	for _, k := range siteKinds {
		if k.kind == kind {
			g.Title = k.title
		}
		if o.Sites[k.kind] > 0 {
			ways = append(ways, site.Way{valueKindWords[k.kind], k.title + " (" + humanize.Int(o.Sites[k.kind]) + ")", k.note})
		}
	}
	g.Ways = a.Ways("kind", "", valueKindWords[kind], ways)
	if v.Found.All == 0 {
		return
	}
	target := a.Query.Get("target")
	if target != "" {
		g.Chips = append(g.Chips, page.Chip{
			Text: valueWords[kind] + " contains " + humanize.Printable(target), Remove: a.Without("target").String(),
		})
	}
	g.Filter.Keep = slices.DeleteFunc(g.Filter.Keep, func(h page.Hidden) bool { return h.Name == "target" })
	g.Filter.Other = page.RangeField{Name: "target", Label: valueWords[kind], Value: target}
	for _, q := range siteQualities {
		if strings.Contains(a.Query.Get("quality"), q.word) {
			g.Chips = append(g.Chips, page.Chip{Text: q.says, Remove: a.Without("quality").String()})
		}
	}
	if g.Empty != nil {
		g.Empty.Chips = g.Chips
	}
	g.Says = humanize.Say("{site} of {} recorded something, {:count count} in all.", sums.Observed, v.Found.All,
		sums.Total)
	if len(sums.Sizes) > 0 {
		g.Above = instrview.Sizes(sums)
	}
	held := 0.0
	for _, row := range v.Found.Rows.([]instrdb.ValueRow) {
		held += row.Share
	}
	if held > 0 {
		g.Status = []string{"shown hold " + humanize.Percent(held, 1)}
	}
	v.Link = func(row any) string {
		r := row.(*instrdb.ValueRow)
		return v.Base + "/functions/" + site.FID(r.Function.Ref) + "?hash=" + humanize.Hex64(r.FuncHash)
	}
	v.Draw = lists.Draws{"top": func(row any) page.GridCell {
		r := row.(*instrdb.ValueRow)
		if r.Sum.IsZero() {
			return page.GridCell{Text: "recorded nothing"}
		}
		t := targets(v.Base, r.Kind, r.Values, 1, r.Targets, v.Symbols)
		c := page.GridCell{Name: t[0].Name, Text: t[0].Label, Title: t[0].Title, URL: t[0].URL}
		if n := len(r.Values) - 1; n > 0 {
			c.Tags = []page.Tag{
				{
					Text: "+" + humanize.Int(n), Tone: page.Neutral, Title: humanize.Plural(n, "more value"),
					URL: v.Selected(r).Select,
				},
			}
		}
		return c
	}}
}

// inspectSite adds the values of a site.
func inspectSite(_ *http.Request, v *lists.Request, in *page.Inspector, row any) error {
	r := row.(*instrdb.ValueRow)
	lines := page.Lines{Title: "Values", Note: "most frequent first"}
	for _, t := range targets(v.Base, r.Kind, r.Values, inspectedValues, r.Targets, v.Symbols) {
		line := page.NoteLine{Text: t.Label, Title: t.Title, URL: t.URL, Note: t.Share + ", " + t.Count.Text, Bar: &t.Bar}
		if t.Name != nil {
			line.Text, line.Title = t.Name.Whole(), t.Name.Full
		}
		lines.List = append(lines.List, line)
	}
	in.Lists = append(in.Lists, lines)
	return nil
}
