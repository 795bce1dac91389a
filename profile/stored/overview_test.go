package stored_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/decode/model"
	"proflens/profile/stored"
)

var inputs = []stored.Input{
	{
		Name: "a", SHA256: "00ff", Size: 1 << 40, Describe: "first", Format: "raw", Version: 8,
		Sections: []model.Section{{Name: "header", Size: 88}, {Name: "names", Offset: 1 << 63, Size: 7, Note: "n"}},
	},
	{Name: "b"}, {Name: "c", Sections: []model.Section{{Name: "whole", Size: 1}}},
}

var findings = []model.Finding{
	{Severity: model.Note, Code: "n", Message: "noted"},
	{
		Severity: model.Warning, Code: "w", Kind: model.KindMalformed, File: "f", Section: "s", Field: "x", Offset: 1<<64 - 1,
		Expected: "e", Found: "f", Message: "m", Cause: "c", Remedy: "r", Count: 3,
	},
}

// told writes what a file says of its profile, with a section of a file that is not there.
func told(w *stored.Writer) error {
	var sections []stored.Section
	for i := range inputs {
		for _, s := range inputs[i].Sections {
			sections = append(sections, stored.Section{File: i + 1, Section: s})
		}
	}
	sections = append(sections, stored.Section{File: len(inputs) + 1}, stored.Section{})
	return w.InTurn(
		func(w *stored.Writer) error { return stored.PutRows(w, "file", inputs, (*stored.Input).Columns) },
		func(w *stored.Writer) error { return stored.PutRows(w, "section", sections, (*stored.Section).Columns) },
		func(w *stored.Writer) error { return stored.PutRows(w, "finding", findings, stored.FindingColumns) },
		func(w *stored.Writer) error {
			return w.Rows("binary_id", len(about.BinaryIDs), func(r *stored.Record, i int) { r.Blob(about.BinaryIDs[i]) })
		},
	)
}

