package symbol

import (
	"bytes"
	"debug/macho"
	"encoding/binary"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// MachO is a Mach-O program for one architecture: a file, or a part of a fat
// one. It keeps nothing but the table of its sections.
type MachO struct {
	Name        string
	Base        uint64 // where it begins in the file
	PointerSize int    // bytes: 4 or 8
	BigEndian   bool
	UUID        []byte // nil when the linker wrote none

	data     []byte
	sections []MachOSection
	cpu      macho.Cpu
	object   bool       // not linked
	text     uint64     // where the header is in memory
	chained  machOTable // the chained fixups of pointers

	allowance *wire.Allowance
}

// machOTable is a part of the file that a load command locates.
type machOTable struct{ at, size uint64 }

// MachOSection is one entry of the section tables. It has not been checked
// against the file: [MachO.Contents] does that.
type MachOSection struct {
	Segment, Name string
	Addr          uint64 // in the program's memory
	Offset, Size  uint64 // in the program, in bytes
}

// The magic numbers of Mach-O, by the bytes in a file, and the load commands
// that matter here.
const (
	fatMagic64   = 0xcafebabf // debug/macho lacks it
	fatArchs     = 64         // a Java class begins like a fat file and goes on with 45 or more, so that the rest decides
	commandUUID  = 0x1b       // LC_UUID
	commandFixup = 0x80000034 // LC_DYLD_CHAINED_FIXUPS
	maxMachOSize = 1 << 12    // sections of a program; linkers allow 255
)

// IsMachO reports whether data begin like a Mach-O program, fat or not.
func IsMachO(data []byte) bool {
	if len(data) < 8 {
		return false
	}
	if thin, _, _ := machOClass(data); thin {
		return true
	}
	magic, n := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
	return (magic == macho.MagicFat || magic == fatMagic64) && n > 0 && n < fatArchs
}

// IsDSYM reports whether data begin like the file of a .dSYM bundle, for one
// architecture.
func IsDSYM(data []byte) bool {
	const debugInfo = 0xa // MH_DSYM
	if !IsMachO(data) {
		return false
	}
	thin, _, bigEndian := machOClass(data)
	c := wire.New("Mach-O header", data, 0)
	c.SetOrder(bigEndian)
	c.Skip("to filetype", 12)
	return thin && c.U32("filetype") == debugInfo
}

// machOClass tells a thin file's class by its magic.
func machOClass(data []byte) (ok bool, pointerSize int, bigEndian bool) {
	little, big := binary.LittleEndian.Uint32(data), binary.BigEndian.Uint32(data)
	switch {
	case little == macho.Magic64, big == macho.Magic64:
		return true, 8, big == macho.Magic64
	case little == macho.Magic32, big == macho.Magic32:
		return true, 4, big == macho.Magic32
	}
	return false, 0, false
}

// OpenMachO reads the load commands of a Mach-O file: one program, or one for
// each architecture of a fat file. The data must outlive the result. rec may be
// nil.
//
// Errors are a [*model.FormatError] that names the file: bad_magic, truncated,
// malformed, too_large, unsupported_version.
func OpenMachO(name string, data []byte, rec *wire.Recorder) ([]*MachO, error) {
	c := wire.New("Mach-O", data, 0)
	c.RecordSections(rec)
	list, err := openMachO(name, data, c)
	for _, m := range list {
		if err == nil && m.object {
			err = &model.FormatError{
				Kind: model.KindUnsupportedVersion, Section: "Mach-O header", Field: "filetype", Offset: m.Base + 12,
				Msg: notLinked, Expected: "an executable or a library", Found: "MH_OBJECT",
			}
		}
	}
	if fault, ok := err.(*model.FormatError); ok && fault.File == "" {
		fault.File = name
	}
	return list, err
}

func openMachO(name string, data []byte, c *wire.Cursor) ([]*MachO, error) {
	if !IsMachO(data) {
		return nil, c.Fail(model.KindBadMagic, "magic", "this is not a Mach-O file", "",
			fmt.Sprintf("% x", data[:min(4, len(data))]))
	}
	if thin, _, _ := machOClass(data); thin {
		m, err := readMachO(name, data, 0, c)
		return []*MachO{m}, err
	}
	slices, err := readSlices(data, c)
	if err != nil {
		return nil, err
	}
	var list []*MachO
	for _, s := range slices {
		part := wire.New("Mach-O", s.Data, s.Offset)
		part.Allow(c.Allowance())
		m, err := readMachO(name, s.Data, s.Offset, part)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// readMachO reads the header and the load commands of one program.
func readMachO(name string, data []byte, base uint64, c *wire.Cursor) (*MachO, error) {
	if len(data) < 4 {
		return nil, c.Fail(model.KindTruncated, "magic", "the program is cut", "", "")
	}
	ok, pointer, bigEndian := machOClass(data)
	if !ok {
		return nil, c.Fail(model.KindMalformed, "magic", "a part of the fat file is no program", "feedface or feedfacf",
			fmt.Sprintf("% x", data[:4]))
	}
	m := &MachO{Name: name, Base: base, PointerSize: pointer, BigEndian: bigEndian, data: data, allowance: c.Allowance()}
	h := c.Section("Mach-O header", min(c.Remaining(), uint64(24+pointer))) // 28 or 32 bytes
	h.SetOrder(bigEndian)
	h.U32("magic")
	m.cpu = macho.Cpu(h.U32("cputype"))
	h.U32("cpusubtype")
	kind := macho.Type(h.U32("filetype"))
	count, size := h.U32("ncmds"), uint64(h.U32("sizeofcmds"))
	h.U32("flags")
	if pointer == 8 {
		h.U32("reserved")
	}
	if err := h.Err(); err != nil {
		return nil, err
	}
	m.object = kind == macho.TypeObj
	commands := c.Section("load commands", size)
	commands.SetOrder(bigEndian)
	for range count {
		if commands.Err() != nil || commands.Remaining() == 0 {
			break
		}
		m.readCommand(commands)
	}
	return m, commands.Err()
}

// readCommand reads one load command and moves past it.
func (m *MachO) readCommand(c *wire.Cursor) {
	head := *c
	kind, size := head.U32("cmd"), uint64(head.U32("cmdsize"))
	if head.Err() == nil && (size < 8 || size > c.Remaining()) {
		c.Fail(model.KindMalformed, "cmdsize", "a load command runs past the end of its table",
			fmt.Sprintf("8 to %d", c.Remaining()), size)
		return
	}
	body := wire.New("load command", c.Bytes("", max(size, 8)), c.Offset()-size)
	body.SetOrder(m.BigEndian)
	body.Skip("", 8)
	switch {
	case kind == commandUUID:
		m.UUID = bytes.Clone(body.Bytes("uuid", 16))
	case kind == commandFixup:
		m.chained = machOTable{uint64(body.U32("dataoff")), uint64(body.U32("datasize"))}
	case kind == uint32(macho.LoadCmdSegment) && m.PointerSize == 4,
		kind == uint32(macho.LoadCmdSegment64) && m.PointerSize == 8:
		m.readSegment(body, c)
	}
}

// readSegment reads the sections of a segment; faults are c's.
func (m *MachO) readSegment(s, c *wire.Cursor) {
	s.Skip("segname", 16)
	addr := s.Ptr("vmaddr", m.PointerSize)
	s.Ptr("vmsize", m.PointerSize)
	if offset, size := s.Ptr("fileoff", m.PointerSize), s.Ptr("filesize", m.PointerSize); offset == 0 && size > 0 {
		m.text = addr
	}
	s.Skip("maxprot, initprot", 8)
	count := uint64(s.U32("nsects"))
	s.U32("flags")
	entry := uint64(68)
	if m.PointerSize == 8 {
		entry = 80
	}
	if s.Err() == nil && (count > s.Remaining()/entry || count > maxMachOSize-uint64(len(m.sections))) {
		c.FailAt(s.Offset()-8, model.KindMalformed, "nsects", "a segment has more sections than there are bytes for",
			fmt.Sprintf("at most %d", s.Remaining()/entry), count)
		return
	}
	for range count {
		e := s.Section("section", entry)
		section := MachOSection{Name: padded(e.Bytes("sectname", 16)), Segment: padded(e.Bytes("segname", 16))}
		section.Addr, section.Size = e.Ptr("addr", m.PointerSize), e.Ptr("size", m.PointerSize)
		section.Offset = uint64(e.U32("offset"))
		if s.Err() != nil || e.Err() != nil {
			return
		}
		m.sections = append(m.sections, section)
	}
}

// padded is a name that fills its field, or has zeros behind it.
func padded(b []byte) string {
	name, _, _ := bytes.Cut(b, []byte{0})
	return string(name)
}

// Section finds the first section of that name in a segment of that name.
func (m *MachO) Section(segment, name string) (MachOSection, bool) {
	for _, s := range m.sections {
		if s.Name == name && s.Segment == segment {
			return s, true
		}
	}
	return MachOSection{}, false
}

// Contents is the bytes of a section and where they begin in the file. The
// error is truncated when they are not there.
func (m *MachO) Contents(s MachOSection) (data []byte, offset uint64, err error) {
	if size := uint64(len(m.data)); s.Offset > size || s.Size > size-s.Offset {
		return nil, 0, &model.FormatError{Kind: model.KindTruncated, File: m.Name, Section: s.Name,
			Offset: m.Base + min(s.Offset, size),
			Msg:    "the section runs past the end of the file", Expected: fmt.Sprintf("%d bytes at 0x%x", s.Size, s.Offset),
			Found: fmt.Sprintf("a program of %d", size)}
	}
	return m.data[s.Offset : s.Offset+s.Size : s.Offset+s.Size], m.Base + s.Offset, nil
}

// Info says what the program is. It has no version and no records.
func (m *MachO) Info() *model.Info {
	info := &model.Info{Format: FormatMachO, PointerSize: m.PointerSize, BigEndian: m.BigEndian}
	if m.UUID != nil {
		info.BinaryIDs = [][]byte{m.UUID}
	}
	describe(info, "Mach-O")
	return info
}
