package symbol_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/internal/memtest"
)

// symbolize reads what a program and a split file have of some addresses, and
// checks that every fault names a file and an offset.
func symbolize(t testing.TB, data, split []byte) *symbol.Symbolizer {
	t.Helper()
	i, err := symbol.Open("x", data, nil)
	if err != nil {
		return nil
	}
	i.DebugLink()
	i.PreferredAddress()
	s, err := symbol.NewSymbolizer(i)
	if err != nil {
		return nil
	}
	if split != nil {
		if d, err := symbol.Open("x", split, nil); err == nil {
			_ = s.AddSplit(d)
		}
	}
	addresses := []uint64{0, 1, 0x1000, 0x401000, 1<<32 - 1, 1<<64 - 1}
	for _, seg := range i.ExecutableSegments() {
		for n := range uint64(40) {
			addresses = append(addresses, seg.Addr+n*(seg.Size/40))
		}
	}
	for _, p := range i.Procedures() {
		addresses = append(addresses, p.Start)
		if len(addresses) > 200 {
			break
		}
	}
	for _, a := range addresses {
		frames := s.Frames(a)
		for n, f := range frames {
			if f.Inlined && n+1 == len(frames) && len(frames) < 100 {
				t.Fatalf("0x%x: the last frame is inlined: %+v", a, frames)
			}
		}
		s.Symbol(a)
	}
	for _, err := range s.Faults() {
		fault, ok := errors.AsType[*model.FormatError](err)
		if !ok || fault.File != "x" || fault.Kind == "" || fault.Msg == "" ||
			fault.Offset > uint64(max(len(data), len(split))) {
			t.Fatalf("%#v", err)
		}
	}
	return s
}

func TestDebugInfoCutAndChanged(t *testing.T) {
	step := 29
	if testing.Short() {
		step = 113
	}
	for _, name := range []string{"clang-19_lto.elf", "clang-19_mips.elf", "gcc-12_dwarf2.elf", "clang-22_gmlt.elf"} {
		data := read(t, "testdata/frames/"+name)
		for n := 0; n < len(data); n += step {
			if n%4 == 0 {
				symbolize(t, data[:n:n], nil)
			}
			bad := bytes.Clone(data)
			bad[n] ^= []byte{0x01, 0x80, 0xff}[n/step%3]
			symbolize(t, bad, nil)
		}
	}
	for _, name := range []string{"clang-22_split5", "gcc-12_split4"} {
		data := read(t, "testdata/frames/"+name+".elf")
		for _, split := range []string{"_one.dwo", ".dwp"} {
			whole := read(t, "testdata/frames/"+name+split)
			for n := 0; n < len(whole); n += step {
				bad := bytes.Clone(whole)
				bad[n] ^= []byte{0x01, 0x80, 0xff}[n/step%3]
				symbolize(t, data, bad)
				if n%4 == 0 {
					symbolize(t, data, whole[:n:n])
				}
			}
		}
	}
}

// code is what a made program needs for its addresses: an abbreviation of a
// unit from 0 to 0x10000 with a line table, and ones of subroutines.
var code = []byte{
	1, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0x10, 0x17, 0, 0, // unit: low, high, lines
	2, 0x2e, 1, 0x11, 0x01, 0x12, 0x06, 0x31, 0x10, 0, 0, // subprogram: low, high, origin
	3, 0x1d, 1, 0x31, 0x10, 0x11, 0x01, 0x12, 0x06, 0, 0, // inlined: origin, low, high
	4, 0x2e, 0, 0x03, 0x0e, 0, 0, // subprogram: name
	5, 0x2e, 0, 0x55, 0x17, 0, 0, // subprogram: ranges
	6, 0x2e, 0, 0x31, 0x10, 0x47, 0x10, 0, 0, // subprogram: origin, specification
	7, 0x2e, 0, 0x11, 0x01, 0x12, 0x06, 0x6e, 0x0e, 0, 0, // subprogram: low, high, linkage name
	0,
}

