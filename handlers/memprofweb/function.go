package memprofweb

import (
	"context"

	"proflens/analyze"
	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/calltree"
	"proflens/profile/memprofdb"
	"proflens/profile/stored"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// functionContexts is how many of a function's contexts its page shows.
const functionContexts = 20

// besideFunction is what the heap profile says of a function that has counters;
// nil where there is none, or no call stack has the function.
func (s *handler) besideFunction(ctx context.Context, e *catalog.Entry, profile *stored.Profile,
	name []byte) (page.Part, error) {
	if len(name) == 0 {
		return nil, nil
	}
	p, err := memprofdb.Of(profile)
	if err != nil {
		return nil, site.OrAbsent(err, nil)
	}
	o := p.Overview
	_, linkage := names.Split(name)
	h, err := p.Function(ctx, memprofdb.FIDOf([]byte(linkage)), functionContexts)
	if err != nil {
		return nil, site.OrAbsent(err, nil)
	}
	n, err := s.heapNames(ctx, p, s.Symbols(names.Full))
	if err != nil {
		return nil, err
	}
	columns, err := shownColumns(nil, o.Schema)
	if err != nil {
		return nil, err
	}
	base := site.PageOf(e.ID)
	sites, digits := site.NewAddress(base+"/sites"), site.FID(h.FID)
	v := &memprofview.OfFunction{
		Says: humanize.Say("{context} allocated here, {context} through it", h.Own.Contexts, h.All.Contexts),
		All:  sites.With("owner", digits).String(), Contexts: contextTable(base, h.Rows, columns, n, ""),
		Flame: site.NewAddress(base+"/flame").With("layout", string(calltree.Sandwich)).With("around",
			digits).String(),
	}
	for _, t := range []struct {
		term   string
		totals *analyze.MemProfTotals
	}{{"Allocated here", &h.Own}, {"Through it", &h.All}} {
		v.Own.Add(t.term, humanize.SumBytes(t.totals.Bytes).Text,
			humanize.Say("{:count object}, {%} of all bytes", t.totals.Allocations,
				humanize.Part(t.totals.Bytes.Float64(), o.Bytes.Float64())))
	}
	v.More = humanize.More(int(h.Own.Contexts) - len(v.Rows))
	return memprofview.OfFunctionPanel(v), nil
}
