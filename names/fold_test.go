package names

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestFoldedIndex compares with the plain search on texts of few letters, where
// the needle nearly stands in many places, at every alignment and length.
func TestFoldedIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const letters = "aAbB_[{@`\x00\x80\xff\x7f_~^"
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[rng.IntN(len(letters))]
		}
		return b
	}
	fold := func(b []byte) []byte {
		out := bytes.Clone(b)
		for i := range out {
			out[i] = lower(out[i])
		}
		return out
	}
	for range 50_000 {
		text, needle := random(rng.IntN(50)), random(1+rng.IntN(4))
		if got, want := newFolded(needle).index(text), bytes.Index(fold(text), fold(needle)); got != want {
			t.Fatalf("index of %q in %q is %d, want %d", needle, text, got, want)
		}
	}
}
