package encode_test

import (
	"bytes"
	"testing"

	"github.com/google/pprof/profile"

	"proflens/encode"
	"proflens/encode/stacks"
)

// Functions of a heap begin, for pprof, on the line where llvm-dwarfdump 22 says that they
// are declared (DW_AT_decl_line); those of a heap without debug info on none.
func TestFunctionsBeginOnTheirLines(t *testing.T) {
	p := openHeap(t, heapFile(t, "clang-22_mem_hist.memprofraw"), heapFile(t, "clang-22_mem_hist.exe"))
	samples, err := encode.MemProfSamples(p.MemProf)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{
		"_ZN4heap10hot_bufferEm": 22, "_ZN4heap11cold_bufferEm": 23, "main": 47, "_ZL4worki": 33, "_ZN4heapL6insertEPNS_4TreeEi": 20,
		"_ZN4heap4PoolIdE4takeEv": 17, "_ZN4heapL9via_firstEm": 25,
	}
	for _, f := range functionsOf(t, samples) {
		if line, ok := want[f.SystemName]; ok && f.StartLine == line {
			delete(want, f.SystemName)
		} else if ok {
			t.Errorf("%s begins on line %d, want %d", f.SystemName, f.StartLine, line)
		}
	}
	if len(want) > 0 {
		t.Errorf("not there: %v", want)
	}
	if samples, err = encode.MemProfSamples(openHeap(t, heapFile(t, "clang-22_mem_hist.memprofraw")).MemProf); err != nil {
		t.Fatal(err)
	}
	for _, f := range functionsOf(t, samples) {
		if f.StartLine != 0 {
			t.Errorf("without a program %s begins on line %d", f.Name, f.StartLine)
		}
	}
}

func functionsOf(t *testing.T, samples *stacks.Profile) []*profile.Function {
	t.Helper()
	var b bytes.Buffer
	if _, err := stacks.Pprof(&b, samples); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return p.Function
}
