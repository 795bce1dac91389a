// Package covweb is the pages and the API of source coverage: files, lines, functions
// that never ran, conditions.
package covweb

import (
	"context"

	"proflens/decode/covmap"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/profile/covdb"
)

// handler answers for its profiles.
type handler struct {
	*site.Site
	syntax *sourceweb.Syntax
	// demangle makes names of functions readable in place of ours; nil outside a [Report].
	demangle func(string) string
}

func init() { site.OrderKeys(orderKeys) }

// Family is how profiles with source coverage answer.
func Family(of *site.Site) *site.Family {
	s := &handler{Site: of, syntax: &sourceweb.Syntax{}}
	if of.Store != nil {
		of.Store.OnOpen(s.count)
	}
	return &site.Family{
		Name: covmap.Family, Kind: "Coverage", Measures: "Coverage",
		Pages: s.pages(), Tabs: s.tabs, Params: params + objectsSay,
		Objects: objects,
		Posts: []site.Route{{Path: "/changed", Answer: site.With(s.Site, covdb.Of, s.postChanged),
			Keys: changedFormats, Says: `
			coverage postChanged: Coverage of the lines that a diff adds
			The body is a unified diff, as git diff prints it. Nothing is stored. Hunks that do not fit the text of
			their source are listed and not counted.
			?format json|markdown|text =json: json, markdown for a pull request, or text.
			<diff
			<form
			>200 Changed markdown text: Changed lines by file.
			>400 404 410 422 500`}},
		Search: site.SearchFunctions,
		API:    s.api(), Tables: s.exports(), Counted: counted,
		Figures: covdb.Figures, Change: change, Links: links, Commands: commands, Receipt: receipt,
		Chart: site.In(covdb.Of, cardChart), Leads: true,
		Sources: site.In(covdb.Of, sourceNames), Comparer: s.comparer(),
		Finds: findFiles, OnOverview: s.onOverview, OnFunction: s.onFunction,
	}
}

// sourceNames are the files that the mapping names.
func sourceNames(_ context.Context, p *covdb.Profile) ([]string, error) { return p.FileNames(), nil }
