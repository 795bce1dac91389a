package symbol_test

import (
	"bytes"
	"context"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/internal/memtest"
)

// readAll reads all that there is of a program, and checks that an error is a
// fault with the file's name and an offset in it.
func readAll(t testing.TB, data []byte) error {
	t.Helper()
	err := readProgram(data)
	if err == nil || errors.Is(err, symbol.ErrNoDebugInfo) {
		return err
	}
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok || fault.File != "x" || fault.Kind == "" || fault.Msg == "" || fault.Offset > uint64(len(data)) {
		t.Fatalf("%#v", err)
	}
	return err
}

func readProgram(data []byte) error {
	i, err := symbol.Open("x", data, nil)
	if err != nil {
		return err
	}
	d, err := i.DWARF()
	if err != nil {
		return err
	}
	for e, err := range d.Entries(context.Background(), anyTag) {
		if err != nil {
			return err
		}
		e.String(dwarf.AttrName)
		e.Uint(dwarf.AttrConstValue)
		e.Address(dwarf.AttrLowpc)
		e.Location()
	}
	return nil
}

func TestProgramsCutAndChanged(t *testing.T) {
	for _, name := range []string{"clang-22_dbg_m32.elf", "clang-22_dwarf4.elf", "clang-22_zlib.elf"} {
		data := programs(t)[name]
		step := 1
		if testing.Short() {
			step = 5
		}
		for n := 0; n < len(data); n += step {
			_ = readAll(t, data[:n:n])
			bad := bytes.Clone(data)
			bad[n] ^= []byte{0x01, 0x80, 0xff}[n%3]
			_ = readAll(t, bad)
		}
		if err := readAll(t, data[:len(data)-1]); err == nil {
			t.Errorf("%s is whole without its last byte", name)
		}
	}
}

// A unit with one abbreviation: code 1, a variable with children, no attributes.
var nested = []byte{1, 0x34, 1, 0, 0, 0}

