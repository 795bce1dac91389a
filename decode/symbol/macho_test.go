package symbol_test

import (
	"bytes"
	"debug/macho"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

// builtMachO is a Mach-O program of a class: a segment with a section, and a UUID.
type builtMachO struct {
	class
	kind uint32 // 2, an executable, when 0
	data []byte // of the section
	bare bool   // without a UUID
}

// field is a name in a field of 16 bytes.
func field(name string) []byte { return append([]byte(name), make([]byte, 16-len(name))...) }

func (m builtMachO) bytes() []byte {
	if m.kind == 0 {
		m.kind = 2
	}
	header, command, segment, section := 28, uint32(1), 56, 68
	magic := uint32(macho.Magic32)
	if m.wide {
		header, command, segment, section, magic = 32, 0x19, 72, 80, macho.Magic64
	}
	commands := m.u32(nil, command, uint32(segment+section))
	commands = append(commands, field("__DATA")...)
	for range 4 {
		commands = m.ptr(commands, 0x1000)
	}
	commands = m.u32(commands, 7, 3, 1, 0)
	sizes := segment + section
	count := uint32(1)
	if !m.bare {
		sizes, count = sizes+24, 2
	}
	commands = append(append(commands, field("a_section_of_16b")...), field("__DATA")...)
	commands = m.ptr(m.ptr(commands, 0x2000), uint64(len(m.data)))
	commands = m.u32(commands, uint32(header+sizes), 0, 0, 0, 0, 0, 0)
	if m.wide {
		commands = m.u32(commands, 0)
	}
	if !m.bare {
		commands = append(m.u32(commands, 0x1b, 24), "0123456789abcdef"...)
	}
	b := m.u32(nil, magic, 7, 3, m.kind, count, uint32(len(commands)), 0)
	if m.wide {
		b = m.u32(b, 0)
	}
	return slices.Concat(b, commands, m.data)
}

// fatOf joins programs to a fat file, with offsets of 32 or of 64 bits.
func fatOf(wide bool, programs ...[]byte) []byte {
	be := class{wide: wide, big: true}
	magic, entry := uint32(macho.MagicFat), 20
	if wide {
		magic, entry = 0xcafebabf, 32
	}
	b := be.u32(nil, magic, uint32(len(programs)))
	at := 8 + entry*len(programs)
	for i, p := range programs {
		b = be.u32(b, 7, uint32(i))
		b = be.u32(be.ptr(be.ptr(b, uint64(at)), uint64(len(p))), 0)
		if wide {
			b = be.u32(b, 0)
		}
		at += len(p)
	}
	return append(b, bytes.Join(programs, nil)...)
}

// A program of any class and byte order is read, alone or in a fat file: its
// sections, where they stand in the file, and its UUID.
func TestMachOOfEveryClass(t *testing.T) {
	for name, k := range classes {
		program := builtMachO{class: k, data: []byte("contents")}.bytes()
		other := builtMachO{class: class{wide: true}, data: []byte("of another")}.bytes()
		for what, test := range map[string]struct {
			data []byte
			at   int // of the program among those of the file
			base uint64
			all  int
		}{
			"alone": {program, 0, 0, 1}, "the first of two": {fatOf(false, program, other), 0, 48, 2},
			"the second":         {fatOf(false, other, program), 1, 48 + uint64(len(other)), 2},
			"in a wide fat file": {fatOf(true, other, program), 1, 72 + uint64(len(other)), 2},
		} {
			list, err := symbol.OpenMachO("x", test.data, nil)
			if err != nil || len(list) != test.all {
				t.Errorf("%s, %s: %d programs, %v", name, what, len(list), err)
				continue
			}
			m := list[test.at]
			s, ok := m.Section("__DATA", "a_section_of_16b")
			data, offset, err := m.Contents(s)
			if !ok || err != nil || string(data) != "contents" || !bytes.HasPrefix(test.data[offset:], data) ||
				s.Addr != 0x2000 || m.Base != test.base {
				t.Errorf("%s, %s: %+v at %d, %q, %v", name, what, s, offset, data, err)
			}
			if _, ok := m.Section("__TEXT", "a_section_of_16b"); ok {
				t.Errorf("%s, %s: a section is found in another segment", name, what)
			}
			info := m.Info()
			if string(m.UUID) != "0123456789abcdef" || info.PointerSize != map[bool]int{true: 8, false: 4}[k.wide] ||
				info.BigEndian != k.big || info.Format != symbol.FormatMachO ||
				!strings.HasPrefix(info.Describe, "Mach-O program, ") ||
				!strings.HasSuffix(info.Describe, fmt.Sprintf("build ID %x", "0123456789abcdef")) {
				t.Errorf("%s, %s: %+v", name, what, info)
			}
		}
		bare, err := symbol.OpenMachO("x", builtMachO{class: k, bare: true}.bytes(), nil)
		if err != nil || bare[0].UUID != nil || bare[0].Info().BinaryIDs != nil {
			t.Errorf("%s: %+v, %v", name, bare, err)
		}
	}
}

func TestIsMachO(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	two := func(order binary.AppendByteOrder, magic, next uint32) []byte {
		return order.AppendUint32(order.AppendUint32(nil, magic), next)
	}
	for name, test := range map[string]struct {
		data []byte
		want bool
	}{
		"64, little": {two(le, macho.Magic64, 7), true}, "64, big": {two(be, macho.Magic64, 7), true},
		"32, little": {two(le, macho.Magic32, 7), true}, "32, big": {two(be, macho.Magic32, 7), true},
		"fat": {two(be, macho.MagicFat, 2), true}, "fat, wide": {two(be, 0xcafebabf, 1), true},
		"fat, of nothing": {two(be, macho.MagicFat, 0), false},
		// what follows decides
		"a class of Java": {two(be, macho.MagicFat, 52+11), true}, "a newer one": {two(be, macho.MagicFat, 65), false},
		"fat, little": {two(le, macho.MagicFat, 2), false}, "short": {two(le, macho.Magic64, 7)[:7], false},
		"ELF": {[]byte("\x7fELF\x02\x01\x01\x00"), false}, "nothing": {nil, false},
	} {
		if got := symbol.IsMachO(test.data); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Each fault says in which part and field it is.
func TestFaultsOfMachO(t *testing.T) {
	k := class{wide: true}
	whole := builtMachO{class: k, data: []byte("contents")}.bytes()
	change := func(at int, v uint32) []byte {
		b := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	fatty := fatOf(false, whole)
	fatWith := func(at int, v uint32) []byte {
		b := bytes.Clone(fatty)
		binary.BigEndian.PutUint32(b[at:], v)
		return b
	}
	for _, test := range []struct {
		name           string
		data           []byte
		kind           model.Kind
		section, field string
		offset         uint64
	}{
		{"no Mach-O", []byte("\x7fELF\x02\x01\x01\x00"), model.KindBadMagic, "Mach-O", "magic", 0},
		{"an object file", change(12, 1), model.KindUnsupportedVersion, "Mach-O header", "filetype", 12},
		{"commands past the end", change(20, 1<<31), model.KindTruncated, "load commands", "", 32},
		{"a command of no bytes", change(36, 0), model.KindMalformed, "load commands", "cmdsize", 32},
		{"a command past its table", change(36, 1<<20), model.KindMalformed, "load commands", "cmdsize", 32},
		{"the second past its table", change(36+72+80, 25), model.KindMalformed, "load commands", "cmdsize", 32 + 72 + 80},
		{"more sections than bytes", change(32+64, 2), model.KindMalformed, "load commands", "nsects", 32 + 64},
		{"as many as can be", change(32+64, 1<<32-1), model.KindMalformed, "load commands", "nsects", 32 + 64},
		{"a part past the end", fatWith(16, 1<<31), model.KindTruncated, "fat header", "offset", 16},
		{"a part longer than the file", fatWith(20, uint32(len(fatty))), model.KindTruncated, "fat header", "offset", 16},
		{"more parts than bytes", fatWith(4, 60), model.KindTruncated, "fat header", "nfat_arch", 8},
		{"a part of no bytes", fatWith(20, 0), model.KindTruncated, "Mach-O", "magic", 28},
		{"a part that is no program", fatWith(28, 0xfeedbeef), model.KindMalformed, "Mach-O", "magic", 28},
	} {
		_, err := symbol.OpenMachO("x", test.data, &wire.Recorder{})
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		if f := faultOf(t, err); f.Kind != test.kind || f.Section != test.section || f.Field != test.field ||
			f.Offset != test.offset {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
	for n, program := range [][]byte{change(32+72+48, 1<<20), change(32+72+40, 1<<30)} { // its offset, its size
		list, err := symbol.OpenMachO("x", program, nil)
		if err != nil {
			t.Fatal(n, err)
		}
		s, _ := list[0].Section("__DATA", "a_section_of_16b")
		_, _, err = list[0].Contents(s)
		if f := faultOf(t, err); f.Kind != model.KindTruncated || f.Section != "a_section_of_16b" ||
			f.Offset > uint64(len(program)) {
			t.Errorf("%+v", f)
		}
	}
}

// A file that was cut or damaged anywhere is refused or read; nothing else.
func TestDamagedMachO(t *testing.T) {
	for _, k := range classes {
		program := builtMachO{class: k, data: []byte("contents")}.bytes()
		for _, whole := range [][]byte{program, fatOf(false, program, program), fatOf(true, program)} {
			try := func(data []byte) bool {
				list, err := symbol.OpenMachO("x", data, nil)
				if err != nil {
					if f := faultOf(t, err); f.Offset > uint64(len(data)) {
						t.Fatalf("%+v in %d bytes", f, len(data))
					}
					return false
				}
				for _, m := range list {
					if s, ok := m.Section("__DATA", "a_section_of_16b"); ok {
						if _, _, err := m.Contents(s); err != nil {
							faultOf(t, err)
							return false
						}
					}
				}
				return true
			}
			for n := range whole {
				if try(whole[:n:n]) {
					t.Errorf("%d of %d bytes are whole", n, len(whole))
				}
				broken := bytes.Clone(whole)
				broken[n] ^= 0xff
				try(broken)
			}
		}
	}
}

func FuzzMachO(f *testing.F) {
	for _, k := range classes {
		program := builtMachO{class: k, data: []byte("contents")}.bytes()
		f.Add(program)
		f.Add(fatOf(k.wide, program, program))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		list, err := symbol.OpenMachO("x", data, &wire.Recorder{})
		if err != nil {
			faultOf(t, err)
			return
		}
		for _, m := range list {
			m.Info()
		}
	})
}
