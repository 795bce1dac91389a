// Package figure has what a profile as a whole comes to, in single figures. A family declares
// each once; the first page, the API, the terminal, the picture of a link and the measures
// of builds are made of that.
package figure

import (
	"cmp"
	"context"
	"reflect"
	"strings"

	"proflens/profiledb/stored"
	"proflens/say"
)

// Figure is one figure, written as the tag of a struct's field is, on as many lines as it
// takes:
//
//	name      in the lists of names, and of the tile
//	label     text and one: in a terminal, and in a sentence about one, where they differ
//	of        a field of the family's Overview, or several: "Bytes-ExecutedBytes",
//	          "Sites.0+Sites.1"; of a list it is the length
//	whole     what it is a part of
//	unit      "count" is rounded, "bytes", "ms", "share" of the whole, "least" is ≥;
//	          none writes it in full. A terminal has every digit.
//	aside     behind the value, small
//	note      "of the whole, per cent" where a part has none; text-note in a terminal, where
//	          a part without one is always of its whole
//	title     of the note; url: of the note, below the profile's address
//	how       what it leads to in the methods, see page.HowOf
//	measure   its name as a measure of builds, with "?" where only what a profile tells is
//	          measured; measured: the title, where it is not the label; better: "more" or
//	          "less"; needs: what it takes beside a profile; counts: what it is, for the
//	          manual. One without of is measured elsewhere.
//
// Texts can have figures in braces, see [Words.Say].
type Figure string

// Get is what a figure says of itself.
func (f Figure) Get(key string) string {
	return reflect.StructTag(strings.NewReplacer("\n", " ", "\t", "").Replace(string(f))).Get(key)
}

// List is the figures of a family. Tiles, Text and Card are names: what stands on the first
// page, in a terminal, on the picture of a link. Behind a name, "?" leaves out what a profile
// does not tell; see [Teller].
type List struct {
	Overview          Part   // what the figures are of
	Object            string // its name in the API; members stand alone where it has none
	Tiles, Text, Card string
	All               []Figure
	// Functions and Total are what lists of profiles say of the numbers that the catalog
	// keeps; see [Figure.Kept].
	Functions, Total Figure
}

// Part is what figures or the API's object are of: how it is opened, and its type.
type Part struct {
	Open func(ctx context.Context, p *stored.Profile) (any, error)
	Type reflect.Type // of a struct
}

// Of is what a function opens.
func Of[T any](open func(ctx context.Context, p *stored.Profile) (*T, error)) Part {
	return Part{
		func(ctx context.Context, p *stored.Profile) (any, error) { return open(ctx, p) },
		reflect.TypeFor[T](),
	}
}

// Overview is the Overview of a family's part of a profile.
func Overview[P any](of func(p *stored.Profile) (*P, error)) Part {
	f, _ := reflect.TypeFor[P]().FieldByName("Overview")
	return Part{func(_ context.Context, p *stored.Profile) (any, error) {
		part, err := of(p)
		if err != nil {
			return nil, err
		}
		return reflect.ValueOf(part).Elem().FieldByIndex(f.Index).Interface(), nil
	}, f.Type.Elem()}
}

// Teller is an overview that does not tell every figure of every profile.
type Teller interface {
	// Tells reports whether the profile has a field, or what a figure is of.
	Tells(field string) bool
}

// Told reports whether an overview tells a figure.
func (f Figure) Told(overview any) bool {
	t, ok := overview.(Teller)
	return !ok || t.Tells(f.Get("of"))
}

// Shown is a figure as it is shown.
type Shown struct {
	Name, Label, One, Aside, Note, Title, URL, How string
	Value                                          say.Number
	Of, Whole                                      Sum
}

// Show makes the figures of some names.
func (l *List) Show(names string, overview any, w Words) (list []Shown) {
	for name := range strings.FieldsSeq(names) {
		name, optional := strings.CutSuffix(name, "?")
		for _, f := range l.All {
			if f.Get("name") != name || optional && !f.Told(overview) {
				continue
			}
			of, whole, unit := f.Get("of"), f.Get("whole"), f.Get("unit")
			text := func(key string) string { return w.Say(f.Get(key), overview) }
			s := Shown{
				Name: name, Label: text("label"), One: text("one"), Aside: text("aside"), Note: text("note"), Title: text("title"),
				URL: text("url"), How: text("how"), Of: Value(overview, of), Whole: Value(overview, whole),
			}
			s.Value = w.value(unit, s.Of, s.Whole)
			if whole != "" && (w == Terminal || f.Get("note") == "") {
				s.Note = "of " + w.value(unit, s.Whole, Sum{}).Text + w.Say(", {"+of+"/"+whole+"}", overview)
			}
			if w == Terminal {
				s.Label, s.Note = cmp.Or(text("text"), strings.ToLower(s.Label)), cmp.Or(text("text-note"), s.Note)
			}
			list = append(list, s)
		}
	}
	return list
}
