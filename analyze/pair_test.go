package analyze

import (
	"slices"
	"testing"
)

func TestPair(t *testing.T) {
	a := []Keyed{{1, 10}, {2, 20}, {2, 21}, {3, 30}, {2, 22}}
	b := []Keyed{{2, 22}, {4, 40}, {2, 29}, {1, 11}, {2, 28}, {2, 27}}
	want := []Paired{{0, 3}, {1, 2}, {2, 4}, {3, -1}, {4, 0}, {-1, 1}, {-1, 5}}
	if got := Pair(a, b); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Pair(nil, b[:1]); !slices.Equal(got, []Paired{{-1, 0}}) {
		t.Errorf("with nothing: %v", got)
	}
}

func TestKeptOrder(t *testing.T) {
	// One that goes from the end to the front moved, and none of those it passes.
	if got := KeptOrder([]int{1, 2, 3, 4, 0}); !slices.Equal(got, []bool{true, true, true, true, false}) {
		t.Errorf("kept %v", got)
	}
	if got := KeptOrder(nil); len(got) != 0 {
		t.Errorf("kept %v of nothing", got)
	}
}