func le32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
func le64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// root is the first entry of a unit of code, with its lines at an offset.
func root(lines uint32) []byte { return cat([]byte{1}, le64(0), le32(0x10000), le32(lines)) }

// firstEntry is where the entries of the first unit begin, and the next one.
const (
	firstEntry = 11
	afterRoot  = firstEntry + 17
)

// lineProgram is a line table of version 4 with these operations.
func lineProgram(header []byte, ops []byte) []byte {
	h := cat([]byte{1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}, header)
	body := cat([]byte{4, 0}, le32(uint32(len(h))), h, ops)
	return cat(le32(uint32(len(body))), body)
}

func TestHostileDebugInfo(t *testing.T) {
	made := func(entries []byte, more ...builtSection) []byte {
		return builtELF{sections: append([]builtSection{
			{name: ".debug_info", data: builtUnit(0, cat(root(0), entries, []byte{0}))}, {name: ".debug_abbrev", data: code},
		}, more...)}.bytes()
	}
	subprogram := func(origin uint32) []byte { return cat([]byte{2}, le64(0), le32(0x10000), le32(origin)) }
	inlined := func(origin uint32) []byte { return cat([]byte{3}, le32(origin), le64(0), le32(0x10000)) }
	self := uint32(afterRoot)
	ring := cat(subprogram(self+18), []byte{0}, cat([]byte{6}, le32(self+18), le32(self+27)),
		cat([]byte{6}, le32(self+18), le32(self)))

	// A thousand functions with the same list of a hundred thousand ranges.
	var list []byte
	for n := range uint64(100000) {
		list = append(list, cat(le64(2*n), le64(2*n+1))...)
	}
	var users []byte
	for range 1000 {
		users = append(users, 5, 0, 0, 0, 0)
	}
	list = append(list, make([]byte, 16)...)
	// As many functions with names that begin inside each other.
	long := append(bytes.Repeat([]byte("a"), 1<<16), 0)
	var names []byte
	for n := range uint32(1000) {
		names = append(names, cat([]byte{7}, le64(uint64(n)*40), le32(40), le32(n))...)
	}
	// Units that all begin their abbreviations elsewhere.
	sets := bytes.Repeat(code[:len(code)-1], 400)
	var units []byte
	for n := range uint32(400) {
		units = append(units, builtUnit(n*uint32(len(code)-1),
			cat([]byte{1}, le64(uint64(n)*16), le32(16), le32(0), []byte{0}))...)
	}
	var lineUnits, tables []byte
	for n := range uint32(2000) {
		lineUnits = append(lineUnits, builtUnit(0, cat([]byte{1}, le64(uint64(n)*16), le32(16), le32(n), []byte{0}))...)
	}
	for range 200000 {
		tables = append(tables, 'a', 0, 0, 0, 0)
	}

	for _, test := range []struct {
		name string
		data []byte
		says string // of the first fault, none when empty
	}{
		{"a function that is its own origin", made(subprogram(self)), ""},
		{"origins in a ring", made(ring), ""},
		{"an origin past the end", made(subprogram(1 << 30)), ""},
		{"an origin in the middle of an entry", made(subprogram(self + 3)), "no such abbreviation"},
		{
			"functions inlined a thousand deep",
			made(cat(subprogram(self), bytes.Repeat(inlined(self), 1000), make([]byte, 1001))), "",
		},
		{"functions inlined without end", made(cat(subprogram(self), bytes.Repeat(inlined(self), 10000))), "nest deeper"},
		{"ranges that are read over and over", made(users, builtSection{name: ".debug_ranges", data: list}), "over and over"},
		{
			"ranges past the end", made([]byte{5, 0, 0, 0, 0x10}, builtSection{name: ".debug_ranges", data: make([]byte, 64)}),
			"begins past the end",
		},
		{"names within names", made(names, builtSection{name: ".debug_str", data: long}), "names exceed"},
		{
			"tables of abbreviations within each other",
			builtELF{sections: []builtSection{{name: ".debug_info", data: units}, {name: ".debug_abbrev", data: sets}}}.bytes(),
			"abbreviations",
		},
		{
			"a line table of 2^32-2 bytes",
			made(nil, builtSection{name: ".debug_line", data: bytes.Repeat([]byte{0xfe, 0xff, 0xff, 0xff}, 9)}), "past the end",
		},
		{
			"a line table of version 9", made(nil,
				builtSection{name: ".debug_line", data: []byte{8, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}}), "version of the line table",
		},
		{
			"rows without end", made(nil, builtSection{name: ".debug_line",
				data: lineProgram(make([]byte, 2), bytes.Repeat([]byte{1}, 1<<20))}), "",
		},
		{
			"no rows at all", made(nil, builtSection{name: ".debug_line",
				data: lineProgram(make([]byte, 2), bytes.Repeat([]byte{6}, 1<<20))}), "more operations",
		},
		{
			"an operation past the end", made(nil,
				builtSection{name: ".debug_line", data: lineProgram(make([]byte, 2), []byte{0, 0xff, 0xff, 0xff, 0x7f, 2})}),
			"ends inside",
		},
		{
			"a LEB128 of a million bytes",
			made(nil, builtSection{name: ".debug_line",
				data: lineProgram(make([]byte, 2), append([]byte{2}, bytes.Repeat([]byte{0xff}, 1<<20)...))}), "ends inside",
		},
		{
			"2^60 files", made(nil, builtSection{name: ".debug_line",
				data: cat(le32(32), []byte{5, 0, 8, 0}, le32(24), []byte{1, 1, 1, 0xfb, 14, 1, 0, 0, 0},
					bytes.Repeat([]byte{0xff}, 8), make([]byte, 15))}), "count exceeds",
		},
		{"line tables within each other", builtELF{sections: []builtSection{
			{name: ".debug_info", data: lineUnits}, {name: ".debug_abbrev", data: code},
			{name: ".debug_line", data: bytes.Repeat(lineProgram(cat([]byte{0}, tables, []byte{0}), []byte{0, 1, 1}), 2)},
		}}.bytes(), "line table"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := symbolize(t, test.data, nil)
		if s == nil {
			t.Errorf("%s: it is not opened", test.name)
			continue
		}
		for n := range uint64(2000) {
			if frames := s.Frames(n * 16); len(frames) > 128 {
				t.Errorf("%s: %d frames", test.name, len(frames))
			}
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 192<<20+32*uint64(len(test.data)) {
			t.Errorf("%s: %d bytes of memory for %d", test.name, used, len(test.data))
		}
		says := fmt.Sprint(s.Faults())
		if test.says == "" && len(s.Faults()) > 0 || !strings.Contains(says, test.says) {
			t.Errorf("%s: %s", test.name, says)
		}
	}
}

func FuzzFrames(f *testing.F) {
	for _, name := range []string{"clang-19_lto", "clang-19_mips", "clang-22_gmlt", "gcc-12_dwarf2"} {
		f.Add(read(f, "testdata/frames/"+name+".elf"), []byte(nil))
	}
	for _, name := range []string{"clang-22_split5", "gcc-12_split4"} {
		program := read(f, "testdata/frames/"+name+".elf")
		f.Add(program, read(f, "testdata/frames/"+name+"_one.dwo"))
		f.Add(program, read(f, "testdata/frames/"+name+".dwp"))
	}
	f.Fuzz(func(t *testing.T, data, split []byte) {
		defer memtest.Watch(t, len(data)+len(split))()
		symbolize(t, data, split)
	})
}

func FuzzListing(f *testing.F) {
	for _, name := range []string{"gnu_sizes", "gnu_portable", "gnu_sysv", "gnu_files_portable", "gnu_lines"} {
		f.Add(read(f, "testdata/symbols/"+name+".txt"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		list, err := symbol.ListNM(data)
		if err != nil && model.KindOf(err) != model.KindUnrecognizedFormat {
			t.Fatal(err)
		}
		for n, p := range list {
			if p.Name == "" || n > 0 && p.Start < list[n-1].Start {
				t.Fatalf("%+v", list)
			}
		}
	})
}
