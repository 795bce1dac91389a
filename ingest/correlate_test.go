package ingest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/profile/instrdb"
)

// correlated reads a file of the decoder's correlated profiles.
func correlated(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "decode", "instrprof", "testdata", "correlate", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestProgramAddedLaterMakesAProfileWhole(t *testing.T) {
	s, st := serve(t, Config{})
	id := send(t, s, Request{}, upload{"app.profraw", correlated(t, "clang-22_dbg.profraw")})[0].Entry.ID
	if e := wait(t, s, id); e.State != catalog.Ready || e.Functions != 0 || e.Finding == nil ||
		e.Finding.Kind != model.KindMissingCorrelation {
		t.Fatalf("alone: %s, %d functions, %+v", e.State, e.Functions, e.Finding)
	}
	add := func(name string) *catalog.Entry {
		t.Helper()
		b, err := s.Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer b.Discard()
		if err := b.Add(t.Context(), name, bytes.NewReader(correlated(t, name))); err != nil {
			t.Fatal(err)
		}
		if _, err := b.AddTo(t.Context(), id, false); err != nil {
			t.Fatal(err)
		}
		return wait(t, s, id)
	}
	if e := add("clang-22_bin.elf"); e.State != catalog.Ready || len(e.Files) != 1 || e.Finding == nil ||
		e.Finding.Kind != model.KindIncompatible {
		t.Errorf("with another program: %s, %d files, %+v", e.State, len(e.Files), e.Finding)
	}
	whole := add("clang-22_dbg.elf")
	if whole.State != catalog.Ready || whole.Functions == 0 || len(whole.Files) != 2 || whole.Finding != nil {
		t.Fatalf("whole: %s, %d functions, %d files, %+v", whole.State, whole.Functions, len(whole.Files), whole.Finding)
	}
	p, err := openTables(t, st, id)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	records, err := instrdb.Of(p)
	if err != nil {
		t.Fatal(err)
	}
	o := p.Overview
	if len(o.Inputs) != 2 || o.Inputs[1].Format != symbol.FormatELF || records.Overview.Names == 0 {
		t.Errorf("%d names, inputs %+v", records.Overview.Names, o.Inputs)
	}
}

func TestGroupsOfProgramsAndProfiles(t *testing.T) {
	s, _ := serve(t, Config{})
	accepted := send(t, s, Request{Group: "auto"},
		upload{"a.elf", correlated(t, "clang-22_no_id.elf")}, upload{"b.profraw", correlated(t, "clang-22_dbg.profraw")},
		upload{"a.profraw", correlated(t, "clang-22_no_id.profraw")}, upload{"b.elf", correlated(t, "clang-22_dbg.elf")})
	if len(accepted) != 2 {
		t.Fatalf("%d profiles", len(accepted))
	}
	for _, a := range accepted {
		if e := wait(t, s, a.Entry.ID); e.State != catalog.Ready || len(e.Files) != 2 || e.Functions == 0 {
			t.Errorf("%s: %s, %d functions, %+v", e.Name, e.State, e.Functions, e.Finding)
		}
	}
}

// A .dSYM bundle is a folder: its list of properties and its relocations, which
// come along, are left out.
func TestBundleBesideAProfile(t *testing.T) {
	s, _ := serve(t, Config{})
	const bundle = "run/app.dSYM/Contents/"
	files := []upload{
		{
			bundle + "Info.plist", []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist " +
				"version=\"1.0\"><dict/></plist>\n"),
		},
		{bundle + "Resources/DWARF/app", correlated(t, "clang-22_dbg_macho.dsym")},
		{
			bundle + "Resources/Relocations/x86_64/app.yml",
			[]byte("---\ntriple:          'x86_64-apple-darwin'\nbinary-path:     app\nrelocations: []\n...\n"),
		},
		{"run/app.profraw", correlated(t, "clang-22_dbg_macho.profraw")},
		{"run/app", correlated(t, "clang-22_dbg_macho.macho")},
	}
	for name, uploads := range map[string][]upload{
		"a folder":           files,
		"without program":    files[:4],
		"an archive":         {{"run.zip", zipped(t, files...)}},
		"an archive, beside": {{"app.dSYM.zip", zipped(t, files[:3]...)}, files[3]},
	} {
		for _, group := range []string{"auto", "one"} {
			accepted := send(t, s, Request{Group: group}, uploads...)
			if len(accepted) != 1 {
				t.Errorf("%s, %s: %d profiles", name, group, len(accepted))
				continue
			}
			if e := wait(t, s, accepted[0].Entry.ID); e.State != catalog.Ready || e.Functions != 4 {
				t.Errorf("%s, %s: %s, %d functions, %+v", name, group, e.State, e.Functions, e.Finding)
			}
		}
	}
}
