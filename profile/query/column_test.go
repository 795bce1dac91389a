package query

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

func TestBitset(t *testing.T) {
	b, c := NewBitset(130), NewBitset(130)
	if len(b) != 3 || len(NewBitset(128)) != 2 || len(NewBitset(0)) != 0 {
		t.Fatalf("%d words for 130 rows", len(b))
	}
	for _, i := range []uint32{0, 63, 64, 129} {
		b.Set(i)
	}
	c.Set(63)
	c.Set(129)
	if got := b.IDs(); !slices.Equal(got, []uint32{0, 63, 64, 129}) || b.Count() != 4 {
		t.Errorf("%v, %d", got, b.Count())
	}
	if b.Has(1) || !b.Has(63) || b.Has(65) || !b.Wants(false)(1) || b.Wants(false)(64) || !b.Wants(true)(64) {
		t.Error("a row is told wrongly")
	}
	if got := Bitset(nil).And(b).IDs(); !slices.Equal(got, b.IDs()) {
		t.Errorf("nothing and a set: %v", got)
	}
	if got := slices.Clone(b).And(nil).IDs(); !slices.Equal(got, b.IDs()) {
		t.Errorf("a set and nothing: %v", got)
	}
	if got := b.And(c).IDs(); !slices.Equal(got, []uint32{63, 129}) {
		t.Errorf("both: %v", got)
	}
}

// Doubles keep their order, from one infinity to the other.
func TestOrdered(t *testing.T) {
	rising := []float64{math.Inf(-1), -math.MaxFloat64, -1.5, -1, -math.SmallestNonzeroFloat64, 0,
		math.SmallestNonzeroFloat64, 1, 1.5, math.Inf(1)}
	for i := 1; i < len(rising); i++ {
		if Ordered(rising[i-1]) >= Ordered(rising[i]) {
			t.Errorf("%v is not below %v", rising[i-1], rising[i])
		}
	}
}

func TestRanked(t *testing.T) {
	words := []string{"b", "a", "c", "a", "b"}
	v := Words(len(words), func(i uint32) string { return words[i] })
	for i, want := range []uint64{1, 0, 2, 0, 1} {
		if got := v.At(uint32(i)); got != want {
			t.Errorf("%q has rank %d, want %d", words[i], got, want)
		}
	}
}

func TestSortBy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{0, 1, 8, 9, 33, 64} {
		keys := make([]uint64, 1000)
		for i := range keys {
			keys[i] = r.Uint64() >> (64 - bits) & ^uint64(0xff00) // a byte in which none differ
		}
		want := All(len(keys))
		sort.SliceStable(want, func(a, b int) bool { return keys[want[a]] < keys[want[b]] })
		got := All(len(keys))
		SortBy(got, func(i uint32) uint64 { return keys[i] })
		if !slices.Equal(got, want) {
			t.Errorf("keys of %d bits are not in order", bits)
		}
	}
	// Keys that differ in all their bytes, many of them in the lower ones alone.
	for _, lows := range []int{2, 40, 1000} {
		items := make([]Keyed, 5000)
		for i := range items {
			items[i] = Keyed{r.Uint64()&0xffffff>>(lows%3*8) | uint64(r.IntN(5000/lows))<<32, uint32(i)}
		}
		items[0].Key, items[1].Key = 0, 1<<64-1
		want := slices.Clone(items)
		slices.SortStableFunc(want, func(a, b Keyed) int { return cmp.Compare(a.Key, b.Key) })
		if got := SortKeyed(items); !slices.Equal(got, want) {
			t.Errorf("runs of %d are not in order", lows)
		}
	}
	if got := SortKeyed(nil); len(got) != 0 {
		t.Error(got)
	}
}

// numbers is a list of two columns: a number, and one that not every row has.
type numbers []struct{ n, some uint64 } // some is 0 where it is not known

func (l numbers) value(c Column) (Value, error) {
	switch c {
	case "n":
		return Value{At: func(i uint32) uint64 { return l[i].n }}, nil
	case "some":
		return Value{At: func(i uint32) uint64 { return l[i].some },
			Known: func(i uint32) bool { return l[i].some > 0 }}, nil
	}
	return Value{}, &ColumnError{Column: c, Known: []Column{"n", "some"}}
}

