package symbol

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Image is an executable, a shared object or a file of debug info: ELF, Mach-O
// for one architecture, or PE. It reads the file's bytes when asked and keeps
// only the table of its sections. Sections of Mach-O and PE have the types of
// ELF; those with debug info in Mach-O also the names.
type Image struct {
	Name   string
	Format model.Format
	// Architecture is that of a fat Mach-O program, "arm64"; empty elsewhere.
	Architecture string
	PointerSize  int // bytes: 4 or 8
	BigEndian    bool

	data     []byte
	kind     elf.Type
	machine  elf.Machine
	cpu      macho.Cpu // of Mach-O
	buildID  []byte
	segments []Segment
	sections []Section
	strings  []byte   // names of the sections
	fixups   []fixups // how pointers are stored, in parts of a Mach-O program

	allowance *wire.Allowance // nil until it is asked for
}

// Section is one entry of an image's section table. It has not been checked
// against the file: [Image.Contents] does that.
type Section struct {
	Type         elf.SectionType
	Flags        elf.SectionFlag
	Addr         uint64 // in the program's memory
	Offset, Size uint64 // in the file, in bytes

	name uint32 // offset in the table of names
	link uint32 // index of the section with a symbol table's names
}

// maxSections is more than any linked program has, and keeps the table small.
const maxSections = 1 << 18

// IsELF reports whether data begin like an ELF file.
func IsELF(data []byte) bool { return bytes.HasPrefix(data, []byte(elf.ELFMAG)) }

// Open reads the header, the table of sections and the build ID of an ELF file.
// The data must outlive the Image and stay unchanged. rec may be nil.
//
// Errors are a [*model.FormatError] that names the file: bad_magic, truncated,
// malformed, too_large, unsupported_version.
func Open(name string, data []byte, rec *wire.Recorder) (*Image, error) {
	i, err := openELF(name, data, rec)
	if err == nil && i.kind == elf.ET_REL && !i.IsSplitDWARF() {
		fault := i.Fault(model.KindUnsupportedVersion, "ELF", elf.EI_NIDENT, notLinked)
		fault.Field, fault.Expected, fault.Found = "e_type", "an executable or a shared object", "ET_REL"
		return nil, fault
	}
	return i, err
}

// notLinked is what is wrong with an object file where a program is wanted.
const notLinked = "this is an object file that has not been linked"

// openELF is Open for object files too.
func openELF(name string, data []byte, rec *wire.Recorder) (*Image, error) {
	i := &Image{Name: name, Format: FormatELF, data: data}
	c := wire.New("ELF", data, 0)
	c.RecordSections(rec)
	i.allowance = c.Allowance()
	return i, i.Named(i.read(c))
}

// Allowance is what may be made of the image, and of the files beside it.
func (i *Image) Allowance() *wire.Allowance {
	if i.allowance == nil {
		i.allowance = wire.NewAllowance(uint64(len(i.data)))
	}
	return i.allowance
}

// read reads the header and what it locates.
func (i *Image) read(c *wire.Cursor) error {
	h, err := i.readHeader(c)
	if err != nil {
		return err
	}
	if err := i.readSections(h); err != nil {
		return err
	}
	i.readSegments(h)
	i.buildID = i.findBuildID()
	return nil
}

// header is where an ELF header says the tables are.
type header struct {
	programs, sections uint64 // offsets in the file
	programSize        uint64 // bytes of an entry
	programCount       uint64
	sectionSize        uint64
	sectionCount       uint64
	nameSection        uint64 // index of the section with the names
}

// readHeader reads the ELF header at the cursor.
func (i *Image) readHeader(c *wire.Cursor) (*header, error) {
	s := c.Section("ELF header", min(64, c.Remaining()))
	ident := s.Bytes("e_ident", elf.EI_NIDENT)
	if err := s.Err(); err != nil {
		return nil, err
	}
	if !IsELF(ident) {
		return nil, s.FailAt(0, model.KindBadMagic, "e_ident", "this is not an ELF file", "7f 45 4c 46",
			fmt.Sprintf("% x", ident[:4]))
	}
	switch elf.Class(ident[elf.EI_CLASS]) {
	case elf.ELFCLASS32:
		i.PointerSize = 4
	case elf.ELFCLASS64:
		i.PointerSize = 8
	default:
		return nil, s.FailAt(elf.EI_CLASS, model.KindMalformed, "EI_CLASS", "the class is neither 32-bit nor 64-bit",
			"1 or 2", ident[elf.EI_CLASS])
	}
	switch elf.Data(ident[elf.EI_DATA]) {
	case elf.ELFDATA2LSB:
	case elf.ELFDATA2MSB:
		i.BigEndian = true
	default:
		return nil, s.FailAt(elf.EI_DATA, model.KindMalformed, "EI_DATA", "the byte order is not known", "1 or 2",
			ident[elf.EI_DATA])
	}
	s.SetOrder(i.BigEndian)
	i.kind = elf.Type(s.U16("e_type"))
	i.machine = elf.Machine(s.U16("e_machine"))
	s.U32("e_version")
	s.Ptr("e_entry", i.PointerSize)
	h := &header{programs: s.Ptr("e_phoff", i.PointerSize), sections: s.Ptr("e_shoff", i.PointerSize)}
	s.U32("e_flags")
	s.U16("e_ehsize")
	h.programSize, h.programCount = uint64(s.U16("e_phentsize")), uint64(s.U16("e_phnum"))
	h.sectionSize, h.sectionCount = uint64(s.U16("e_shentsize")), uint64(s.U16("e_shnum"))
	h.nameSection = uint64(s.U16("e_shstrndx"))
	return h, s.Err()
}

