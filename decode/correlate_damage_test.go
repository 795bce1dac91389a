package decode_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/internal/memtest"
)

// openDamaged opens files of which one may be damaged, and checks that an error
// is a fault that names one of them and has an offset in it.
func openDamaged(t testing.TB, files ...format.File) error {
	t.Helper()
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err == nil {
		for _, err = range p.Functions() {
			if err != nil {
				break
			}
		}
		p.Findings()
	}
	if err == nil {
		return nil
	}
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok || fault.Kind == "" || fault.Kind == model.KindInternal || fault.Msg == "" {
		t.Fatalf("%#v", err)
	}
	for _, f := range files {
		if f.Name == fault.File && fault.Offset <= uint64(len(f.Data)) {
			return err
		}
	}
	t.Fatalf("neither file has this fault: %+v", fault)
	return err
}

func TestOpenCorrelatesDamagedPrograms(t *testing.T) {
	for _, name := range []string{
		"clang-22_no_id", "clang-22_dbg_m32", "clang-22_bin_m32", "clang-22_zstd", "clang-22_bin_pe32",
	} {
		profile, program := correlated(t, name)
		whole := program.Data
		for n := 0; n < len(whole); n += damageEvery {
			program.Data = whole[:n:n]
			// a file of no bytes is no fault
			if err := openDamaged(t, profile, program); err == nil && n > 0 && !padding(whole[n:]) {
				t.Errorf("%s is whole without its last %d bytes", name, len(whole)-n)
			}
			program.Data = bytes.Clone(whole)
			program.Data[n] ^= []byte{0x01, 0x80, 0xff}[n/damageEvery%3]
			_ = openDamaged(t, profile, program)
		}
		program.Data = whole
		whole = profile.Data
		for n := range whole {
			profile.Data = bytes.Clone(whole)
			profile.Data[n] ^= []byte{0xff, 0x01, 0x80}[n%3]
			_ = openDamaged(t, profile, program)
		}
	}
}

