package covdb_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"proflens/analyze/sources"
	"proflens/profile/covdb"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
)

// What a profile leaves out is in no total, wherever it is read, and said: of files by their kind, of lines by
// what excludes them. A comparison says it of both, or of the side that it is of.
func TestWhatIsLeftOut(t *testing.T) {
	broken := errors.New("broken")
	text := func(_ context.Context, name string) ([]byte, bool, error) {
		data, err := os.ReadFile(testdata + "clang-22/kinds/" + name[strings.Index(name, "kinds/")+len("kinds/"):])
		return data, err == nil, nil
	}
	const both = "Left out by markers and macros: 6 lines, 9 regions, 6 branch sides, 1 function."
	open := func(x *covdb.Exclusion, err error) *stored.Profile {
		p, _ := profiletest.Open(t, testdata+"clang-22/kinds/kinds.profdata", testdata+"clang-22/kinds/kinds.covmapping")
		if x != nil {
			covdb.Count(p, func(context.Context) (*covdb.Exclusion, error) { return x, err })
		}
		return p
	}
	macros := &covdb.Exclusion{What: []string{"macros"}, Text: text}
	for _, one := range []struct {
		x              *covdb.Exclusion
		covered, total uint64
		says           string
	}{
		{nil, 15, 34, ""}, {&covdb.Exclusion{}, 15, 34, ""}, {macros, 15, 34,
			"Left out by macros: 4 regions, 2 branch sides."},
		{&covdb.Exclusion{Kinds: []sources.Kind{"tests"}}, 8, 26, "Totals of 2 of 3 files."},
		{&covdb.Exclusion{What: []string{"markers", "macros"}, Kinds: []sources.Kind{"tests"}, Text: text}, 8, 20,
			"Totals of 2 of 3 files. " + both},
		{&covdb.Exclusion{What: []string{"markers"}, Text: func(context.Context, string) ([]byte, bool, error) {
			return nil, false, nil
		}}, 15, 34, "Left out by markers: nothing."},
	} {
		p, err := covdb.Counted(t.Context(), open(one.x, nil))
		if err != nil {
			t.Fatal(err)
		}
		if o := p.Overview; uint64(o.Totals.Lines.Covered) != one.covered || uint64(o.Totals.Lines.Total) != one.total ||
			o.LeftOut != one.says {
			t.Errorf("%+v: %+v, %q", one, o.Totals.Lines, o.LeftOut)
		}
	}
	for _, one := range []struct {
		a, b *covdb.Exclusion
		says string
	}{
		{nil, nil, ""}, {macros, macros, "Left out by macros: 4 regions, 2 branch sides."}, {macros, nil,
			"In A: Left out by macros: 4 regions, 2 branch sides."},
		{nil, macros, "In B: Left out by macros: 4 regions, 2 branch sides."},
		{macros, &covdb.Exclusion{Kinds: []sources.Kind{"tests"}},
			"In A: Left out by macros: 4 regions, 2 branch sides. In B: Totals of 2 of " +
				"3 files."},
	} {
		c, err := covdb.CompareCounted(t.Context(), open(one.a, nil), open(one.b, nil))
		if err != nil || c.LeftOut() != one.says {
			t.Errorf("%q, %v, want %q", c.LeftOut(), err, one.says)
		}
	}
	unread := &covdb.Exclusion{What: []string{"markers"}, Text: func(context.Context, string) ([]byte, bool, error) {
		return nil, true, broken
	}}
	for name, p := range map[string]*stored.Profile{"rules": open(macros, broken), "text": open(unread, nil)} {
		if _, err := covdb.Counted(t.Context(), p); !errors.Is(err, broken) {
			t.Errorf("%s cannot be read, and the error is %v", name, err)
		}
		for _, sides := range [][2]*stored.Profile{{p, open(nil, nil)}, {open(nil, nil), p}} {
			if _, err := covdb.CompareCounted(t.Context(), sides[0], sides[1]); !errors.Is(err, broken) {
				t.Errorf("%s of one side cannot be read, and the error is %v", name, err)
			}
		}
	}
}

// Markers are read again when there are other sources, and only then.
func TestMarkersAreOfTheSourcesThatThereAre(t *testing.T) {
	p, _ := profiletest.Open(t, testdata+"clang-22/kinds/kinds.profdata", testdata+"clang-22/kinds/kinds.covmapping")
	version, read := "first", 0
	covdb.Count(p, func(context.Context) (*covdb.Exclusion, error) {
		return &covdb.Exclusion{What: []string{"markers"}, Text: func(_ context.Context, name string) ([]byte, bool, error) {
			read++
			data, err := os.ReadFile(testdata + "clang-22/kinds/" + name[strings.Index(name, "kinds/")+len("kinds/"):])
			return data, version == "first" && err == nil, nil
		}, Version: func(context.Context) (string, error) { return version, nil }}, nil
	})
	lines := func() int {
		c, err := covdb.Counted(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return int(c.Overview.Totals.Lines.Total)
	}
	marked, files := lines(), read
	if again := lines(); again != marked || read != files {
		t.Errorf("%d lines, then %d; %d texts read, then %d", marked, again, files, read)
	}
	version = "second"
	if unmarked := lines(); unmarked == marked || read != 2*files {
		t.Errorf("%d lines with markers, %d without; %d texts read", marked, unmarked, read)
	}
}
