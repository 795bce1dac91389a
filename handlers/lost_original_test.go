package handlers_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"proflens/handlers/webtest"
)

// A profile whose original was lost is there, its tables too. What needs the original
// says that it is lost, not that there is no such profile, and the same upload mends it.
func TestALostOriginal(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	id := l.Put("a.profraw", raw)["id"].(string)
	e, err := l.Catalog.Entry(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	sum := e.Files[0].SHA256
	path := filepath.Join(l.Catalog.ObjectsDir(), sum[:2], sum)
	for name, damage := range map[string]func() error{
		"lost":    func() error { return os.Remove(path) },
		"altered": func() error { return os.WriteFile(path, bytes.Repeat([]byte("x"), len(raw)), 0o600) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		for _, needs := range []string{"/original", "/export/proftext"} {
			webtest.Problem(t, l.Get(webtest.API(id)+needs), http.StatusInternalServerError, "original_damaged")
		}
		l.OK(webtest.API(id) + "/functions")
		l.Put("b.profraw", raw)
		if got := l.OK(webtest.API(id) + "/original"); !bytes.Equal(got.Bytes, raw) {
			t.Errorf("%s: the same upload does not mend it", name)
		}
	}
}

// What a profile takes on the disk is little more than it has.
func TestATinyProfileIsSmall(t *testing.T) {
	path, _ := webtest.Invent(0, webtest.Func("main", 1, 5)).Path(t)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 128<<10 {
		t.Errorf("a profile of one function takes %d bytes", info.Size())
	}
}
