// Package exports lists every form in which a profile can be had: what it is
// called, which profiles have it, what can be asked of it, and how it is
// written. The command line, the API and the page of downloads read this one
// list.
//
// A form of the original files is a line in a file of its family, and is planned
// and written here by package encode. One of the tables names its format, and is
// written by whoever has the tables open.
package exports

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Export is one form.
type Export struct {
	Name   string // as -f and the address have it
	Does   string // for people who know formats
	Type   string // of its content
	Ending string // of a file; empty for the name
	// Forms are how it is made of each family that has it, the first one that a
	// profile has a part of first.
	Forms []Form
	// Of is the format of a table, for exports of a profile's tables; SQLite for
	// all of them as a database. It is empty for those of the original files.
	Of table.Format
}

// SQLite is the format of all tables as a database.
const SQLite table.Format = "sqlite"

// Form is an export as one family has it.
type Form struct {
	Family model.Family // empty for what all families have
	Takes  []string     // options, by name
	// Unlike is the kind of fault of a file that is no profile of the family, where it
	// has one of its own.
	Unlike model.Kind
	// Plan finds every fault that shows before a byte is written. Nil for tables.
	Plan Planner
	// Offers lists the ways to have it that suit a profile, none where it has
	// nothing to write.
	Offers Offerer
}

// Planner plans an export of a profile.
type Planner func(p *format.Profile, o Options) (*Plan, error)

// Unlike tells the fault of a file of no known kind in the words of the one family whose
// profiles the export takes; other errors stay as they are.
func (e *Export) Unlike(err error) error {
	fault, ok := model.FaultIn(err)
	if !ok || fault.Kind != model.KindUnrecognizedFormat || len(e.Forms) != 1 || e.Forms[0].Unlike == "" {
		return err
	}
	said := *fault
	said.Kind = e.Forms[0].Unlike
	return &said
}

// Plan is a form of one profile that is about to be written.
type Plan struct {
	Version  int             // of an indexed profile, else 0
	Findings []model.Finding // what is not quite as it was
	// Nothing says why there is nothing to write, where the tool whose form it is
	// writes nothing either; empty elsewhere. A script gets what that tool gives it,
	// anybody else the reason.
	Nothing string
	// Writes writes it; Tells does instead, and returns what showed only then.
	Writes func(w io.Writer) error
	Tells  func(w io.Writer) ([]model.Finding, error)
}

// Write writes it, and returns what showed only then.
func (p *Plan) Write(w io.Writer) ([]model.Finding, error) {
	if p.Tells != nil {
		return p.Tells(w)
	}
	return nil, p.Writes(w)
}

// of plans an export of a family's part, by what such a profile has none of otherwise.
func of[T any](family model.Family, none string, plan func(part T, o Options) (*Plan, error)) Planner {
	return func(p *format.Profile, o Options) (*Plan, error) {
		part, err := need[T](p, family, none)
		if err != nil {
			return nil, err
		}
		return plan(part, o)
	}
}

// Offer is a way to have a profile, for a list of downloads.
type Offer struct {
	Label string
	Query string // of the address, without the question mark; empty for none
	For   string // what it is for, in a line
	// Words are those of an option that the profile has something for; nil where it has
	// for all.
	Words map[string][]string
}

// LackError is returned for a profile that lacks what a form needs.
type LackError struct{ Fault *model.FormatError }

// Error is the kind and the message of the fault, which is at no offset.
func (e *LackError) Error() string { return string(e.Fault.Kind) + ": " + e.Fault.Msg }

// Unwrap returns the fault.
func (e *LackError) Unwrap() error { return e.Fault }

// UnknownError is returned for a name that no export has.
type UnknownError struct{ Name string }

// Error lists the names that there are.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown format %q; the formats: %s", e.Name, strings.Join(Names(), ", "))
}

// Names are those of all exports, in the order of the list.
func Names() []string {
	names := make([]string, len(All))
	for i := range All {
		names[i] = All[i].Name
	}
	return names
}

// Find is the export of a name. The error is an *[UnknownError].
func Find(name string) (*Export, error) {
	for i := range All {
		if All[i].Name == name {
			return &All[i], nil
		}
	}
	return nil, &UnknownError{name}
}

// For is the form of an export that a profile of these families has. The error is
// a *[LackError].
func (e *Export) For(families []model.Family) (*Form, error) {
	for i := range e.Forms {
		if f := &e.Forms[i]; f.Family == "" || slices.Contains(families, f.Family) {
			return f, nil
		}
	}
	return nil, lack(model.KindIncompatible,
		"cannot export this profile as %s: it has %s data, and the format needs %s data", e.Name,
		cmp.Or(words(families, " and "), "no"), words(e.families(), " or "))
}

// families are those that have the export.
func (e *Export) families() []model.Family {
	var list []model.Family
	for _, f := range e.Forms {
		list = append(list, f.Family)
	}
	return list
}

// Plan plans the export of a decoded profile. The error is a *[LackError] for one
// that lacks what it needs, an *[OptionError], or the encoder's own.
func (e *Export) Plan(p *format.Profile, o Options) (*Plan, error) {
	f, err := e.For(p.Info.Families)
	if err != nil && len(p.Inputs) > 0 &&
		!slices.ContainsFunc(p.Inputs, func(in format.Input) bool { return in.Size > 0 }) {
		return nil, &model.FormatError{Kind: model.KindUnrecognizedFormat, Section: "header",
			Msg:      "the file is empty, which is no profile of this format",
			Expected: words(e.families(), " or ") + " data", Found: "0 bytes"}
	}
	if err != nil {
		return nil, err
	}
	if err := f.check(e, o); err != nil {
		return nil, err
	}
	return f.Plan(p, o)
}

// Offered are the ways to have an export that suit a stored profile.
func (e *Export) Offered(families []model.Family, p *stored.Profile) ([]Offer, error) {
	f, err := e.For(families)
	if err != nil || f.Offers == nil {
		return nil, nil
	}
	offers, err := f.Offers(p)
	if errors.Is(err, stored.ErrNoPart) { // it could not be read
		return nil, nil
	}
	return offers, err
}

// Offerer says which ways to have an export suit a stored profile.
type Offerer func(p *stored.Profile) ([]Offer, error)

// offering are the offers that a part of a profile has; a profile without the part has none.
func offering[P any](of func(*stored.Profile) (P, error), offers func(P) []Offer) Offerer {
	return func(p *stored.Profile) ([]Offer, error) {
		part, err := of(p)
		if err != nil {
			return nil, err
		}
		return offers(part), nil
	}
}

// suiting are offers for a part of a profile that suits.
func suiting[P any](of func(*stored.Profile) (P, error), suits func(P) bool, offers ...Offer) Offerer {
	return offering(of, func(part P) []Offer {
		if !suits(part) {
			return nil
		}
		return offers
	})
}

// words joins what families are called.
func words(families []model.Family, with string) string {
	list := make([]string, len(families))
	for i, f := range families {
		list[i] = profile.Called(f)
	}
	return strings.Join(list, with)
}

func lack(kind model.Kind, msg string, args ...any) error {
	return &LackError{model.Faultf(kind, msg, args...)}
}

// IsText reports whether an export is text, which people look at.
func (e *Export) IsText() bool { return e.Type != binary && e.Of != SQLite }
