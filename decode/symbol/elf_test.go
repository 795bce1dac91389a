package symbol_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

// faultOf is what an error says of a program.
func faultOf(t testing.TB, err error) *model.FormatError {
	t.Helper()
	f, ok := errors.AsType[*model.FormatError](err)
	if !ok || f.Kind == "" || f.Section == "" || f.Msg == "" || f.File == "" {
		t.Fatalf("%#v is no fault of a file", err)
	}
	return f
}

const (
	progbits = 1
	symtab   = 2
	strtab   = 3
	notes    = 7
	alloc    = 2
	code4    = 4 | alloc
)

// symbols is a symbol table of a class and its names.
func symbols(k class, list ...symbol.Procedure) (table, names []byte) {
	names = []byte{0}
	table = make([]byte, map[bool]int{true: 24, false: 16}[k.wide])
	for _, p := range list {
		at := uint32(len(names))
		names = append(append(names, p.Name...), 0)
		const function = 0x12 // global
		if k.wide {
			table = append(k.u32(table, at), function, 0)
			table = k.u16(table, 1)
			table = k.ptr(k.ptr(table, p.Start), p.Size)
			continue
		}
		table = k.u32(k.ptr(k.ptr(k.u32(table, at), p.Start), p.Size))
		table = k.u16(append(table, function, 0), 1)
	}
	return table, names
}

// A program of any class and byte order is read: sections, segments, build ID,
// symbols, and the table of sections when the header cannot say how many there are.
func TestProgramsOfEveryClass(t *testing.T) {
	want := []symbol.Procedure{{Name: "first", Start: 0x10100, Size: 0x20}, {Name: "second", Start: 0x10140, Size: 0x10}}
	for name, k := range classes {
		table, names := symbols(k, want[1], want[0])
		l := linked{class: k, sections: []linkedSection{
			{name: ".text", kind: progbits, flags: code4, addr: 0x10100, data: bytes.Repeat([]byte{0x90}, 0x60)},
			{
				name: ".note.gnu.build-id", kind: notes,
				data: append(k.note(1, "GNU\x00", "abi tag"), k.note(3, "GNU\x00", "12345")...),
			},
			{name: ".symtab", kind: symtab, data: table, link: 4},
			{name: ".strtab", kind: strtab, data: names},
		}}
		zero, extended := uint16(0), uint16(0xffff)
		for what, change := range map[string]func(l *linked){
			"as it is": func(*linked) {}, "sections counted in the first": func(l *linked) { l.shnum = &zero }, "names told in the first": func(l *linked) { l.shstrndx = &extended },
		} {
			l := l
			change(&l)
			i, err := symbol.Open("x", l.bytes(), nil)
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
				continue
			}
			s, ok := i.Section(".text")
			data, packed, err := i.Contents(".text", s)
			if !ok || s.Addr != 0x10100 || len(data) != 0x60 || packed || err != nil {
				t.Errorf("%s, %s: %+v, %d bytes, %v", name, what, s, len(data), err)
			}
			if string(i.BuildID()) != "12345" || len(i.ExecutableSegments()) != 1 || i.IsPIE() || i.BigEndian != k.big {
				t.Errorf("%s, %s: build ID %q, %+v", name, what, i.BuildID(), i.Segments())
			}
			if at, ok := i.PreferredAddress(); at != 0x10000 || !ok {
				t.Errorf("%s, %s: linked for 0x%x", name, what, at)
			}
			if diff := cmp.Diff(want, i.Procedures()); diff != "" {
				t.Errorf("%s, %s: %s", name, what, diff)
			}
			if info := i.Info(); !strings.HasSuffix(info.Describe, "build ID 3132333435") || info.BigEndian != k.big {
				t.Errorf("%s: %s", name, info.Describe)
			}
			if _, ok := i.Section(".tex"); ok {
				t.Error("a section is found by half of its name")
			}
		}
	}
}

