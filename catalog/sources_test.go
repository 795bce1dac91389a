package catalog

import (
	"os"
	"strings"
	"testing"

	"proflens/analyze/sources"
)

// sourcesOf stages an archive with one text.
func sourcesOf(t *testing.T, s *Catalog, name, text string) *Staged {
	t.Helper()
	g, err := s.Stage()
	if err != nil {
		t.Fatal(err)
	}
	w := sources.NewWriter(g)
	if _, err := w.Add(name, name, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := g.Seal(); err != nil {
		t.Fatal(err)
	}
	return g
}

// The text of sources is kept beside the originals, is none of them, and goes with its
// profile; an archive that another takes the place of goes at once.
func TestSourcesAreKeptBesideOriginals(t *testing.T) {
	s := openStore(t, t.TempDir())
	created := take(t, s, "a", "content of a")
	id := created.Entry.ID
	makeReady(t, s)
	before, err := s.Entry(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if a, _, err := s.OpenSources(t.Context(), id); a != nil || err != nil {
		t.Fatal(a, err)
	}
	text := func() string {
		t.Helper()
		a, closed, err := s.OpenSources(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		defer closed()
		text, _, err := a.Text("/b/x.c")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, want := range []string{"one", "two", "two"} {
		if err := s.SetSources(t.Context(), id, sourcesOf(t, s, "/b/x.c", want)); err != nil {
			t.Fatal(err)
		}
		if got := text(); got != want {
			t.Errorf("%q", got)
		}
	}
	after, err := s.Entry(t.Context(), id)
	if err != nil || len(after.Files) != len(before.Files) || after.Digest != before.Digest ||
		!after.Updated.After(before.Updated) {
		t.Errorf("%+v, %v", after, err)
	}
	if n := storedOriginals(t, s); n != 2 {
		t.Errorf("%d objects: the original and the sources", n)
	}
	if _, err := s.AddFiles(t.Context(), id, []NewFile{stage(t, s, "more", "more")}); err != nil {
		t.Fatal(err)
	}
	makeReady(t, s)
	if got := text(); got != "two" {
		t.Errorf("%q after another file was added", got)
	}
	if err := s.SetSources(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	if a, _, err := s.OpenSources(t.Context(), id); a != nil || err != nil {
		t.Error(a, err)
	}
	if err := s.SetSources(t.Context(), id, sourcesOf(t, s, "/b/x.c", "three")); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if n := storedOriginals(t, s); n != 0 {
		t.Errorf("%d objects of nobody", n)
	}
	if err := s.SetSources(t.Context(), id, sourcesOf(t, s, "/b/x.c", "late")); err == nil {
		t.Error("a deleted profile has sources")
	}
}

func storedOriginals(t *testing.T, s *Catalog) (n int) {
	t.Helper()
	shards, err := os.ReadDir(s.ObjectsDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, shard := range shards {
		files, err := os.ReadDir(s.ObjectsDir() + "/" + shard.Name())
		if err != nil {
			t.Fatal(err)
		}
		n += len(files)
	}
	return n
}
