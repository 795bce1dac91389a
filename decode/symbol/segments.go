package symbol

import (
	"debug/elf"

	"proflens/decode/wire"
)

// Segment is one entry of an image's program headers: a stretch of the file and
// where the program has it in memory. It has not been checked against the file.
type Segment struct {
	Type     elf.ProgType
	Flags    elf.ProgFlag
	Offset   uint64 // in the file, in bytes
	Addr     uint64 // in memory, as linked: p_vaddr
	FileSize uint64 // bytes in the file
	Size     uint64 // bytes in memory
	Align    uint64
}

// Segments is the program headers, in the order of the file.
func (i *Image) Segments() []Segment { return i.segments }

// ExecutableSegments is the loaded segments with code, in the order of the
// file. A program counter of a running program stands at pc - start + Addr of
// the segment that was loaded at start (memprof.md §2.2).
func (i *Image) ExecutableSegments() []Segment {
	var list []Segment
	for _, s := range i.segments {
		if s.Type == elf.PT_LOAD && s.Flags&elf.PF_X != 0 {
			list = append(list, s)
		}
	}
	return list
}

// PreferredAddress is the lowest address that the program was linked for: 0 for
// a position-independent one; false when nothing of it is loaded.
func (i *Image) PreferredAddress() (addr uint64, ok bool) {
	for _, s := range i.segments {
		if s.Type == elf.PT_LOAD && (!ok || s.Addr < addr) {
			addr, ok = s.Addr, true
		}
	}
	return addr &^ 0xfff, ok
}

// IsPIE reports whether the program can be loaded at any address, like a shared
// object.
func (i *Image) IsPIE() bool { return i.kind == elf.ET_DYN }

// readSegments reads the program headers, as far as they are there: a program
// whose are damaged still has sections.
func (i *Image) readSegments(h *header) {
	entry := uint64(32)
	if i.PointerSize == 8 {
		entry = 56
	}
	if h.programs == 0 || h.programSize != entry {
		return
	}
	c := i.cursor("program headers", h.programs)
	for range h.programCount {
		s := i.readSegment(c.Section("program header", entry))
		if c.Err() != nil {
			return
		}
		i.segments = append(i.segments, s)
	}
}

// readSegment reads one program header. The flags stand elsewhere in 32 bits.
func (i *Image) readSegment(c *wire.Cursor) (s Segment) {
	s.Type = elf.ProgType(c.U32("p_type"))
	if i.PointerSize == 8 {
		s.Flags = elf.ProgFlag(c.U32("p_flags"))
	}
	s.Offset = c.Ptr("p_offset", i.PointerSize)
	s.Addr = c.Ptr("p_vaddr", i.PointerSize)
	c.Ptr("p_paddr", i.PointerSize)
	s.FileSize = c.Ptr("p_filesz", i.PointerSize)
	s.Size = c.Ptr("p_memsz", i.PointerSize)
	if i.PointerSize == 4 {
		s.Flags = elf.ProgFlag(c.U32("p_flags"))
	}
	s.Align = c.Ptr("p_align", i.PointerSize)
	return s
}
