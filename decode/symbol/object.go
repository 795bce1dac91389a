package symbol

import (
	"debug/elf"
	"debug/macho"
	"fmt"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// IsObjectFile reports whether data begin like a program or an object file that
// [OpenObject] reads.
func IsObjectFile(data []byte) bool { return IsProgram(data) && !IsUniversal(data) || IsCOFF(data) }

// OpenObject opens a program of any format, for one architecture, or an object file
// that has not been linked. Errors are those of [Open], [OpenMachO] and [OpenPE].
func OpenObject(name string, data []byte, rec *wire.Recorder) (*Image, error) {
	switch {
	case IsPE(data):
		return OpenPE(name, data, rec)
	case IsELF(data):
		return openELF(name, data, rec)
	case IsCOFF(data):
		return openCOFF(name, data, rec)
	}
	c := wire.New("Mach-O", data, 0)
	c.RecordSections(rec)
	list, err := openMachO(name, data, c)
	if err == nil && len(list) != 1 {
		err = c.Fail(model.KindMalformed, "magic", "the file is of several architectures", "", "")
	}
	if err != nil {
		return nil, (&Image{Name: name}).Named(err)
	}
	return list[0].Image(data)
}

// IsObject reports whether an image is an object file, not linked.
func (i *Image) IsObject() bool { return i.kind == elf.ET_REL }

// Processor is what an image is for, as Apple's tools call it, "arm64"; empty when it
// is not known.
func (i *Image) Processor() string {
	if i.cpu != 0 {
		return processor(i.cpu)
	}
	switch i.machine {
	case elf.EM_X86_64:
		return "x86_64"
	case elf.EM_386:
		return "i386"
	case elf.EM_AARCH64:
		return "arm64"
	case elf.EM_ARM:
		return "arm"
	case elf.EM_NONE:
		return ""
	case elf.EM_PPC64:
		if !i.BigEndian {
			return "ppc64le"
		}
	case elf.EM_RISCV:
		return fmt.Sprintf("riscv%d", 8*i.PointerSize)
	case elf.EM_S390:
		if i.PointerSize == 8 {
			return "s390x"
		}
	}
	return strings.ToLower(strings.TrimPrefix(i.machine.String(), "EM_"))
}

func processor(cpu macho.Cpu) string {
	switch cpu {
	case macho.CpuAmd64:
		return "x86_64"
	case macho.CpuArm64:
		return "arm64"
	case macho.Cpu386:
		return "i386"
	}
	return strings.ToLower(strings.TrimPrefix(cpu.String(), "Cpu"))
}
