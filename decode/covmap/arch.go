package covmap

import "strings"

// sameArch reports whether two names are of one processor: LLVM and Apple call some
// by other names.
func sameArch(a, b string) bool { return canonical(a) == canonical(b) }

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
