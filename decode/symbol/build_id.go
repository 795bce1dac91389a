package symbol

import (
	"debug/elf"

	"proflens/decode/wire"
)

// noteGNUBuildID is the type of a note with a build ID; debug/elf lacks it.
const noteGNUBuildID = 3

// No linker writes longer build IDs than 64 bytes, nor more notes than a page
// or two; tables that point at the same notes over and over would never end.
const (
	maxBuildID = 256
	maxNotes   = 1 << 20 // bytes of all notes that are looked at
)

// BuildID is the GNU build ID, the UUID of a Mach-O program or the GUID of a
// Windows program and its PDB; nil when the linker wrote none.
func (i *Image) BuildID() []byte { return i.buildID }

// findBuildID looks for the build ID in the note sections, then, for a program
// without sections, in the note segments. Notes that cannot be read are skipped:
// a program without a build ID is a whole program.
func (i *Image) findBuildID() []byte {
	budget := uint64(maxNotes)
	for _, s := range i.sections {
		if s.Type != elf.SHT_NOTE {
			continue
		}
		if id := i.noteID(s, &budget); id != nil {
			return id
		}
	}
	for _, s := range i.segments {
		if s.Type != elf.PT_NOTE {
			continue
		}
		if id := i.noteID(Section{Offset: s.Offset, Size: s.FileSize}, &budget); id != nil {
			return id
		}
	}
	return nil
}

// noteID is the build ID among a section's notes, or nil.
func (i *Image) noteID(s Section, budget *uint64) []byte {
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

// HeadID is the build ID of a program of which data is the beginning, as far as that has
// one. An object file has not been linked, and is no program.
func HeadID(data []byte) (id []byte, linked bool) {
	i := &Image{data: data}
	if !IsELF(data) {
		thin, _, _ := machOClass(data)
		return nil, !thin
	}
	h, err := i.readHeader(wire.New("ELF", data, 0))
	if err != nil {
		return nil, false
	}
	i.readSegments(h)
	return i.findBuildID(), i.kind != elf.ET_REL
}
