package memprofweb

import (
	"context"
	"math"
	"net/http"
	"slices"

	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/views/memprofview"
)

// scatterPoints is how many contexts the plane of lifetimes and densities
// shows: largest first.
const scatterPoints = 2000

// lifetimesPage is GET /p/{id}/lifetimes: contexts in the plane of lifetime and
// access density, and the table of those that match.
func (s *handler) lifetimesPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseSitesPage(r.URL.Query(), s.own())
	if err != nil {
		return err
	}
	if p.By != byContext {
		return &site.ParamError{Param: "by", Msg: "rows here are contexts; the allocation sites page has the sums"}
	}
	v, o, err := s.request(w, r, p)
	if o == nil || err != nil {
		return err
	}
	ctx := s.RequestContext(r)
	n, err := s.heapNames(ctx, s.heap(r), s.Symbols(p.Names))
	if err != nil {
		return err
	}
	contexts, err := s.heap(r).Contexts(ctx, memprofdb.Query{
		Filter: p.Filter, Sort: p.Sort, Offset: p.Offset, Limit: p.Limit, Own: p.Filter.Library,
	})
	if err != nil {
		return err
	}
	// The plane has what all filters but its own two select, so that what the
	// brush left out stays in sight.
	around := p.Filter
	around.Ranges = nil
	for _, r := range p.Filter.Ranges {
		if r.Column != memprofdb.ColAvgLifetime && r.Column != memprofdb.ColAvgLifetimeDensity {
			around.Ranges = append(around.Ranges, r)
		}
	}
	drawn, err := s.heap(r).Contexts(ctx, memprofdb.Query{Filter: around, Limit: scatterPoints})
	if err != nil {
		return err
	}
	m := v.model(o, contexts)
	m.Title, m.Ways = "Lifetimes", nil
	m.Scatter = v.scatter(drawn, n)
	if m.Scatter == nil && m.Empty == nil {
		m.Notes = append(m.Notes, "Nothing to draw: the contexts lack lifetimes or access densities.")
	}
	if says, err := lifetimesSay(ctx, s.heap(r), around, drawn.Totals.Bytes.Float64()); err != nil {
		return err
	} else if says != "" {
		m.Notes = append(m.Notes, says)
	}
	v.fillContexts(&m, o.Schema, contexts, n)
	return s.Render(w, r, memprofview.SitesPage(s.ProfileShell(r, site.LifetimesView, ""), m))
}

// lifetimesSay says how much of some contexts' bytes dies at once, and how much lives long, as the
// first [questions] have it; nothing where there are none, or no lifetimes.
func lifetimesSay(ctx context.Context, p *memprofdb.Profile, f memprofdb.Filter, bytes float64) (string, error) {
	if bytes == 0 || !p.Overview.Schema.Has(memprof.TotalLifetime) {
		return "", nil
	}
	short, long := &questions[0], &questions[1]
	var parts [2]float64
	for i, q := range []*question{short, long} {
		lived := f
		lived.Ranges = append(slices.Clone(f.Ranges), query.RealRange{Column: q.column, Min: q.low, Max: q.high})
		found, err := p.Contexts(ctx, memprofdb.Query{Filter: lived})
		if err != nil {
			return "", err
		}
		parts[i] = humanize.Part(found.Totals.Bytes.Float64(), bytes)
	}
	return humanize.Say("{%} of the bytes live {} ms or less, {%} live {} ms or more, by the mean of each context.",
		parts[0], int(short.high), parts[1], int(long.low)), nil
}

// scatter draws contexts in the plane; nil where none has both figures.
func (v *sitesRequest) scatter(p *memprofdb.Page, n frameNames) *memprofview.Scatter {
	m := memprofview.NewScatter(p.Rows, p.Thresholds, n)
	if m == nil {
		return nil
	}
	if more := p.Matching - len(p.Rows); more > 0 {
		m.Note = humanize.Say("The plot shows the {} largest contexts; the table has all {}.", len(m.Points), p.Matching)
	}
	own := v.address.FirstPage("lifetime", "lifetime_density")
	m.Form = memprofview.ScatterForm{
		Action: v.address.Path, Keep: site.Keep(own), Lifetime: v.address.Query.Get("lifetime"),
		Density: v.address.Query.Get("lifetime_density"),
	}
	brush, set := [2][2]float64{{0, math.MaxFloat64}, {0, math.MaxFloat64}}, false
	for _, r := range v.Filter.Ranges {
		switch r.Column {
		case memprofdb.ColAvgLifetime:
			brush[0], set = [2]float64{r.Min, r.Max}, true
		case memprofdb.ColAvgLifetimeDensity:
			brush[1], set = [2]float64{r.Min, r.Max}, true
		}
	}
	if set {
		m.Form.Clear = own.String()
		m.Brush = m.Region(brush[0], brush[1])
	}
	return m
}
