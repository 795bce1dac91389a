package mip_test

import (
	"bytes"
	"debug/macho"
	"encoding/binary"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/internal/memtest"
)

// elfWithMap is an ELF program of 64 bits with a map in a section, and the raw
// section at an address.
func elfWithMap(mapData []byte, rawAddress uint64) []byte {
	le := binary.LittleEndian
	h := make([]byte, 64)
	copy(h, "\x7fELF\x02\x01\x01")
	h[16], h[52], h[58], h[60], h[62] = 2, 64, 64, 4, 3
	names := []byte("\x00__llvm_mipmap\x00__llvm_mipraw\x00.shstrtab\x00")
	headers := make([]byte, 64)
	section := func(name string, address uint64, data []byte) {
		s := make([]byte, 64)
		le.PutUint32(s, uint32(bytes.Index(names, []byte(name))))
		le.PutUint32(s[4:], 1)
		le.PutUint64(s[16:], address)
		le.PutUint64(s[24:], uint64(len(h)))
		le.PutUint64(s[32:], uint64(len(data)))
		h, headers = append(h, data...), append(headers, s...)
	}
	section("__llvm_mipmap", 0x1000, mapData)
	section("__llvm_mipraw", rawAddress, []byte{0xff})
	section(".shstrtab", 0, names)
	le.PutUint64(h[40:], uint64(len(h)))
	return append(h, headers...)
}

// machOWithMap is a Mach-O program with a map in __DATA,__llvm_mipmap.
func machOWithMap(order binary.AppendByteOrder, wide bool, mapData []byte, rawAddress uint64) []byte {
	magic, command, header, segment, section, pointer := uint32(macho.Magic32), uint32(1), 28, 56, 68, 4
	if wide {
		magic, command, header, segment, section, pointer = macho.Magic64, 0x19, 32, 72, 80, 8
	}
	size := segment + 2*section
	start := header + size + 24
	var b []byte
	u32 := func(values ...uint32) {
		for _, v := range values {
			b = order.AppendUint32(b, v)
		}
	}
	ptr := func(v uint64) {
		if pointer == 8 {
			b = order.AppendUint64(b, v)
		} else {
			u32(uint32(v))
		}
	}
	name := func(s string) { b = append(b, append([]byte(s), make([]byte, 16-len(s))...)...) }
	u32(magic, 7, 3, 2, 2, uint32(size+24), 0)
	if wide {
		u32(0)
	}
	u32(command, uint32(size))
	name("__DATA")
	for range 4 {
		ptr(0)
	}
	u32(7, 3, 2, 0)
	entry := func(s string, address uint64, offset, size int) {
		name(s)
		name("__DATA")
		ptr(address)
		ptr(uint64(size))
		u32(uint32(offset), 0, 0, 0, 0, 0, 0)
		if wide {
			u32(0)
		}
	}
	entry("__llvm_mipmap", 0x2000, start, len(mapData))
	entry("__llvm_mipraw", rawAddress, 0, 0)
	u32(0x1b, 24)
	b = append(b, "0123456789abcdef"...)
	return append(b, mapData...)
}

// fat joins programs to a fat file.
func fat(programs ...[]byte) []byte {
	be := binary.BigEndian
	b := be.AppendUint32(be.AppendUint32(nil, macho.MagicFat), uint32(len(programs)))
	at := 8 + 20*len(programs)
	for i, p := range programs {
		for _, v := range []int{7, i, at, len(p), 0} {
			b = be.AppendUint32(b, uint32(v))
		}
		at += len(p)
	}
	for _, p := range programs {
		b = append(b, p...)
	}
	return b
}

func TestMapOutOfAProgram(t *testing.T) {
	counts, narrow := file(t, "merged/counts.mipmap").Data, file(t, "width/emitted32.mipmap").Data
	wideRun, narrowRun := file(t, "merged/counts.0.mipraw"), file(t, "width/emitted32.mipraw")
	want := mipJSON(t, open(t, file(t, "merged/counts.mipmap"), wideRun), encode.MIPJSONOptions{})
	wantNarrow := mipJSON(t, open(t, file(t, "width/emitted32.mipmap"), narrowRun), encode.MIPJSONOptions{})
	little, big := binary.LittleEndian, binary.BigEndian
	for name, test := range map[string]struct {
		program []byte
		run     format.File
		want    map[string]any
		is      string
	}{
		"elf":        {elfWithMap(counts, 0x4000), wideRun, want, "ELF program, 64-bit"},
		"mach-o":     {machOWithMap(little, true, counts, 0x4000), wideRun, want, "Mach-O program, 64-bit"},
		"mach-o 32":  {machOWithMap(little, false, narrow, 0x4000), narrowRun, wantNarrow, "Mach-O program, 32-bit"},
		"big-endian": {machOWithMap(big, true, counts, 0x4000), wideRun, want, "Mach-O program, 64-bit, big-endian"},
		"fat": {
			fat(machOWithMap(little, false, narrow, 1), machOWithMap(little, true, counts, 0x4000)), wideRun, want, "Mach-O",
		},
		"fat, narrow": {
			fat(machOWithMap(little, true, counts, 1), machOWithMap(little, false, narrow, 0x4000)), narrowRun, wantNarrow,
			"Mach-O",
		},
	} {
		program := format.File{Name: "app", Data: test.program}
		if strings.HasPrefix(name, "mach-o") {
			if _, err := macho.NewFile(bytes.NewReader(test.program)); err != nil {
				t.Errorf("%s is no Mach-O file: %v", name, err)
			}
		}
		p := open(t, test.run, program)
		sameFunctions(t, name, test.want, mipJSON(t, p, encode.MIPJSONOptions{}))
		if p.MIP.RawAddress == nil || *p.MIP.RawAddress != 0x4000 || p.MIP.MapFile != "app" {
			t.Errorf("%s: %+v of %s", name, p.MIP.RawAddress, p.MIP.MapFile)
		}
		if is := p.Inputs[1].Info.Describe; !strings.HasPrefix(is, test.is) {
			t.Errorf("%s is %s", name, is)
		}
		if a := decode.Inspect(program); len(a.Sections) < 3 || len(a.Findings) > 0 {
			t.Errorf("%s: %d sections, %+v", name, len(a.Sections), a.Findings)
		}
		groups := format.Group([]format.Recognised{
			decode.Recognise("app", program.Data), decode.Recognise(test.run.Name, test.run.Data),
		})
		if len(groups) != 1 && !strings.HasPrefix(name, "fat") {
			t.Errorf("%s: %v", name, groups)
		}
	}
}

