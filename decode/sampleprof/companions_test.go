package sampleprof_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/internal/memtest"
)

// beside opens a profile of testdata with files of testdata/programs.
func beside(t *testing.T, profile string, names ...string) (*sampleprof.Profile, *format.Profile) {
	t.Helper()
	files := []format.File{{Name: profile, Data: file(t, profile)}}
	for _, name := range names {
		files = append(files, format.File{Name: name, Data: file(t, filepath.Join("programs", name))})
	}
	return openFiles(t, files)
}

func openFiles(t *testing.T, files []format.File) (*sampleprof.Profile, *format.Profile) {
	t.Helper()
	out, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, ok := format.PartOf[*sampleprof.Profile](out)
	if !ok {
		t.Fatal("no samples")
	}
	return p, out
}

// fits are the functions of a profile, inlined ones too, by how they stand in its program.
func fits(p *sampleprof.Profile) map[sampleprof.Fit][]string {
	list := map[sampleprof.Fit][]string{}
	var walk func(f *sampleprof.Function)
	walk = func(f *sampleprof.Function) {
		fit := p.Program.Fit(p.Names[f.Name], f.Checksum)
		list[fit] = append(list[fit], p.Name(f.Name))
		for _, s := range f.Sites {
			walk(s.Callee)
		}
	}
	for _, f := range p.Functions {
		walk(f)
	}
	for fit, names := range list {
		slices.Sort(names)
		list[fit] = slices.Compact(names)
	}
	return list
}

func codes(out *format.Profile) string {
	var list []string
	for _, f := range out.Findings() {
		list = append(list, f.Code)
	}
	return strings.Join(list, " ")
}

// TestFitsByChecksum holds profiles against the program that was sampled, and one in
// which a function has another branch and one another name.
func TestFitsByChecksum(t *testing.T) {
	for _, profile := range []string{
		"llvm-22/contexts.ext.afdo", "llvm-22/preinlined.ext.afdo", "llvm-22/contexts_nested.afdotext",
	} {
		p, out := beside(t, profile, "probes.elf")
		got := fits(p)
		if len(got) != 1 || len(got[sampleprof.FitSame]) < 20 || codes(out) != "" {
			t.Errorf("%s: %v %s", profile, got, codes(out))
		}
		if p.Program.Probes != 416 || p.Program.Functions <= 416 || !slices.Equal(p.Program.Files, []string{"probes.elf"}) {
			t.Errorf("%s: %d of %d functions, %q", profile, p.Program.Probes, p.Program.Functions, p.Program.Files)
		}
		p, out = beside(t, profile, "changed.elf")
		got = fits(p)
		if !slices.Equal(got[sampleprof.FitStale], []string{"_ZNK12_GLOBAL__N_14Grid6insideEii"}) ||
			!slices.Equal(got[sampleprof.FitGone], []string{"_ZN2vmL4growERSt6vectorIlSaIlEEl"}) ||
			len(got[sampleprof.FitUnknown]) > 0 {
			t.Errorf("%s: %.300v", profile, got)
		}
		if codes(out) != "sample.stale sample.gone" {
			t.Errorf("%s: %s", profile, codes(out))
		}
		if found := out.Findings(); profile == "llvm-22/contexts.ext.afdo" &&
			(!strings.Contains(found[0].Message, " 114 of 1413 ") || !strings.Contains(found[1].Message, " 15 of 1413 ")) {
			t.Errorf("%+v", found)
		}
		// What one of several programs has is not lost.
		p, _ = beside(t, profile, "changed.elf", "probes.elf")
		if got = fits(p); len(got[sampleprof.FitSame]) < 20 || len(got) != 1 {
			t.Errorf("%s: %.300v", profile, got)
		}
	}
}

// TestFitsByName holds profiles by lines against a program with debug info, with symbols
// alone, and one without descriptors.
func TestFitsByName(t *testing.T) {
	p, out := beside(t, "llvm-22/line.ext.afdo", "lines.elf")
	got := fits(p)
	if len(got) != 1 || len(got[sampleprof.FitSame]) < 20 || codes(out) != "" || p.Program.Probes != 0 {
		t.Errorf("%v %s", got, codes(out))
	}
	p, out = beside(t, "llvm-22/line.ext.afdo", "symbols.nm")
	if got := fits(p); len(got[sampleprof.FitUnknown]) < 10 || len(got[sampleprof.FitSame]) < 10 || len(got) != 2 ||
		codes(out) != "" {
		t.Errorf("what was inlined everywhere has no symbol, and is not gone: %v %s", got, codes(out))
	}
	p, _ = beside(t, "llvm-22/contexts.ext.afdo", "lines.elf")
	if got := fits(p); len(got[sampleprof.FitSame]) > 0 || len(got[sampleprof.FitStale]) > 0 {
		t.Errorf("without descriptors nobody can tell which code is the same: %v", got)
	}
	changed := sampleprof.Name{Text: "nothing"}
	p, _ = beside(t, "llvm-22/line.ext.afdo", "lines.elf")
	if got := p.Program.Fit(changed, 0); got != sampleprof.FitGone {
		t.Error(got)
	}
}

