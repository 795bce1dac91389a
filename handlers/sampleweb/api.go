package sampleweb

import (
	"context"
	"net/url"
	"slices"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/query"
	"proflens/profiledb/sampledb"
	"proflens/tables"
)

// tables are those that take parameters, in the API and in exports alike, by the
// names that they have in exports.
func (s *room) tables() map[string]site.TableExport {
	return map[string]site.TableExport{
		"functions": lists.Table(s.Site, sampledb.Of, append(functionList.Keys(), functionKeys...),
			lists.Alone(parseFunctions), openFunctions),
		"contexts": lists.Table(s.Site, sampledb.Of, slices.Concat(hotKeys, []string{"hot"}), parseEntries, openEntries),
		"hot":      lists.Table(s.Site, sampledb.Of, hotKeys, parseHot, openEntries),
		"records":  lists.Table(s.Site, sampledb.Of, placeKeys, parsePlaces, openRecords),
		"targets":  lists.Table(s.Site, sampledb.Of, placeKeys, parsePlaces, openTargets),
		"edges": lists.Table(s.Site, sampledb.Of, append(edgeList.Keys(), "caller", "callee"), lists.Alone(parseEdges),
			openEdges),
		"symbols": lists.Table(s.Site, sampledb.Of, append(symbolList.Keys(), "never"), lists.Alone(parseSymbols),
			openSymbols),
		"summary":  lists.Table(s.Site, sampledb.Of, site.ListingKeys, parsePlain, openSummary),
		"sections": lists.Table(s.Site, sampledb.Of, site.ListingKeys, parsePlain, openSections),
	}
}

// api are the calls of the API.
func (s *room) api(at func(path string, answer site.Handler) site.Route) []site.Route {
	t := s.tables()
	routes := []site.Route{
		at("/functions/", s.Listed("-functions", t["functions"])), at("/functions/{fid}", s.getFunction),
		at("/functions/{fid}/elsewhere", s.listElsewhere),
		at("/suggest", s.Suggest(s.suggest)), at("/calls", s.Listed("-calls", t["edges"])),
	}
	for _, name := range []string{"functions", "hot", "contexts", "records", "targets", "symbols", "summary", "sections"} {
		routes = append(routes, at("/"+name, s.Listed("-"+name, t[name])))
	}
	return routes
}

// entryList is the list of the rows of a profile.
var entryList = &lists.List{
	Sorts: sampledb.EntryColumns,
	Ranges: []query.Column{
		sampledb.ColTotal, sampledb.ColHead, sampledb.ColEntered, sampledb.ColSum, sampledb.ColMax, sampledb.ColDepth,
	},
}

var (
	hotKeys   = append(entryList.Keys(), "function")
	placeKeys = append([]string{"function"}, site.ListingKeys...)
)

// entryParams is a request for rows of a profile.
type entryParams struct {
	lists.Params
	Query sampledb.EntryQuery
}

// parseEntries reads such a request. Errors are *site.ParamError.
func parseEntries(q url.Values) (entryParams, error) { return readEntries(q, "hot") }

// parseHot reads a request for those that are hot. Errors are *site.ParamError.
func parseHot(q url.Values) (entryParams, error) {
	p, err := readEntries(q)
	p.Query.Hot = true
	return p, err
}

func readEntries(q url.Values, more ...string) (entryParams, error) {
	v, err := site.NewValues(q, slices.Concat(hotKeys, more))
	if err != nil {
		return entryParams{}, err
	}
	p := entryParams{Params: entryList.Read(v)}
	p.Query = sampledb.EntryQuery{RowQuery: p.Params.Query, Function: function(v, "function"), Hot: v.Yes("hot")}
	return p, v.Err
}

// placeParams is a request for records, or for targets.
type placeParams struct {
	site.Listing
	Function uint64 // 0 is any
}

// parsePlaces reads such a request. Errors are *site.ParamError.
func parsePlaces(q url.Values) (placeParams, error) {
	v, err := site.NewValues(q, placeKeys)
	if err != nil {
		return placeParams{}, err
	}
	p := placeParams{v.Listing(), function(v, "function")}
	return p, v.Err
}

// parsePlain reads a request without parameters of its own. Errors are *site.ParamError.
func parsePlain(q url.Values) (site.Listing, error) {
	v, err := site.NewValues(q, site.ListingKeys)
	if err != nil {
		return site.Listing{}, err
	}
	return v.Listing(), v.Err
}

func openFunctions(ctx context.Context, p *sampledb.Profile, q functionParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.SampleFunctions(ctx, p, q.Query, o)
}

func openEntries(ctx context.Context, p *sampledb.Profile, q entryParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.SampleEntries(ctx, p, q.Query, o)
}

func openRecords(ctx context.Context, p *sampledb.Profile, q placeParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.SampleRecords(ctx, p, q.Function, o)
}

func openTargets(ctx context.Context, p *sampledb.Profile, q placeParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.SampleTargets(ctx, p, q.Function, o)
}

func openEdges(_ context.Context, p *sampledb.Profile, q edgeParams, o tables.Options, _ bool) (tables.Table, error) {
	return tables.SampleEdges(p, q.Query, o), nil
}

func openSymbols(_ context.Context, p *sampledb.Profile, q symbolParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.SampleSymbols(p, q.Query, o), nil
}

func openSummary(_ context.Context, p *sampledb.Profile, _ site.Listing, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.SampleSummary(p, o), nil
}

func openSections(_ context.Context, p *sampledb.Profile, _ site.Listing, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.SampleSections(p, o), nil
}
