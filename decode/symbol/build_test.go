package symbol_test

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
)

// builtELF is a 64-bit little-endian program of any sections, real or not.
type builtELF struct {
	sections []builtSection
	change   func(header []byte)
}

// builtSection is one of its sections; a size other than 0 is stated in place
// of the real one.
type builtSection struct {
	name   string
	kind   elf.SectionType // SHT_PROGBITS when 0
	flags  elf.SectionFlag
	data   []byte
	size   uint64
	offset uint64
}

func put64(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }

// bytes lays the program out: header, data, names, section headers.
func (x builtELF) bytes() []byte {
	le := binary.LittleEndian
	h := make([]byte, 64)
	copy(h, "\x7fELF\x02\x01\x01")
	le.PutUint16(h[16:], uint16(elf.ET_EXEC))
	le.PutUint32(h[20:], 1)
	le.PutUint16(h[52:], 64)
	le.PutUint16(h[58:], 64)
	le.PutUint16(h[60:], uint16(len(x.sections)+2))
	le.PutUint16(h[62:], uint16(len(x.sections)+1))
	out, names := h, []byte{0}
	headers := make([]byte, 64)
	for _, s := range append(x.sections, builtSection{name: ".shstrtab"}) {
		e := make([]byte, 64)
		le.PutUint32(e, uint32(len(names)))
		names = append(append(names, s.name...), 0)
		if s.name == ".shstrtab" {
			s.data = names
		}
		if s.kind == 0 {
			s.kind = elf.SHT_PROGBITS
		}
		if s.size == 0 {
			s.size = uint64(len(s.data))
		}
		if s.offset == 0 {
			s.offset = uint64(len(out))
		}
		le.PutUint32(e[4:], uint32(s.kind))
		put64(e[8:], uint64(s.flags))
		put64(e[24:], s.offset)
		put64(e[32:], s.size)
		out, headers = append(out, s.data...), append(headers, e...)
	}
	put64(out[40:], uint64(len(out)))
	if x.change != nil {
		x.change(out)
	}
	return append(out, headers...)
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zstandard(data []byte) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll(data, nil)
}

// compressed is a section's data behind the header of a compressed section.
func compressed(kind elf.CompressionType, size uint64, stream []byte) []byte {
	h := make([]byte, 24)
	binary.LittleEndian.PutUint32(h, uint32(kind))
	put64(h[8:], size)
	return append(h, stream...)
}

// builtUnit is a unit of version 4 whose abbreviations stand at an offset.
func builtUnit(abbrevs uint32, entries []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(7+len(entries)))
	b = binary.LittleEndian.AppendUint16(b, 4)
	b = binary.LittleEndian.AppendUint32(b, abbrevs)
	return append(append(b, 8), entries...)
}

// builtDWARF is a program of debug info.
func builtDWARF(info, abbrev, str []byte) []byte {
	return builtELF{sections: []builtSection{
		{name: ".debug_info", data: info}, {name: ".debug_abbrev", data: abbrev}, {name: ".debug_str", data: str},
	}}.bytes()
}
