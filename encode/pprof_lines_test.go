package encode_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/google/pprof/profile"

	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
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
		"_ZN4heap10hot_bufferEm": 22, "_ZN4heap11cold_bufferEm": 23, "main": 47, "_ZL4worki": 33,
		"_ZN4heapL6insertEPNS_4TreeEi": 20,
		"_ZN4heap4PoolIdE4takeEv":      17, "_ZN4heapL9via_firstEm": 25,
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
	if samples, err = encode.MemProfSamples(openHeap(t,
		heapFile(t, "clang-22_mem_hist.memprofraw")).MemProf); err != nil {
		t.Fatal(err)
	}
	for _, f := range functionsOf(t, samples) {
		if f.StartLine != 0 {
			t.Errorf("without a program %s begins on line %d", f.Name, f.StartLine)
		}
	}
}

// Functions with counters begin on theirs too, where the program with debug info came along.
func TestCountedFunctionsBeginOnTheirLines(t *testing.T) {
	const at = "../decode/instrprof/testdata/correlate/clang-22_dbg"
	var files []format.File
	for _, kind := range []string{".profraw", ".elf"} {
		data, err := os.ReadFile(at + kind)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: "dbg" + kind, Data: data})
	}
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, declared := range []model.Declarations{p.Declared, nil} {
		want := map[string]int64{"main": 82, "classify": 29, "cmp_down": 13, "lru_put": 35, "get_varint": 58,
			"sum_crc": 65, "local_one": 4, "worker": 3}
		for _, f := range pprofFunctions(t, p, declared) {
			line, ok := want[f.SystemName]
			delete(want, f.SystemName)
			switch {
			case declared == nil && f.StartLine != 0, declared != nil && ok && f.StartLine != line:
				t.Errorf("%s begins on line %d, want %d", f.SystemName, f.StartLine, line)
			}
		}
		if len(want) > 0 {
			t.Errorf("not there: %v", want)
		}
	}
}

// A symbol gives the line that code begins on, which the brace may be on: what the debug
// info declares is sure.
func TestDeclaredLineBeforeThatOfCode(t *testing.T) {
	p, err := decodetest.Open(t.Context(),
		[]format.File{{Name: "a.proftext", Data: []byte(":ir\nfoo\n1\n1\n5\n\ntables\n1\n1\n5\n")}}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	declared := func(_ context.Context, _ func([]byte) bool, visit func(model.Declaration)) ([]model.Finding, error) {
		visit(model.Declaration{Name: []byte("foo"), Line: 1})
		visit(model.Declaration{Name: []byte("foo"), Line: 2, Code: true})
		visit(model.Declaration{Name: []byte("tables"), Line: 9, Code: true})
		return nil, nil
	}
	for _, f := range pprofFunctions(t, p, declared) {
		if want := map[string]int64{"foo": 1, "tables": 9}[f.SystemName]; f.StartLine != want {
			t.Errorf("%s begins on line %d, want %d", f.SystemName, f.StartLine, want)
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

// pprofFunctions are the functions of a profile as pprof has them.
func pprofFunctions(t *testing.T, p instrprof.Source, declared model.Declarations) []*profile.Function {
	t.Helper()
	var b bytes.Buffer
	if _, err := encode.Pprof(t.Context(), &b, p, declared); err != nil {
		t.Fatal(err)
	}
	parsed, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Function
}
