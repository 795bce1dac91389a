// Package memtest measures for tests what memory a call takes: whoever reads what
// strangers send must take no more of it than the size of what they sent explains.
package memtest

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
	"time"
)

// Use is what a call took, in bytes.
type Use struct {
	Peak      uint64 // of what lived at one time, and some garbage beside it
	Kept      uint64 // of what lived when it was done, its result among it
	Allocated uint64 // in all
}

var one sync.Mutex // measures at a time

// Of measures a call. Its result is alive while what is kept is counted. Nothing else
// should run in the process meanwhile.
func Of(f func() any) Use {
	one.Lock()
	defer one.Unlock()
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // so that little garbage is counted
	runtime.GC()
	before, allocated := lives(), allocations()
	done, watched := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		for tick := time.NewTicker(500 * time.Microsecond); ; {
			select {
			case <-done:
				tick.Stop()
				watched <- peak
				return
			case <-tick.C:
				peak = max(peak, lives())
			}
		}
	}()
	result := f()
	after := lives()
	close(done)
	use := Use{Peak: above(max(<-watched, after), before), Allocated: allocations() - allocated}
	runtime.GC()
	use.Kept = above(lives(), before)
	use.Peak = max(use.Peak, use.Kept)
	runtime.KeepAlive(result)
	return use
}

func above(a, b uint64) uint64 { return a - min(a, b) }

func lives() uint64 { return read("/memory/classes/heap/objects:bytes") }

func allocations() uint64 { return read("/gc/heap/allocs:bytes") }

func read(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Bound is how much a call may take of memory: Base, and Rate for each byte of what
// it reads.
type Bound struct{ Base, Rate uint64 }

// Of is the bound for so many bytes.
func (b Bound) Of(size int) uint64 { return b.Base + b.Rate*uint64(size) }

// Check fails the test when a call that reads size bytes takes more than the bound.
func (b Bound) Check(t testing.TB, name string, size int, f func() any) Use {
	t.Helper()
	use := Of(f)
	if most := b.Of(size); use.Peak > most {
		t.Errorf("%s: %d bytes took %d at once, and kept %d; at most %d may be", name, size, use.Peak, use.Kept, most)
	}
	return use
}

// watched is how many bytes may be allocated, one after another, for what is read. It
// is far above what any file that tests have takes, and far below what ends a process.
var watched = Bound{Base: 192 << 20, Rate: 4096}

// Watch fails the test when what runs until the function it returns is called allocates
// more bytes in all than size bytes of input explain. It costs next to nothing: fuzzing
// does it for each input.
func Watch(t testing.TB, size int) (done func()) { return watched.Watch(t, size) }

// Watch is [Watch] with a bound of one's own.
func (b Bound) Watch(t testing.TB, size int) (done func()) {
	before := allocations()
	return func() {
		t.Helper()
		if used, most := above(allocations(), before), b.Of(size); used > most {
			t.Errorf("%d bytes of input had %d allocated; at most %d may be", size, used, most)
		}
	}
}
