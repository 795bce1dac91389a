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
	// Version tells these texts from others that the profile had before; where it is nil, their
	// markers are not kept.
	Version func(ctx context.Context) (string, error)
}

// markers are those of the files of a profile, by number, and their hash.
type markers struct {
	of   map[int]*coverage.Marks
	hash []byte
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
	m := &markers{}
	if slices.Contains(x.What, coverage.ExcludeMarkers) {
		var err error
		if m, err = x.markers(ctx, p); err != nil {
			return nil, err
		}
		w.Marks = func(file int) *coverage.Marks { return m.of[file] }
	}
	return p.Without(ctx, fmt.Sprintf("%v %x", w.Macros, m.hash), w)
}

// markers reads those in the texts of a profile's files, once for each version of them.
func (x *Exclusion) markers(ctx context.Context, p *Profile) (*markers, error) {
	read := func() (*markers, int64, error) {
		m, hash, size := &markers{of: map[int]*coverage.Marks{}}, sha256.New(), 0
		for i, name := range p.FileNames() {
			text, ok, err := x.Text(ctx, name)
			if err != nil {
				return nil, 0, err
			}
			if !ok {
				continue
			}
			if m.of[i] = coverage.MarksOf(sources.Lines(text)); m.of[i] != nil {
				n, _ := fmt.Fprintf(hash, "%d %+v\n", i, *m.of[i])
				size += n // digits take as much as numbers
			}
		}
		m.hash = hash.Sum(nil)
		return m, int64(size), nil
	}
	if x.Version == nil {
		m, _, err := read()
		return m, err
	}
	version, err := x.Version(ctx)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, "coverage markers "+version, read)
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
	return humanize.Say("{} of {file}", n, all)
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
