package symbol

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// slow is whose each address is, by looking at all stretches: the one that begins
// last, of those the narrowest, and of those the latest.
func slow(list []span, addr uint64) (owner int32, ok bool) {
	best := -1
	for n, s := range list {
		if addr < s.low || addr >= s.high {
			continue
		}
		if best < 0 || s.low > list[best].low || s.low == list[best].low && s.high <= list[best].high {
			best = n
		}
	}
	if best < 0 {
		return 0, false
	}
	return list[best].owner, true
}

// Flattening keeps whose each address is, whatever overlaps.
func TestFlatten(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 500 {
		var list []span
		for n := range random.IntN(12) {
			low := random.Uint64N(30)
			list = append(list, span{low: low, high: low + random.Uint64N(12), owner: int32(n)})
		}
		before := slices.Clone(list)
		flat := flatten(list)
		for addr := range uint64(50) {
			wantOwner, wantOK := slow(before, addr)
			if owner, ok := flat.find(addr); ok != wantOK || owner != wantOwner {
				t.Fatalf("round %d: 0x%x is %d's, %v; want %d, %v: %+v becomes %+v", round, addr, owner, ok, wantOwner, wantOK,
					before, flat)
			}
		}
		for n := 1; n < len(flat); n++ {
			if flat[n].low < flat[n-1].high || flat[n].low == flat[n-1].high && flat[n].owner == flat[n-1].owner {
				t.Fatalf("round %d: %+v", round, flat)
			}
		}
	}
}

func TestSpansAtTheEnds(t *testing.T) {
	const most = ^uint64(0)
	flat := flatten([]span{
		{low: 0, high: 1, owner: 1}, {low: most - 1, high: most, owner: 2}, {low: 5, high: 5, owner: 3},
		{low: 9, high: 7, owner: 4},
	})
	for addr, want := range map[uint64]int32{0: 1, most - 1: 2} {
		if owner, ok := flat.find(addr); !ok || owner != want {
			t.Errorf("0x%x is %d's, %v", addr, owner, ok)
		}
	}
	for _, addr := range []uint64{1, 5, 8, most - 2, most} {
		if owner, ok := flat.find(addr); ok {
			t.Errorf("0x%x is %d's", addr, owner)
		}
	}
	if _, ok := (spans)(nil).find(0); ok {
		t.Error("an address is in nothing")
	}
}
