package bytesort

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkSort sorts names such as programs have.
func BenchmarkSort(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	parts := []string{
		"5Value", "11Instruction", "10BasicBlock", "8Analysis", "7Manager", "7Builder", "8Metadata", "7Context",
	}
	names := make([][]byte, 200_000)
	for i := range names {
		names[i] = fmt.Appendf(nil, "_ZN4llvm%s%s%sE%x", parts[rng.IntN(8)], parts[rng.IntN(8)], parts[rng.IntN(8)],
			rng.Uint32())
	}
	all := make([]uint32, len(names))
	for i := range all {
		all[i] = uint32(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		Sort(slices.Clone(all), func(i uint32) []byte { return names[i] }, func(a, c uint32) int { return int(a) - int(c) })
	}
}
