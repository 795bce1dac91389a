package symbol_test

import (
	"bytes"
	"debug/elf"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ianlancetaylor/demangle"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

// procedures is the functions of testdata/symbols/program.elf, as nm -n -S has them.
var procedures = []symbol.Procedure{
	{Name: "_ZNK6shapes5Shape4areaEi", Start: 0x401000, Size: 0x24b},
	{Name: "_start", Start: 0x401250, Size: 0x2e5},
	{Name: "_ZL4rarei", Start: 0x401540, Size: 0x2e},
	{Name: "_Z6sharedi", Start: 0x401570, Size: 0x127},
}

func TestProceduresOfASymbolTable(t *testing.T) {
	i := image(t, "program", read(t, "testdata/symbols/program.elf"))
	if diff := cmp.Diff(procedures, i.Procedures()); diff != "" {
		t.Error(diff)
	}
	s, err := symbol.NewSymbolizer(i)
	if err != nil || s.HasDebugInfo() || s.Frames(0x401540) != nil {
		t.Fatal(err)
	}
	for _, p := range procedures {
		for _, at := range []uint64{p.Start, p.Start + p.Size - 1} {
			if name, start, size, ok := s.Symbol(at); !ok || name != p.Name || start != p.Start || size != p.Size {
				t.Errorf("0x%x: %q", at, name)
			}
		}
		if name, _, _, ok := s.Symbol(p.Start + p.Size); ok && name == p.Name {
			t.Errorf("behind %q", name)
		}
	}
	if _, _, _, ok := s.Symbol(0); ok {
		t.Error("a symbol at 0")
	}
}

func TestProceduresOfListings(t *testing.T) {
	paths, _ := filepath.Glob("testdata/symbols/*.txt")
	if len(paths) < 13 {
		t.Fatal(paths)
	}
	for _, path := range paths {
		got, err := symbol.ParseNM(read(t, path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		want := slices.Clone(procedures)
		for n := range want {
			if strings.Contains(path, "demangled") {
				want[n].Name = demangle.Filter(want[n].Name)
			}
			if base := filepath.Base(path); base == "gnu.txt" || base == "gnu_files.txt" || base == "llvm.txt" { // no sizes
				want[n].Size = 0
				if n+1 < len(want) {
					want[n].Size = want[n+1].Start - want[n].Start
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func TestListingsOfManyForms(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"00001139 T main\r\n00001150 t next\n", "main 1139+17 next 1150+0"},
		{"0000000000001139 T main\n                 U puts\n                 w __gmon_start__\n", "main 1139+0"},
		{"a.o:\n00000010 T f\n\nb.o:\n00000020 T g\n", "f 10+10 g 20+0"},
		{"f T 10 8\nputs U\nw T 20\n", "f 10+8 w 20+0"},
		{"operator new(unsigned long) T 10 8\n", "operator new(unsigned long) 10+8"},
		{"0000000000000010 0000000000000008 T operator new(unsigned long)\n", "operator new(unsigned long) 10+8"},
		{"0000000000000010 t low\n0000000000000010 T high\n0000000000000010 W weak\n", "high 10+0"},
		{"0000000000000010 D data\n", ""},
	} {
		list, err := symbol.ParseNM([]byte(test.text))
		var got []string
		for _, p := range list {
			got = append(got, fmt.Sprintf("%s %x+%x", p.Name, p.Start, p.Size))
		}
		if s := strings.Join(got, " "); err != nil || s != test.want {
			t.Errorf("%q: %q, %v", test.text, s, err)
		}
	}
	for _, bad := range []string{
		"", "\n\n", "hello world\n", "0000000000000010 T main\nwhat is this\n", "\x7fELF\x02\x01",
		strings.Repeat("x", 1<<20), "|||||||",
	} {
		list, err := symbol.ParseNM([]byte(bad))
		if err == nil || model.KindOf(err) != model.KindUnrecognizedFormat {
			t.Errorf("%.30q: %v, %v", bad, list, err)
		}
	}
}

func TestSegments(t *testing.T) {
	for name, pie := range map[string]bool{"clang-22_dwarf5": true, "clang-22_dwarf4": false} {
		data := read(t, "testdata/frames/"+name+".elf")
		i := image(t, name, data)
		f, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var want []symbol.Segment
		for _, p := range f.Progs {
			want = append(want, symbol.Segment{
				Type: p.Type, Flags: p.Flags, Offset: p.Off, Addr: p.Vaddr, FileSize: p.Filesz, Size: p.Memsz, Align: p.Align,
			})
		}
		if diff := cmp.Diff(want, i.Segments()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		code, lowest := i.ExecutableSegments(), map[bool]uint64{true: 0, false: 0x400000}[pie]
		if base, ok := i.PreferredAddress(); len(code) != 1 || !ok || base != lowest || i.IsPIE() != pie {
			t.Errorf("%s: %+v from 0x%x, %v", name, code, base, i.IsPIE())
		}
	}
}

func TestWhichFileHasTheDebugInfo(t *testing.T) {
	stripped := image(t, "stripped", read(t, "testdata/symbols/stripped.elf"))
	debug := image(t, "debug", read(t, "testdata/frames/clang-22_dwarf4.elf"))
	other := image(t, "other", read(t, "testdata/frames/clang-22_dwarf5.elf"))
	if name, crc, ok := stripped.DebugLink(); !ok || name != "clang-22_dwarf4.elf" || crc == 0 {
		t.Errorf("%q 0x%x", name, crc)
	}
	if !debug.IsDebugFileOf(stripped) || other.IsDebugFileOf(stripped) || stripped.IsDebugFileOf(stripped) {
		t.Error("the debug file is not found")
	}
	id := debug.BuildID()
	if err := stripped.CheckBuildID(other.BuildID(), id); err != nil {
		t.Error(err)
	}
	if err := stripped.CheckBuildID(other.BuildID()); err == nil || model.KindOf(err) != model.KindIncompatible ||
		!strings.Contains(err.Error(), fmt.Sprintf("found %x", id)) {
		t.Error(err)
	}
	s, err := symbol.NewSymbolizer(stripped)
	if err != nil {
		t.Fatal(err)
	}
	faults := s.Faults()
	if len(faults) != 1 || model.KindOf(faults[0]) != model.KindUnableToSymbolize ||
		!strings.Contains(faults[0].Error(), `"clang-22_dwarf4.elf", with the build ID `+fmt.Sprintf("%x", id)) {
		t.Error(faults)
	}
	if debug.NeedsDebugInfo() != nil {
		t.Error(debug.NeedsDebugInfo())
	}
}
