package names

import (
	"fmt"
	"testing"
)

// BenchmarkAmong searches plain names as a million functions have them, packed and demangled.
func BenchmarkAmong(b *testing.B) {
	pgo := &Lines{}
	for i := range 1 << 15 {
		pgo.Add(fmt.Appendf(nil, "_ZN4test9fn%07dEv", i*997%10_000_000))
	}
	full := pgo.Demangled(1 << 30)
	for _, q := range []struct{ name, text, re string }{
		{"regexp", "", `fn\d+99\(`}, {"anchored", "", "^test::fn[0-4]+"}, {"word", "fn00012", ""}, {"none", "zqx", ""},
	} {
		b.Run(q.name, func(b *testing.B) {
			m, err := NewMatcher(q.text, q.re)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(full.Bytes())
			b.ReportAllocs()
			for b.Loop() {
				m.Among(pgo, full, 0, pgo.Len(), func(int) {})
			}
		})
	}
}
