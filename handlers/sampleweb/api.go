package sampleweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/sampledb"
	"proflens/profile/table"
)

// tables are those that take parameters, in the API and in exports alike, by the
// names that they have in exports.
func (s *handler) tables() map[string]site.TableExport {
	return map[string]site.TableExport{
		"functions": s.functions(site.FunctionsView).Export(s.Site), "contexts": entries(false).Export(s.Site),
		"hot":     entries(true).Export(s.Site),
		"records": places(sampledb.Records, (*sampledb.Profile).FindRecords).Export(s.Site),
		"targets": places(sampledb.Targets, (*sampledb.Profile).FindTargets).Export(s.Site),
		"edges":   s.edges().Export(s.Site),
		"symbols": symbols.Export(s.Site),
		"summary": cutoffs.Export(s.Site), "sections": sections.Export(s.Site),
	}
}

// sections and cutoffs are tables without pages.
var (
	sections = lists.Declared{
		Declaration: sampledb.Sections, API: "/sections", Find: lists.Plain(sampledb.Of, (*sampledb.Profile).FindSections),
	}
	cutoffs = lists.Declared{
		Declaration: sampledb.Cutoffs, API: "/summary", Find: lists.Plain(sampledb.Of, (*sampledb.Profile).FindCutoffs),
	}
)

// entries is the table of the rows of the profile or, with hot set, of those that are hot.
func entries(hot bool) *lists.Declared {
	d := &lists.Declared{Declaration: sampledb.EntryRows, Own: []string{functionKey}}
	if !hot {
		d.Own = append(d.Own, hotKey)
	}
	d.Find = func(v *site.Values) lists.Finder {
		guid, hot := function(v, functionKey), hot || v.Yes(hotKey)
		return lists.Of(sampledb.Of, func(ctx context.Context, p *sampledb.Profile) (table.Find, error) {
			return p.FindEntries(ctx, guid, hot)
		})
	}
	return d
}

// The parameters of rows and places besides those of all tables.
const (
	functionKey = "function"
	hotKey      = "hot"
)

// places is a table of records or of targets: of all functions, or of one.
func places(d *table.Declaration,
	find func(p *sampledb.Profile, ctx context.Context, function uint64) (table.Find, error)) *lists.Declared {
	return &lists.Declared{Declaration: d, Own: []string{functionKey}, Find: func(v *site.Values) lists.Finder {
		guid := function(v, functionKey)
		return lists.Of(sampledb.Of, func(ctx context.Context, p *sampledb.Profile) (table.Find,
			error) {
			return find(p, ctx, guid)
		})
	}}
}
