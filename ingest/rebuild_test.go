package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"proflens/catalog"
	"proflens/profile/instrdb"
)

// Tables are derived: what damages or removes them costs a decoding, no data.
func TestDamagedTablesAreMadeAgain(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"cut":      func(path string) error { return os.Truncate(path, 1000) },
		"removed":  os.Remove,
		"not ours": func(path string) error { return os.WriteFile(path, make([]byte, 5000), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			st := openStore(t, dir)
			s := New(st, Config{}, nil)
			start(t, s)
			id := send(t, s, Request{}, text)[0].Entry.ID
			wait(t, s, id)
			files, err := filepath.Glob(filepath.Join(dir, "profiles", "*", id+"-*.db"))
			if err != nil || len(files) != 1 {
				t.Fatalf("%v: %v", files, err)
			}
			if err := damage(files[0]); err != nil {
				t.Fatal(err)
			}
			if _, err := openTables(t, st, id); !errors.Is(err, catalog.ErrRebuilding) {
				t.Fatalf("opened: %v", err)
			}
			wait(t, s, id)
			p, err := openTables(t, st, id)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			records, err := instrdb.Of(p)
			if err != nil || records.Overview.Functions != 1 || records.Overview.Max != 5 {
				t.Errorf("%+v, %v", records, err)
			}
		})
	}
}
