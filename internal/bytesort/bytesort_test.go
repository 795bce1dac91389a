package bytesort

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The order is that of comparing whole names, whatever they have in common.
func TestSort(t *testing.T) {
	Sort(nil, nil, nil)
	for _, common := range []string{"", "_ZN", "_ZN4base4core3net4http5cache"} {
		testSort(t, common)
	}
}

// testSort sorts names with a beginning in common.
func testSort(t *testing.T, common string) {
	rng := rand.New(rand.NewPCG(1, 2))
	begin := []string{"", "_ZN4base", "_ZN4base4core3net4http5cache", "\x00", strings.Repeat("a", 40), "é"}
	var names [][]byte
	for range 20_000 {
		name := []byte(common + begin[rng.IntN(len(begin))])
		for range rng.IntN(20) {
			name = append(name, "\x00ab_"[rng.IntN(4)])
		}
		names = append(names, name)
	}
	within := func(a, b uint32) int { return cmp.Or(cmp.Compare(a%7, b%7), cmp.Compare(a, b)) }
	got := make([]uint32, len(names))
	for i := range got {
		got[i] = uint32(i)
	}
	if common != "" { // few names that begin otherwise
		names[999], names[1999] = []byte(common[:1]), []byte("_ZZ")
	}
	want := slices.Clone(got)
	slices.SortFunc(want, func(a, b uint32) int { return cmp.Or(bytes.Compare(names[a], names[b]), within(a, b)) })
	same := Sort(got, func(i uint32) []byte { return names[i] }, within)
	if !slices.Equal(got, want) {
		t.Error("another order than by comparing")
	}
	for i, index := range want {
		if is := i > 0 && bytes.Equal(names[want[i-1]], names[index]); same[i] != is {
			t.Fatalf("%q at %d: same %t, want %t", names[index], i, same[i], is)
		}
	}
}
