package sampleweb

import (
	"context"
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/profile/table"
	"proflens/views/page"
)

// The parameters of the call graph besides those of all tables.
const (
	callerKey = "caller"
	calleeKey = "callee"
)

// edges is the page and the table of the call graph.
func (s *handler) edges() *lists.Declared {
	return &lists.Declared{
		Declaration: sampledb.Edges, ID: "calls", API: "/calls", View: site.CallsView, Title: "Call graph",
		Own: []string{callerKey, calleeKey}, Opens: "Open function",
		First: "Most sampled calls first: what could still be inlined.",
		None:  page.Blank{Title: "No calls", Text: "The profile has no calls, and nothing is inlined."},
		Find: func(v *site.Values) lists.Finder {
			caller, callee := function(v, callerKey), function(v, calleeKey)
			return lists.Of(sampledb.Of, func(ctx context.Context, p *sampledb.Profile) (table.Find, error) {
				return p.FindEdges(ctx, caller, callee)
			})
		},
		Adorn: s.aroundEdges,
	}
}

// aroundEdges says what the edges come to, and whose they are.
func (s *handler) aroundEdges(r *http.Request, v *lists.Request, g *page.Grid) error {
	v.To = functionsOf(v.Base)
	sums := v.Found.Around.(*sampledb.EdgeSums)
	g.Clear = site.Address{Path: v.Address.Path}.String()
	g.Says = humanize.Say("{edge}: {:count sampled call that was|sampled calls that were} not inlined, "+
		"{:count sample} of inlined callees.", v.Found.Matching, sums.Calls, sums.Inlined)
	for _, side := range []string{callerKey, calleeKey} {
		guid, ok := site.ParseFID(v.Address.Query.Get(side))
		if !ok {
			continue
		}
		text := site.FID(guid)
		if n, err := s.samples(r).ByGUID(r.Context(), guid); err == nil {
			text = site.ShortName(nameOf(n, v.Symbols))
		}
		g.Chips = append(g.Chips, page.Chip{
			Text: side + ": " + text, Remove: v.Address.Without(side, "page", "cursor").String(),
		})
	}
	return nil
}

// function reads which function is meant; 0 is any.
func function(v *site.Values, key string) uint64 {
	if id := v.FID(key); id != nil {
		return *id
	}
	return 0
}

// callsOf is the call graph around a function.
func callsOf(base, side string, guid uint64) string {
	return site.NewAddress(base+"/calls").With(side, site.FID(guid)).String()
}
