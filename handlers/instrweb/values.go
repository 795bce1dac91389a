package instrweb

import (
	"net/http"
	"slices"
	"strconv"

	"proflens/decode/instrprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// How many values of a site its row shows, and the inspector.
const (
	shownValues     = 1
	inspectedValues = 40
)

// valuesRequest is a request for a page of value sites.
type valuesRequest struct {
	valueParams
	base    string // "/p/{id}"
	address site.Address
}

// valuesPage is GET /p/{id}/values.
func (s *room) valuesPage(w http.ResponseWriter, r *http.Request) error {
	p, err := valuesAmong(r.URL.Query(), append(slices.Clone(valueKeys), lists.Selected))
	if err != nil {
		return err
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	o := s.records(r).Overview
	v := valuesRequest{valueParams: p, base: "/p/" + s.Entry(r).ID, address: site.AddressOf(r.URL)}
	if !p.Given {
		v.Kind = firstKind(o)
	}
	if p.Format != "" {
		u := *r.URL
		u.RawQuery = v.address.Without(lists.Selected).With("kind", valueKindWords[v.Kind]).Query.Encode()
		again := *r
		again.URL = &u
		return site.RedirectToAPI(w, &again)
	}
	if s.NotModifiedPage(w, r) {
		return nil
	}
	rows, err := s.records(r).Values(ctx, v.query())
	if err != nil {
		return err
	}
	named := shownValues
	if v.address.Query.Get(lists.Selected) != "" {
		named = inspectedValues
	}
	known, err := s.records(r).NamesOf(ctx, valueRefs(v.Kind, rows.Rows, named))
	if err != nil {
		return err
	}
	if s.Profile(r).Storing() || !rows.Complete {
		site.Unsettled(w)
	}
	model := valuesModel(v, o, rows, known, site.Symbols{Cache: s.Names, Mode: p.Names})
	return s.Render(w, r, http.StatusOK, instrview.ValuesPage(s.ProfileShell(r, site.ValuesView, model.Title), model))
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

// valueNotes say of each kind what its order is for.
var valueNotes = [instrprof.NumValueKinds]string{
	instrprof.IndirectCallTarget: "Functions called through a pointer. Sorted by the count of the top target: best " +
		"candidates for call promotion first.",
	instrprof.MemOPSize: "Bytes per memcpy, memset and so on; the runtime groups sizes above 8 that are not " +
		"powers of two into ranges. Sorted by the count of the top size: best candidates for specialisation first.",
	instrprof.VTableTarget: "Vtables of the objects of virtual calls. Sorted by the count of the top vtable: " +
		"best candidates for devirtualisation first.",
}

// valueWords are what the sites of each kind saw.
var valueWords = [instrprof.NumValueKinds]string{
	instrprof.IndirectCallTarget: "Target", instrprof.MemOPSize: "Size", instrprof.VTableTarget: "Vtable",
}

func valuesModel(v valuesRequest, o *instrdb.Overview, p *instrdb.ValuePage, known map[uint64]instrdb.NameInfo,
	s site.Symbols) instrview.Values {
	a := v.address
	m := instrview.Values{Title: "Value sites", Note: valueNotes[v.Kind]}
	m.List = valueList.Frame(a, &v.Params, lists.Found{
		Shown: len(p.Rows), Matching: p.Matching, All: p.All, Scanned: p.Scanned, Functions: o.Functions,
	})
	if v.Target != "" {
		m.Chips = append(m.Chips, page.Chip{
			Text:   valueWords[v.Kind] + " contains " + say.Printable(v.Target),
			Remove: a.Without("target", "page", "cursor", lists.Selected).String(),
		})
		if m.Empty != nil {
			m.Empty.Chips = m.Chips
		}
	}
	m.Filter.Keep = slices.DeleteFunc(m.Filter.Keep, func(h page.Hidden) bool { return h.Name == "target" })
	m.Filter.Other = page.RangeField{Name: "target", Label: valueWords[v.Kind], Value: v.Target}
	m.CSV = a.Without("page", "cursor", "limit", lists.Selected).With("kind", valueKindWords[v.Kind]).With("format",
		"csv").String()
	for _, k := range siteKinds {
		if k.kind == v.Kind {
			m.Title = k.title
		}
		if o.Sites[k.kind] > 0 {
			m.Kinds = append(m.Kinds, page.Segment{Label: k.title + " (" + say.Int(o.Sites[k.kind]) + ")", Title: k.note,
				Current: k.kind == v.Kind,
				URL:     v.address.Without("page", "cursor", lists.Selected).With("kind", valueKindWords[k.kind]).String()})
		}
	}
	if p.All == 0 {
		m.CSV, m.Filter = "", page.QuickFilter{}
		m.Modes = nil
		m.Empty = &page.Blank{
			Title: "No value sites of this kind",
			Text: "The file has none. -fprofile-generate records them; front-end instrumentation needs -mllvm " +
				"-enable-value-profiling=true.",
		}
		return m
	}
	for _, q := range siteQualities {
		if v.Marks&q.mark != 0 {
			m.Chips = append(m.Chips, page.Chip{
				Text: q.says, Remove: v.address.Without("quality", "page", "cursor", lists.Selected).String(),
			})
		}
	}
	m.Says = say.Plural(p.Observed, "site", "sites") + " of " + say.Int(p.All) + " recorded something, " +
		say.Things(say.BigCount(p.Total.String()).Text, "count", "counts") + " in all."
	m.Sizes = sizeRows(p)
	total, scale := p.Total.Float64(), 0.0
	for i := range p.Rows {
		scale = max(scale, site.Part(p.Rows[i].Sum.Float64(), total))
	}
	var held float64
	for i := range p.Rows {
		r := &p.Rows[i]
		share := site.Part(r.Sum.Float64(), total)
		held += share
		row := instrview.ValueRow{
			Place: say.Int(v.Offset + i + 1), Name: s.Name(r.Name, r.NameRef), CS: r.CS,
			URL:   v.base + "/functions/" + site.FID(r.NameRef) + "?hash=" + say.Hex64(r.FuncHash),
			Index: say.Int(r.Index), Sum: say.BigCount(r.Sum.String()), Share: say.Percent(share, 2),
			Bar: chart.ShareBar(share, scale),
		}
		id := recordID(r.NameRef, r.FuncHash) + ":" + strconv.Itoa(r.Index)
		row.Selected = a.Selected(id)
		row.Distinct, row.Others, row.Top, row.TopShare = say.Int(len(r.Values)), "+"+say.Int(len(r.Values)-1),
			say.Number{Text: "–"}, "–"
		if !r.Sum.IsZero() {
			row.Top, row.TopShare = say.Count(r.Values[0].Count), say.Percent(float64(r.Values[0].Count)/r.Sum.Float64(), 1)
			row.Targets = targets(v.base, v.Kind, r.Values, shownValues, known, s)
		}
		if row.Selected.Selected {
			valueInspector(m.Inspector, &v, r, &row, known, s)
		}
		m.Rows = append(m.Rows, row)
	}
	if len(m.Rows) > 0 {
		m.Held = "shown hold " + say.Percent(held, 1)
	}
	return m
}

// valueInspector is what is known of one site.
func valueInspector(in *page.Inspector, v *valuesRequest, r *instrdb.ValueRow, row *instrview.ValueRow,
	known map[uint64]instrdb.NameInfo, s site.Symbols) {
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Rank: "site " + row.Index, Name: row.Name, URL: row.URL, Open: "Open function",
		Facts: []page.Fact{
			{Term: "Sum", Value: say.Group(r.Sum.String()), Note: row.Share + " of the kind"},
			{Term: "Values", Value: row.Distinct},
			{Term: "FuncHash", Value: say.Hex64(r.FuncHash)},
		},
	}
	lines := page.Lines{Title: "Values", Note: "most frequent first"}
	for _, t := range targets(v.base, v.Kind, r.Values, inspectedValues, known, s) {
		line := page.NoteLine{Text: t.Label, Title: t.Title, URL: t.URL, Note: t.Share + ", " + t.Count.Text, Bar: &t.Bar}
		if t.Name != nil {
			line.Text, line.Title = t.Name.Namespace+t.Name.Base+t.Name.Args, t.Name.Full
		}
		lines.List = append(lines.List, line)
	}
	in.Lists = append(in.Lists, lines)
}

// recordID names a function record in sel=.
func recordID(ref, hash uint64) string { return site.FID(ref) + ":" + site.FID(hash) }

// sizeRows are the distribution of sizes over all sites.
func sizeRows(p *instrdb.ValuePage) []instrview.SizeRow {
	var rows []instrview.SizeRow
	total, largest := p.Total.Float64(), 0.0
	for _, c := range p.Sizes {
		largest = max(largest, c.Count.Float64())
	}
	for _, c := range p.Sizes {
		share := site.Part(c.Count.Float64(), total)
		rows = append(rows, instrview.SizeRow{
			Label: say.MemOPSize(c.Value), Title: say.Int(c.Value) + " in the file", Sites: say.Int(c.Sites),
			Count: say.BigCount(c.Count.String()), Share: say.Percent(share, 1),
			Bar: chart.ShareBar(share, site.Part(largest, total)),
		})
	}
	return rows
}
