package sampleweb

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"proflens/analyze/sources"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/sampledb"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// How much of each list the page of a function shows.
const (
	edgeRows    = 8
	contextRows = 50
)

// functionRequest is a request for the page of a function.
type functionRequest struct {
	site.FunctionRequest
	bySource bool
	name     *sampledb.Name
	all      []sampledb.Name
	o        *sampledb.Overview
	symbols  site.Symbols
}

// functionPage is GET /p/{id}/functions/{fid} of a sample profile.
func (s *handler) functionPage(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := site.NewValues(url.Values{"rows": q["rows"]}, []string{"rows"})
	way := site.Choice(v, "rows", "", "source", "offsets")
	if v.Err != nil {
		return v.Err
	}
	p, err := site.ParseRecord(q, "rows")
	if err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	n, err := s.function(ctx, r)
	if err != nil {
		return err
	}
	req := functionRequest{
		FunctionRequest: site.FunctionRequest{
			RecordParams: p, Base: s.Base(r), Address: site.AddressOf(r.URL),
		},
		bySource: way != "offsets", name: n, o: s.samples(r).Overview,
		symbols: s.Symbols(names.Full),
	}
	if req.all, err = s.samples(r).Names(ctx); err != nil {
		return err
	}
	m, err := s.functionModel(ctx, r, &req)
	if err != nil {
		return err
	}
	var shell page.Shell
	if shell, m.Elsewhere, _, err = s.AroundFunction(w, r, m.Title, n.Linkage, nil); err != nil {
		return err
	}
	return s.Render(w, r, sampleview.FunctionPage(shell, *m))
}

func (s *handler) functionModel(ctx context.Context, r *http.Request,
	v *functionRequest) (*sampleview.Function, error) {
	n, p := v.name, s.samples(r)
	m := &sampleview.Function{
		Names: namesOf(v.Base, v.symbols), JSON: site.APIOf(v.Base[len("/p/"):]) + "/functions/" + site.FID(n.GUID),
	}
	long := v.symbols
	long.Long = true
	m.FunctionName = page.FunctionName{
		Name: nameOf(n, long), FID: site.FID(n.GUID), NameRef: humanize.Hex64(n.GUID),
		Linkage: humanize.Long(string(n.Linkage)),
	}
	m.Title = site.ShortName(m.FunctionName.Name)
	switch {
	case len(n.Linkage) == 0:
		m.Missing = "The file has only the MD5 of the name. Add the program, or a list of its symbols, and the name comes " +
			"back."
	case humanize.IsCut(string(n.Linkage)):
		m.Whole = m.JSON
	}
	if n.File != "" {
		clean := sources.Clean(n.File)
		m.Place = &page.Place{Label: humanize.Printable(site.PlaceWords(clean, n.Line)), Title: humanize.Printable(n.File)}
		if !v.o.Has(sampleprof.Probes) {
			m.Place.URL = site.LineURL(v.Base, clean, n.Line)
		}
	}
	before, after := n.Neighbours()
	if before != nil {
		m.Prev = &page.Neighbour{
			Rank: "rank " + humanize.Int(n.Rank-1), Name: nameOf(before, v.symbols), URL: pageOf(v.Base, before),
		}
	}
	if after != nil {
		m.Next = &page.Neighbour{
			Rank: "rank " + humanize.Int(n.Rank+1), Name: nameOf(after, v.symbols), URL: pageOf(v.Base, after),
		}
	}
	f, err := countsOf(ctx, p, n)
	if err != nil {
		return nil, err
	}
	m.Facts = functionFacts(v.o, n)
	if tag := fitTag(n.Fit); tag != nil {
		m.Tags = append(m.Tags, *tag)
	}
	if n.Entries > 0 {
		if tag := heatTag(v.o.HeatOf(n.Max)); tag != nil {
			m.Tags = append([]page.Tag{*tag}, m.Tags...)
		}
	}
	top := inlineesOf(f)
	v.lead(m, f, top)
	v.fillInlined(m, f, top)
	if err := s.fillLines(ctx, r, v, m, f); err != nil {
		return nil, err
	}
	for _, t := range f.VTables {
		m.VTables = append(m.VTables, sampleview.VTableRow{
			Place: placeWords(v.o, t.Loc), Name: nameOf(&v.all[t.Type], v.symbols), Count: humanize.Count(t.Count),
		})
	}
	if err := s.fillEdges(ctx, r, v, m); err != nil {
		return nil, err
	}
	return m, s.fillContexts(ctx, r, v, m)
}

