package symbol_test

import (
	"fmt"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

// A unit of code from 0x1000 to 0x9000 with a function "f" that has its ranges in a
// list. The unit of version 5 also says where its addresses and lists begin.
var (
	rangedAbbrev4 = []byte{
		1, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0, 0, // unit: low, high
		2, 0x2e, 0, 0x03, 0x08, 0x55, 0x17, 0, 0, // subprogram: name, ranges
		0,
	}
	rangedAbbrev5 = []byte{
		1, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0x73, 0x17, 0x74, 0x17, 0, 0, // unit: low, high, base of addresses, base of lists
		2, 0x2e, 0, 0x03, 0x08, 0x55, 0x17, 0, 0, // subprogram: name, ranges by offset
		3, 0x2e, 0, 0x03, 0x08, 0x55, 0x23, 0, 0, // subprogram: name, ranges by index
		0,
	}
	rangedUnit = cat([]byte{1}, le64(0x1000), le32(0x8000))
)

// builtUnit5 is a unit of version 5.
func builtUnit5(entries []byte) []byte {
	b := cat(le32(uint32(8+len(entries))), []byte{5, 0, 1, 8}, le32(0))
	return append(b, entries...)
}

// within are the addresses of a program that are in "f", as stretches; and the kind
// of what is wrong with its debug info.
func within(t testing.TB, data []byte) string {
	t.Helper()
	s, err := symbol.NewSymbolizer(image(t, "x", data))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	begin := uint64(0)
	for addr := uint64(0xfff); addr <= 0x9001; addr++ {
		frames := s.Frames(addr)
		in := len(frames) > 0 && frames[0].Function == "f"
		if in && begin == 0 {
			begin = addr
		}
		if !in && begin != 0 {
			list = append(list, fmt.Sprintf("%x-%x", begin, addr))
			begin = 0
		}
	}
	if faults := s.Faults(); len(faults) > 0 {
		list = append(list, string(model.KindOf(faults[0])))
	}
	return strings.Join(list, " ")
}

// Lists of version 4 are pairs of addresses relative to the unit's, or to a base
// that stands before them; those of code that was removed count for nothing.
func TestRangesOfVersion4(t *testing.T) {
	const none = 1<<64 - 1
	pairs := func(numbers ...uint64) (b []byte) {
		for _, n := range numbers {
			b = append(b, le64(n)...)
		}
		return b
	}
	for name, test := range map[string]struct {
		list []byte
		want string
	}{
		"one":                     {pairs(0x10, 0x20, 0, 0), "1010-1020"},
		"several, in any order":   {pairs(0x40, 0x50, 0x10, 0x20, 0x20, 0x21, 0, 0), "1010-1021 1040-1050"},
		"another base":            {pairs(0x10, 0x20, none, 0x3000, 0x10, 0x20, 0, 0), "1010-1020 3010-3020"},
		"a base that was removed": {pairs(0x10, 0x20, none, none, 0x10, 0x20, 0, 0), "1010-1020"},
		"an empty one":            {pairs(0x10, 0x10, 0x20, 0x30, 0, 0), "1020-1030"},
		"one that goes backwards": {pairs(0x20, 0x10, 0, 0), ""},
		"nothing":                 {pairs(0, 0), ""},
		"without an end":          {pairs(0x10, 0x20), "truncated"},
	} {
		data := builtELF{sections: []builtSection{
			{name: ".debug_info", data: builtUnit(0, cat(rangedUnit, []byte("\x02f\x00"), le32(0), []byte{0}))},
			{name: ".debug_abbrev", data: rangedAbbrev4}, {name: ".debug_ranges", data: test.list},
		}}.bytes()
		if got := within(t, data); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// Lists of version 5 say of each range how it is written; an index counts from the
// bases that the unit names.
func TestRangesOfVersion5(t *testing.T) {
	addresses := cat(le32(28), []byte{5, 0, 8, 0}, le64(0x2000), le64(0x2100), le64(1<<64-1)) // of .debug_addr
	for name, test := range map[string]struct {
		list []byte
		want string
	}{
		"an offset pair":               {[]byte{4, 0x10, 0x20, 0}, "1010-1020"},
		"start and end":                {cat([]byte{6}, le64(0x1200), le64(0x1280), []byte{0}), "1200-1280"},
		"start and length":             {cat([]byte{7}, le64(0x1200), []byte{0x81, 0x01, 0}), "1200-1281"},
		"another base":                 {cat([]byte{5}, le64(0x3000), []byte{4, 0, 8, 0}), "3000-3008"},
		"a base by index":              {[]byte{1, 0, 4, 0x10, 0x20, 0}, "2010-2020"},
		"start and end by index":       {[]byte{2, 0, 1, 0}, "2000-2100"},
		"start by index, and length":   {[]byte{3, 1, 0x10, 0}, "2100-2110"},
		"an index of what was removed": {[]byte{3, 2, 0x10, 4, 0, 1, 0}, "1000-1001"},
		"an index past the addresses":  {[]byte{3, 99, 0x10, 4, 0, 1, 0}, "1000-1001"},
		"a base that was removed":      {[]byte{1, 2, 4, 0, 8, 0}, ""},
		"nothing":                      {[]byte{0}, ""},
		"a kind to come":               {[]byte{4, 0, 1, 8, 0}, "malformed"},
		"without an end":               {[]byte{4, 0, 1}, "truncated"},
	} {
		// a list, at an offset from its index
		lists := cat(le32(uint32(12+len(test.list))), []byte{5, 0, 8, 0}, le32(1), le32(4), test.list)
		root := cat(rangedUnit, le32(8), le32(12))
		for way, entry := range map[string][]byte{
			"by offset": cat([]byte("\x02f\x00"), le32(16)), "by index": []byte("\x03f\x00\x00"),
		} {
			data := builtELF{sections: []builtSection{
				{name: ".debug_info", data: builtUnit5(cat(root, entry, []byte{0}))}, {name: ".debug_abbrev", data: rangedAbbrev5},
				{name: ".debug_rnglists", data: lists}, {name: ".debug_addr", data: addresses},
			}}.bytes()
			if got := within(t, data); got != test.want {
				t.Errorf("%s, %s: %s, want %s", name, way, got, test.want)
			}
		}
	}
}

// Each operation of a line number program moves address, line, column, file or
// discriminator as the format says.
func TestLineOperations(t *testing.T) {
	const first = "\x00\x09\x02\x00\x10\x00\x00\x00\x00\x00\x00" // set the address to 0x1000
	const end = "\x02\x20\x00\x01\x01"                           // 32 bytes on, and the end of the sequence
	for name, test := range map[string]struct {
		ops  string
		addr uint64
		want string // file, line, column and discriminator
	}{
		"a row as it begins":       {"\x01", 0x1000, "/one.c:1:0:0"},
		"and up to the next":       {"\x01", 0x101f, "/one.c:1:0:0"},
		"not behind the end":       {"\x01", 0x1020, ""},
		"not before the first":     {"\x01", 0xfff, ""},
		"lines":                    {"\x03\xe3\x00\x01", 0x1000, "/one.c:100:0:0"},
		"lines back":               {"\x03\x09\x03\x7d\x01", 0x1000, "/one.c:7:0:0"},
		"a column":                 {"\x05\x81\x01\x01", 0x1000, "/one.c:1:129:0"},
		"another file":             {"\x04\x02\x01", 0x1000, "/dir/two.c:1:0:0"},
		"a file that is not there": {"\x04\x09\x01", 0x1000, ":1:0:0"},
		"a discriminator":          {"\x00\x02\x04\x05\x01", 0x1000, "/one.c:1:0:5"},
		"which is of one row":      {"\x00\x02\x04\x05\x01\x02\x04\x01", 0x1004, "/one.c:1:0:0"},
		"an advance":               {"\x01\x02\x08\x03\x01\x01", 0x1008, "/one.c:2:0:0"},
		// 75 = 13 + 4·14 + 6: by 4 bytes, and a line
		"a special one":            {"\x01\x4b", 0x1004, "/one.c:2:0:0"},
		"a special one backwards":  {"\x03\x0a\x01\x0d", 0x1000, "/one.c:6:0:0"},     // 13: by nothing, and five lines back
		"const_add_pc":             {"\x01\x08\x03\x02\x01", 0x1011, "/one.c:3:0:0"}, // (255 - 13) / 14 = 17 bytes
		"fixed_advance_pc":         {"\x01\x09\x10\x00\x03\x01\x01", 0x1010, "/one.c:2:0:0"},
		"flags that do not matter": {"\x06\x07\x0a\x0b\x0c\x03\x01", 0x1000, "/one.c:1:0:0"},
		"an operation to come":     {"\x00\x03\x80\x01\x02\x01", 0x1000, "/one.c:1:0:0"},
		"another of no bytes":      {"\x00\x00\x01", 0x1000, "/one.c:1:0:0"},
	} {
		files := "\x00" + "one.c\x00\x00\x00\x00" + "two.c\x00\x01\x00\x00" + "\x00"
		table := lineProgram([]byte("dir\x00"+files), []byte(first+test.ops+end))
		data := builtELF{sections: []builtSection{
			{
				name: ".debug_info", data: builtUnit(0,
					cat([]byte{1}, le64(0x1000), le32(0x8000), le32(0), []byte("/\x00"), []byte("\x02f\x00"), le64(0x1000),
						le32(0x8000), []byte{0})),
			},
			{name: ".debug_abbrev", data: []byte{
				1, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0x10, 0x17, 0x1b, 0x08, 0, 0, // unit: low, high, lines, folder
				2, 0x2e, 0, 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0, 0, // subprogram: name, low, high
				0,
			}},
			{name: ".debug_line", data: table},
		}}.bytes()
		s, err := symbol.NewSymbolizer(image(t, "x", data))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if frames := s.Frames(test.addr); len(frames) > 0 && frames[0].Line > 0 {
			f := frames[0]
			got = fmt.Sprintf("%s:%d:%d:%d", f.File, f.Line, f.Column, f.Discriminator)
		}
		if got != test.want || len(s.Faults()) > 0 {
			t.Errorf("%s: %s, want %s; %v", name, got, test.want, s.Faults())
		}
	}
}