// A program that was cut anywhere is refused, or has sections whose contents are
// told to be missing; no address of its symbols is beyond it.
func TestCutPrograms(t *testing.T) {
	for name, k := range classes {
		table, names := symbols(k, symbol.Procedure{Name: "f", Start: 0x10100, Size: 4})
		data := linked{class: k, sections: []linkedSection{
			{name: ".text", kind: progbits, flags: code4, addr: 0x10100, data: make([]byte, 16)},
			{name: ".symtab", kind: symtab, data: table, link: 3}, {name: ".strtab", kind: strtab, data: names},
		}}.bytes()
		for n := range data {
			_, err := symbol.Open("x", data[:n:n], nil)
			if err == nil { // the table of sections stands at the end
				t.Fatalf("%s: %d of %d bytes are taken", name, n, len(data))
			}
			if f := faultOf(t, err); f.Kind != model.KindTruncated && f.Kind != model.KindBadMagic || f.Offset > uint64(n) ||
				f.Expected == "" && f.Found == "" {
				t.Errorf("%s, %d bytes: %+v", name, n, f)
			}
		}
		for n := range data {
			broken := bytes.Clone(data)
			broken[n] ^= 0xff
			i, err := symbol.Open("x", broken, nil)
			if err != nil {
				faultOf(t, err)
				continue
			}
			i.Procedures()
			i.DebugLink()
			if s, ok := i.Section(".text"); ok {
				if _, _, err := i.Contents(".text", s); err != nil {
					faultOf(t, err)
				}
			}
		}
	}
}

