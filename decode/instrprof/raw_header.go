package instrprof

import (
	"encoding/binary"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// The magic words of raw profiles, in the byte order of the profiled machine
// (instrprof.md §1).
const (
	rawMagic64 = 0xFF6C70726F667281 // \xFF lprofr \x81
	rawMagic32 = 0xFF6C70726F665281 // \xFF lprofR \x81
)

// rawMagic tells pointer size and byte order from the first eight bytes.
func rawMagic(data []byte) (pointerSize int, bigEndian, ok bool) {
	if len(data) < 8 {
		return 0, false, false
	}
	for _, bigEndian := range []bool{false, true} {
		switch byteOrder(bigEndian).Uint64(data) {
		case rawMagic64:
			return 8, bigEndian, true
		case rawMagic32:
			return 4, bigEndian, true
		}
	}
	return 0, false, false
}

func byteOrder(bigEndian bool) binary.ByteOrder {
	if bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// rawHeader is the header of one profile: what its version has, the rest 0.
type rawHeader struct {
	word        [numHeaderFields]uint64
	format      *rawFormat
	version     uint64
	variant     Variant
	pointerSize int
	bigEndian   bool
	at          uint64 // offset in the file
}

// llvmRaw is the raw version of LLVM 22.
const llvmRaw = 10

// readRawHeader reads the header at the cursor and moves past it, each field
// checked where it is known (instrprof.md §2.2). name is that of its section.
// With an error it still returns what it knows, or nil when the magic is wrong.
func readRawHeader(c *wire.Cursor, name string) (*rawHeader, error) {
	h := &rawHeader{at: c.Offset()}
	peek := *c
	peek.Record(nil)
	first := peek.Bytes("", min(peek.Remaining(), 64))
	var ok bool
	if h.pointerSize, h.bigEndian, ok = rawMagic(first); !ok {
		return nil, c.Fail(model.KindBadMagic, "Magic", "this is not a raw profile", "",
			fmt.Sprintf("% x", first[:min(len(first), 8)]))
	}
	c.SetOrder(h.bigEndian)
	h.pickFormat(first)
	fields := []headerField{magicField, versionField}
	if h.format != nil {
		fields = h.format.header
	}
	size := 8 * uint64(len(fields))
	s := c.Section(name, min(size, c.Remaining()))
	for _, f := range fields {
		if s.Remaining() < 8 {
			return h, s.Fail(model.KindBadHeader, headerFields[f].name, "the file ends inside the header",
				wire.Plural(size, "byte"), s.Offset()-h.at+s.Remaining())
		}
		h.word[f] = s.U64(headerFields[f].name)
		if s.Recording() {
			s.Note(h.meaning(f))
		}
		if f == versionField {
			if err := h.checkVersion(s); err != nil {
				return h, err
			}
		}
	}
	return h, nil
}

// info is what the header says of the file.
func (h *rawHeader) info() Info {
	info := Info{
		Info: model.Info{Format: FormatRaw, Families: []model.Family{Family}, Version: h.version, PointerSize: h.pointerSize,
			BigEndian: h.bigEndian, Profiles: 1}, Variant: h.variant, Records: h.word[numData],
	}
	info.Name()
	return info
}

// pickFormat finds the format for the version that the first bytes of the
// header state; none when it is unknown.
func (h *rawHeader) pickFormat(first []byte) {
	word := func(i int) uint64 {
		if len(first) < 8*(i+1) {
			return 0
		}
		return byteOrder(h.bigEndian).Uint64(first[8*i:])
	}
	h.version, h.variant = SplitVersion(word(1))
	if h.version < oldestRaw || h.version > newestRaw {
		return
	}
	h.format = &rawFormats[h.version]
	// The two headers of version 5: word 7 is ValueKindLast in the older one
	// and an address in the newer.
	if h.version == 5 && word(7) <= 2 {
		h.format = &rawV5a
	}
}

func (h *rawHeader) checkVersion(s *wire.Cursor) error {
	if h.format != nil {
		return nil
	}
	err := s.FailAt(h.at+8, model.KindRawVersionMismatch, "Version",
		fmt.Sprintf("raw version %d; newest known is %d", h.version, newestRaw),
		fmt.Sprintf("version %d to %d", oldestRaw, newestRaw), h.version)
	return model.InLLVM(err, fmt.Sprintf(": Profile uses raw profile format version = %d; expected version = %d\n"+
		"PLEASE update this tool to version in the raw profile, or regenerate raw profile with expected version.", h.version,
		llvmRaw))
}

// meaning is what an anatomy says of a field.
func (h *rawHeader) meaning(f headerField) string {
	switch f {
	case magicField:
		order := "little-endian"
		if h.bigEndian {
			order = "big-endian"
		}
		return fmt.Sprintf("raw profile, %d-bit, %s", 8*h.pointerSize, order)
	case versionField:
		return fmt.Sprintf("version %d; %s", h.version, h.variant)
	case countersDelta, bitmapDelta, namesDelta, uniformCountersDelta, valueDataDelta:
		return fmt.Sprintf("0x%x: %s", h.word[f], headerFields[f].meaning)
	}
	return headerFields[f].meaning
}

// counterSize is the size of a counter in bytes.
func (h *rawHeader) counterSize() uint64 {
	if h.variant.Has(ByteCoverage) {
		return 1
	}
	return 8
}

// correlated reports whether the profile has counters but neither records nor
// names: those are in the executable or its debug info (instrprof.md §2.10).
func (h *rawHeader) correlated() bool {
	return h.word[numData] == 0 && h.word[namesSize] == 0 && h.word[numCounters] > 0
}

// layouts lists how the records may be laid out, likeliest first. llvm-profdata
// goes by the number of value kinds of its own version; a compiler with more
// of them says so in ValueKindLast (the K rule of instrprof.md §2.3.1).
func (h *rawHeader) layouts() []*recordLayout {
	own := h.format.layout(h.pointerSize, h.format.valueKinds)
	last := h.word[valueKindLast]
	if h.format.valueKinds == 0 || last < uint64(h.format.valueKinds) || last > maxValueKind {
		return []*recordLayout{own}
	}
	return []*recordLayout{own, h.format.layout(h.pointerSize, int(last)+1)}
}

// maxValueKind is the highest believable ValueKindLast.
const maxValueKind = 15
