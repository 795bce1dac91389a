package ingest

import (
	"testing"

	"proflens/catalog"
)

// A damaged archive is named and left out, and the profile beside it is taken, whichever
// comes first; by itself it fails.
func TestADamagedArchiveLeavesTheProfileBeside(t *testing.T) {
	s, st := serve(t, Config{})
	good := upload{"a.proftext", []byte(":ir\nmain\n1\n1\n5\n")}
	packed := zipped(t, upload{"src/a.c", []byte("int main() {}\n")})
	cut := upload{"sources.zip", packed[:len(packed)/2]}
	for _, files := range [][]upload{{good, cut}, {cut, good}} {
		e := wait(t, s, send(t, s, Request{}, files...)[0].Entry.ID)
		if e.State != catalog.Ready {
			t.Errorf("%s first: %s, %+v", files[0].name, e.State, e.Finding)
			continue
		}
		for _, f := range e.Files {
			if (f.Finding != nil) != (f.Name == cut.name) {
				t.Errorf("%s first: %s: %+v", files[0].name, f.Name, f.Finding)
			}
		}
		p, err := openTables(t, st, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Overview.Findings) > 0 { // its own finding tells of the archive, once
			t.Errorf("%s first: %+v", files[0].name, p.Overview.Findings)
		}
		p.Close()
	}
	if e := wait(t, s, send(t, s, Request{}, cut)[0].Entry.ID); e.State != catalog.Failed {
		t.Errorf("alone: %s", e.State)
	}
}