func TestHostilePrograms(t *testing.T) {
	le := binary.LittleEndian
	header := func(at int, v uint64) func([]byte) { return func(h []byte) { put64(h[at:], v) } }
	short := func(at int, v uint16) func([]byte) { return func(h []byte) { le.PutUint16(h[at:], v) } }
	zeros := make([]byte, 20<<20)
	section := func(s builtSection) []byte {
		s.name = ".debug_info"
		return builtELF{sections: []builtSection{s}}.bytes()
	}
	unitsAtEveryOffset := func(n int) []byte {
		var info []byte
		for i := range n {
			info = append(info, builtUnit(uint32(2*i), []byte{0})...)
		}
		return builtDWARF(info, bytes.Repeat([]byte{1, 0x34, 0, 0x03, 0x0b, 0, 0}, n/2), nil)
	}
	attributes := append(bytes.Repeat([]byte{0x03, 0x19}, 300), 0, 0, 0)
	for _, test := range []struct {
		name string
		data []byte
		kind model.Kind
		says string
	}{
		{"no ELF", []byte("\x7fELG" + strings.Repeat("x", 60)), model.KindBadMagic, "not an ELF file"},
		{"of a class to come", []byte("\x7fELF\x03\x01" + strings.Repeat("x", 60)), model.KindMalformed, "class"},
		{"of a byte order to come", []byte("\x7fELF\x02\x03" + strings.Repeat("x", 60)), model.KindMalformed, "byte order"},
		{"cut in the header", builtELF{}.bytes()[:50], model.KindTruncated, ""},
		{
			"an object file", builtELF{change: short(16, uint16(elf.ET_REL))}.bytes(), model.KindUnsupportedVersion,
			"not been linked",
		},
		{"headers past the end", builtELF{change: header(0x28, 1<<60)}.bytes(), model.KindTruncated, ""},
		{"headers of another size", builtELF{change: short(0x3a, 40)}.bytes(), model.KindMalformed, "another size"},
		{"more headers than fit", builtELF{change: short(0x3c, 0xfff0)}.bytes(), model.KindTruncated, "count"},
		{"2^60 sections", builtELF{sections: []builtSection{{}}, change: func(h []byte) {
			short(0x3c, 0)(h)
			header(0x28, uint64(len(h)-64))(h)
			put64(h[len(h)-64+32:], 1<<60)
		}}.bytes(), model.KindTooLarge, "more sections"},
		{"a section past the end", section(builtSection{data: nested, size: 1 << 62}), model.KindTruncated, "past the end"},
		{
			"a section of no bytes", section(builtSection{kind: elf.SHT_NOBITS, size: 1 << 40}), model.KindTruncated, "left out",
		},
		{
			"a zlib bomb", section(builtSection{flags: elf.SHF_COMPRESSED,
				data: compressed(elf.COMPRESS_ZLIB, uint64(len(zeros)), deflate(zeros))}), model.KindTooLarge, "beyond its limit",
		},
		{
			"a zstd bomb", section(builtSection{flags: elf.SHF_COMPRESSED,
				data: compressed(elf.COMPRESS_ZSTD, uint64(len(zeros)), zstandard(zeros))}), model.KindTooLarge, "beyond its limit",
		},
		{
			"a stream longer than it says",
			section(builtSection{flags: elf.SHF_COMPRESSED, data: compressed(elf.COMPRESS_ZLIB, 10, deflate(zeros))}),
			model.KindUncompressFailed, "length is wrong",
		},
		{
			"a stream shorter than it says",
			section(builtSection{flags: elf.SHF_COMPRESSED, data: compressed(elf.COMPRESS_ZSTD, 10, zstandard(zeros[:9]))}),
			model.KindUncompressFailed, "length is wrong",
		},
		{
			"no stream", section(builtSection{flags: elf.SHF_COMPRESSED,
				data: compressed(elf.COMPRESS_ZLIB, 10, []byte("nothing"))}), model.KindUncompressFailed, "inflate",
		},
		{
			"an unknown compression", section(builtSection{flags: elf.SHF_COMPRESSED, data: compressed(7, 10, nil)}),
			model.KindUnsupportedVersion, "compression is unknown",
		},
		{"a unit past the end", builtDWARF([]byte{200, 0, 0, 0, 4, 0}, nested, nil), model.KindTruncated, ""},
		{"a unit of 2^64-1 bytes", builtDWARF(bytes.Repeat([]byte{0xff}, 40), nested, nil), model.KindTruncated, ""},
		{
			"addresses of 3 bytes", builtDWARF([]byte{8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 3, 0}, nested, nil), model.KindMalformed,
			"addresses",
		},
		{"abbreviations past the end", builtDWARF(builtUnit(1<<31, []byte{1}), nested, nil), model.KindTruncated, ""},
		{
			"an abbreviation that is not there", builtDWARF(builtUnit(0, []byte{9}), nested, nil), model.KindMalformed,
			"no such abbreviation",
		},
		{
			"entries without end", builtDWARF(builtUnit(0, bytes.Repeat([]byte{1}, 1<<20)), nested, nil), model.KindTooLarge,
			"nest",
		},
		{
			"300 attributes", builtDWARF(builtUnit(0, []byte{1}), append([]byte{1, 0x34, 0}, attributes...), nil),
			model.KindTooLarge, "attributes",
		},
		{
			"a form to come", builtDWARF(builtUnit(0, []byte{1}), []byte{1, 0x34, 0, 0x03, 0x7e, 0, 0, 0}, nil),
			model.KindMalformed, "form",
		},
		{
			"a form that is itself indirect",
			builtDWARF(builtUnit(0, []byte{1, 0x16, 0x16}), []byte{1, 0x34, 0, 0x03, 0x16, 0, 0, 0}, nil), model.KindMalformed,
			"indirect",
		},
		{
			"a string without end", builtDWARF(builtUnit(0, []byte("\x01abc")), []byte{1, 0x34, 0, 0x03, 0x08, 0, 0, 0}, nil),
			model.KindTruncated, "string",
		},
		{
			"a block past its unit", builtDWARF(builtUnit(0, []byte("\x01\xff\xff\xff\xff\x0f")),
				[]byte{1, 0x34, 0, 0x02, 0x18, 0, 0, 0}, nil), model.KindTruncated, "",
		},
		{"units in each other's abbreviations", unitsAtEveryOffset(4000), model.KindTooLarge, "over and over"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := readAll(t, test.data)
		runtime.ReadMemStats(&after)
		if err == nil || model.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20+16*uint64(len(test.data)) {
			t.Errorf("%s: %d bytes of memory for %d", test.name, used, len(test.data))
		}
	}
}

func TestEntriesTakeWhatLinkersLeave(t *testing.T) {
	padded := append(builtUnit(0, []byte{1, 0}), 0, 0, 0, 0)              // a unit of no bytes
	padded = append(padded, 6, 0, 0, 0, 77, 0, 1, 2, 3, 4)                // a version to come
	padded = append(padded, builtUnit(0, []byte{1, 1, 0, 0, 0, 0, 0})...) // nulls past the outermost
	d, err := image(t, "padded", builtDWARF(padded, nested, nil)).DWARF()
	if err != nil {
		t.Fatal(err)
	}
	if got := ourEntries(t, d); len(got) != 3 {
		t.Errorf("%q", got)
	}
	sparse := []byte{7, 0x11, 1, 0, 0, 3, 0x34, 0, 0x03, 0x08, 0, 0, 7, 0x2e, 1, 0, 0, 0} // codes in any order, one twice
	d, err = image(t, "sparse", builtDWARF(builtUnit(0, []byte{7, 3, 'a', 0, 0}), sparse, nil)).DWARF()
	if err != nil {
		t.Fatal(err)
	}
	if got := ourEntries(t, d); len(got) != 2 || !strings.HasSuffix(got[1], `Variable "a"`) ||
		!strings.Contains(got[0], "CompileUnit") {
		t.Errorf("%q", got)
	}
}

func FuzzProgram(f *testing.F) {
	for _, data := range programs(f) {
		if len(data) < 6000 {
			f.Add(data)
		}
	}
	f.Add(builtDWARF(builtUnit(0, []byte{1, 0}), nested, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		_ = readAll(t, data)
	})
}