// TestNoProgramKnowsNothing asks a profile without a program.
func TestNoProgramKnowsNothing(t *testing.T) {
	g := open(t, file(t, "llvm-22/line.ext.afdo")).Program
	if _, ok := g.NameOf(sampleprof.Name{MD5: 1}); ok || g != nil ||
		g.Fit(sampleprof.Name{Text: "main"}, 0) != sampleprof.FitUnknown {
		t.Error("a program that is not there knows something")
	}
	if _, ok := g.Declaration("main"); ok {
		t.Error("and where something is declared")
	}
	g.EachFunction(func(name string) { t.Error(name) })
}

// TestNamesOfHashes gives names back to profiles that have none, and compares them with
// those of the profile before its names were hashed.
func TestNamesOfHashes(t *testing.T) {
	named := open(t, file(t, "llvm-22/line.ext.afdo"))
	plain := map[uint64]string{}
	for i := range named.Names {
		plain[named.Names[i].GUID()] = named.Name(sampleprof.NameID(i))
	}
	for _, c := range []struct {
		beside string
		least  int
	}{{"lines.elf", 60}, {"symbols.nm", 15}, {"names.txt", 15}} {
		p, out := beside(t, "llvm-22/partial_md5.ext.afdo", c.beside)
		found := 0
		for _, n := range p.Names {
			name, ok := p.Program.NameOf(n)
			if !ok {
				continue
			}
			if found++; name != plain[n.GUID()] {
				t.Errorf("%s: %v is %q, want %q", c.beside, n, name, plain[n.GUID()])
			}
		}
		if found < c.least || len(p.Program.Files) != 1 {
			t.Errorf("%s: only %d of %d names; %s", c.beside, found, len(p.Names), codes(out))
		}
		if _, ok := p.Program.NameOf(sampleprof.Name{Text: "main"}); ok {
			t.Error("a name has a name")
		}
		if got := fits(p)[sampleprof.FitGone]; len(got) > 0 {
			t.Errorf("%s: of a partial profile nothing is gone: %v", c.beside, got)
		}
	}
}

