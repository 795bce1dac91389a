package symbol

import (
	"debug/elf"
	"debug/macho"
	"strings"

	"proflens/decode/wire"
)

// OpenObject is [Open] for a file that may also be an object file, not linked.
func OpenObject(name string, data []byte, rec *wire.Recorder) (*Image, error) {
	return openELF(name, data, rec)
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