// readSections reads the table of sections. A file without one is an image
// without sections.
func (i *Image) readSections(h *header) error {
	if h.sections == 0 {
		return nil
	}
	entry := uint64(40)
	if i.PointerSize == 8 {
		entry = 64
	}
	if h.sections > uint64(len(i.data)) {
		fault := i.Fault(model.KindTruncated, "ELF header", uint64(24+2*i.PointerSize),
			"the section headers begin past the end of the file")
		fault.Field, fault.Expected, fault.Found = "e_shoff", fmt.Sprintf("at most 0x%x", len(i.data)),
			fmt.Sprintf("0x%x", h.sections)
		return fault
	}
	c := i.cursor("section headers", h.sections)
	if h.sectionSize != entry {
		return c.Fail(model.KindMalformed, "e_shentsize", "section headers have another size than their class gives them",
			entry, h.sectionSize)
	}
	first := *c
	zero := i.readSection(&first)
	if h.sectionCount == 0 { // more than e_shnum can say
		h.sectionCount = zero.Size
	}
	if h.nameSection == uint64(elf.SHN_XINDEX) {
		h.nameSection = uint64(zero.link)
	}
	if h.sectionCount > maxSections {
		return c.Fail(model.KindTooLarge, "e_shnum", "the file has more sections than any program",
			fmt.Sprintf("at most %d", maxSections), h.sectionCount)
	}
	i.sections = make([]Section, c.Count("e_shnum", h.sectionCount, entry))
	for n := range i.sections {
		i.sections[n] = i.readSection(c)
	}
	if err := c.Err(); err != nil {
		return err
	}
	if h.nameSection < uint64(len(i.sections)) {
		// Names in a compressed section are none: no linker writes them.
		if s := i.sections[h.nameSection]; s.Flags&elf.SHF_COMPRESSED == 0 {
			i.strings, _ = i.bytes(s)
		}
	}
	return nil
}

// readSection reads one section header.
func (i *Image) readSection(c *wire.Cursor) (s Section) {
	s.name = c.U32("sh_name")
	s.Type = elf.SectionType(c.U32("sh_type"))
	s.Flags = elf.SectionFlag(c.Ptr("sh_flags", i.PointerSize))
	s.Addr = c.Ptr("sh_addr", i.PointerSize)
	s.Offset = c.Ptr("sh_offset", i.PointerSize)
	s.Size = c.Ptr("sh_size", i.PointerSize)
	s.link = c.U32("sh_link")
	c.U32("sh_info")
	c.Ptr("sh_addralign", i.PointerSize)
	c.Ptr("sh_entsize", i.PointerSize)
	return s
}

// Section finds the first section of that name.
func (i *Image) Section(name string) (Section, bool) {
	for _, s := range i.sections {
		if i.hasName(s, name) {
			return s, true
		}
	}
	return Section{}, false
}

// Sections finds all sections of that name, which object files have one of for
// every function that the linker may drop.
func (i *Image) Sections(name string) (list []Section) {
	for _, s := range i.sections {
		if i.hasName(s, name) {
			list = append(list, s)
		}
	}
	return list
}

func (i *Image) hasName(s Section, name string) bool {
	if uint64(s.name) >= uint64(len(i.strings)) {
		return false
	}
	rest := i.strings[s.name:]
	return len(rest) > len(name) && rest[len(name)] == 0 && string(rest[:len(name)]) == name
}

// bytes is what the file has of a section, as stored; false when it has none,
// or not all of it.
func (i *Image) bytes(s Section) ([]byte, bool) {
	size := uint64(len(i.data))
	if s.Type == elf.SHT_NOBITS || s.Offset > size || s.Size > size-s.Offset {
		return nil, false
	}
	return i.data[s.Offset : s.Offset+s.Size : s.Offset+s.Size], true
}

// cursor reads from an offset of the file on, or nothing when it is past the end.
func (i *Image) cursor(section string, offset uint64) *wire.Cursor {
	c := wire.New(section, i.data[min(offset, uint64(len(i.data))):], offset)
	c.SetOrder(i.BigEndian)
	return c
}

// Named puts the image's name into a fault that names no file.
func (i *Image) Named(err error) error {
	if fault, ok := err.(*model.FormatError); ok && fault.File == "" {
		copied := *fault
		copied.File = i.Name
		return &copied
	}
	return err
}

// Fault is an error about the image at an offset of its file.
func (i *Image) Fault(kind model.Kind, section string, offset uint64, msg string) *model.FormatError {
	return &model.FormatError{Kind: kind, File: i.Name, Section: section, Offset: offset, Msg: msg}
}

// Info says what the image is. It has no version and no records.
func (i *Image) Info() *model.Info {
	info := &model.Info{Format: i.Format, PointerSize: i.PointerSize, BigEndian: i.BigEndian}
	if i.buildID != nil {
		info.BinaryIDs = [][]byte{i.buildID}
	}
	describe(info, map[model.Format]string{FormatELF: "ELF", FormatMachO: "Mach-O", FormatPE: "Windows"}[i.Format])
	return info
}

// describe says what a program is: "ELF program, 64-bit, little-endian, build ID
// 4d200c36…".
func describe(info *model.Info, what string) {
	info.Describe = fmt.Sprintf("%s program, %d-bit, %s", what, info.PointerSize*8, info.ByteOrder())
	for _, id := range info.BinaryIDs {
		info.Describe += fmt.Sprintf(", build ID %x", id)
	}
}

// The formats of what stands beside profiles and is none.
const (
	FormatELF   model.Format = "elf"
	FormatMachO model.Format = "mach-o" // programs of Apple's systems
	FormatPE    model.Format = "pe"     // programs of Windows
	FormatNM    model.Format = "nm"     // the output of nm, which names the procedures of an image
)
