package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"proflens/decode/instrprof"
)

// Logarithms are the same whether they are kept or worked out; an order has every function once.
func TestLogarithmsOfManyFunctions(t *testing.T) {
	p := partitioning{logs: make([]float32, cachedLogarithms)}
	for i := 1; i < cachedLogarithms; i++ {
		p.logs[i] = float32(math.Log2(float64(i)))
	}
	for _, n := range []uint32{1, 2, cachedLogarithms - 1, cachedLogarithms, cachedLogarithms + 1, 1 << 20} {
		if got, want := p.log2(n), float32(math.Log2(float64(n))); got != want {
			t.Errorf("the logarithm of %d is %v, want %v", n, got, want)
		}
	}
	refs := make([]uint64, 500)
	for i := range refs {
		refs[i] = uint64(i) + 1
	}
	random := rand.New(rand.NewPCG(1, 2))
	var traces []instrprof.Trace
	for range 3 {
		random.Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
		traces = append(traces, instrprof.Trace{Weight: 1, NameRefs: slices.Clone(refs)})
	}
	slices.Sort(refs)
	if got := slices.Sorted(slices.Values(PageOrder(traces))); !slices.Equal(got, refs) {
		t.Errorf("of %d functions the order has %d", len(refs), len(got))
	}
}
