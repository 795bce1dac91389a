package objects

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

func TestTheLeastRecentlyUsedCopiesGo(t *testing.T) {
	b, f := inFaulty(t, 3500)
	var all []Content
	key := func(i int) string { return fmt.Sprintf("objects/aa/aa%d", i) }
	for i := range 5 {
		c, _ := put(t, b, key(i), 1000, uint64(i))
		all = append(all, c)
	}
	used, err := b.Open(t.Context(), key(0), all[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 5; i++ {
		if _, err := read(t, b, key(i), all[i]); err != nil {
			t.Fatal(err)
		}
		if n := b.Stats().Cache.Used; n > 3500 {
			t.Errorf("%d bytes", n)
		}
	}
	for i, here := range []bool{true, false, false, true, true} {
		if _, err := os.Stat(b.cache.path(key(i))); (err == nil) != here {
			t.Errorf("copy %d: %v", i, err)
		}
	}
	before := f.reads.Load()
	read(t, b, key(3), all[3])
	if f.reads.Load() != before {
		t.Error("a copy that was here was fetched")
	}
	used.Close()
}

func TestFilesInUseStayAndWhatIsKeptOpenIsShed(t *testing.T) {
	b, _ := inFaulty(t, 1500)
	one, _ := put(t, b, "objects/aa/aa1", 1000, 1)
	two, _ := put(t, b, "objects/aa/aa2", 1000, 2)
	f, err := b.Open(t.Context(), "objects/aa/aa1", one)
	if err != nil {
		t.Fatal(err)
	}
	g, err := b.Open(t.Context(), "objects/aa/aa2", two)
	if err != nil {
		t.Fatal(err) // more than there is room for: both are needed
	}
	g.Close()
	b.cache.shed = func() bool {
		if f == nil {
			return false
		}
		f.Close()
		f = nil
		return true
	}
	g, err = b.Open(t.Context(), "objects/aa/aa2", two)
	if err != nil || f != nil || b.Stats().Cache.Used != 1000 {
		t.Error(err, b.Stats().Cache.Used)
	}
	g.Close()
}

func TestTheNextProcessFindsTheCopies(t *testing.T) {
	b, f := inFaulty(t, 1<<20)
	c, content := put(t, b, "objects/aa/aa", 1000, 1)
	if _, err := read(t, b, "objects/aa/aa", c); err != nil {
		t.Fatal(err)
	}
	unfinished, err := b.cache.temp(10)
	if err != nil {
		t.Fatal(err)
	}
	unfinished.Close()
	again := over(t, f, b.cache.dir, 1<<20)
	before := f.reads.Load()
	if got, err := read(t, again, "objects/aa/aa", c); err != nil || !bytes.Equal(got, content) ||
		f.reads.Load() != before {
		t.Errorf("%v after %d reads", err, f.reads.Load()-before)
	}
	if _, err := os.Stat(unfinished.Name()); err == nil {
		t.Error("a copy that was cut off is still there")
	}
	if again.Stats().Cache.Used < 1000 {
		t.Errorf("%d bytes", again.Stats().Cache.Used)
	}
	// Somebody wrote into it: the store's is fetched.
	if err := os.WriteFile(b.cache.path("objects/aa/aa"), bytes.Repeat([]byte{1}, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, again, "objects/aa/aa", c); err != nil || !bytes.Equal(got, content) {
		t.Error(err)
	}
}
