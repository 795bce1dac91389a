package symbol

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// coffMachines are the processors of Windows.
var coffMachines = map[uint16]elf.Machine{
	pe.IMAGE_FILE_MACHINE_AMD64: elf.EM_X86_64,
	pe.IMAGE_FILE_MACHINE_I386:  elf.EM_386,
	pe.IMAGE_FILE_MACHINE_ARM64: elf.EM_AARCH64,
	pe.IMAGE_FILE_MACHINE_ARMNT: elf.EM_ARM,
}

const (
	coffHeaderSize = 20
	bigHeaderSize  = 56
	maxCOFFName    = 64 // of those that are looked for; longer ones are cut
)

// bigObject begins an object file of more than 65,279 sections, behind its version and
// processor.
var bigObject = []byte("\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8")

// IsCOFF reports whether data begin like an object file of Windows. There is no magic
// number: a processor stands there, and that there is no optional header.
func IsCOFF(data []byte) bool {
	if isBigCOFF(data) {
		return true
	}
	if len(data) < coffHeaderSize {
		return false
	}
	_, known := coffMachines[binary.LittleEndian.Uint16(data)]
	return known && binary.LittleEndian.Uint16(data[16:]) == 0
}

func isBigCOFF(data []byte) bool {
	return len(data) >= bigHeaderSize && bytes.HasPrefix(data, []byte("\x00\x00\xff\xff")) &&
		bytes.Equal(data[12:28], bigObject)
}

// openCOFF reads the header and the table of sections of an object file of Windows.
// The names of its sections are cut at their $, where the linker cuts them.
func openCOFF(name string, data []byte, rec *wire.Recorder) (*Image, error) {
	i := &peImage{Image: &Image{Name: name, Format: FormatPE, data: data, kind: elf.ET_REL, PointerSize: 8}}
	c := wire.New("COFF", data, 0)
	c.RecordSections(rec)
	i.allowance = c.Allowance()
	return i.Image, i.Named(i.readObject(c))
}

func (i *peImage) readObject(c *wire.Cursor) error {
	size, symbolSize := uint64(coffHeaderSize), uint64(18)
	big := isBigCOFF(i.data)
	if big {
		size, symbolSize = bigHeaderSize, 20
	}
	h := c.Section("COFF header", size)
	if big {
		h.Skip("Sig1, Sig2, Version", 6)
	}
	machine := h.U16("Machine")
	if i.machine = coffMachines[machine]; i.machine == elf.EM_386 || i.machine == elf.EM_ARM {
		i.PointerSize = 4
	}
	var sections uint64
	if big {
		h.Skip("to NumberOfSections", 36)
		sections = uint64(h.U32("NumberOfSections"))
	} else {
		sections = uint64(h.U16("NumberOfSections"))
		h.U32("TimeDateStamp")
	}
	symbols, count := uint64(h.U32("PointerToSymbolTable")), uint64(h.U32("NumberOfSymbols"))
	if err := h.Err(); err != nil {
		return err
	}
	if sections > maxSections {
		return h.FailAt(0, model.KindTooLarge, "NumberOfSections", "the file has more sections than any object file",
			fmt.Sprintf("at most %d", maxSections), sections)
	}
	if end := symbols + count*symbolSize; symbols > 0 && end < uint64(len(i.data)) {
		i.long = i.data[end:]
	}
	table := c.Section("section headers", sections*peSectionSize)
	for range sections {
		i.readSection(table)
	}
	return table.Err()
}

// sectionName is a section's name in an object file: "/12" and "//AAAAAB" are offsets
// in the table of names.
func (i *peImage) sectionName(name string) string {
	if i.kind != elf.ET_REL {
		return name
	}
	var at uint64
	if text, ok := strings.CutPrefix(name, "//"); ok {
		b, _ := base64.StdEncoding.DecodeString("AA" + text)
		at = binary.BigEndian.Uint64(append(make([]byte, 8), b...)[len(b):])
	} else if text, ok := strings.CutPrefix(name, "/"); ok {
		at, _ = strconv.ParseUint(text, 10, 64)
	}
	if 0 < at && at < uint64(len(i.long)) {
		name = padded(i.long[at:min(at+maxCOFFName, uint64(len(i.long)))])
	}
	name, _, _ = strings.Cut(name, "$")
	return name
}
