package covdb

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/internal/humanize"
	"proflens/profile/stored"
)

// Exclusion is what totals leave out: as a request, the labels of a profile or the rules of its
// project have it.
type Exclusion struct {
	Kinds []sources.Kind // of files
	What  []string       // of [coverage.Excludable]
	// Text is the text of a source file, in which markers stand, by its name in the mapping; ok is
	// false where it is not at hand.
	Text func(ctx context.Context, name string) (text []byte, ok bool, err error)
}

// Labels of a profile say what is left out of its totals.
var Labels = []string{coverage.ExcludeLabel, coverage.WithoutLabel}

// Of is a profile as [Profile.Without] has it. Errors are the context's, of Text, or about the
// profile.
func (x *Exclusion) Of(ctx context.Context, p *Profile) (*Profile, error) {
	if len(x.What) == 0 {
		return p, nil
	}
	w := coverage.Without{Macros: slices.Contains(x.What, coverage.ExcludeMacros)}
	marks := map[int]*coverage.Marks{}
	hash := sha256.New()
	if slices.Contains(x.What, coverage.ExcludeMarkers) {
		w.Marks = func(file int) *coverage.Marks { return marks[file] }
		for i, name := range p.FileNames() {
			text, ok, err := x.Text(ctx, name)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			if marks[i] = coverage.MarksOf(sources.Lines(text)); marks[i] != nil {
				fmt.Fprintf(hash, "%d %+v\n", i, *marks[i])
			}
		}
	}
	return p.Without(ctx, fmt.Sprintf("%v %x", w.Macros, hash.Sum(nil)), w)
}

// Count has a profile's coverage leave out what of says, wherever figures are read, and
// [Counted].
func Count(p *stored.Profile, of func(ctx context.Context) (*Exclusion, error)) {
	p.Counted = func(ctx context.Context, part any) (any, error) {
		all, ok := part.(*Profile)
		if !ok {
			return part, nil
		}
		x, err := of(ctx)
		if err != nil {
			return nil, err
		}
		return x.Counted(ctx, all)
	}
}

// Counted is the source coverage of an open profile without what [Count] has it leave out, which
// its Overview says. Errors are those of [Of] and of [Exclusion.Of].
func Counted(ctx context.Context, p *stored.Profile) (*Profile, error) {
	all, err := Of(p)
	if err != nil || p.Counted == nil {
		return all, err
	}
	part, err := p.Counted(ctx, all)
	if err != nil {
		return nil, err
	}
	return part.(*Profile), nil
}

// Counted is a profile that leaves this out: of its totals, of the lines of its files, and of what
// is compared.
func (x *Exclusion) Counted(ctx context.Context, p *Profile) (*Profile, error) {
	if len(x.Kinds)+len(x.What) == 0 {
		return p, nil
	}
	left, err := x.Of(ctx, p)
	if err != nil {
		return nil, err
	}
	q := FileQuery{Without: x.Kinds}
	sums, err := left.Sum(ctx, q)
	if err != nil {
		return nil, err
	}
	counted, o := *left, *p.Overview
	counted.Overview, counted.out, counted.whole = &o, x.Kinds, p
	o.Totals = sums.Sums
	if o.LeftOut, err = x.LeftOut(ctx, p, left, q); sums.Files < o.Files {
		o.LeftOut = strings.TrimSpace("Totals of " + OfFiles(sums.Files, o.Files) + ". " + o.LeftOut)
	}
	return &counted, err
}

// OfFiles is how many of all files: "2 of 3 files".
func OfFiles(n, all int) string {
	return humanize.Int(n) + " of " + humanize.Plural(all, "file")
}

// LeftOut says what the files that a query finds are without, of what Of gave; empty where
// nothing was to be left out of them.
func (x *Exclusion) LeftOut(ctx context.Context, whole, left *Profile, q FileQuery) (string, error) {
	if len(x.What) == 0 {
		return "", nil
	}
	was, err := whole.Sum(ctx, q)
	if err != nil {
		return "", err
	}
	is, err := left.Sum(ctx, q)
	var list []string
	for _, m := range []struct {
		was, is   coverage.Metric
		one, many string
	}{
		{was.Lines, is.Lines, "line", "lines"}, {was.Regions, is.Regions, "region", "regions"},
		{was.Branches, is.Branches, "branch side", "branch sides"}, {was.Functions, is.Functions, "function", "functions"},
	} {
		if n := m.was.Total - m.is.Total; n != 0 {
			list = append(list, humanize.Plural(n, m.one, m.many))
		}
	}
	if len(list) == 0 {
		list = []string{"nothing"}
	}
	return "Left out by " + strings.Join(x.What, " and ") + ": " + strings.Join(list, ", ") + ".", err
}