// TestDeclarations compares where functions are declared with llvm-dwarfdump-22.
func TestDeclarations(t *testing.T) {
	p, _ := beside(t, "llvm-22/line.ext.afdo", "lines.elf")
	for name, line := range map[string]uint32{
		"by_value": 39, "_ZL5sortsi": 52, "_ZL8machinesi": 40, "_ZL6routesi": 47, "_ZL5twistl": 35,
	} {
		d, ok := p.Program.Declaration(name)
		if !ok || d.Line != line || !strings.HasSuffix(d.File, "/p/main.cpp") || d.Code {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if d, ok := p.Program.Declaration("never"); ok {
		t.Errorf("%+v", d)
	}
	if d, ok := p.Program.Declaration("_ZL5twistl.llvm.123"); !ok {
		t.Errorf("%+v", d)
	}
}

// TestFunctionsOfTheProgram counts those with code of their own against nm's.
func TestFunctionsOfTheProgram(t *testing.T) {
	want := map[string]bool{}
	for _, line := range strings.Split(string(file(t, "programs/symbols.nm")), "\n") {
		if words := strings.Fields(line); len(words) == 3 && strings.Contains("tTwW", words[1]) && words[2] != "data_start" {
			want[words[2]] = true
		}
	}
	p, _ := beside(t, "llvm-22/line.ext.afdo", "lines.elf")
	p.Program.EachFunction(func(name string) {
		if !want[name] {
			t.Errorf("%s is none, or stands twice", name)
		}
		delete(want, name)
	})
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// TestBuildIDs of programs become those of the profile.
func TestBuildIDs(t *testing.T) {
	_, out := beside(t, "llvm-22/line.ext.afdo", "lines.elf", "names.txt", "lines.elf")
	if ids := out.Info.BinaryIDs; len(ids) != 1 || len(hex.EncodeToString(ids[0])) != 40 {
		t.Errorf("%x", ids)
	}
	if in := out.Inputs[1]; in.Info.Format != "elf" || len(in.Info.BinaryIDs) != 1 {
		t.Errorf("%+v", in)
	}
}

// TestAnotherProgram is left out, and said to be.
func TestAnotherProgram(t *testing.T) {
	other, err := os.ReadFile("../symbol/testdata/frames/clang-22_profiling.elf")
	if err != nil {
		t.Fatal(err)
	}
	p, out := openFiles(t, []format.File{
		{Name: "p", Data: file(t, "llvm-22/line.ext.afdo")}, {Name: "other", Data: other},
	})
	if p.Program != nil || codes(out) != "sample.another_program" || len(out.Info.BinaryIDs) != 0 || len(out.Inputs) != 2 {
		t.Errorf("%+v %s", p.Program, codes(out))
	}
}

// TestDamagedProgram cuts programs everywhere: the profile opens without them.
func TestDamagedProgram(t *testing.T) {
	whole := file(t, "programs/probes.elf")
	profile := file(t, "llvm-22/preinlined.ext.afdo")
	faults := 0
	for size := 5; size < len(whole); size += 397 {
		p, out := openFiles(t, []format.File{{Name: "p", Data: profile}, {Name: "program", Data: whole[:size]}})
		if len(p.Functions) == 0 {
			t.Fatal(size)
		}
		for _, f := range out.Findings() {
			if f.Severity == model.Error && f.File != "program" {
				t.Fatalf("%+v", f)
			}
			faults++
		}
	}
	if faults < 30 {
		t.Error(faults)
	}
}

// TestMemoryOfPrograms opens a profile beside many short names, and descriptors.
func TestMemoryOfPrograms(t *testing.T) {
	var list, descriptors bytes.Buffer
	list.WriteString("_start\nmain\n")
	for i := range 1 << 16 {
		name := strconv.FormatInt(int64(i), 36)
		fmt.Fprintf(&list, "_%s\n", name)
		fmt.Fprintf(&descriptors, "%08d%08d%c_%s", i, i, len(name)+1, name)
	}
	program := elfWith(".pseudo_probe_desc", descriptors.Bytes())
	for name, data := range map[string][]byte{"list": list.Bytes(), "program": program} {
		files := []format.File{{Name: "p", Data: []byte("_1:1:1\n 1: 1\n")}, {Name: name, Data: data}}
		bound := memtest.Bound{Base: 8 << 20, Rate: 256}
		bound.Check(t, name, len(data), func() any {
			p, out := openFiles(t, files)
			if p.Program == nil || p.Program.Functions < 1<<16 {
				t.Errorf("%s: %+v", name, out.Findings())
			}
			return p
		})
	}
}

// elfWith is a program with one section.
func elfWith(name string, data []byte) []byte {
	names := "\x00" + name + "\x00.shstrtab\x00"
	at := uint64(64)
	end := at + uint64(len(data)) + uint64(len(names))
	b := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 9)...)
	half, word, long := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32,
		binary.LittleEndian.AppendUint64
	b = half(half(b, 2), 62)
	b = long(long(long(word(b, 1), 0), 0), end)
	b = word(b, 0)
	for _, n := range []uint16{64, 56, 0, 64, 3, 2} {
		b = half(b, n)
	}
	b = append(append(b, data...), names...)
	section := func(name, kind uint32, offset, size uint64) {
		b = word(word(b, name), kind)
		for _, n := range []uint64{0, 0, offset, size} {
			b = long(b, n)
		}
		b = long(long(word(word(b, 0), 0), 1), 0)
	}
	section(0, 0, 0, 0)
	section(1, 1, at, uint64(len(data)))
	section(uint32(len(name))+2, 3, at+uint64(len(data)), uint64(len(names)))
	return b
}

// TestLists says which texts are lists of names.
func TestLists(t *testing.T) {
	for text, want := range map[string]bool{
		"_Z3foov\nmain\n":                  true,
		"main\n_start\n":                   true,
		"_RNvCs1_4main\r\nmain\r\n":        true,
		"_Z3foov\n":                        false,
		"main\nfoo\n":                      false, // words
		"_Z3foov\nmain:1:1\n":              false,
		"_Z3foov\n123\n":                   false,
		"_Z3foov and\nmain\n":              false,
		"_Z3foov\nmain\n# a comment\n":     false,
		strings.Repeat("_Z3foov\n", 10000): true,
	} {
		r := decode.Recognise("a", []byte(text))
		if got := r.Is(sampleprof.FormatNames); got != want || got && r.Companion == nil {
			t.Errorf("%.40q: %v", text, got)
		}
	}
	if _, err := decode.Open(t.Context(), []format.File{{Name: "a", Data: []byte("_Z3foov\nmain\n")}},
		format.Options{}); model.KindOf(err) != model.KindUnrecognizedFormat {
		t.Error(err)
	}
}

// TestCancelled stops among the programs.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	files := []format.File{
		{Name: "p", Data: file(t, "llvm-22/line.ext.afdo")}, {Name: "q", Data: file(t, "programs/lines.elf")},
	}
	_, err := decode.Open(ctx, files, format.Options{Progress: func(_, _ uint64) { cancel() }})
	if err == nil {
		t.Error("opened")
	}
}