func TestProgramsWithoutAMapAreNoProfiles(t *testing.T) {
	for _, program := range [][]byte{
		bytes.Replace(elfWithMap(nil, 0), []byte("__llvm_mipmap"), []byte("__llvm_mipxxx"), 1),
		bytes.Replace(machOWithMap(binary.LittleEndian, true, nil, 0), []byte("__llvm_mipmap"), []byte("__llvm_mipxxx"), 1),
	} {
		if is := decode.Recognise("app", program); model.KindOf(is.Err) != model.KindUnrecognizedFormat {
			t.Errorf("%+v", is)
		}
	}
}

// checkMIP opens files of which any may be hostile: an error is a fault that
// names one of them, and what opens can be written.
func checkMIP(t *testing.T, files ...format.File) {
	t.Helper()
	if openDamaged(t, files...) != nil {
		return
	}
	p, err := decodetest.Open(t.Context(), files, format.Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	if p.MIP == nil {
		return
	}
	var b bytes.Buffer
	if err := encode.MIPJSON(&b, p.MIP, encode.MIPJSONOptions{}); err != nil {
		t.Fatal(err)
	}
	if p.MIP.Form == mip.FormatRaw {
		return
	}
	if again, err := written(p.MIP, mip.Tool64); err == nil {
		open(t, format.File{Name: "again.mip", Data: again})
	}
}

func FuzzProfile(f *testing.F) {
	for _, name := range []string{
		"variants/documented.mip", "variants/tool64.mip", "variants/documented-count.mip", "variants/tool64-length.mip",
		"variants/names_by_position.mip", "hand/two_cntblk.mip", "numbers/huge.mip", "bad/ret.mip",
	} {
		f.Add(file(f, name).Data)
	}
	for kind := mip.ProfileType(1); kind < 0x20; kind++ {
		f.Add(laidOut{layout: mip.Documented, kind: kind,
			functions: []function{{name: "f", raw: 32, merges: 1, calls: 1, sums: 1}}}.bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		checkMIP(t, format.File{Name: "a.mip", Data: data})
		checkMIP(t, format.File{Name: "a.mip", Data: data}, format.File{Name: "b.mip", Data: data})
	})
}

func FuzzMap(f *testing.F) {
	for _, name := range []string{
		"hand/two_32.mipmap", "hand/two_cntblk.mipmap", "hand/blocks_not_profiled.mipmap", "width/literal32.mipmap",
		"width/nowidth.mipmap", "bad/two_headers.mipmap",
	} {
		f.Add(file(f, name).Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		checkMIP(t, format.File{Name: "a.mipmap", Data: data})
		checkMIP(t, format.File{Name: "elf", Data: elfWithMap(data, 8)})
	})
}

func FuzzRaw(f *testing.F) {
	for _, name := range []string{"hand/two_32", "hand/two_cntblk", "hand/two_cov", "odd/byte", "width/nowidth"} {
		f.Add(file(f, name+".mipmap").Data, file(f, name+".mipraw").Data)
	}
	for _, s := range everyType() {
		files := s.files()
		f.Add(files[0].Data, files[1].Data)
	}
	f.Fuzz(func(t *testing.T, mapData, raw []byte) {
		defer memtest.Watch(t, len(mapData)+len(raw))()
		checkMIP(t, format.File{Name: "a.mipmap", Data: mapData}, format.File{Name: "b.mipraw", Data: raw},
			format.File{Name: "c.mipraw", Data: raw})
		checkMIP(t, format.File{Name: "b.mipraw", Data: raw})
	})
}

func FuzzProgram(f *testing.F) {
	data := file(f, "hand/two_cov.mipmap").Data
	f.Add(elfWithMap(data, 8))
	f.Add(machOWithMap(binary.LittleEndian, true, data, 8))
	f.Add(machOWithMap(binary.BigEndian, false, data, 8))
	f.Add(fat(machOWithMap(binary.LittleEndian, true, data, 8), machOWithMap(binary.LittleEndian, true, data, 8)))
	run := file(f, "hand/two_cov.mipraw")
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		checkMIP(t, format.File{Name: "app", Data: data}, run)
	})
}