func TestSort(t *testing.T) {
	list := numbers{{2, 7}, {1, 0}, {2, 9}, {3, 7}, {1, 7}, {0, 0}}
	for _, test := range []struct {
		keys []Key
		want []uint32
	}{
		{nil, []uint32{0, 1, 2, 3, 4, 5}},
		{[]Key{{"n", false}}, []uint32{5, 1, 4, 0, 2, 3}},
		{[]Key{{"n", true}}, []uint32{3, 0, 2, 1, 4, 5}},
		{[]Key{{"some", false}}, []uint32{0, 3, 4, 2, 1, 5}},
		{[]Key{{"some", true}}, []uint32{2, 0, 3, 4, 1, 5}},
		{[]Key{{"some", false}, {"n", true}}, []uint32{3, 0, 4, 2, 1, 5}},
	} {
		ids := All(len(list))
		if err := Sort(t.Context(), ids, test.keys, list.value); err != nil || !slices.Equal(ids, test.want) {
			t.Errorf("%v: %v, want %v, %v", test.keys, ids, test.want, err)
		}
	}
	err := Sort(t.Context(), nil, []Key{{"no", false}}, list.value)
	if fault, ok := errors.AsType[*ColumnError](err); !ok ||
		fault.Error() != `cannot sort by "no"; use n, some, with - in front for descending order` {
		t.Errorf("a column that there is not: %v", err)
	}
	if got := (&ColumnError{Column: "x"}).Error(); got != `no column "x"` {
		t.Error(got)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := Sort(ended, All(2), []Key{{"n", false}}, list.value); err != context.Canceled {
		t.Errorf("a request that has ended: %v", err)
	}
}

func TestRanges(t *testing.T) {
	list := numbers{{1, 5}, {2, 6}, {3, 0}, {4, 7}}
	some, _ := list.value("some")
	n, _ := list.value("n")
	for _, test := range []struct {
		test Test
		want []uint32
	}{
		{n.In(2, 3), []uint32{1, 2}},
		{n.In(3, 2), nil},
		{some.In(0, 6), []uint32{0, 1}},
	} {
		if got := Select(len(list), nil, []Test{test.test}); !slices.Equal(got, test.want) {
			t.Errorf("%v, want %v", got, test.want)
		}
	}
	among := NewBitset(len(list))
	among.Set(1)
	among.Set(3)
	if got := Select(len(list), among, []Test{n.In(0, 3), some.In(6, 9)}); !slices.Equal(got, []uint32{1}) {
		t.Errorf("%v", got)
	}
}

func TestClamp(t *testing.T) {
	for _, c := range [][5]int{ // offset, limit, n, from, to
		{0, 10, 5, 0, 5}, {2, 2, 5, 2, 4}, {5, 2, 5, 5, 5}, {9, 2, 5, 5, 5}, {-3, 2, 5, 0, 2}, {1, -1, 5, 1, 1},
		{1, math.MaxInt, 5, 1, 5}, {math.MaxInt, math.MaxInt, 5, 5, 5},
	} {
		if from, to := Clamp(c[0], c[1], c[2]); from != c[3] || to != c[4] {
			t.Errorf("Clamp(%d, %d, %d) is %d, %d", c[0], c[1], c[2], from, to)
		}
	}
}

func TestCacheKey(t *testing.T) {
	a, b := 1, 1
	if CacheKey("x", &a) != CacheKey("x", &b) || CacheKey("x", 1) == CacheKey("x", 2) ||
		CacheKey("a", "b") == CacheKey("a b") || CacheKey((*int)(nil)) == "" {
		t.Error("what differs has one key, or what is alike two")
	}
}

// The first rows are the same whether the others are sorted or not.
func TestSortFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		numbers := make([]uint64, rng.IntN(300))
		for i := range numbers {
			numbers[i] = rng.Uint64N(1 + rng.Uint64N(400))
		}
		column := Value{At: func(i uint32) uint64 { return numbers[i] }}
		if rng.IntN(4) == 0 {
			column.Known = func(i uint32) bool { return numbers[i]%3 != 0 }
		}
		value := func(Column) (Value, error) { return column, nil }
		keys, most := []Key{{Desc: rng.IntN(2) == 0}}, rng.IntN(100)
		all := All(len(numbers))
		if err := Sort(t.Context(), all, keys, value); err != nil {
			t.Fatal(err)
		}
		first, err := SortFirst(t.Context(), All(len(numbers)), most, keys, value)
		if want := all[:min(most, len(all))]; err != nil || !slices.Equal(first, want) {
			t.Fatalf("the first %d of %v by %v are %v, %v, expected %v", most, numbers, keys, first, err, want)
		}
	}
}
