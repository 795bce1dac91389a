package symbol_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

func program(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../instrprof/testdata/correlate/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What llvm-readobj says of two programs that a linker made: addresses with the
// image base, the smaller of both sizes, and the GUID.
func TestProgramsOfWindows(t *testing.T) {
	for _, test := range []struct {
		name, id     string
		pointer      int
		section      string
		addr, offset uint64
		size         uint64
		hex          string
	}{
		{"clang-22_bin_pe.exe", "81cdbdc875670dcd4c4c44205044422e", 8, ".lprfc", 0x140008000, 0x3a00, 0x51, ""},
		{
			"clang-22_bin_pe.exe", "81cdbdc875670dcd4c4c44205044422e", 8, ".lcovd", 0x14000b000, 0x4000, 0x100,
			"8fa14cdd754f91ccb6e302226a5b7307",
		},
		{"clang-22_bin_pe32.dll", "", 4, ".lcovd", 0x10005000, 0xa00, 0xc0, "8fa14cdd754f91ccb6e302226a5b7307"},
		{"clang-22_bin_pe32.dll", "", 4, ".lprfc", 0x10003000, 0x600, 0x49, "00"},
	} {
		i, err := symbol.OpenPE(test.name, program(t, test.name), &wire.Recorder{})
		if err != nil {
			t.Fatal(err)
		}
		s, ok := i.Section(test.section)
		data, packed, err := i.Contents(test.section, s)
		if !ok || packed || err != nil || s.Addr != test.addr || s.Offset != test.offset || s.Size != test.size ||
			!bytes.HasPrefix(fmt.Appendf(nil, "%x", data), []byte(test.hex)) {
			t.Errorf("%s %s: %+v, %v, %x", test.name, test.section, s, err, data[:min(16, len(data))])
		}
		if fmt.Sprintf("%x", i.BuildID()) != test.id || i.PointerSize != test.pointer || i.BigEndian ||
			i.Info().Format != symbol.FormatPE {
			t.Errorf("%s: build ID %x, %+v", test.name, i.BuildID(), i.Info())
		}
		if s, ok := i.Section(".data"); test.pointer == 4 && (!ok || s.Type != elf.SHT_NOBITS || s.Size != 8) {
			t.Errorf("%s: .data is %+v", test.name, s)
		}
	}
}

// Each fault says in which part and field it is.
func TestFaultsOfPE(t *testing.T) {
	whole := program(t, "clang-22_bin_pe32.dll")
	at := int(binary.LittleEndian.Uint32(whole[0x3c:]))
	change := func(at int, v uint32) []byte {
		b := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for _, test := range []struct {
		name           string
		data           []byte
		kind           model.Kind
		section, field string
		offset         int
	}{
		{"no program", []byte("\x7fELF"), model.KindBadMagic, "PE", "e_magic", 0},
		{"cut before the offset", whole[:0x3e], model.KindTruncated, "DOS header", "e_lfanew", 0x3c},
		{"a header before the end of its own", change(0x3c, 8), model.KindTruncated, "DOS header", "e_lfanew", 0x3c},
		{"a header past the end", change(0x3c, 1<<31), model.KindTruncated, "DOS header", "e_lfanew", 0x3c},
		{"another signature", change(at, 0x454e), model.KindUnsupportedVersion, "PE header", "Signature", at},
		{"cut in the header", whole[:at+10], model.KindTruncated, "PE header", "TimeDateStamp", at + 8},
		{"cut in the optional header", whole[:at+60], model.KindTruncated, "optional header", "", at + 24},
		{"of no class", change(at+24, 0x107), model.KindMalformed, "optional header", "Magic", at + 24},
		{
			"a short optional header", change(at+20, 0x20<<0|0x2102<<16), model.KindTruncated, "optional header",
			"to NumberOfRvaAndSizes", at + 24 + 32,
		},
		{"too many sections", change(at+4, 0x14c|0xffff<<16), model.KindTruncated, "section headers", "NumberOfSections", -1},
	} {
		_, err := symbol.OpenPE("x", test.data, &wire.Recorder{})
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		f := faultOf(t, err)
		if f.Kind != test.kind || f.Section != test.section || f.Field != test.field || test.offset >= 0 &&
			f.Offset != uint64(test.offset) {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// Pointers are as the loader would make them.
func TestChainedFixups(t *testing.T) {
	data := program(t, "clang-22_bin_macho.macho")
	open := func(data []byte) *symbol.Image {
		t.Helper()
		list, err := symbol.OpenProgram("x", data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	i := open(data)
	s, ok := i.Section("__llvm_covdata")
	contents, _, err := i.Contents("__llvm_covdata", s)
	if !ok || err != nil {
		t.Fatal(s, err)
	}
	stored := binary.LittleEndian.Uint64(contents[64+16:]) // CounterPtr of the second record
	counters, _ := i.Section("__llvm_prf_cnts")
	if got, err := i.Pointer(s.Addr+64+16, stored); err != nil || got != counters.Addr+24 || got == stored {
		t.Errorf("0x%x is 0x%x, want 0x%x, %v", stored, got, counters.Addr+24, err)
	}
	if got, err := i.Pointer(counters.Addr, stored); err != nil || got != stored {
		t.Errorf("outside of the segment: 0x%x, %v", got, err)
	}
	format := bytes.Index(data, []byte{24, 0, 0, 0, 0, 0x10, 2, 0}) // size, page_size, pointer_format
	if format < 0 {
		t.Fatal("no table of starts")
	}
	for _, test := range []struct {
		format byte
		v      uint64
		want   uint64
	}{{6, 0x20_0000_0000_2018, 0x1_0000_2018}, {2, 0, 0}, {1, 0x2018, 0}, {12, 0x2018, 0}} {
		other := bytes.Clone(data)
		other[format+6] = test.format
		got, err := open(other).Pointer(s.Addr+16, test.v)
		if test.want == 0 && test.v != 0 {
			if f := faultOf(t, err); f.Kind != model.KindUnsupportedVersion || f.Field != "pointer_format" ||
				f.Found != fmt.Sprint(test.format) {
				t.Errorf("%+v", f)
			}
		} else if err != nil || got != test.want {
			t.Errorf("format %d: 0x%x is 0x%x, %v", test.format, test.v, got, err)
		}
	}
}

// A name that Mach-O cuts to 16 bytes is whole again.
func TestDebugInfoOfBundles(t *testing.T) {
	list, err := symbol.OpenProgram("x", program(t, "clang-22_dwarf5_macho.dsym"), nil)
	if err != nil || !list[0].HasDebugInfo() || !symbol.IsDSYM(program(t, "clang-22_dwarf5_macho.dsym")) ||
		symbol.IsDSYM(program(t, "clang-22_dbg_macho.macho")) {
		t.Fatal(err)
	}
	if s, ok := list[0].Section(".debug_str_offsets"); !ok || s.Size == 0 {
		t.Errorf("%+v", s)
	}
	s, _ := list[0].Section("__llvm_prf_cnts")
	if _, _, err := list[0].Contents("__llvm_prf_cnts", s); s.Size != 64 || faultOf(t, err).Kind != model.KindTruncated {
		t.Errorf("%+v, %v", s, err)
	}
}

func FuzzPrograms(f *testing.F) {
	for _, name := range []string{
		"clang-22_bin_pe32.dll", "clang-22_bin_pe.exe", "clang-22_bin_macho.macho", "clang-22_dwarf5_macho.dsym",
		"clang-22_no_id.elf",
	} {
		f.Add(program(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		list, err := symbol.OpenProgram("x", data, &wire.Recorder{})
		if err != nil {
			faultOf(t, err)
			return
		}
		for _, i := range list {
			i.Info()
			for _, name := range []string{".lcovd", "__llvm_covdata"} {
				if s, ok := i.Section(name); ok {
					_, _, _ = i.Contents(name, s)
					_, _ = i.Pointer(s.Addr, 1)
				}
			}
		}
	})
}
