package catalog

import (
	"os"
	"path/filepath"
	"testing"
)

// What a bucket has is found again after its catalog was lost: profiles by their tables,
// with their old links, and what has no tables by itself.
func TestABucketWithoutItsCatalogIsTakenIn(t *testing.T) {
	dir, address := bucketFolder(t)
	s := openInto(t, address)
	two := take(t, s, "two", "first", func(p *NewProfile) { p.Files = append(p.Files, stage(t, s, "b", "second")) }).Entry
	decodeNext(t, s)
	take(t, s, "waits", "third")
	s.Close()

	place := at(t, t.TempDir())
	place.Objects = address
	damaged := filepath.Join(dir, "objects", "00", "0000000000000000000000000000000000000000000000000000000000000000-x")
	if err := os.MkdirAll(filepath.Dir(damaged), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(damaged, []byte("not that"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if n := len(inStore(t, dir)); n != 5 {
		t.Errorf("a start left %d files of 5", n)
	}

	done, err := Repair(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	if len(done.Profiles) != 2 || done.Profiles[0].Entry.ID != two.ID || !done.Profiles[0].SameID ||
		len(done.Profiles[0].Entry.Files) != 2 || done.Profiles[1].SameID {
		t.Errorf("%+v", done.Profiles)
	}
	if len(done.Faults) != 1 || done.Faults[0].What != "unknown to the catalog" {
		t.Errorf("what is damaged stays, and is told: %v", done.Faults)
	}
	if again, err = Open(t.Context(), place); err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for range done.Profiles {
		e := decodeNext(t, again)
		for _, f := range e.Files {
			if err := verifyOriginal(t, again, f.SHA256); err != nil {
				t.Error(err)
			}
		}
		p, err := again.Open(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		p.Close()
	}
	if n := len(inStore(t, dir)); n != 6 { // three originals, two tables, what is damaged
		t.Errorf("%d files: %v", n, inStore(t, dir))
	}
	if done, err := Repair(t.Context(), place); err == nil {
		t.Errorf("beside a server: %+v", done)
	}
}

// A catalog that was set back finds the original again that a profile of it lost.
func TestAnOriginalWithoutItsRowIsItsProfilesAgain(t *testing.T) {
	_, address := bucketFolder(t)
	s := openInto(t, address)
	e := take(t, s, "app", "first").Entry
	take(t, s, "other", "another")
	if _, err := s.db.Write.Exec(`DELETE FROM object WHERE sha256 = ?`, e.Files[0].SHA256); err != nil {
		t.Fatal(err)
	}
	s.Close()
	done, err := Repair(t.Context(), s.place)
	if err != nil || len(done.Profiles) != 0 || len(done.Faults) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if s, err = Open(t.Context(), s.place); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := verifyOriginal(t, s, e.Files[0].SHA256); err != nil {
		t.Error(err)
	}
}
