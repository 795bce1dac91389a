package names

import "strings"

// Mode says how a function's name is written.
type Mode string

// The modes. A mode that is none of them is [Full].
const (
	Full        Mode = "full"        // everything: return type, parameters, template arguments, clone suffix
	Short       Mode = "short"       // without return type and parameters
	NoTemplates Mode = "notemplates" // without template arguments too
	Mangled     Mode = "mangled"     // the linkage name as it is
)

// Bounds of every name that is demangled.
const (
	maxLinkage      = 8 << 10 // bytes; a longer name is shown as it is
	maxDemangledLog = 16      // log2 of the bytes a demangled name may have
)

// Demangle writes a linkage name for a reader: C++ of the Itanium ABI, and Rust
// of both manglings, in the words of LLVM's demangler. The hash that ends a
// legacy Rust name is left out, and so are the suffixes that only make a symbol
// unique (".llvm.N", ".__uniq.N"), and the numbers of clones, in every mode but
// Full and Mangled.
//
// Everything else comes back as it is: C, Swift, Microsoft C++ and Objective-C
// names, a name that does not demangle, and one longer than 8 KiB or nested as
// no compiler does it. A demangled name is cut at 64 KiB.
func Demangle(linkage string, m Mode) string {
	if m == Mangled {
		return linkage
	}
	if !isMangled(linkage) {
		if m == Short || m == NoTemplates {
			base, suffix := cutClones(linkage)
			if kept := cutNoise(suffix); kept != suffix {
				return base + kept
			}
		}
		return linkage
	}
	if len(linkage) > maxLinkage {
		return linkage
	}
	linkage, version := cutVersion(linkage)
	text, suffix, ok := demangleParts(linkage, m)
	if !ok {
		return linkage + version
	}
	if m == Short || m == NoTemplates {
		suffix = cutNoise(suffix)
	}
	if suffix != "" {
		text += " (" + suffix + ")"
	}
	return text + version
}

// cutVersion separates a mangled name from what a linker or a disassembler adds after
// '@': "@plt", "@@GLIBCXX_3.4".
func cutVersion(linkage string) (name, version string) {
	if i := strings.IndexByte(linkage, '@'); i > 0 {
		return linkage[:i], linkage[i:]
	}
	return linkage, ""
}

// demangleParts demangles a name and separates its suffix, by the reader of its mangling.
func demangleParts(linkage string, m Mode) (text, suffix string, ok bool) {
	if name := withoutMachO(linkage); strings.HasPrefix(name, "_R") {
		name, suffix = cutSuffix(name)
		text, ok = demangleRust(name, m)
		return text, suffix, ok
	}
	if text, suffix, ok = demangleCpp(linkage, m); !ok {
		text, suffix, ok = demangleByLibrary(linkage, m)
	}
	return text, suffix, ok
}

// demangleCpp demangles a name of C++, and separates what the compiler appended
// to it. It refuses Rust's legacy names, which look much the same.
func demangleCpp(linkage string, m Mode) (text, suffix string, ok bool) {
	if legacyRustEnd(linkage) > 0 {
		return "", "", false
	}
	name := withoutMachO(linkage)
	text, n, ok := demangleItanium(name, m)
	return text, name[len(name)-n:], ok
}

// withoutMachO leaves out the '_' that Mach-O puts before every symbol.
func withoutMachO(name string) string {
	for _, prefix := range []string{"__Z", "__R", "____Z"} {
		if strings.HasPrefix(name, prefix) {
			return name[1:]
		}
	}
	return name
}

// isMangled reports whether a name starts as those that Demangle knows: "_Z"
// and "_R", each with one more '_' on Mach-O, and "___Z" of a block in a
// function.
func isMangled[T string | []byte](name T) bool {
	n := 0
	for n < len(name) && n < 4 && name[n] == '_' {
		n++
	}
	return n > 0 && n < len(name) && (name[n] == 'Z' || n <= 2 && name[n] == 'R')
}

// cutSuffix separates a mangled name from what the compiler appended to it: all
// from the first '.', which manglings do not contain, but for legacy Rust, which
// writes "::" within identifiers as "..".
func cutSuffix(linkage string) (base, suffix string) {
	if end := legacyRustEnd(linkage); end > 0 {
		return linkage[:end], linkage[end:]
	}
	if i := strings.IndexByte(linkage, '.'); i > 0 {
		return linkage[:i], linkage[i:]
	}
	return linkage, ""
}

// legacyRustEnd is the length of the mangled name in a legacy Rust symbol,
// which ends in "17h", sixteen hexadecimal digits and "E"; 0 for all others.
func legacyRustEnd(linkage string) int {
	const hash = 16
	// Few names have the digits, and to look for the last takes longer.
	if !strings.Contains(linkage, "17h") || !strings.HasPrefix(strings.TrimLeft(linkage, "_"), "ZN") {
		return 0
	}
	i := strings.LastIndex(linkage, "17h")
	end := i + 3 + hash + 1
	if end > len(linkage) || linkage[end-1] != 'E' || end < len(linkage) && linkage[end] != '.' {
		return 0
	}
	if strings.Trim(linkage[i+3:end-1], hexDigits) != "" {
		return 0
	}
	return end
}
