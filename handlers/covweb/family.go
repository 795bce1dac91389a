// Package covweb is the pages and the API of source coverage: files, lines, functions
// that never ran, conditions.
package covweb

import (
	"proflens/catalog"
	"proflens/decode/covmap"
	"proflens/handlers/site"
	"proflens/say"
)

// room is what answers for its profiles.
type room struct {
	*site.Site
	sources Sources
}

// Family is how profiles with source coverage answer.
func Family(of *site.Site) *site.Family {
	s := &room{of, noSources{}}
	site.OrderKeys(orderKeys)
	return &site.Family{
		Name: covmap.Family, Kind: "Coverage", Measures: "Coverage",
		Pages: s.pages(), Tabs: tabs,
		Search: site.SearchFunctions,
		API:    s.api(), Tables: s.exports(), Counted: counted,
		Figures: func(e *catalog.Entry) (functions, total say.Number) {
			return say.Number{Text: say.Plural(e.Functions, "function", "functions")}, say.Number{}
		},
		Object: objectOf, Links: links, Text: text, Commands: commands, Receipt: receipt, Facts: facts,
		Finds: findFiles, OnOverview: s.onOverview, OnFunction: s.onFunction,
	}
}
