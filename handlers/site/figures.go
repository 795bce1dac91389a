package site

import (
	"context"
	"reflect"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/profile/figure"
	"proflens/profile/stored"
	"proflens/views/page"
)

// show makes figures of a family, of its overview of a profile.
func (f *Family) show(names string, w figure.Words, overview any) []figure.Shown {
	list := f.Figures.Show(names, overview, w)
	for i := range list {
		if f.Change != nil {
			f.Change(overview, w, &list[i])
		}
	}
	return list
}

// Tiles are the figures at the top of the first page of a profile, which is at base.
func (s *Site) Tiles(family model.Family, overview any, base string) (tiles []page.Tile) {
	f := s.familiesIn([]model.Family{family})[0]
	for _, shown := range f.show(f.Figures.Tiles, figure.Page, overview) {
		tile := page.Tile{
			ID: shown.Name, Label: shown.Label, Value: shown.Value, Aside: shown.Aside, Note: shown.Note, Title: shown.Title,
			How: page.How(shown.How),
		}
		if shown.URL != "" {
			tile.URL = base + shown.URL
		}
		tiles = append(tiles, tile)
	}
	return tiles
}

// figures writes a family's figures of a profile for a terminal, every digit.
func (t *ProfileWriter) figures(ctx context.Context, f *Family, p *stored.Profile) error {
	overview, err := f.Figures.Overview.Open(ctx, p)
	if err != nil {
		return err
	}
	if list := f.TextFigures(f.Figures.Text, overview); list != nil { // a family may write its own among others
		t.List(list)
	}
	return nil
}

// TextFigures are figures of a family's overview for a terminal, by their names.
func (f *Family) TextFigures(names string, overview any) (list []TextFigure) {
	for _, shown := range f.show(names, figure.Terminal, overview) {
		list = append(list, TextFigure{shown.Label, shown.Value.Text, shown.Note})
	}
	return list
}

// Sizes are what lists say of a profile's size.
func (f *Family) Sizes(e *catalog.Entry) (functions, total humanize.Number) {
	return f.Figures.Kept(e.Functions, e.Total)
}

// Sizes are those of the first family, with the head figure in place of the total where a family
// has one.
func (s *Site) Sizes(e *catalog.Entry) (functions, total humanize.Number) {
	functions, total = s.FirstFamily(e).Sizes(e)
	for _, f := range s.familiesIn(e.Families) {
		if head := f.Figures.SayHead(e.HeadPart, e.HeadWhole); head.Text != "" {
			return functions, head
		}
	}
	return functions, total
}

// ObjectOf is what the API's object of a profile has of a family.
func (f *Family) ObjectOf(ctx context.Context, p *stored.Profile, quote bool) (any, error) {
	whole, err := f.whole().Open(ctx, p)
	return figure.Object{Name: f.Figures.Object, Of: whole, Quote: quote}, err
}

// ObjectType is the type of that, or of its only member where it has a name.
func (f *Family) ObjectType() reflect.Type { return f.whole().Type }

func (f *Family) whole() figure.Part {
	if f.Whole.Open != nil {
		return f.Whole
	}
	return f.Figures.Overview
}

// facts are the three main figures of a profile: what a shared link shows.
func (f *Family) facts(ctx context.Context, p *stored.Profile) (page.Facts, error) {
	overview, err := f.Figures.Overview.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	var facts page.Facts
	for _, shown := range f.show(f.Figures.Card, figure.Page, overview) {
		facts = append(facts, page.Fact{Term: shown.Label, One: shown.One, Value: shown.Value.Text})
	}
	return facts, nil
}
