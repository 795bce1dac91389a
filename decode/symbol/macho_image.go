package symbol

import (
	"debug/elf"
	"fmt"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Image is the program as an image, with offsets in the whole file. Sections of
// debug info have the names of ELF. What a .dSYM bundle leaves in the program is
// there without contents. It has neither segments nor symbols.
//
// The error is a [*model.FormatError] about the table of chained fixups.
func (m *MachO) Image(file []byte) (*Image, error) {
	i := &Image{
		Name: m.Name, Format: FormatMachO, PointerSize: m.PointerSize, BigEndian: m.BigEndian, data: file, buildID: m.UUID,
		kind: elf.ET_DYN, cpu: m.cpu, allowance: m.allowance,
	}
	if m.object {
		i.kind = elf.ET_REL
	}
	for _, s := range m.sections {
		section := Section{
			Type: elf.SHT_PROGBITS, Addr: s.Addr, Offset: m.Base + s.Offset, Size: s.Size, name: uint32(len(i.strings)),
		}
		if s.Offset == 0 {
			section.Type, section.Offset = elf.SHT_NOBITS, m.Base
		}
		i.sections = append(i.sections, section)
		i.strings = append(append(i.strings, elfName(s)...), 0)
	}
	return i, i.Named(m.readFixups(i))
}

// Architecture is the processor that the program is for: "arm64".
func (m *MachO) Architecture() string { return processor(m.cpu) }

// elfName is the name that a section has in ELF: names of debug info are cut to
// 16 bytes in Mach-O, of which one is longer.
func elfName(s MachOSection) string {
	for _, prefix := range []string{"debug_", "zdebug_"} {
		if name, ok := strings.CutPrefix(s.Name, "__"+prefix); ok && s.Segment == "__DWARF" {
			if len(s.Name) == 16 && strings.HasPrefix("str_offsets", name) {
				name = "str_offsets"
			}
			return "." + prefix + name
		}
	}
	return s.Name
}

// fixups is how pointers are stored in a part of a program's memory, for the
// loader to put right.
type fixups struct {
	addr, size uint64
	format     uint16
	base       uint64 // what the loader adds
}

// The forms of stored pointers that programs have; those of kernels and of
// signed pointers have others.
const (
	fixupPtr64       = 2 // the address, in the low 36 bits
	fixupPtr64Offset = 6 // the same, less that of the header
)

// maxFixupSegments is more segments than a program has.
const maxFixupSegments = 1 << 12

// readFixups finds how the pointers of each segment are stored.
func (m *MachO) readFixups(i *Image) error {
	if m.chained.size == 0 {
		return nil
	}
	all := uint64(len(m.data))
	if m.chained.at > all || m.chained.size > all-m.chained.at {
		fault := i.Fault(model.KindTruncated, "chained fixups", m.Base+min(m.chained.at, all),
			"the table runs past the end of the program")
		fault.Expected, fault.Found = fmt.Sprintf("%s at 0x%x", wire.Plural(m.chained.size, "byte"), m.chained.at),
			fmt.Sprintf("a program of %d", all)
		return fault
	}
	table := wire.New("chained fixups", m.data[m.chained.at:m.chained.at+m.chained.size], m.Base+m.chained.at)
	table.SetOrder(m.BigEndian)
	at := func(offset uint64) *wire.Cursor {
		c := *table
		c.Skip("starts", offset)
		return &c
	}
	h := at(0)
	h.U32("fixups_version")
	starts := uint64(h.U32("starts_offset"))
	c := at(starts)
	if h.Err() != nil {
		c = h
	}
	for range c.Count("seg_count", min(uint64(c.U32("seg_count")), maxFixupSegments), 4) {
		offset := uint64(c.U32("seg_info_offset"))
		if offset == 0 {
			continue
		}
		s := at(starts + offset)
		s.U32("size")
		page, format := uint64(s.U16("page_size")), s.U16("pointer_format")
		f := fixups{format: format, addr: m.text + s.U64("segment_offset"), base: m.text}
		s.U32("max_valid_pointer")
		f.size = page * uint64(s.U16("page_count"))
		if err := s.Err(); err != nil {
			return err
		}
		i.fixups = append(i.fixups, f)
	}
	return c.Err()
}

// Pointer is what the loader makes of the pointer v that stands at an address of
// the program: v itself unless a Mach-O program chains it to the next one.
//
// The error is unsupported_version for pointers that are signed.
func (i *Image) Pointer(addr, v uint64) (uint64, error) {
	for _, f := range i.fixups {
		if v == 0 || addr-f.addr >= f.size {
			continue
		}
		switch f.format {
		case fixupPtr64:
			return v & (1<<36 - 1), nil
		case fixupPtr64Offset:
			return f.base + v&(1<<36-1), nil
		}
		fault := i.Fault(model.KindUnsupportedVersion, "chained fixups", 0,
			"the pointers of the program are stored in a form that is not known")
		fault.Field, fault.Expected, fault.Found = "pointer_format", "2 or 6", fmt.Sprint(f.format)
		return 0, fault
	}
	return v, nil
}
