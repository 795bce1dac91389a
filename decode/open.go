package decode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Open decodes files into one profile, by the suite of the first that is a
// profile: its rules say what may stand beside it, and how records are merged.
// Optional files of no kind that is read are left out, with a finding each, and
// so are damaged ones and those of another suite: where nothing of the first
// can be opened, the next has its turn.
//
// An error about a file holds a [*model.FormatError] which names it; files
// that cannot form one profile are [model.KindIncompatible]. The error is the
// context's when that ended first.
func Open(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error) {
	files = recognised(files)
	if o.Allowance == nil {
		o.Allowance = allowanceFor(files)
	}
	turns := suitesOf(files)
	if len(turns) == 0 {
		return nil, nothingIn(files)
	}
	var first error
	for _, suite := range turns {
		p, err := suite.Open(ctx, files, o)
		if err == nil {
			p.Suite = suite
			p.Embedded = func() []model.SourceText { return embedded(p, files) }
			return p, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		first = cmp.Or(first, err)
	}
	return nil, guessed(files, first)
}

// suitesOf are those of the profiles, each once, in their order; the first alone where one
// of the profiles may not be left out. A file without bytes has one if no other has.
func suitesOf(files []format.File) (list []*format.Suite) {
	empty, needed := false, false
	for _, f := range files {
		empty = empty || f.Is.Empty
		if !f.Is.IsProfile() {
			continue
		}
		needed = needed || !f.Optional
		if suite := suiteOf(f.Is.Format); !slices.Contains(list, suite) {
			list = append(list, suite)
		}
	}
	switch {
	case len(list) == 0 && empty:
		list = append(list, llvm.Suite)
	case len(list) > 1 && needed:
		list = list[:1]
	}
	return list
}

// guessed says of the fault of a file that what it is was guessed.
func guessed(files []format.File, err error) error {
	fault, ok := model.FaultIn(err)
	if !ok {
		return err
	}
	for _, f := range files {
		if f.Is.Else == nil || f.Name != fault.File {
			continue
		}
		said := *fault
		said.Msg = fmt.Sprintf("taken for %s, which is a guess: %s", f.Is.Describe, fault.Msg)
		return f.Is.Format.InFile(f.Name, &said)
	}
	return err
}

// allowanceFor is what files may be made to together.
func allowanceFor(files []format.File) *wire.Allowance {
	size := uint64(0)
	for _, f := range files {
		size += uint64(len(f.Data))
	}
	return wire.NewAllowance(size)
}

// nothingIn is the error for files none of which is a profile: that of the first
// that is no profile of a kind that is read; of several it says what each is, and what to do with
// the first that is no program.
func nothingIn(files []format.File) error {
	const most = 20
	var what []string
	fault := &model.FormatError{
		Kind: model.KindUnrecognizedFormat, File: files[0].Name, Section: "header", Expected: format.Wanted,
	}
	for _, f := range files {
		if !f.Is.Foreign() || !f.Optional || len(files) == 1 {
			return f.Is.Err
		}
		if len(what) < most {
			what = append(what, fmt.Sprintf("%s is %s", f.Name, f.Is.Describe))
		}
		if hint, ok := errors.AsType[format.Hint](f.Is.Err); ok && fault.Err == nil && hint != format.RunIt {
			fault.Err = hint
		}
	}
	fault.Msg = "none of the files is a profile: " + strings.Join(what, "; ")
	if more := len(files) - most; more > 0 {
		fault.Msg += fmt.Sprintf("; and %d more", more)
	}
	return fault
}

// Merge adds decoded profiles of one suite up in memory. Their parts, and what
// these read from, are in use as long as the result is.
//
// Profiles that cannot form one are [model.KindIncompatible], and the error
// names both.
func Merge(ctx context.Context, profiles []format.Weighted, o format.MergeOptions) (*format.Profile, error) {
	suite := profiles[0].Profile.Suite
	for _, p := range profiles {
		if s := p.Profile.Suite; s.Merge == nil || s != suite {
			return nil, &model.FormatError{Kind: model.KindIncompatible, File: p.Name, Section: "header",
				Msg: fmt.Sprintf("%s is %s, which cannot be merged", p.Name, p.Profile.Info.Describe)}
		}
	}
	sum, err := suite.Merge(ctx, profiles, o)
	if err != nil {
		return nil, err
	}
	sum.Suite = suite
	return sum, nil
}