// padding reports whether the bytes are what fills a program's last section.
func padding(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// Larger programs are damaged where it matters: in what comes before the code,
// and here and there elsewhere.
func TestOpenCorrelatesOtherDamagedPrograms(t *testing.T) {
	for _, name := range []string{
		"clang-22_bin_macho", "clang-22_dbg_macho", "clang-22_dwarf5_macho", "clang-22_bin_pe", "clang-22_cov_pe",
	} {
		profile, program := correlated(t, name)
		whole := program.Data
		for n := 0; n < len(whole); n++ {
			if n <= 0x800 && n%(damageEvery/3) > 0 || n > 0x800 && n%(4*damageEvery-1) > 0 {
				continue
			}
			program.Data = whole[:n:n]
			_ = openDamaged(t, profile, program)
			program.Data = bytes.Clone(whole)
			program.Data[n] ^= []byte{0x01, 0x80, 0xff}[n/3%3]
			_ = openDamaged(t, profile, program)
		}
	}
}

func TestOpenSaysWhereTheProgramIsWrong(t *testing.T) {
	profile, program := correlated(t, "clang-22_no_id")
	const record = 64 // bytes, of raw version 10
	data := bytes.Index(program.Data, binary.LittleEndian.AppendUint64(nil, fRef))
	if data < 0 {
		t.Fatal("no record")
	}
	change := func(f func(record []byte)) format.File {
		p := program
		p.Data = bytes.Clone(program.Data)
		f(p.Data[data : data+record])
		return p
	}
	for _, test := range []struct {
		name   string
		change func([]byte)
	}{
		{"too many counters", func(r []byte) { binary.LittleEndian.PutUint32(r[48:], 7) }},
		{"no counters", func(r []byte) { binary.LittleEndian.PutUint32(r[48:], 0) }},
	} {
		_, err := decodetest.Open(t.Context(), []format.File{profile, change(test.change)}, format.Options{})
		f := format.FindingOf("", err)
		if f.Code != "elf.malformed" || f.File != program.Name || f.Field != "NumCounters" || f.Offset != uint64(data) ||
			f.Section != "__llvm_covdata" {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
	outside := change(func(r []byte) { binary.LittleEndian.PutUint64(r[16:], 8) })
	p := open(t, profile, outside)
	if f := p.Findings(); len(f) != 1 || f[0].Code != "raw.correlation_outside" || f[0].Count != 1 {
		t.Errorf("%+v", f)
	}
}

// fRef is the NameRef of "t.c;f".
const fRef = 0x9aa3dcc660a6628c

// TestCorrelationIsBounded opens a program of many functions that all name one
// long string, for a profile of as many counters.
func TestCorrelationIsBounded(t *testing.T) {
	const functions, name = 1 << 14, 1 << 15
	profile, program := manyProbes(functions, name)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := openDamaged(t, profile, program)
	runtime.ReadMemStats(&after)
	if model.KindOf(err) != model.KindTooLarge || err == nil {
		t.Error(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
		t.Errorf("%d bytes of memory for %d", used, len(program.Data)+len(profile.Data))
	}
}

// manyProbes is a profile of byte coverage and a program whose debug info
// describes a counter a function, each function with the same long name.
func manyProbes(functions, nameSize int) (profile, program format.File) {
	le := binary.LittleEndian
	name := append(bytes.Repeat([]byte("x"), nameSize), 0)
	str := append([]byte("__profc_\x00Function Name\x00CFG Hash\x00Num Counters\x00"), name...)
	abbrev := []byte{
		1, 0x11, 1, 0, 0, // a unit
		2, 0x2e, 1, 0, 0, // a function
		3, 0x34, 1, 0x03, 0x0e, 0x02, 0x18, 0, 0, // a variable: name, location
		4, 0x80, 0xc0, 0x01, 0, 0x03, 0x0e, 0x1c, 0x0e, 0, 0, // an annotation that is a string
		5, 0x80, 0xc0, 0x01, 0, 0x03, 0x0e, 0x1c, 0x0b, 0, 0, // an annotation that is a number
		0,
	}
	entries := []byte{1, 2}
	for i := range functions {
		entries = append(entries, 3, 0, 0, 0, 0, 9, 3)
		entries = le.AppendUint64(entries, 0x1000+uint64(i))
		entries = append(entries, 4, 9, 0, 0, 0, 45, 0, 0, 0)
		entries = append(entries, 5, 23, 0, 0, 0, 1, 5, 32, 0, 0, 0, 1, 0)
	}
	info := le.AppendUint32(nil, uint32(7+len(entries)))
	info = append(info, 4, 0, 0, 0, 0, 0, 8)
	info = append(info, entries...)

	h := make([]byte, 64)
	copy(h, "\x7fELF\x02\x01\x01")
	h[16], h[52], h[58], h[60], h[62] = 2, 64, 64, 6, 5
	names := []byte("\x00.debug_info\x00.debug_abbrev\x00.debug_str\x00__llvm_prf_cnts\x00.shstrtab\x00")
	headers := make([]byte, 64)
	section := func(name string, kind uint32, address, size uint64, data []byte) {
		s := make([]byte, 64)
		le.PutUint32(s, uint32(bytes.Index(names, []byte(name))))
		le.PutUint32(s[4:], kind)
		le.PutUint64(s[16:], address)
		le.PutUint64(s[24:], uint64(len(h)))
		le.PutUint64(s[32:], size)
		h, headers = append(h, data...), append(headers, s...)
	}
	section(".debug_info", 1, 0, uint64(len(info)), info)
	section(".debug_abbrev", 1, 0, uint64(len(abbrev)), abbrev)
	section(".debug_str", 1, 0, uint64(len(str)), str)
	section("__llvm_prf_cnts", 8, 0x1000, uint64(functions), nil)
	section(".shstrtab", 3, 0, uint64(len(names)), names)
	le.PutUint64(h[40:], uint64(len(h)))

	raw := append([]byte("\x81rforpl\xff"), make([]byte, 120+functions)...)
	le.PutUint64(raw[8:], 10|uint64(instrprof.IRProf|instrprof.DbgCorrelate|instrprof.ByteCoverage))
	le.PutUint64(raw[40:], uint64(functions))
	return format.File{Name: "many.profraw", Data: raw}, format.File{Name: "many.elf", Data: append(h, headers...)}
}

func TestCorrelationOfManyFunctions(t *testing.T) {
	profile, program := manyProbes(1000, 3)
	p := open(t, profile, program)
	n := 0
	for f, err := range p.Functions() {
		if err != nil || string(f.Name) != "xxx" || f.FuncHash != 1 {
			t.Fatalf("%+v, %v", f, err)
		}
		n++
	}
	if n != 1 { // all of one name and hash, so one when merged
		t.Errorf("%d functions", n)
	}
}

func FuzzCorrelate(f *testing.F) {
	for _, name := range []string{"clang-22_no_id", "clang-22_dbg_m32", "clang-22_bin_m32", "clang-22_zstd",
		"clang-22_dwarf64", "clang-22_temporal", "clang-22_fe_cov",
		"clang-22_dwarf5_macho", "clang-22_bin_macho", "clang-22_bin_pe", "clang-22_bin_pe32", "clang-22_cov_pe"} {
		profile, program := correlated(f, name)
		f.Add(profile.Data, program.Data)
	}
	profile, program := manyProbes(3, 3)
	f.Add(profile.Data, program.Data)
	profile, program = correlated(f, "clang-22_dbg_macho")
	_, arm := correlated(f, "clang-22_dbg_macho_arm")
	f.Add(profile.Data, fat("app", program, arm).Data)
	f.Fuzz(func(t *testing.T, profile, program []byte) {
		defer memtest.Watch(t, len(profile)+len(program))()
		_ = openDamaged(t, format.File{Name: "a", Data: profile}, format.File{Name: "b", Data: program})
		format.Group([]format.Recognised{decode.Recognise("a", profile), decode.Recognise("b", program)})
	})
}
