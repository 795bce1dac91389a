package instrdb_test

import (
	"errors"
	"slices"
	"testing"

	"proflens/decode/instrprof"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
)

// Traces come back as they were, and their functions in one order.
func TestTraces(t *testing.T) {
	src := typical(50, 1)
	ref := func(i int) uint64 { return src.functions[i].NameRef }
	src.traces = []instrprof.Trace{
		{Weight: 1<<64 - 1, NameRefs: []uint64{ref(3), ref(1), 0, 1 << 63}},
		{Weight: 1},
		{Weight: 7, NameRefs: []uint64{ref(2), ref(3)}},
	}
	p := openSource(t, src)
	list, err := p.Traces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []instrdb.TraceInfo{{1<<64 - 1, 4}, {1, 0}, {7, 2}}; !slices.Equal(list, want) {
		t.Errorf("traces %v, want %v", list, want)
	}
	for i, want := range src.traces {
		refs, err := p.Trace(t.Context(), i)
		if err != nil || !slices.Equal(refs, want.NameRefs) {
			t.Errorf("trace %d: %x, %v; want %x", i, refs, err, want.NameRefs)
		}
	}
	for _, i := range []int{-1, 3} {
		if _, err := p.Trace(t.Context(), i); !errors.Is(err, stored.ErrNoPart) {
			t.Errorf("trace %d: %v", i, err)
		}
	}
	order, err := p.FunctionOrder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, f := range order {
		got = append(got, f.NameRef)
	}
	first := []uint64{ref(2), ref(3)}
	slices.Sort(first)
	if want := append(first, ref(1), 0, 1<<63); !slices.Equal(got, want) {
		t.Errorf("order %x, want %x", got, want)
	}
	maxima, err := p.MaximaOf(t.Context(), []uint64{ref(3), 12345, ref(1)})
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint64{slices.Max(src.functions[3].Counters), 0,
		slices.Max(src.functions[1].Counters)}; !slices.Equal(maxima, want) {
		t.Errorf("maxima %v, want %v", maxima, want)
	}
}
