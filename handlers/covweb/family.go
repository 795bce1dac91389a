// Package covweb is the pages and the API of source coverage: files, lines, functions
// that never ran, conditions.
package covweb

import (
	"context"
	"proflens/catalog"
	"proflens/decode/covmap"
	"proflens/handlers/site"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/views/page"
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
		Search:     site.SearchFunctions,
		Figures:    func(*catalog.Entry) (functions, total say.Number) { return },
		Object:     func(context.Context, *stored.Profile, bool) (any, error) { return struct{}{}, nil },
		Links:      func(*catalog.Entry) []string { return nil },
		Text:       func(context.Context, *site.ProfileWriter, *stored.Profile) error { return nil },
		Commands:   func(context.Context, *stored.Profile) ([]site.Command, error) { return nil, nil },
		Receipt:    func(*catalog.Entry) []site.Command { return nil },
		Facts:      func(*stored.Profile) ([]page.Fact, error) { return nil, nil },
		OnOverview: s.onOverview, OnFunction: s.onFunction,
	}
}