// What a file says of its profile is read as it was written, from a disk or elsewhere.
func TestOverviewIsReadAsWritten(t *testing.T) {
	p, closed := wrote(t, told), 0
	want := &stored.Overview{Info: about, Inputs: inputs, Findings: findings}
	again, err := stored.OpenAt(p.Content(), p.Content().Size(), func() error { closed++; return nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*stored.Profile{p, again} {
		if diff := gocmp.Diff(want, p.Overview, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if again.ID() != "an id" || again.Storing() || again.Close() != nil || closed != 1 {
		t.Errorf("%q, closed %d times", again.ID(), closed)
	}
	f := stored.FiguresOf(want, stored.Counts{Magnitudes: &[65]uint64{1: 1}, Title: "t", HeadPart: 1, HeadWhole: 2})
	if !slices.EqualFunc(f.Builds, about.BinaryIDs, bytes.Equal) || !bytes.Equal(f.Spark, []byte{255}) || f.Title != "t" ||
		f.HeadPart != 1 || f.HeadWhole != 2 || f.Finding == nil || f.Finding.Code != "w" {
		t.Errorf("%+v", f)
	}
	many := *want
	many.Info.BinaryIDs = slices.Repeat(about.BinaryIDs, 50)
	if f := stored.FiguresOf(&many, stored.Counts{}); len(f.Builds) != 64 {
		t.Errorf("%d build IDs", len(f.Builds))
	}
}

// A part is opened once for all handles, and again where that did not succeed; without tables
// of the family there is none.
func TestPartsAreOpenedOnce(t *testing.T) {
	p, released, opened, fault := wrote(t, told), 0, 0, errors.New("a fault")
	handle := p.Share(func() error { released++; return nil })
	if _, err := stored.Part(p, "mip", func(*stored.Profile) (int, error) { return 1, nil }); err != stored.ErrNoPart ||
		p.Has("mip") || !p.Has("memprof") {
		t.Errorf("%v", err)
	}
	for _, test := range []struct {
		of    *stored.Profile
		fails error
		want  int
	}{{p, fault, 0}, {handle, nil, 2}, {p, nil, 2}, {p, fault, 2}} {
		part, err := stored.Part(test.of, "memprof", func(base *stored.Profile) (int, error) {
			if opened++; base.ID() != p.ID() || base.Close() != nil {
				t.Error("a handle of another file, or one that closes it")
			}
			return opened, test.fails
		})
		if part != test.want || test.want == 0 && !errors.Is(err, fault) || test.want != 0 && err != nil {
			t.Errorf("%d, %v; want %d", part, err, test.want)
		}
	}
	if err := handle.Close(); err != nil || released != 1 || opened != 2 {
		t.Errorf("%v, released %d times, opened %d times", err, released, opened)
	}
	image, err := stored.Image("CREATE TABLE meta(key TEXT, value); CREATE TABLE thing(id INTEGER PRIMARY KEY, a, b, c)",
		stored.SmallPages)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := p.Without(image)
	if err != nil || empty.Has("memprof") || empty.ID() != p.ID() || empty.Overview != p.Overview ||
		empty.Walk("file", func(*stored.Row) {}) == nil ||
		empty.Walk("thing", func(*stored.Row) { t.Error("a row") }) != nil {
		t.Errorf("%+v, %v", empty, err)
	}
}

// Tables are filled in turn, up to the first fault.
func TestInTurn(t *testing.T) {
	fault, seen := errors.New("a fault"), 0
	step := func(err error) func(*stored.Writer) error { return func(*stored.Writer) error { seen++; return err } }
	wrote(t, func(w *stored.Writer) error {
		if err := w.InTurn(step(nil), step(fault), step(nil)); err != fault || seen != 2 {
			t.Errorf("%v after %d", err, seen)
		}
		return nil
	})
}

// Who waits is told what is done, things and bytes apart; a value that has a version is that of the
// latest.
func TestReportsAndVersions(t *testing.T) {
	var p stored.Progress
	if p.Now() != (stored.Step{}) {
		t.Errorf("%+v", p.Now())
	}
	ctx := stored.Watched(t.Context(), &p)
	stored.Report(ctx, "Reading", 1, 2)
	if p.Now() != (stored.Step{Doing: "Reading", Done: 1, Of: 2}) {
		t.Errorf("%+v", p.Now())
	}
	stored.ReportBytes(ctx, "Fetching", 3, 0)
	stored.Report(t.Context(), "of nobody", 1, 2)
	if p.Now() != (stored.Step{Doing: "Fetching", Done: 3, Bytes: true}) {
		t.Errorf("%+v", p.Now())
	}
	before := stored.SharedCacheStats()
	for i, version := range []string{"1", "1", "2", "2", "1"} {
		got, err := stored.CachedVersion(t.Context(), "a thing", version, func() (int, int64, error) { return i, 1000, nil })
		if want := []int{0, 0, 2, 2, 4}[i]; err != nil || got != want {
			t.Errorf("version %s is %d, want %d; %v", version, got, want, err)
		}
	}
	if now := stored.SharedCacheStats(); now.Hits-before.Hits != 2 || now.Misses-before.Misses != 3 ||
		now.Used-before.Used > 2000 || now.Used-before.Used < 1000 {
		t.Errorf("%+v after %+v", now, before)
	}
	fault := errors.New("a fault")
	if _, err := stored.CachedVersion(t.Context(), "another", "1",
		func() (int, int64, error) { return 0, 0, fault }); err != fault {
		t.Error(err)
	}
}

// A walk keeps the first fault, of columns too, and gives no rows behind it.
func TestWalkEndsWithABrokenColumn(t *testing.T) {
	p := wrote(t, func(w *stored.Writer) error {
		return w.Rows("thing", 3, func(r *stored.Record, i int) {
			r.Blob([][]byte{{1, 2}, {0x80}, {3}}[i])
			r.Ints(i, 7)
		})
	})
	var seen [][]uint64
	err := p.Walk("thing", func(row *stored.Row) {
		seen = append(seen, slices.Clone(row.Vector(1)))
		if row.ID == 2 {
			row.Fail(errors.New("a later one"))
		}
	})
	if !errors.Is(err, stored.ErrDamaged) || len(seen) != 2 || !slices.Equal(seen[0], []uint64{1, 2}) || len(seen[1]) > 0 {
		t.Errorf("%v, %v", seen, err)
	}
	err = p.Walk("thing", func(row *stored.Row) {
		if row.ID == 1 && string(row.Blob(1)) != "\x01\x02" {
			t.Errorf("%q", row.Blob(1))
		}
		row.Fail(nil)
	})
	if err != nil {
		t.Error(err)
	}
}

// A vector's end is found without reading its numbers.
func TestVectorSize(t *testing.T) {
	b := []byte{1, 0x80, 1, 0xff, 0xff, 3, 0, 9}
	for n, want := range []int{0, 1, 3, 6, 7, 8} {
		if got := stored.VectorSize(b, uint64(n)); got != want {
			t.Errorf("%d numbers take %d bytes, not %d", n, got, want)
		}
	}
}

// A row may have [stored.MaxRow] bytes, and not one more.
func TestRowsAreBounded(t *testing.T) {
	for bytes, fits := range map[int]bool{stored.MaxRow - 64: true, stored.MaxRow + 1: false} {
		wrote(t, func(w *stored.Writer) error {
			err := w.Rows("thing", 1, func(r *stored.Record, _ int) { r.Blob(make([]byte, bytes)); r.Ints(1, 2) })
			fault, ok := errors.AsType[*model.FormatError](err)
			if fits != (err == nil) || !fits && (!ok || fault.Kind != model.KindTooLarge || fault.Section != "thing") {
				t.Errorf("%d bytes: %v", bytes, err)
			}
			return nil
		})
	}
}
