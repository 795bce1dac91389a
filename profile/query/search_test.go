package query

import (
	"errors"
	"slices"
	"sync"
	"testing"
)

func TestFound(t *testing.T) {
	even := FoundBy(10, 6, func(i uint32) bool { return i%2 == 0 })
	third := FoundBy(10, 10, func(i uint32) bool { return i%3 == 0 })
	if got := even.Matching.IDs(); !slices.Equal(got, []uint32{0, 2, 4}) || even.Whole() || !third.Whole() {
		t.Errorf("%v", got)
	}
	both := even.And(third)
	if got := both.Matching.IDs(); !slices.Equal(got, []uint32{0}) || both.Scanned != 6 || both.Whole() {
		t.Errorf("both: %v of %d", got, both.Scanned)
	}
	if even.Matching.Count() != 3 {
		t.Error("one of the two has changed")
	}
	if even.And(nil) != even || (*Found)(nil).And(even) != even {
		t.Error("a search alone is itself")
	}
	if even.Bytes() <= 8 {
		t.Errorf("%d bytes", even.Bytes())
	}
}

func TestInPieces(t *testing.T) {
	var seen [][2]int
	look := func(from, to int) error { seen = append(seen, [2]int{from, to}); return nil }
	if got, err := inPieces(5, 2*piece+7, piece, func() bool { return false }, look); err != nil || got != 2*piece+7 {
		t.Errorf("%d, %v", got, err)
	}
	if want := [][2]int{{5, 5 + piece}, {5 + piece, 5 + 2*piece}, {5 + 2*piece, 2*piece + 7}}; !slices.Equal(seen,
		want) {
		t.Errorf("%v, want %v", seen, want)
	}
	if got, err := inPieces(0, 2*piece, piece, func() bool { return true }, look); err != nil || got != piece {
		t.Errorf("enough after one: %d, %v", got, err)
	}
	fault := errors.New("fault")
	if got, err := inPieces(3, piece, piece, func() bool { return false },
		func(int, int) error { return fault }); err != fault || got != 3 {
		t.Errorf("%d, %v", got, err)
	}
}

// Every row is looked at once, by parts that share no word of a bitset and are of one batch, until
// that is enough.
func TestSearchPacked(t *testing.T) {
	for _, n := range []int{0, 1, 64, 65, 1000, 4096 + 3} {
		var lock sync.Mutex
		times := make([]int, 128+n)
		look := func(from, to int) {
			lock.Lock()
			defer lock.Unlock()
			if from%64 != 0 || to > from/256*256+256 {
				t.Errorf("a part from %d to %d", from, to)
			}
			for i := from; i < to; i++ {
				times[i]++
			}
		}
		got, err := searchPacked(128, 128+n, 256, func() bool { return true }, look)
		if err != nil {
			t.Fatal(err)
		}
		for i := range times[:got] {
			if want := min(i/128, 1); times[i] != want {
				t.Fatalf("row %d of %d is looked at %d times, want %d", i, n, times[i], want)
			}
		}
		if slices.ContainsFunc(times[got:], func(n int) bool { return n > 0 }) || got < 128+min(n, 128) {
			t.Errorf("%d rows are looked at, not %d", slices.Max(times), got-128)
		}
		if got, err = searchPacked(got, 128+n, 256, func() bool { return false }, look); err != nil || got != 128+n {
			t.Errorf("%d, %v", got, err)
		}
		for i, got := range times {
			if want := min(i/128, 1); got != want {
				t.Fatalf("row %d of %d is looked at %d times, want %d", i, n, got, want)
			}
		}
	}
}
