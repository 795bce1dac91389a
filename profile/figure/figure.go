// Package figure has what a profile as a whole comes to, in single figures. A family declares
// each once; the first page, the API, the terminal, the picture of a link and the measures
// of builds are made of that.
package figure

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"proflens/internal/humanize"
	"proflens/profile/stored"
)

// Figure is one figure. A [List] has it as text of the form of a struct's tag, with a key for
// each field, on as many lines as it takes. Texts can have figures in braces, see [Words.Say].
type Figure struct {
	Name       string // in the lists of names, and of the tile
	Label      string
	Text, One  string // the label in a terminal, and in a sentence about one, where they differ
	Of         string // a field of the Overview, or several: "Bytes-ExecutedBytes"; of a list its length
	Whole      string // what it is a part of
	Unit       string // see [Words.value]
	Aside      string // behind the value, small
	Note       string // "of the whole, per cent" where a part has none
	TextNote   string // in a terminal, where a part without one is always of its whole
	Title, URL string // of the note; the URL is below the profile's address
	How        string // what it leads to in the methods, see page.How
	// Measure is its name as a measure of builds, with "?" where only what a profile tells is
	// measured. One without Of is measured elsewhere.
	Measure  string
	Measured string // the title, where it is not the label
	Better   string // "more", "less" or neither
	Needs    string // what it takes beside a profile
	Counts   string // what it is, for the manual
}

// List is the figures of a family. Tiles, Text and Card are names: what stands on the first
// page, in a terminal, on the picture of a link. Behind a name, "?" leaves out what a profile
// does not tell; see [Teller].
type List struct {
	Overview          Part   // what the figures are of
	Object            string // its name in the API; members stand alone where it has none
	Tiles, Text, Card string
	Figures           []string // each a [Figure]
	// Functions and Total are what lists of profiles say of the numbers that the catalog
	// keeps, each a [Kept].
	Functions, Total string
	// Head is what lists of profiles show of it before the total, a share: see [Head].
	Head string

	// All are the figures as Declare reads them; of several of one name a profile tells one.
	All              []Figure
	named            map[string][]*Figure
	functions, total Kept
	head             Head
}

// Declare reads the figures of a list. It panics where one is wrong: that is a fault of the
// program, found by the first test that runs.
func Declare(l List) *List {
	l.named, l.functions, l.total = map[string][]*Figure{}, read[Kept](l.Functions), read[Kept](l.Total)
	l.head = read[Head](l.Head)
	l.All = make([]Figure, len(l.Figures))
	for i := range l.All {
		f := &l.All[i]
		*f = read[Figure](l.Figures[i])
		if !units[f.Unit] || !slices.Contains([]string{"", "more", "less"}, f.Better) {
			panic(fmt.Sprintf("figure: unit %q or better %q of %s", f.Unit, f.Better, l.Figures[i]))
		}
		l.named[f.Name] = append(l.named[f.Name], f)
	}
	for name := range strings.FieldsSeq(l.Tiles + " " + l.Text + " " + l.Card + " " + l.head.Figure) {
		if l.named[strings.TrimSuffix(name, "?")] == nil {
			panic(fmt.Sprintf("figure: there is no %q", name))
		}
	}
	return &l
}

// lines has what stands on several lines of the program on one.
var lines = strings.NewReplacer("\n", " ", "\t", "")

// read is a struct of texts by its tag: text-note is the field TextNote.
func read[T any](tag string) (of T) {
	for rest := strings.TrimSpace(lines.Replace(tag)); rest != ""; rest = strings.TrimSpace(rest) {
		key, after, _ := strings.Cut(rest, `:"`)
		text, behind, closed := strings.Cut(after, `"`)
		field := reflect.ValueOf(&of).Elem().FieldByNameFunc(func(name string) bool {
			return strings.EqualFold(name, strings.ReplaceAll(key, "-", ""))
		})
		if !field.IsValid() || text == "" || !closed {
			panic(fmt.Sprintf("figure: %s is nothing of %s", key, tag))
		}
		field.SetString(text)
		rest = behind
	}
	return of
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
	return Part{func(ctx context.Context, p *stored.Profile) (any, error) {
		all, err := of(p)
		part := any(all)
		if err == nil && p.Counted != nil {
			part, err = p.Counted(ctx, part)
		}
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
func (f *Figure) Told(overview any) bool {
	t, ok := overview.(Teller)
	return !ok || t.Tells(f.Of)
}

// Shown is a figure as it is shown.
type Shown struct {
	Name, Label, One, Aside, Note, Title, URL, How string
	Value                                          humanize.Number
	Of, Whole                                      Sum
}

// Show makes the figures of some names.
func (l *List) Show(names string, overview any, w Words) (list []Shown) {
	for name := range strings.FieldsSeq(names) {
		name, optional := strings.CutSuffix(name, "?")
		for _, f := range l.named[name] {
			if optional && !f.Told(overview) {
				continue
			}
			text := func(s string) string { return w.Say(s, overview) }
			s := Shown{
				Name: name, Label: text(f.Label), One: text(f.One), Aside: text(f.Aside), Note: text(f.Note),
				Title: text(f.Title), URL: text(f.URL), How: f.How, Of: Value(overview, f.Of), Whole: Value(overview, f.Whole),
			}
			s.Value = w.value(f.Unit, s.Of, s.Whole)
			if f.Whole != "" && (w == Terminal || f.Note == "") {
				s.Note = "of " + w.value(f.Unit, s.Whole, Sum{}).Text + text(", {"+f.Of+"/"+f.Whole+"}")
			}
			if w == Terminal {
				s.Label, s.Note = cmp.Or(text(f.Text), strings.ToLower(s.Label)), cmp.Or(text(f.TextNote), s.Note)
			}
			list = append(list, s)
		}
	}
	return list
}
