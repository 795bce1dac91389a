package symbol

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// IsPE reports whether data begin like a program of Windows, or of DOS.
func IsPE(data []byte) bool { return bytes.HasPrefix(data, []byte("MZ")) }

// The offsets of a PE file that matter, and the two forms of its optional header.
const (
	peOffset       = 0x3c // of where the PE header is
	peHeaderSize   = 24
	peSectionSize  = 40
	optional32     = 0x10b
	optional64     = 0x20b
	debugEntrySize = 28
	debugCodeView  = 2
	maxDebugInfos  = 64 // entries of the debug directory that are looked at
)

// peImage is a PE file while it is read.
type peImage struct {
	*Image
	base  uint64 // the address that the program was linked for
	long  []byte // names of sections of object files
	debug struct{ addr, size uint64 }
}

// OpenPE reads the headers, the table of sections and the build ID of a program
// or library of Windows: that which it shares with its PDB. Sections have their
// addresses as linked. The data must outlive the Image and stay unchanged. rec
// may be nil.
//
// Errors are a [*model.FormatError] that names the file: bad_magic, truncated,
// malformed, unsupported_version.
func OpenPE(name string, data []byte, rec *wire.Recorder) (*Image, error) {
	i := &peImage{Image: &Image{Name: name, Format: FormatPE, data: data, kind: elf.ET_DYN}}
	c := wire.New("PE", data, 0)
	c.RecordSections(rec)
	i.allowance = c.Allowance()
	if err := i.read(c); err != nil {
		return nil, i.Named(err)
	}
	i.buildID = i.codeViewID()
	return i.Image, nil
}

// read reads the headers.
func (i *peImage) read(c *wire.Cursor) error {
	if !IsPE(i.data) {
		return c.Fail(model.KindBadMagic, "e_magic", "this is not a Windows program", "4d 5a",
			fmt.Sprintf("% x", i.data[:min(2, len(i.data))]))
	}
	dos := c.Section("DOS header", min(peOffset+4, c.Remaining()))
	dos.Skip("e_magic", peOffset)
	at := uint64(dos.U32("e_lfanew"))
	if err := dos.Err(); err != nil {
		return err
	}
	if at < dos.Offset() || at > uint64(len(i.data)) {
		return dos.FailAt(peOffset, model.KindTruncated, "e_lfanew", "the PE header is outside of the file",
			fmt.Sprintf("0x%x to 0x%x", dos.Offset(), len(i.data)), fmt.Sprintf("0x%x", at))
	}
	c.Skip("DOS program", at-c.Offset())
	h := c.Section("PE header", min(peHeaderSize, c.Remaining()))
	if magic := h.Bytes("Signature", 4); h.Err() == nil && string(magic) != "PE\x00\x00" {
		return h.FailAt(at, model.KindUnsupportedVersion, "Signature", "this is a DOS or 16-bit Windows program",
			"50 45 00 00", fmt.Sprintf("% x", magic))
	}
	i.machine = coffMachines[h.U16("Machine")]
	sections := uint64(h.U16("NumberOfSections"))
	h.U32("TimeDateStamp")
	h.U32("PointerToSymbolTable")
	h.U32("NumberOfSymbols")
	size := uint64(h.U16("SizeOfOptionalHeader"))
	h.U16("Characteristics")
	if err := h.Err(); err != nil {
		return err
	}
	if err := i.readOptional(c.Section("optional header", size)); err != nil {
		return err
	}
	if size := sections * peSectionSize; size > c.Remaining() {
		return c.FailIn("section headers", model.KindTruncated, "NumberOfSections",
			"the section headers pass the end of the file",
			fmt.Sprintf("%d × %d bytes", sections, peSectionSize), wire.Plural(c.Remaining(), "byte"))
	}
	table := c.Section("section headers", sections*peSectionSize)
	for range sections {
		i.readSection(table)
	}
	return table.Err()
}

// readOptional reads the class of the program and where it was linked for.
func (i *peImage) readOptional(c *wire.Cursor) error {
	at := c.Offset()
	magic := c.U16("Magic")
	switch {
	case c.Err() != nil:
		return c.Err()
	case magic == optional32:
		i.PointerSize = 4
		c.Skip("to ImageBase", 26)
	case magic == optional64:
		i.PointerSize = 8
		c.Skip("to ImageBase", 22)
	default:
		return c.FailAt(at, model.KindMalformed, "Magic", "the optional header is of no known class", "0x10b or 0x20b",
			fmt.Sprintf("0x%x", magic))
	}
	i.base = c.Ptr("ImageBase", i.PointerSize)
	c.Skip("to NumberOfRvaAndSizes", 44+4*uint64(i.PointerSize))
	count := c.U32("NumberOfRvaAndSizes")
	if err := c.Err(); err != nil {
		return err
	}
	if count <= pe.IMAGE_DIRECTORY_ENTRY_DEBUG || c.Remaining() < 8*(pe.IMAGE_DIRECTORY_ENTRY_DEBUG+1) {
		return nil // without a build ID
	}
	c.Skip("data directories", 8*pe.IMAGE_DIRECTORY_ENTRY_DEBUG)
	i.debug.addr, i.debug.size = uint64(c.U32("debug VirtualAddress")), uint64(c.U32("debug Size"))
	return c.Err()
}

// readSection reads one section header. Of the bytes in the file those past the
// section's size are padding; sections of object files have no other size. Names of
// more than eight bytes, which debug info has, stay numbers of the table that they
// are in.
func (i *peImage) readSection(table *wire.Cursor) {
	c := table.Section("section header", peSectionSize)
	name := i.sectionName(padded(c.Bytes("Name", 8)))
	virtual, addr := uint64(c.U32("VirtualSize")), uint64(c.U32("VirtualAddress"))
	s := Section{Type: elf.SHT_PROGBITS, Addr: i.base + addr, name: uint32(len(i.strings))}
	s.Size, s.Offset = uint64(c.U32("SizeOfRawData")), uint64(c.U32("PointerToRawData"))
	if i.kind != elf.ET_REL {
		s.Size = min(virtual, s.Size)
	}
	if s.Offset == 0 {
		s.Type, s.Size = elf.SHT_NOBITS, virtual
	}
	c.Skip("relocations, line numbers, flags", 16)
	if c.Err() == nil {
		i.sections = append(i.sections, s)
		i.strings = append(append(i.strings, name...), 0)
	}
}

// codeViewID is the GUID that the debug directory names the program's PDB by, or
// nil. What cannot be read is skipped, as with notes of ELF.
func (i *peImage) codeViewID() []byte {
	directory := i.at(i.debug.addr)
	for n := range min(i.debug.size/debugEntrySize, maxDebugInfos) {
		e := *directory
		e.Skip("entries", n*debugEntrySize+12)
		kind, size := e.U32("Type"), uint64(e.U32("SizeOfData"))
		e.U32("AddressOfRawData")
		c := i.cursor("debug info", uint64(e.U32("PointerToRawData")))
		if e.Err() != nil || kind != debugCodeView || size < 20 {
			continue
		}
		if string(c.Bytes("Signature", 4)) == "RSDS" {
			if id := c.Bytes("GUID", 16); c.Err() == nil {
				return id
			}
		}
	}
	return nil
}

// at reads from an address of the program on, less that of its begin; nothing
// where no section has it.
func (i *peImage) at(addr uint64) *wire.Cursor {
	for _, s := range i.sections {
		if offset := i.base + addr - s.Addr; s.Type != elf.SHT_NOBITS && offset < s.Size {
			return i.cursor("debug directory", s.Offset+offset)
		}
	}
	return i.cursor("debug directory", uint64(len(i.data)))
}
