package covmap

import "strings"

// sameArch reports whether two names are of one processor: LLVM and Apple call some
// by other names.
func sameArch(a, b string) bool { return canonical(a) == canonical(b) }

// architectures are those that LLVM has a name for; a * stands for any end.
const architectures = `i386 i486 i586 i686 i786 i886 i986 x86 amd64 x86_64 x86-64 x86_64h powerpc powerpcspe ppc ppc32
powerpcle ppcle ppc32le powerpc64 ppu ppc64 powerpc64le ppc64le xscale xscaleeb aarch64* arm64* arm* thumb* avr m68k
msp430 mips* r600 amdgcn riscv32 riscv64 hexagon s390x systemz sparc sparcel sparcv9 sparc64 tce tcele xcore nvptx
nvptx64 amdil amdil64 hsail hsail64 spir spir64 spirv* kalimba* lanai renderscript32 renderscript64 shave ve wasm32
wasm64 csky loongarch32 loongarch64 dxil* xtensa bpf* arc`

// IsArchitecture reports whether a name is of a processor that LLVM knows.
func IsArchitecture(name string) bool {
	for known := range strings.FieldsSeq(architectures) {
		if begin, open := strings.CutSuffix(known, "*"); name == known || open && strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

func canonical(arch string) string {
	arch = strings.ToLower(arch)
	switch arch {
	case "amd64", "x86-64":
		return "x86_64"
	case "aarch64":
		return "arm64"
	case "x86", "i486", "i586", "i686":
		return "i386"
	case "powerpc64":
		return "ppc64"
	case "powerpc64le":
		return "ppc64le"
	}
	return arch
}
