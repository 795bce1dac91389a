package ingest

import (
	"bytes"
	"io"
	"os"
	"testing"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest/tasks"
)

// What was salvaged stays so: when the profile is decoded again, for whatever
// reason, the same comes of it.
func TestSalvageIsRemembered(t *testing.T) {
	data, err := os.ReadFile("../decode/instrprof/testdata/raw/clang-22_ir_c.profraw")
	if err != nil {
		t.Fatal(err)
	}
	st := openStore(t, t.TempDir())
	s := New(st, Config{}, nil)
	start(t, s)
	id := send(t, s, Request{}, upload{"cut.profraw", data[:4000]})[0].Entry.ID
	if e := wait(t, s, id); e.State != catalog.Failed {
		t.Fatalf("%+v", e)
	}
	if _, err := st.Salvage(t.Context(), "nothing"); err != catalog.ErrNotFound {
		t.Errorf("salvaging what is not there: %v", err)
	}
	if e, err := st.Salvage(t.Context(), id); err != nil || e.State != catalog.Received || e.Finding != nil {
		t.Fatalf("%+v, %v", e, err)
	}
	check := func(when string) {
		t.Helper()
		e := wait(t, s, id)
		if len(e.Partial()) != 1 || e.State != catalog.Ready || e.Functions != 25 || e.Finding == nil ||
			e.Finding.Code != "raw.partial" {
			t.Fatalf("%s: %+v", when, e)
		}
		p, err := openTables(t, st, id)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		o := p.Overview
		if len(o.Info.Partial) != 1 || o.Info.Partial[0] != e.Partial()[0] {
			t.Errorf("%s: the tables say %+v; the catalog %+v", when, o.Info.Partial, e.Partial())
		}
	}
	check("salvaged")
	if _, err := st.Salvage(t.Context(), id); err != catalog.ErrNotFailed {
		t.Errorf("salvaged twice: %v", err)
	}
	if err := st.Rebuild(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	check("made again")
	var text bytes.Buffer
	err = Originals{st, tasks.Here{}}.Export(t.Context(), wait(t, s, id).Files, "proftext", nil,
		func(tasks.Head) (io.Writer, error) { return &text, nil })
	if err != nil || text.Len() == 0 {
		t.Errorf("%d bytes are exported of what is partial: %v", text.Len(), err)
	}

	b, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Discard()
	if err := b.Add(t.Context(), "whole.profraw", bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddTo(t.Context(), id, false); err == nil || model.KindOf(err) != model.KindIncompatible {
		t.Errorf("merged without being asked: %v", err)
	}
	if _, err := b.AddTo(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, s, id); len(e.Partial()) != 1 || e.Functions != 45 || len(e.Files) != 2 {
		t.Errorf("%+v", e)
	}
}
