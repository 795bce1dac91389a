package names

import (
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// Mode says how a function's name is written.
type Mode string

// The modes. A mode that is none of them is [Full].
const (
	Full        Mode = "full"        // everything: return type, parameters, template arguments, clone suffix
	Short       Mode = "short"       // without return type and parameters
	NoTemplates Mode = "notemplates" // without template arguments too
	Mangled     Mode = "mangled"     // the linkage name as it is
)

// Bounds for hostile names. The demangler takes time up to the square of a
// name's depth, with packs up to the cube of its length, and doubles it with
// every nested conversion operator; substitutions can double the result with
// every few bytes. Of 236,000 names in system libraries none comes near a bound.
const (
	maxLinkage      = 8 << 10 // bytes; a longer name is shown as it is
	maxDemangledLog = 16      // log2 of the bytes a demangled name may have
	maxModifiers    = 256     // pointers, references and qualifiers in a row
	maxPackWork     = 2 << 20 // see packWork
	maxConversions  = 16
)

var modeOptions = map[Mode][]demangle.Option{
	Full:        {demangle.LLVMStyle, demangle.MaxLength(maxDemangledLog)},
	Short:       {demangle.LLVMStyle, demangle.NoParams, demangle.NoEnclosingParams, demangle.MaxLength(maxDemangledLog)},
	NoTemplates: {demangle.LLVMStyle, demangle.NoParams, demangle.NoEnclosingParams, demangle.NoTemplateParams, demangle.MaxLength(maxDemangledLog)},
}

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
	if isHostile(linkage) {
		return linkage
	}
	base, suffix := cutSuffix(linkage)
	text, ok := demangleSymbol(base, m)
	if !ok && suffix != "" {
		// An assembler name can put a '.' into an identifier.
		base, suffix = linkage, ""
		text, ok = demangleSymbol(base, m)
	}
	if !ok {
		return linkage
	}
	if m == Short || m == NoTemplates {
		suffix = cutNoise(suffix)
	}
	if suffix != "" {
		text += " (" + suffix + ")"
	}
	return text
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

// isHostile reports whether demangling a name could take more than a fraction of
// a second.
func isHostile(linkage string) bool {
	return len(linkage) > maxLinkage || packWork(linkage) > maxPackWork ||
		modifiers(linkage) > maxModifiers || conversions(linkage) > maxConversions
}

// packWork bounds what the packs in a name can cost: every expansion ("Dp",
// "sp") copies a pack ("J…E") once for each of its members.
func packWork(linkage string) int {
	pack := strings.IndexByte(linkage, 'J')
	if pack < 0 {
		return 0
	}
	size := len(linkage) - pack
	return (strings.Count(linkage, "Dp") + strings.Count(linkage, "sp")) * size * size
}

// modifiers is the length of the longest run of type modifiers.
func modifiers(linkage string) int {
	longest, run := 0, 0
	for i := range len(linkage) {
		switch linkage[i] {
		case 'P', 'R', 'O', 'K', 'V', 'r', 'C', 'G', 'A', '_':
			run++
			longest = max(longest, run)
		default:
			run = 0
		}
	}
	return longest
}

// conversions counts what may be conversion operators, "cv". One after a digit
// begins an identifier: OpenCV's namespace is "2cv".
func conversions(linkage string) (n int) {
	for i := 1; i+1 < len(linkage); i++ {
		if linkage[i] == 'c' && linkage[i+1] == 'v' && (linkage[i-1] < '0' || linkage[i-1] > '9') {
			n++
		}
	}
	return n
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
	i := strings.LastIndex(linkage, "17h")
	if i < 0 || !strings.HasPrefix(strings.TrimLeft(linkage, "_"), "ZN") {
		return 0
	}
	end := i + 3 + hash + 1
	if end > len(linkage) || linkage[end-1] != 'E' || end < len(linkage) && linkage[end] != '.' {
		return 0
	}
	for _, c := range []byte(linkage[i+3 : end-1]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return 0
		}
	}
	return end
}

// escapesLetters reports whether a name holds a letter, digit or '_' as an escape
// of legacy Rust, such as "$u61$". rustc escapes only what is none of these; a
// name forged with them would escape a search by its identifiers.
func escapesLetters(name string) bool {
	for {
		i := strings.Index(name, "$u")
		if i < 0 || len(name) < i+4 {
			return false
		}
		code, err := strconv.ParseUint(name[i+2:i+4], 16, 8)
		if err == nil && isIdentifier(rune(code)) {
			return true
		}
		name = name[i+2:]
	}
}

// demangleSymbol demangles a name without suffix. A panic of the demangler
// counts as a name it does not know.
func demangleSymbol(name string, m Mode) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	for _, machO := range []string{"__Z", "__R", "____Z"} {
		if strings.HasPrefix(name, machO) {
			name = name[1:]
			break
		}
	}
	if escapesLetters(name) {
		return "", false
	}
	options, known := modeOptions[m]
	if !known {
		options = modeOptions[Full]
	}
	text, err := demangle.ToString(name, options...)
	if m == NoTemplates && strings.HasPrefix(name, "_R") {
		text = strings.ReplaceAll(text, "::<>", "")
		text = strings.ReplaceAll(text, "<>", "")
	}
	return text, err == nil && text != ""
}
