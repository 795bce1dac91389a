package instrprof_test

import (
	"bytes"
	"fmt"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// oneName are profiles whose n records have one name and hashes of their own.
func oneName(n int) map[string][]byte {
	var text bytes.Buffer
	text.WriteString(":ir\n")
	raw := builtRaw{version: "10", pointerSize: 8, flags: uint64(instrprof.IRProf)}
	for i := range n {
		fmt.Fprintf(&text, "f\n%d\n1\n%d\n\n", i, i%9)
		raw.functions = append(raw.functions, rawFunction{name: "f", hash: uint64(i), counters: []uint64{uint64(i % 9)}})
	}
	return map[string][]byte{"text": text.Bytes(), "raw": raw.bytes()}
}

func oneNameSource(t testing.TB, format string, data []byte) (src instrprof.Source) {
	t.Helper()
	var err error
	if format == "text" {
		src, err = instrprof.OpenText(data, nil)
	} else {
		src, err = instrprof.OpenCorrelated(data, nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Records of one name are found by their hash, however many they are: a second profile
// of the same records adds to each, and they stay in the order of the first.
func TestManyHashesOfOneName(t *testing.T) {
	const n = 50_000
	for format, data := range oneName(n) {
		t.Run(format, func(t *testing.T) {
			src := oneNameSource(t, format, data)
			m := sums.NewMerger()
			for range 2 {
				if err := m.Add(t.Context(), format, src, 1); err != nil {
					t.Fatal(err)
				}
			}
			merged := m.Source()
			i := uint64(0)
			for f, err := range merged.Functions() {
				if err != nil {
					t.Fatal(err)
				}
				if f.FuncHash != i || len(f.Counters) != 1 || f.Counters[0] != 2*(i%9) {
					t.Fatalf("record %d has the hash %d and the counters %v", i, f.FuncHash, f.Counters)
				}
				i++
			}
			if i != n {
				t.Errorf("%d records", i)
			}
		})
	}
}

func BenchmarkManyHashesOfOneName(b *testing.B) {
	for format, data := range oneName(100_000) {
		b.Run(format, func(b *testing.B) {
			src := oneNameSource(b, format, data)
			for b.Loop() {
				m := sums.NewMerger()
				if err := m.Add(b.Context(), format, src, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
