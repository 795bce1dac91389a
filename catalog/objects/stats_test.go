package objects

import (
	"errors"
	"io/fs"
	"testing"
)

func TestRequestsAndCopiesAreCounted(t *testing.T) {
	b, f := inFaulty(t, 1000)
	one, _ := put(t, b, "objects/aa/one", 800, 1)
	two, _ := put(t, b, "objects/aa/two", 700, 2)
	if _, err := read(t, b, "objects/aa/none", one); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	f.mu.Lock()
	f.fail = []error{errFault}
	f.mu.Unlock()
	for _, read1 := range []struct {
		key string
		c   Content
	}{{"objects/aa/one", one}, {"objects/aa/one", one}, {"objects/aa/two", two}} {
		if _, err := read(t, b, read1.key, read1.c); err != nil {
			t.Fatal(err)
		}
	}
	for range b.List(t.Context(), "objects/") {
	}
	if err := b.Delete(t.Context(), "objects/aa/one"); err != nil {
		t.Fatal(err)
	}
	s := b.Stats()
	for what, n := range map[Answered]int64{
		{Put, OK}: 2, {Head, OK}: 2, {Get, OK}: 2, {Get, Failed}: 1, {Get, Missing}: 1, {List, OK}: 1, {Remove, OK}: 1,
	} {
		if s.Requests[what] != n {
			t.Errorf("%v: %d, expected %d", what, s.Requests[what], n)
		}
	}
	if s.Took[Get] <= 0 {
		t.Error("reading took no time")
	}
	if want := (CacheStats{Used: 700, Limit: 1000, Hits: 1, Misses: 3, Evicted: 1}); s.Cache != want {
		t.Errorf("%+v, expected %+v", s.Cache, want)
	}
}
