package decode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/encode"
)

// correlated is a profile without records, and its executable.
func correlated(t testing.TB, name string) (profile, program format.File) {
	t.Helper()
	for _, ending := range []string{".elf", ".dsym", ".exe", ".dll", ".macho"} {
		if _, err := os.Stat("instrprof/testdata/correlate/" + name + ending); err == nil {
			return real(t, "correlate/"+name+".profraw"), real(t, "correlate/"+name+ending)
		}
	}
	t.Fatalf("no program of %s", name)
	return profile, program
}

func proftext(t testing.TB, p *decodetest.Profile) string {
	t.Helper()
	var b bytes.Buffer
	if err := encode.Proftext(&b, p.Source); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOpenCorrelatesAsLLVMDoes(t *testing.T) {
	profiles, _ := filepath.Glob("instrprof/testdata/correlate/*.profraw")
	if len(profiles) < 22 {
		t.Fatalf("%d profiles", len(profiles))
	}
	for _, path := range profiles {
		name := strings.TrimSuffix(filepath.Base(path), ".profraw")
		want, err := os.ReadFile(strings.TrimSuffix(path, ".profraw") + ".proftext")
		if err != nil {
			t.Fatal(err)
		}
		profile, program := correlated(t, name)
		for _, files := range [][]format.File{{profile, program}, {program, profile}} {
			p := open(t, files...)
			if diff := cmp.Diff(string(want), proftext(t, p)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			for _, f := range p.Findings() {
				if f.Kind == model.KindMissingCorrelation || f.Code == "raw.correlation_incomplete" {
					t.Errorf("%s: %+v", name, f)
				}
			}
		}
	}
}

func TestOpenCorrelatedAloneSaysWhatIsMissing(t *testing.T) {
	profile, _ := correlated(t, "clang-22_dbg")
	p := open(t, profile)
	f := p.Findings()
	if len(counters(t, p)) != 0 || len(f) != 1 || f[0].Kind != model.KindMissingCorrelation ||
		!strings.Contains(f[0].Remedy, "executable") {
		t.Errorf("%+v", f)
	}
}

func TestOpenCorrelatesSeveralProfilesOfOneProgram(t *testing.T) {
	profile, program := correlated(t, "clang-22_bin")
	once, thrice := counters(t, open(t, profile, program)), profile
	thrice.Name, thrice.Weight = "thrice.profraw", 3
	all := open(t, profile, program, thrice)
	for name, c := range counters(t, all) {
		for i := range c {
			if c[i] != 4*once[name][i] {
				t.Fatalf("%s: counter %d is %d; once %d", name, i, c[i], once[name][i])
			}
		}
	}
	if len(all.Inputs) != 3 || all.Inputs[1].Info.Format != symbol.FormatELF ||
		!strings.HasPrefix(all.Inputs[1].Info.Describe, "ELF program, 64-bit, little-endian, build ID 4d200c36") {
		t.Errorf("%+v", all.Inputs)
	}
}

func TestOpenCorrelatesEachProfileWithItsOwnProgram(t *testing.T) {
	debug, debugProgram := correlated(t, "clang-22_dbg")
	noID, noIDProgram := correlated(t, "clang-22_no_id")
	want := counters(t, open(t, debug, debugProgram))
	for name, c := range counters(t, open(t, noID, noIDProgram)) {
		for i := range c {
			if len(want[name]) == len(c) {
				c[i] += want[name][i]
			}
		}
		want[name] = c
	}
	if len(want) < 10 {
		t.Fatalf("%d functions", len(want))
	}
	apart := counters(t, open(t, debug, noID, noIDProgram, debugProgram))
	joined := debug
	joined.Data = append(bytes.Clone(debug.Data), noID.Data...)
	together := counters(t, open(t, noIDProgram, joined, debugProgram))
	for _, got := range []map[string][]uint64{apart, together} {
		if diff := cmp.Diff(len(want), len(got)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want["t.c;f"], got["t.c;f"]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOpenNamesBothWhenTheProgramIsAnother(t *testing.T) {
	byID, idProgram := correlated(t, "clang-22_bin")
	noID, noIDProgram := correlated(t, "clang-22_no_id")
	_, m32 := correlated(t, "clang-22_bin_m32")
	_, stale := correlated(t, "clang-22_dbg")
	twin := noIDProgram
	twin.Name = "twin.elf"
	uncounted := noIDProgram
	uncounted.Name, uncounted.Data = "uncounted.elf",
		bytes.Replace(noIDProgram.Data, []byte("__llvm_prf_cnts"), []byte("__llvm_prf_cnt_"), 1)
	for _, test := range []struct {
		name  string
		files []format.File
		says  []string
	}{
		{"build ID", []format.File{byID, stale}, []string{"clang-22_dbg.elf", "4d200c36", "f1840ebc"}},
		{"size", []format.File{noID, stale}, []string{"clang-22_dbg.elf", "48 bytes of counters, the program 1456"}},
		{"class", []format.File{noID, m32}, []string{"clang-22_bin_m32.elf", "64-bit"}},
		{"several", []format.File{noID, noIDProgram, twin}, []string{"clang-22_no_id.elf", "twin.elf"}},
		{"no counters", []format.File{noID, uncounted}, []string{"uncounted.elf", "__llvm_prf_cnts"}},
		{"unneeded", []format.File{byID, idProgram, noIDProgram}, []string{"clang-22_no_id.elf"}},
	} {
		_, err := decodetest.Open(t.Context(), test.files, format.Options{})
		f := format.FindingOf("", err)
		if f.Kind != model.KindIncompatible || f.File == "" || f.Remedy == "" {
			t.Errorf("%s: %+v", test.name, f)
		}
		for _, want := range test.says {
			if !strings.Contains(f.Message, want) {
				t.Errorf("%s: %q does not say %q", test.name, f.Message, want)
			}
		}
	}
}

func TestOpenSaysWhatTheProgramLacks(t *testing.T) {
	profile, program := correlated(t, "clang-22_no_id")
	debug, debugProgram := correlated(t, "clang-22_dwarf4")
	rename := func(f format.File, section string) format.File {
		f.Data = bytes.Replace(f.Data, []byte(section), bytes.Repeat([]byte("x"), len(section)), 1)
		return f
	}
	for _, test := range []struct {
		files []format.File
		says  string
	}{
		{[]format.File{profile, rename(program, "__llvm_covdata")}, "__llvm_covdata"},
		{[]format.File{profile, rename(program, "__llvm_covnames")}, "__llvm_covnames"},
		{[]format.File{debug, rename(debugProgram, ".debug_info")}, "no debug info"},
	} {
		_, err := decodetest.Open(t.Context(), test.files, format.Options{})
		f := format.FindingOf("", err)
		if f.Kind != model.KindUnableToCorrelate || f.File != test.files[1].Name || f.Remedy == "" ||
			!strings.Contains(f.Message, test.says) {
			t.Errorf("%s: %+v", test.says, f)
		}
	}
}

func TestOpenTakesTheDebugInfoOfAStrippedProgram(t *testing.T) {
	for _, name := range []string{"clang-22_dbg", "clang-22_dwarf4"} {
		profile, program := correlated(t, name)
		stripped := program
		stripped.Name, stripped.Data = "stripped",
			bytes.Replace(program.Data, []byte(".debug_info"), []byte(".nothing__x"), 1)
		want := proftext(t, open(t, profile, program))
		if got := proftext(t, open(t, stripped, profile, program)); got != want {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
	}
}

func TestOpenRefusesOtherProgramsByName(t *testing.T) {
	profile, program := correlated(t, "clang-22_no_id")
	data, err := os.ReadFile("testdata/foreign/a.macho.o")
	if err != nil {
		t.Fatal(err)
	}
	object := format.File{Name: "a.macho.o", Data: data}
	// Beside counters that need none it is asked for lines, and says that it has none of them.
	p, err := decodetest.Open(t.Context(), []format.File{real(t, "raw/clang-22_ir_c.profraw"), program}, format.Options{})
	if err != nil || !slices.ContainsFunc(p.Findings(), func(f model.Finding) bool {
		return strings.HasPrefix(f.Code, "lines.") && f.File == program.Name
	}) {
		t.Errorf("%v: %+v", err, p)
	}
	for _, test := range []struct {
		files []format.File
		kind  model.Kind
		says  string
	}{
		{[]format.File{profile, text("a.o", "BC\xc0\xde5\x14\x00\x00")}, model.KindUnsupportedVersion, "bitcode"},
		{[]format.File{object, profile}, model.KindUnsupportedVersion, "object file"},
	} {
		_, err := decodetest.Open(t.Context(), test.files, format.Options{})
		if f := format.FindingOf("", err); f.Kind != test.kind || !strings.Contains(f.Message, test.says) || f.Remedy == "" {
			t.Errorf("%+v", f)
		}
	}
}

func TestOpenRecordsThePrograms(t *testing.T) {
	profile, program := correlated(t, "clang-22_zstd")
	var last uint64
	p, err := decodetest.Open(t.Context(), []format.File{program, profile}, format.Options{
		Record: true, Progress: func(done, _ uint64) { last = done },
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Inputs[0].Sections; len(s) == 0 || s[0].Name != "ELF header" {
		t.Errorf("%+v", s)
	}
	if want := uint64(len(profile.Data) + len(program.Data)); last != want {
		t.Errorf("%d of %d bytes", last, want)
	}
	for f := range p.Functions() {
		if f.Offset != 0 || f.Size != 0 {
			t.Errorf("%s stands at 0x%x", f.Name, f.Offset)
		}
	}
}

func TestGroupPutsProgramsToTheirProfiles(t *testing.T) {
	var files []format.Recognised
	add := func(list ...format.File) {
		for _, f := range list {
			files = append(files, decode.Recognise(f.Name, f.Data))
		}
	}
	bin, binProgram := correlated(t, "clang-22_bin")
	debug, debugProgram := correlated(t, "clang-22_dbg")
	noID, noIDProgram := correlated(t, "clang-22_no_id")
	flagged := bin
	flagged.Data = bytes.Clone(bin.Data)
	flagged.Data[15] |= 4 // the same program, another flag
	_, m32 := correlated(t, "clang-22_bin_m32")
	add(binProgram, bin, debug, flagged, noIDProgram, noIDProgram, noID, debugProgram, m32, text("a", record))
	want := [][]int{{1, 3, 0, 5, 8}, {2, 7}, {6, 4}, {9}}
	if diff := cmp.Diff(want, format.Group(files)); diff != "" {
		t.Error(diff)
	}
	if files[0].Companion == nil || files[0].Err == nil || files[1].Claim == nil {
		t.Errorf("%+v", files[:2])
	}
}