// lead says what there is of a function in a sentence.
func (v *functionRequest) lead(m *sampleview.Function, f *sampleprof.Function, top []*inlinee) {
	n := v.name
	switch {
	case n.Entries > 0:
		m.Lead = humanize.Things(humanize.Count(n.Total).Text, "sample", "samples")
		if v.o.Summary.Total > 0 {
			m.Lead += ", rank " + humanize.Int(n.Rank)
		}
		m.Lead += "."
	case n.InlinedAt > 0:
		m.Lead = humanize.Say("{:count sample} of its own, all where it is inlined, at {place}.", n.Inlined, n.InlinedAt)
		m.Rest = "Its lines are those of all these places added up."
		return
	case n.Calls > 0:
		m.Lead = humanize.Say("No samples; {sampled call} of it.", n.Calls)
		return
	default:
		m.Lead = "No samples."
		return
	}
	sum, inside := v.sums(f, top)
	if inside == 0 || sum == 0 {
		return
	}
	var words []string
	for _, i := range top[:min(len(top), 2)] {
		words = append(words, humanize.PartPercent(i.sum, sum, 0)+" in "+site.ShortName(nameOf(&v.all[i.name], v.symbols)))
	}
	m.Rest = humanize.PartPercent(inside, sum, 0) + " of its counts are in inlined bodies: " +
		strings.Join(words, ", ") + "."
}

// sums are a function's counts, and those of them that are inlined.
func (v *functionRequest) sums(f *sampleprof.Function, top []*inlinee) (sum, inside uint64) {
	for _, i := range top {
		inside = sampleprof.Add(inside, i.sum)
	}
	sum = inside
	for i := range f.Body {
		sum = sampleprof.Add(sum, f.Body[i].Count)
	}
	return sum, inside
}

// fillInlined is the tree of what is inlined.
func (v *functionRequest) fillInlined(m *sampleview.Function, f *sampleprof.Function, top []*inlinee) {
	sum, inside := v.sums(f, top)
	if len(top) == 0 {
		return
	}
	t := inlineeRows{all: v.all, base: v.Base, symbols: v.symbols, whole: sum, handler: inlineesMost}
	own := sum - inside
	rows, hidden := t.rows(top, 0)
	m.Inlined = append([]sampleview.Inlinee{{Sum: humanize.Count(own), Share: humanize.PartPercent(own, sum, 1),
		Bar: chart.ShareBar(humanize.Part(own, sum), 1)}}, rows...)
	m.InlinedSay = humanize.Plural(len(f.Sites), "place") + ", share of its counts"
	if hidden != "" {
		m.InlinedSay += "; " + hidden
	}
	if v.name.Entries > 0 {
		m.FlameURL = site.NewAddress(v.Base+"/flame").With("layout", "sandwich").
			With("around", site.FID(v.name.GUID)).String()
	}
}

// fillEdges are the callers of a function, and what it calls.
func (s *handler) fillEdges(ctx context.Context, r *http.Request, v *functionRequest, m *sampleview.Function) error {
	edges := func(caller, callee uint64) ([]*sampledb.Edge, error) {
		find, err := s.samples(r).FindEdges(ctx, caller, callee)
		if err != nil {
			return nil, err
		}
		page, err := find(ctx, table.Query{RowQuery: limited(edgeRows)})
		return table.RowsOf[sampledb.Edge](&page), err
	}
	var err error
	if m.Callers, err = edges(0, v.name.GUID); err != nil {
		return err
	}
	m.CallersURL, m.CalleesURL = callsOf(v.Base, calleeKey, v.name.GUID), callsOf(v.Base, callerKey, v.name.GUID)
	m.Callees, err = edges(v.name.GUID, 0)
	return err
}

// fillContexts are the calling contexts of a function.
func (s *handler) fillContexts(ctx context.Context, r *http.Request, v *functionRequest, m *sampleview.Function) error {
	if !v.o.Has(sampleprof.FullContexts) || v.name.Entries == 0 {
		return nil
	}
	entries, err := s.samples(r).Entries(ctx, v.name, contextRows)
	if err != nil {
		return err
	}
	m.ContextSay = humanize.Plural(v.name.Entries, "context")
	if len(entries) < v.name.Entries {
		m.ContextSay = "the " + humanize.Int(len(entries)) + " with the most samples of " + m.ContextSay
	}
	for i := range entries {
		e := &entries[i]
		share := humanize.Part(e.Total, v.name.Total)
		row := sampleview.ContextRow{
			Entry: e, Share: share, Bar: chart.ShareBar(share, humanize.Part(entries[0].Total, v.name.Total)),
		}
		for at, frame := range e.Context {
			f := sampleview.ContextFrame{Name: &v.all[frame.Name]}
			if at < len(e.Context)-1 {
				f.At = placeWords(v.o, frame.Loc)
			}
			row.Frames = append(row.Frames, f)
		}
		m.Contexts = append(m.Contexts, row)
	}
	return nil
}
