package symbol

import (
	"debug/elf"

	"proflens/decode/wire"
)

// noteGNUBuildID is the type of a note with a build id; debug/elf lacks it.
const noteGNUBuildID = 3

// No linker writes longer build ids than 64 bytes, nor more notes than a page
// or two; tables that point at the same notes over and over would never end.
const (
	maxBuildID = 256
	maxNotes   = 1 << 20 // bytes of all notes that are looked at
)

// findBuildID looks for the build id in the note sections, then, for a program
// without sections, in the note segments. Notes that cannot be read are skipped:
// a program without a build id is a whole program.
func (i *Image) findBuildID(h *header) []byte {
	budget := uint64(maxNotes)
	for _, s := range i.sections {
		if s.Type != elf.SHT_NOTE {
			continue
		}
		if id := i.buildID(s, &budget); id != nil {
			return id
		}
	}
	return i.segmentBuildID(h, &budget)
}

// segmentBuildID looks in the segments of type PT_NOTE.
func (i *Image) segmentBuildID(h *header, budget *uint64) []byte {
	if h.programs == 0 {
		return nil
	}
	c := i.cursor("program headers", h.programs)
	for range h.programCount {
		p := c.Section("program header", h.programSize)
		kind := elf.ProgType(p.U32("p_type"))
		if i.PointerSize == 8 {
			p.U32("p_flags")
		}
		s := Section{Offset: p.Ptr("p_offset", i.PointerSize)}
		p.Ptr("p_vaddr", i.PointerSize)
		p.Ptr("p_paddr", i.PointerSize)
		s.Size = p.Ptr("p_filesz", i.PointerSize)
		if p.Err() != nil {
			return nil
		}
		if kind != elf.PT_NOTE {
			continue
		}
		if id := i.buildID(s, budget); id != nil {
			return id
		}
	}
	return nil
}

// buildID is the build id among a section's notes, or nil.
func (i *Image) buildID(s Section, budget *uint64) []byte {
	notes, _ := i.bytes(s)
	notes = notes[:min(uint64(len(notes)), *budget)]
	*budget -= uint64(len(notes))
	c := wire.New("notes", notes, s.Offset)
	c.SetOrder(i.BigEndian)
	for c.Remaining() > 0 && c.Err() == nil {
		nameSize, size := uint64(c.U32("n_namesz")), uint64(c.U32("n_descsz"))
		kind := c.U32("n_type")
		name := c.Bytes("name", nameSize)
		c.Skip("padding", min(-nameSize%4, c.Remaining()))
		id := c.Bytes("desc", size)
		c.Skip("padding", min(-size%4, c.Remaining()))
		if c.Err() == nil && kind == noteGNUBuildID && string(name) == "GNU\x00" && 0 < size && size <= maxBuildID {
			return id
		}
	}
	return nil
}
