package symbol

import (
	"debug/macho"
	"encoding/binary"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Slice is a part of a universal Mach-O file: a program, or an archive.
type Slice struct {
	Architecture string // "arm64"
	Offset       uint64 // in the file
	Data         []byte
}

// IsUniversal reports whether data begin like a Mach-O file for several architectures.
func IsUniversal(data []byte) bool {
	if !IsMachO(data) {
		return false
	}
	thin, _, _ := machOClass(data)
	return !thin
}

// Slices reads the table of a universal Mach-O file. Errors are those of [OpenMachO].
func Slices(name string, data []byte) ([]Slice, error) {
	list, err := readSlices(data, wire.New("Mach-O", data, 0))
	if fault, ok := err.(*model.FormatError); ok {
		fault.File = name
	}
	return list, err
}

func readSlices(data []byte, c *wire.Cursor) ([]Slice, error) {
	wide := binary.BigEndian.Uint32(data) == fatMagic64
	size, pointer := uint64(20), 4
	if wide {
		size, pointer = 32, 8
	}
	h := c.Section("fat header", min(8+size*uint64(binary.BigEndian.Uint32(data[4:])), c.Remaining()))
	h.SetOrder(true)
	h.U32("magic")
	var list []Slice
	for range h.Count("nfat_arch", uint64(h.U32("nfat_arch")), size) {
		cpu, sub := macho.Cpu(h.U32("cputype")), h.U32("cpusubtype")
		at := h.Offset()
		offset, size := h.Ptr("offset", pointer), h.Ptr("size", pointer)
		h.U32("align")
		if wide {
			h.U32("reserved")
		}
		if h.Err() != nil {
			break
		}
		if all := uint64(len(data)); offset > all || size > all-offset {
			return nil, h.FailAt(at, model.KindTruncated, "offset", "a program of the fat file passes its end",
				fmt.Sprintf("%d bytes at 0x%x", size, offset), fmt.Sprintf("a file of %d", all))
		}
		list = append(list, Slice{variant(cpu, sub), offset, data[offset : offset+size : offset+size]})
	}
	return list, h.Err()
}

// variant is the name of a processor with its subtype, as lipo prints it.
func variant(cpu macho.Cpu, sub uint32) string {
	type of struct {
		cpu macho.Cpu
		sub uint32
	}
	name, ok := map[of]string{
		{macho.CpuArm64, 2}: "arm64e", {macho.CpuAmd64, 8}: "x86_64h",
		{macho.CpuArm, 6}: "armv6", {macho.CpuArm, 9}: "armv7", {macho.CpuArm, 11}: "armv7s", {macho.CpuArm, 12}: "armv7k",
	}[of{cpu, sub & 0xffffff}]
	if !ok {
		return processor(cpu)
	}
	return name
}
