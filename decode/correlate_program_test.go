package decode_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// fat joins Mach-O programs to one file, as lipo does.
func fat(name string, programs ...format.File) format.File {
	be := binary.BigEndian
	head := be.AppendUint32([]byte("\xca\xfe\xba\xbe"), uint32(len(programs)))
	var body []byte
	const begin = 0x1000
	for _, p := range programs {
		le := binary.LittleEndian
		head = be.AppendUint32(be.AppendUint32(head, le.Uint32(p.Data[4:])), le.Uint32(p.Data[8:]))
		head = be.AppendUint32(be.AppendUint32(be.AppendUint32(head, uint32(begin+len(body))), uint32(len(p.Data))), 12)
		body = append(body, p.Data...)
		body = append(body, make([]byte, -len(body)&0xfff)...)
	}
	return format.File{Name: name, Data: append(append(head, make([]byte, begin-len(head))...), body...)}
}

// Which of a fat file's programs was run, the profile need not say: where the
// counters are at the same places in all, any serves.
func TestOpenCorrelatesWithFatPrograms(t *testing.T) {
	profile, intel := correlated(t, "clang-22_dbg_macho")
	_, arm := correlated(t, "clang-22_dbg_macho_arm")
	want := proftext(t, open(t, profile, intel))
	for name, program := range map[string]format.File{
		"two": fat("app", intel, arm), "the other way round": fat("app", arm, intel), "one": fat("app", arm),
	} {
		p := open(t, profile, program)
		if got := proftext(t, p); got != want {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
		if in := p.Inputs[1].Info; in.Format != symbol.FormatMachO ||
			!strings.HasPrefix(in.Describe, "Mach-O program, 64-bit") {
			t.Errorf("%s: %+v", name, in)
		}
	}
	different := arm
	different.Data = bytes.ReplaceAll(arm.Data, []byte("\x00main\x00"), []byte("\x00mein\x00"))
	_, err := decodetest.Open(t.Context(), []format.File{profile, fat("app", intel, different)}, format.Options{})
	if f := format.FindingOf("", err); f.Kind != model.KindIncompatible || !strings.Contains(f.Message, "app (x86_64)") ||
		!strings.Contains(f.Message, "app (arm64)") {
		t.Errorf("%+v", f)
	}
}

// A .dSYM bundle and the program that it was made of have one UUID; either may
// come first, and the program alone says what is missing.
func TestOpenCorrelatesWithABundleBesideItsProgram(t *testing.T) {
	profile, bundle := correlated(t, "clang-22_dbg_macho")
	program := real(t, "correlate/clang-22_dbg_macho.macho")
	want := proftext(t, open(t, profile, bundle))
	for _, files := range [][]format.File{{profile, bundle, program}, {program, profile, bundle}} {
		var is []format.Recognised
		for _, f := range files {
			is = append(is, decode.Recognise(f.Name, f.Data))
		}
		if groups := format.Group(is); len(groups) != 1 || len(groups[0]) != 3 {
			t.Errorf("%v", groups)
		}
		if got := proftext(t, open(t, files...)); got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
	_, err := decodetest.Open(t.Context(), []format.File{profile, program}, format.Options{})
	if f := format.FindingOf("", err); f.Kind != model.KindUnableToCorrelate || f.File != program.Name ||
		!strings.Contains(f.Message, ".dSYM") {
		t.Errorf("%+v", f)
	}
}

// What is wrong with a program of Mach-O or Windows is told with where it is.
func TestOpenSaysWhereOtherProgramsAreWrong(t *testing.T) {
	mach, machProgram := correlated(t, "clang-22_bin_macho")
	win, winProgram := correlated(t, "clang-22_bin_pe")
	win32, win32Program := correlated(t, "clang-22_bin_pe32")
	_, cov := correlated(t, "clang-22_cov_pe")
	_, bundle := correlated(t, "clang-22_dbg_macho")
	replaced := func(f format.File, old, with string) format.File {
		changed := f
		if changed.Data = bytes.ReplaceAll(f.Data, []byte(old), []byte(with)); bytes.Equal(changed.Data, f.Data) {
			t.Fatalf("%s has no %q", f.Name, old)
		}
		return changed
	}
	cut := func(f format.File, n int) format.File { f.Data = f.Data[:n:n]; return f }
	for _, test := range []struct {
		name             string
		profile, program format.File
		code             string
		says             []string
	}{
		{
			"no counters", win, replaced(winProgram, ".lprfc\x00\x00", ".lprfx\x00\x00"), "raw.incompatible",
			[]string{"no section .lprfc"},
		},
		{
			"no records", win, replaced(winProgram, ".lcovd\x00\x00", ".lcovx\x00\x00"), "pe.unable_to_correlate_profile",
			[]string{"no section .lcovd"},
		},
		{
			"no names", win, replaced(winProgram, ".lcovn\x00\x00", ".lcovx\x00\x00"), "pe.unable_to_correlate_profile",
			[]string{"no section .lcovn"},
		},
		{
			"no names in Mach-O", mach, replaced(machProgram, "__llvm_covnames", "__llvm_covother"),
			"mach-o.unable_to_correlate_profile", []string{"__llvm_covnames"},
		},
		{"another size", win, cov, "raw.incompatible", []string{"80 bytes of counters, the program 19"}},
		{"another class", win, win32Program, "raw.incompatible", []string{"64-bit", "32-bit"}},
		{"another system", win32, bundle, "raw.incompatible", []string{"32-bit"}},
		{"headers alone", win, cut(winProgram, 0x200), "pe.truncated", []string{"NumberOfSections", "pass the end"}},
		{"sections past the end", win, cut(winProgram, 0x400), "pe.truncated", []string{"past the end"}},
		{
			"a program of DOS", win, replaced(winProgram, "PE\x00\x00", "LE\x00\x00"), "pe.unsupported_version", []string{"DOS"},
		},
		{"half of a Mach-O program", mach, cut(machProgram, 0x3080), "mach-o.truncated", []string{"past the end"}},
	} {
		_, err := decodetest.Open(t.Context(), []format.File{test.profile, test.program}, format.Options{})
		f := format.FindingOf("", err)
		if f.Code != test.code || f.File == "" || f.Remedy == "" {
			t.Errorf("%s: %+v", test.name, f)
		}
		for _, says := range test.says {
			if !strings.Contains(f.Message+f.Field+f.Expected, says) {
				t.Errorf("%s: %q is not in %+v", test.name, says, f)
			}
		}
	}
	flagged := win
	flagged.Data = bytes.Clone(win.Data)
	flagged.Data[15] |= 0x08 // for debug info
	_, err := decodetest.Open(t.Context(), []format.File{flagged, winProgram}, format.Options{})
	if f := format.FindingOf("", err); f.Kind != model.KindUnableToCorrelate ||
		!strings.Contains(f.Message, "-profile-correlate=binary") {
		t.Errorf("%+v", f)
	}
}

// A heap profile is symbolized with ELF alone.
func TestHeapProfilesRefuseOtherPrograms(t *testing.T) {
	_, program := correlated(t, "clang-22_bin_pe")
	heap := format.File{Name: "a.memprofraw", Data: append([]byte("\x81rforpm\xff"), make([]byte, 64)...)}
	_, err := decodetest.Open(t.Context(), []format.File{heap, program}, format.Options{})
	if f := format.FindingOf("", err); f.Kind != model.KindUnsupportedVersion || f.File != program.Name ||
		!strings.Contains(f.Message, "ELF") {
		t.Errorf("%+v", f)
	}
}
