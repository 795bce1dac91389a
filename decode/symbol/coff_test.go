package symbol_test

import (
	"encoding/binary"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

const coffHeader, bigHeader, coffSection = 20, 56, 40

const bigClass = "\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8"

// builtCOFF is an object file of Windows with sections of these names, each of one byte,
// its number.
func builtCOFF(machine uint16, big bool, names ...string) []byte {
	le := binary.LittleEndian
	header := coffHeader
	if big {
		header = bigHeader
	}
	data := uint32(header + coffSection*len(names))
	symbols := data + uint32(len(names))
	var b []byte
	if big {
		b = append(le.AppendUint16([]byte("\x00\x00\xff\xff\x02\x00"), machine), 0, 0, 0, 0)
		b = append(append(b, bigClass...), make([]byte, 16)...)
		b = le.AppendUint32(b, uint32(len(names)))
	} else {
		b = le.AppendUint32(le.AppendUint16(le.AppendUint16(b, machine), uint16(len(names))), 0)
	}
	b = le.AppendUint32(le.AppendUint32(b, symbols), 0)
	if !big {
		b = append(b, 0, 0, 0, 0)
	}
	for n, name := range names {
		b = append(b, name...)
		b = append(b, make([]byte, 8-len(name)+8)...)
		b = le.AppendUint32(le.AppendUint32(b, 1), data+uint32(n))
		b = append(b, make([]byte, 16)...)
	}
	for n := range names {
		b = append(b, byte(n))
	}
	return append(b, "\x1c\x00\x00\x00.lcovfun$M\x00.debug_frames\x00"...)
}

func TestSectionsOfObjectFilesOfWindows(t *testing.T) {
	for _, big := range []bool{false, true} {
		data := builtCOFF(0x8664, big, ".text", ".lprfn$M", "/4", "/4", "//AAAAAP", "/9999999")
		if !symbol.IsCOFF(data) || !symbol.IsObjectFile(data) || symbol.IsProgram(data) {
			t.Fatalf("big %v: not recognised", big)
		}
		i, err := symbol.OpenObject("a.obj", data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !i.IsObject() || i.Processor() != "x86_64" || i.PointerSize != 8 || i.BigEndian {
			t.Errorf("big %v: %v, %s, %d", big, i.IsObject(), i.Processor(), i.PointerSize)
		}
		for name, want := range map[string]string{
			".lprfn": "\x01", ".lcovfun": "\x02\x03", ".debug_frames": "\x04", ".lcovmap": "",
		} {
			got := ""
			for _, s := range i.Sections(name) {
				b, _, err := i.Contents(name, s)
				if err != nil {
					t.Fatal(err)
				}
				got += string(b)
			}
			if got != want {
				t.Errorf("big %v: %s: %q", big, name, got)
			}
		}
		for end := range data[:len(data)-32] {
			if i, err := symbol.OpenObject("cut", data[:end], nil); err == nil && end < coffHeader+6*coffSection &&
				len(i.Sections(".lcovfun")) > 0 {
				t.Errorf("cut at %d", end)
			}
		}
	}
	if i, err := symbol.OpenObject("a.obj", builtCOFF(0x14c, false), nil); err != nil || i.PointerSize != 4 ||
		i.Processor() != "i386" {
		t.Error(i, err)
	}
}

func TestObjectFilesAreNoPrograms(t *testing.T) {
	elf := builtELF{}.bytes()
	elf[16] = 1 // ET_REL
	if _, err := symbol.Open("a.o", elf, nil); model.KindOf(err) != model.KindUnsupportedVersion {
		t.Error(err)
	}
	if i, err := symbol.OpenObject("a.o", elf, nil); err != nil || !i.IsObject() {
		t.Error(err)
	}
	if _, err := symbol.OpenObject("a.txt", []byte("a text of no kind"), nil); model.KindOf(err) != model.KindBadMagic {
		t.Error(err)
	}
}

func TestSlices(t *testing.T) {
	be := binary.BigEndian
	fat := be.AppendUint32([]byte("\xca\xfe\xba\xbe"), 3)
	for n, cpu := range [][2]uint32{{0x1000007, 3}, {0x100000c, 0x80000002}, {12, 9}} {
		for _, v := range []uint32{cpu[0], cpu[1], 68 + uint32(n), 1, 0} {
			fat = be.AppendUint32(fat, v)
		}
	}
	fat = append(fat, "abc"...)
	list, err := symbol.Slices("fat", fat)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for n, want := range []string{"x86_64", "arm64e", "armv7"} {
		if s := list[n]; s.Architecture != want || string(s.Data) != "abc"[n:n+1] || s.Offset != uint64(68+n) {
			t.Errorf("%+v", s)
		}
	}
	if _, err := symbol.Slices("fat", fat[:len(fat)-1]); model.KindOf(err) != model.KindTruncated {
		t.Error(err)
	}
}
