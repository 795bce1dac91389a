package ingest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/catalog"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/profile/mipdb"
)

// machine reads a Machine IR Profile of the decoder's.
func machine(t testing.TB, name string) upload {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "decode", "mip", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return upload{filepath.Base(name), data}
}

func TestMapAndRunsBecomeOneProfile(t *testing.T) {
	s, st := serve(t, Config{})
	uploads := []upload{
		machine(t, "merged/counts.0.mipraw"), machine(t, "merged/counts.mipmap"), machine(t, "merged/counts.1.mipraw"),
	}
	for _, group := range []string{"one", "auto"} {
		accepted := send(t, s, Request{Group: group}, uploads...)
		if len(accepted) != 1 {
			t.Fatalf("%d profiles", len(accepted))
		}
		e := wait(t, s, accepted[0].Entry.ID)
		if e.State != catalog.Ready || e.Functions == 0 || !slices.Equal(e.Families, []model.Family{mip.Family}) ||
			e.Finding != nil || !strings.HasPrefix(e.Describe, "MIP") {
			t.Fatalf("%+v", e)
		}
		p, err := openTables(t, st, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		m, err := mipdb.Of(p)
		if err != nil {
			t.Fatal(err)
		}
		page, err := m.Functions(t.Context(), mipdb.Query{Limit: 5})
		if err != nil || len(page.Rows) != 5 || page.All != e.Functions {
			t.Errorf("%+v, %v", page, err)
		}
		if runs, err := m.Runs(t.Context()); err != nil || len(runs) != 2 {
			t.Errorf("%+v, %v", runs, err)
		}
	}
}

func TestMapAddedLaterMakesRunsWhole(t *testing.T) {
	s, _ := serve(t, Config{})
	id := send(t, s, Request{}, machine(t, "merged/counts.0.mipraw"))[0].Entry.ID
	if e := wait(t, s, id); e.State != catalog.Ready || e.Functions != 0 || e.Finding == nil ||
		e.Finding.Code != "mip.map_missing" {
		t.Fatalf("alone: %+v", e)
	}
	b, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Discard()
	mapFile := machine(t, "merged/counts.mipmap")
	if err := b.Add(t.Context(), mapFile.name, strings.NewReader(string(mapFile.data))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddTo(t.Context(), id, false); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, s, id); e.State != catalog.Ready || e.Functions == 0 || e.Finding != nil {
		t.Errorf("with its map: %+v", e)
	}
}

// A bad file fails with its kind, and stays to be looked at.
func TestBadMachineProfilesFail(t *testing.T) {
	s, _ := serve(t, Config{})
	for name, kind := range map[string]model.Kind{
		"bad/magic_0.mip": model.KindBadMagic, "bad/cut_header_00.mip": model.KindTruncated,
		"bad/ret.mip":       model.KindUnsupportedFeature,
		"bad/version_7.mip": model.KindUnsupportedVersion, "bad/two_headers.mipmap": model.KindSecondHeader,
	} {
		e := wait(t, s, send(t, s, Request{}, machine(t, name))[0].Entry.ID)
		if e.State != catalog.Failed || e.Finding == nil || e.Finding.Kind != kind || e.Finding.Remedy == "" {
			t.Errorf("%s: %s, %+v", name, e.State, e.Finding)
		}
	}
}
