package sampleweb

import (
	"context"
	"net/url"
	"slices"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/query"
	"proflens/profiledb/sampledb"
	"proflens/tables"
)

// tables are those that take parameters, in the API and in exports alike, by the
// names that they have in exports.
func (s *room) tables() map[string]site.TableExport {
	return map[string]site.TableExport{
		"functions": lists.Table(s.Site, sampledb.Of, append(functionList.Keys(), functionKeys...), lists.Alone(parseFunctions), openFunctions),
		"contexts":  lists.Table(s.Site, sampledb.Of, slices.Concat(hotKeys, []string{"hot"}), parseEntries, openEntries), "hot": lists.Table(s.Site, sampledb.Of, hotKeys, parseHot, openEntries),
		"records": places(sampledb.Records, (*sampledb.Profile).FindRecords).Export(s.Site),
		"targets": places(sampledb.Targets, (*sampledb.Profile).FindTargets).Export(s.Site),
		"edges":   s.edges().Export(s.Site),
		"symbols": symbols.Export(s.Site),
		"summary": cutoffs.Export(s.Site), "sections": sections.Export(s.Site),
	}
}

// sections and cutoffs are tables without pages.
var (
	sections = lists.Declared{Declaration: sampledb.Sections, API: "/sections", Find: lists.Plain(sampledb.Of, (*sampledb.Profile).FindSections)}
	cutoffs  = lists.Declared{Declaration: sampledb.Cutoffs, API: "/summary", Find: lists.Plain(sampledb.Of, (*sampledb.Profile).FindCutoffs)}
)

// entryList is the list of the rows of a profile.
var entryList = &lists.List{
	Sorts:  sampledb.EntryColumns,
	Ranges: []query.Column{sampledb.ColTotal, sampledb.ColHead, sampledb.ColEntered, sampledb.ColSum, sampledb.ColMax, sampledb.ColDepth},
}

var hotKeys = append(entryList.Keys(), "function")

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

// places is a table of records or of targets: of all functions, or of one.
func places(d *table.Declaration, find func(p *sampledb.Profile, ctx context.Context, function uint64) (table.Find, error)) *lists.Declared {
	return &lists.Declared{Declaration: d, Own: []string{"function"}, Find: func(v *site.Values) lists.Finder {
		guid := function(v, "function")
		return lists.Of(sampledb.Of, func(ctx context.Context, p *sampledb.Profile) (table.Find, error) { return find(p, ctx, guid) })
	}}
}

func openFunctions(ctx context.Context, p *sampledb.Profile, q functionParams, o tables.Options, _ bool) (tables.Table, error) {
	return tables.SampleFunctions(ctx, p, q.Query, o)
}

func openEntries(ctx context.Context, p *sampledb.Profile, q entryParams, o tables.Options, _ bool) (tables.Table, error) {
	return tables.SampleEntries(ctx, p, q.Query, o)
}
