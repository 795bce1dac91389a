package instrprof_test

import (
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// llvm-profdata 22 reads these damaged files as if they were whole: it
// multiplies counts modulo 2^64.
func TestRawCountsWithHighBits(t *testing.T) {
	whole := realRaw(t, "clang-22_ir_c.profraw")
	r, want, _ := openRaw(t, whole)
	for name, word := range map[string]struct{ at, bit int }{
		"NumData": {3, 58}, "NumCounters": {5, 61}, "NumVTables": {13, 63},
	} {
		damaged := slices.Clone(whole)
		field := damaged[word.at*8:]
		binary.LittleEndian.PutUint64(field, binary.LittleEndian.Uint64(field)|1<<word.bit)
		d, got, _ := openRaw(t, damaged)
		if f := d.Findings(); len(f) != len(r.Findings())+1 || f[0].Field != name {
			t.Errorf("%s: findings %v", name, f)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// By a size that is negative llvm-profdata 22 goes back, where it finds no names to inflate.
func TestRawNegativeSizes(t *testing.T) {
	for _, word := range []int{4, 6, 7, 8} { // padding, padding, bitmap, padding
		damaged := slices.Clone(realRaw(t, "clang-22_ir_c.profraw"))
		binary.LittleEndian.PutUint64(damaged[word*8:], ^uint64(0))
		_, err := instrprof.OpenCorrelated(damaged, nil, nil)
		if f, ok := model.FaultIn(err); !ok || f.Kind != model.KindBadHeader || f.LLVM != "failed to uncompress data (zlib)" {
			t.Errorf("word %d: %v", word, err)
		}
	}
}

// Of several profiles in a file, llvm-profdata asks the last whether there is
// a temporal trace.
func TestTraceOfSeveralProfiles(t *testing.T) {
	temporal, plain := realRaw(t, "clang-22_ir_temporal.profraw"), realRaw(t, "clang-22_ir_c.profraw")
	for want, parts := range [][][]byte{{temporal, plain}, {plain, temporal}} {
		if _, _, traces := openRaw(t, slices.Concat(parts...)); len(traces) != want {
			t.Errorf("%d traces, want %d", len(traces), want)
		}
	}
}

func realRaw(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/raw/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