// Each fault of a header says in which field it is, and what stands there.
func TestFaultsOfHeaders(t *testing.T) {
	k := class{wide: true}
	data := linked{class: k, sections: []linkedSection{{name: ".text", kind: progbits, data: make([]byte, 8)}}}.bytes()
	table := binary.LittleEndian.Uint64(data[0x28:])
	for _, test := range []struct {
		name            string
		at              int
		bytes           string
		kind            model.Kind
		section, field  string
		offset          uint64
		expected, found string
	}{
		{"another magic", 0, "\x7fELG", model.KindBadMagic, "ELF header", "e_ident", 0, "7f 45 4c 46", "7f 45 4c 47"},
		{"no class", 4, "\x00", model.KindMalformed, "ELF header", "EI_CLASS", 4, "1 or 2", "0"},
		{"no byte order", 5, "\x00", model.KindMalformed, "ELF header", "EI_DATA", 5, "1 or 2", "0"},
		{
			"an object file", 16, "\x01\x00", model.KindUnsupportedVersion, "ELF", "e_type", 16,
			"an executable or a shared object", "ET_REL",
		},
		{
			"a table past the end", 0x28, "\xff\xff\xff\xff\xff\xff\xff\x7f", model.KindTruncated, "ELF header", "e_shoff", 40,
			"", "0x7fffffffffffffff",
		},
		{"headers of 40 bytes", 0x3a, "\x28\x00", model.KindMalformed, "section headers", "e_shentsize", table, "64", "40"},
		{
			"more headers than bytes", 0x3c, "\x04\x00", model.KindTruncated, "section headers", "e_shnum", table,
			"4 × 64 bytes", "192 bytes left",
		},
	} {
		broken := bytes.Clone(data)
		copy(broken[test.at:], test.bytes)
		_, err := symbol.Open("x", broken, nil)
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		if f := faultOf(t, err); f.Kind != test.kind || f.Section != test.section || f.Field != test.field ||
			f.Offset != test.offset || test.expected != "" && f.Expected != test.expected || f.Found != test.found {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// What is damaged beside the sections does not stand in their way: segments are
// read as far as they go, and names that are not there are none.
func TestProgramsWithoutWhatIsNotNeeded(t *testing.T) {
	k := class{wide: true}
	whole := linked{class: k, sections: []linkedSection{{name: ".text", kind: progbits, data: make([]byte, 8)}}}.bytes()
	for name, test := range map[string]struct {
		at       int
		bytes    string
		segments int
		named    bool
	}{
		"segments past the end":   {0x20, "\xff\xff\xff\xff\xff\xff\xff\xff", 0, true},
		"more segments than fit":  {0x38, "\xff\xff", -1, true}, // as many as there are bytes for
		"segments of 32 bytes":    {0x36, "\x20\x00", 0, true},
		"names in no section":     {0x3e, "\x09\x00", 1, false},
		"names in the first one":  {0x3e, "\x00\x00", 1, false},
		"a position-independence": {0x10, "\x03\x00", 1, true},
	} {
		data := bytes.Clone(whole)
		copy(data[test.at:], test.bytes)
		i, err := symbol.Open("x", data, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, named := i.Section(".text")
		if n := len(i.Segments()); n != test.segments && (test.segments >= 0 || n == 0 || n > len(data)/56) ||
			named != test.named {
			t.Errorf("%s: %d segments, named %v", name, n, named)
		}
		if i.IsPIE() != strings.Contains(name, "independence") {
			t.Errorf("%s: position-independent %v", name, i.IsPIE())
		}
	}
}

// A build ID is the content of the note of that type and name, wherever it stands;
// a program whose notes cannot be read is one without.
func TestBuildIDs(t *testing.T) {
	for name, k := range classes {
		for what, test := range map[string]struct {
			notes []byte
			want  string
		}{
			"none":                {nil, ""},
			"alone":               {k.note(3, "GNU\x00", "id"), "id"},
			"behind another":      {append(k.note(1, "GNU\x00", "odd"), k.note(3, "GNU\x00", "id")...), "id"},
			"the first of two":    {append(k.note(3, "GNU\x00", "one"), k.note(3, "GNU\x00", "two")...), "one"},
			"of another maker":    {k.note(3, "Go\x00\x00", "id"), ""},
			"of another type":     {k.note(4, "GNU\x00", "id"), ""},
			"empty":               {k.note(3, "GNU\x00", ""), ""},
			"beyond its limit":    {k.note(3, "GNU\x00", strings.Repeat("x", 257)), ""},
			"cut":                 {k.note(3, "GNU\x00", "0123456789")[:20], ""},
			"a name past the end": {append(k.u32(nil, 1<<31, 4, 3), "GNU\x00id"...), ""},
			"a size past the end": {append(k.u32(nil, 4, 1<<31, 3), "GNU\x00id"...), ""},
		} {
			i := image(t, "x", linked{class: k,
				sections: []linkedSection{{name: ".note", kind: notes, data: test.notes}}}.bytes())
			if got := string(i.BuildID()); got != test.want {
				t.Errorf("%s, %s: %q", name, what, got)
			}
		}
	}
}

// The link to debug info is a name, padded to words, and a checksum in the program's
// byte order.
func TestDebugLinks(t *testing.T) {
	for name, k := range classes {
		for what, test := range map[string]struct {
			data []byte
			want string
			crc  uint32
		}{
			"a name of words":     {k.u32([]byte("abcdefg\x00"), 7), "abcdefg", 7},
			"a padded name":       {k.u32([]byte("a.debug\x00"), 0xdeadbeef), "a.debug", 0xdeadbeef},
			"a short one":         {k.u32([]byte("a\x00\x00\x00"), 1), "a", 1},
			"without a checksum":  {[]byte("abc\x00"), "", 0},
			"half of a checksum":  {[]byte("abc\x00\x01\x02"), "", 0},
			"a name without end":  {[]byte("abcdefgh"), "", 0},
			"an empty name":       {k.u32([]byte("\x00\x00\x00\x00"), 7), "", 0},
			"nothing at all":      {nil, "", 0},
			"bytes behind it all": {append(k.u32([]byte("abc\x00"), 9), "more"...), "abc", 9},
		} {
			i := image(t, "x", linked{class: k,
				sections: []linkedSection{{name: ".gnu_debuglink", kind: progbits, data: test.data}}}.bytes())
			got, crc, ok := i.DebugLink()
			if ok != (test.want != "") || ok && (got != test.want || crc != test.crc) {
				t.Errorf("%s, %s: %q, 0x%x, %v", name, what, got, crc, ok)
			}
			if err := i.NeedsDebugInfo(); model.KindOf(err) != model.KindUnableToSymbolize || ok &&
				!strings.Contains(err.Error(), `"`+test.want+`"`) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
}
