package catalog

import (
	"database/sql"
	"testing"
)

// Where another process holds the catalog, an upload is refused with that reason, and
// nothing of it stays; then it is taken.
func TestLockedCatalogKeepsNothing(t *testing.T) {
	inAFile(t)
	dir := t.TempDir()
	s := openStore(t, dir)
	other, err := sql.Open("sqlite", dir+"/catalog.db")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	held, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if _, err := held.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	file := stage(t, s, "a.profraw", "content")
	if _, err := s.Create(t.Context(),
		[]NewProfile{{Name: "a", Visibility: Listed, Files: []NewFile{file}}}); !IsLocked(err) {
		t.Errorf("a locked catalog gives %v", err)
	}
	if left := onDisk(t, s, "objects"); len(left) > 0 {
		t.Errorf("%v stay of what was refused", left)
	}
	if _, err := held.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	take(t, s, "a.profraw", "content")
	if left := onDisk(t, s, "objects"); len(left) != 1 {
		t.Errorf("%v are stored", left)
	}
}
