package symbol_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/symbol"
)

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// symbolizer is one of a program in testdata/frames, with the split debug info
// beside it.
func symbolizer(t testing.TB, name string, splits ...string) *symbol.Symbolizer {
	t.Helper()
	s, err := symbol.NewSymbolizer(image(t, name+".elf", read(t, "testdata/frames/"+name+".elf")))
	if err != nil {
		t.Fatal(err)
	}
	for _, split := range splits {
		if err := s.AddSplit(image(t, split, read(t, "testdata/frames/"+split))); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// answer is what llvm-symbolizer says of an address.
type answer struct {
	address uint64
	frames  []symbol.SymbolFrame
}

func answers(t testing.TB, name string) (list []answer) {
	t.Helper()
	f, err := os.Open("testdata/frames/" + name + ".json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(z)
	for {
		var line struct {
			Address string
			Symbol  []struct {
				FunctionName, FileName                 string
				StartLine, Line, Column, Discriminator uint32
			}
		}
		if err := d.Decode(&line); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		var a answer
		a.address, _ = strconv.ParseUint(line.Address, 0, 64)
		for n, f := range line.Symbol {
			if f.FunctionName == "" && f.Line == 0 {
				continue
			}
			a.frames = append(a.frames, symbol.SymbolFrame{
				Function: f.FunctionName, StartLine: f.StartLine, File: f.FileName, Line: f.Line, Column: f.Column,
				Discriminator: f.Discriminator, Inlined: n+1 < len(line.Symbol),
			})
		}
		list = append(list, a)
	}
}

func TestFramesAreThoseOfLLVM(t *testing.T) {
	paths, _ := filepath.Glob("testdata/frames/*.json.gz")
	if len(paths) < 18 {
		t.Fatal(paths)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
		splits := []string{name + "_one.dwo", name + "_two.dwo"}
		ways := [][]string{splits, {name + ".dwp"}}
		if _, err := os.Stat("testdata/frames/" + splits[0]); err != nil {
			ways = [][]string{nil}
		}
		for _, way := range ways {
			s := symbolizer(t, name, way...)
			inlined, told := 0, 0
			for _, want := range answers(t, name) {
				got := s.Frames(want.address)
				if diff := cmp.Diff(want.frames, got); diff != "" {
					t.Errorf("%s: 0x%x: %s", name, want.address, diff)
					break
				}
				if len(got) > 1 {
					inlined++
				}
				if len(got) > 0 {
					told++
				}
			}
			if err := s.Faults(); err != nil || inlined < 50 || told < 200 || len(s.MissingSplits()) > 0 {
				t.Errorf("%s: %d of %d inlined, %v, %q", name, inlined, told, err, s.MissingSplits())
			}
		}
	}
}

func TestFramesOfAProgramWhoseDebugInfoWasSplitOff(t *testing.T) {
	s := symbolizer(t, "clang-22_split5")
	lines := 0
	for _, want := range answers(t, "clang-22_split5") {
		got := s.Frames(want.address)
		if len(got) > 1 || len(got) == 1 && got[0].Function != "" {
			t.Fatalf("0x%x: %+v", want.address, got)
		}
		if len(got) == 1 && got[0].Line == want.frames[0].Line && got[0].File == want.frames[0].File {
			lines++
		}
	}
	if diff := cmp.Diff([]string{"one.dwo", "two.dwo"}, s.MissingSplits()); diff != "" || lines < 800 {
		t.Errorf("%d lines, %s", lines, diff)
	}
	faults := s.Faults()
	if len(faults) != 1 || !strings.Contains(faults[0].Error(),
		"unable_to_symbolize: .debug_info: the program's debug info was split off; expected the .dwp package of the "+
			"program, or one.dwo and 1 other file") {
		t.Errorf("%v", faults)
	}
	if err := symbolizer(t, "clang-22_dwarf5").AddSplit(image(t, "x",
		read(t, "testdata/frames/gcc-12_dwarf5.elf"))); err == nil || !strings.Contains(err.Error(), "incompatible") {
		t.Error(err)
	}
	other := symbolizer(t, "clang-22_split4", "clang-22_split5.dwp") // of another program
	if n := answers(t, "clang-22_split4")[0].address; len(other.Frames(n)) == 0 || len(other.MissingSplits()) != 1 {
		t.Error(other.MissingSplits())
	}
}

// BenchmarkSymbolizing looks up all addresses of a program, from its bytes on.
func BenchmarkSymbolizing(b *testing.B) {
	for _, name := range []string{"clang-22_dwarf5", "clang-22_dwarf4", "gcc-12_dwarf5", "clang-22_zstd"} {
		b.Run(name, func(b *testing.B) {
			data, list := read(b, "testdata/frames/"+name+".elf"), answers(b, name)
			b.ReportAllocs()
			for b.Loop() {
				s, err := symbol.NewSymbolizer(image(b, name, data))
				if err != nil {
					b.Fatal(err)
				}
				for _, a := range list {
					s.Frames(a.address)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/address")
		})
	}
}
