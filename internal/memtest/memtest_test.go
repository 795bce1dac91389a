package memtest_test

import (
	"testing"

	"proflens/internal/memtest"
)

func TestOf(t *testing.T) {
	const size = 32 << 20
	use := memtest.Of(func() any { return make([]byte, size) })
	if use.Kept < size || use.Kept > size+1<<20 || use.Peak < use.Kept || use.Allocated < size {
		t.Errorf("%+v", use)
	}
	use = memtest.Of(func() any {
		for range 64 {
			garbage = make([]byte, 1<<20)
		}
		garbage = nil
		return nil
	})
	if use.Allocated < 64<<20 || use.Peak > 32<<20 || use.Kept > 2<<20 {
		t.Errorf("%+v", use)
	}
}

var garbage []byte

// failed notes whether a test would have failed.
type failed struct {
	testing.TB
	yes bool
}

func (f *failed) Errorf(string, ...any) { f.yes = true }
func (f *failed) Helper()               {}

func TestWatch(t *testing.T) {
	for size, want := range map[int]bool{1 << 10: false, 64 << 20: true} {
		f := &failed{TB: t}
		done := memtest.Bound{Base: 16 << 20, Rate: 1}.Watch(f, 1)
		garbage = make([]byte, size)
		if done(); f.yes != want {
			t.Errorf("%d bytes: %v", size, f.yes)
		}
	}
	garbage = nil
}
