package catalog

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestUploadsStayWithinTheirSpace(t *testing.T) {
	s := openStore(t, t.TempDir())
	s.SetSpace(Space{Staging: 1 << 20})
	a, err := s.Stage()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(a, strings.Repeat("a", 900_000)); err != nil {
		t.Fatal(err)
	}
	b, err := s.Stage()
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(b, strings.Repeat("b", 900_000))
	if full, ok := errors.AsType[*SpaceError](err); !ok || full.Limit != "max-staging" {
		t.Errorf("%v", err)
	}
	b.Discard()
	a.Discard()
	if n := s.Staged(); n != 0 {
		t.Errorf("%d bytes are held of nothing", n)
	}
	c := take(t, s, "a", "content") // published files hold nothing
	if n := s.Staged(); n != 0 {
		t.Errorf("%d bytes are held after %s was taken in", n, c.Entry.ID)
	}

	s.SetSpace(Space{Free: 1 << 60})
	_, err = s.Stage()
	if full, ok := errors.AsType[*SpaceError](err); !ok || full.Limit != "min-free" {
		t.Errorf("%v", err)
	}
	if err := s.Delete(t.Context(), c.Entry.ID); err != nil {
		t.Errorf("deleting: %v", err)
	}
}

// What waits to be decoded needs room for its tables.
func TestRoomForWhatWaits(t *testing.T) {
	s := openStore(t, t.TempDir())
	if s.Shared() { // who decodes has a disk of its own
		return
	}
	s.SetSpace(Space{Free: 1})
	waiting := func() int64 {
		t.Helper()
		if g, err := s.Stage(); err != nil {
			t.Fatal(err)
		} else {
			g.Discard()
		}
		return s.space.waiting.Load()
	}
	take(t, s, "a", "12345")
	take(t, s, "b", "123")
	if n := waiting(); n != 8 {
		t.Errorf("%d bytes wait", n)
	}
	makeReady(t, s)
	if n := waiting(); n != 3 {
		t.Errorf("%d bytes wait when one is decoded", n)
	}
}
