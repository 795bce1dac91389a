package moves

import (
	"context"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
)

// Figures are what a sentence is made of.
type Figures[P table.Pair] struct {
	All, Both     int // in all, and in both profiles
	Alike         int // of Both, those that are the same code
	Moved         int // by the threshold or more
	MovedBoth     int // of Both
	Lost, New     table.Held
	Some          bool // something moved
	Largest       P
	LeastSays     string // the threshold
	thing, things string
	largestSays   string
}

// least is the threshold of what is called a change, whatever the table shows.
func (v *View[P]) least() float64 {
	if v.query.Min < 0 {
		return v.Unit.Usual
	}
	return v.query.Min
}

// Figures asks for those.
func (v *View[P]) Figures(ctx context.Context) (*Figures[P], error) {
	least, held := v.least(), v.Source.Held
	alike := held(table.Matched).Rows
	f := &Figures[P]{
		Alike: alike, Both: alike + held(table.Changed).Rows, Lost: held(table.OnlyBase), New: held(table.OnlyTest),
		LeastSays: v.Unit.Least(least), thing: v.Of.Noun, things: v.Of.Nouns,
	}
	for n, q := range map[*int]table.MoveQuery{
		&f.Moved: {Min: least}, &f.MovedBoth: {Min: least, States: table.Matched | table.Changed},
	} {
		_, found, err := v.rows(ctx, q, 0)
		if err != nil {
			return nil, err
		}
		*n = found.Matching
	}
	top, found, err := v.rows(ctx, table.MoveQuery{}, 1)
	f.All = found.All
	if f.Some = len(top) > 0; f.Some {
		f.Largest = top[0]
		name, _ := v.Name(f.Largest)
		change := v.Unit.Change(f.Largest.Measured().Change)
		if v.Unit.Name != "bytes" {
			change += " " + v.Unit.Name
		}
		f.largestSays = change + " in " + site.ShortName(name)
	}
	return f, err
}

// Strangers tells that two programs have nothing in common but perhaps a few names, such as
// main; empty where they have.
func (f *Figures[P]) Strangers() string {
	const few = 50 // of as many one may have a name that the other has
	switch {
	case f.All == 0 || f.Alike > 0 || f.Both*few > f.All:
		return ""
	case f.Both == 0:
		return "The two have no " + f.thing + " in common."
	}
	return humanize.Say("The two have no {} in common but {name whose code differs|names whose code differs}.", f.thing,
		f.Both)
}

// Says tells what moved by the threshold, or that nothing did.
func (f *Figures[P]) Says() string {
	switch {
	case f.All == 0:
		return "Neither profile has any " + f.things + "."
	case !f.Some:
		return "Nothing moved."
	case f.Moved == 0:
		return "Nothing moved by " + f.LeastSays + " or more; the largest move is " + f.largestSays + "."
	case f.Both == 0:
		return "They have no " + f.thing + " in common."
	}
	return humanize.Say("Of the {} in both, {} moved by {} or more.", f.Both, f.MovedBoth, f.LeastSays)
}

// MovedOfAll tells how many of all moved by the threshold, or what Says does where none did or none is in both.
func (f *Figures[P]) MovedOfAll() string {
	if f.Moved == 0 || f.Both == 0 {
		return f.Says()
	}
	return humanize.Int(f.Moved) + " of " + humanize.Plural(f.All, f.thing, f.things) + " moved by " + f.LeastSays +
		" or more."
}

// Apart tells what one side alone has, and what these hold of both.
func (f *Figures[P]) Apart(held func(v float64) string) string {
	n := f.Lost.Rows + f.New.Rows
	if n == 0 {
		return ""
	}
	verb := " exist on one side only and hold "
	if n == 1 {
		verb = " exists on one side only and holds "
	}
	var parts []string
	if f.Lost.Rows > 0 {
		parts = append(parts, held(f.Lost.Base)+" of A")
	}
	if f.New.Rows > 0 {
		parts = append(parts, held(f.New.Test)+" of B")
	}
	return humanize.Plural(n, f.thing, f.things) + verb + strings.Join(parts, " and ") + ". "
}
