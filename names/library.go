package names

import (
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// Bounds for hostile names that the library is asked for. It takes time up to
// the square of a name's depth, with packs up to the cube of its length, and
// doubles it with every nested conversion operator; substitutions can double the
// result with every few bytes. Of 236,000 names in system libraries none comes
// near a bound.
const (
	maxModifiers   = 256     // pointers, references and qualifiers in a row
	maxPackWork    = 2 << 20 // see packWork
	maxConversions = 16
)

var modeOptions = map[Mode][]demangle.Option{
	Full:  {demangle.LLVMStyle, demangle.MaxLength(maxDemangledLog)},
	Short: {demangle.LLVMStyle, demangle.NoParams, demangle.NoEnclosingParams, demangle.MaxLength(maxDemangledLog)},
	NoTemplates: {
		demangle.LLVMStyle, demangle.NoParams, demangle.NoEnclosingParams, demangle.NoTemplateParams,
		demangle.MaxLength(maxDemangledLog),
	},
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

// demangleByLibrary demangles Rust's legacy names, and those of C++ that
// [demangleItanium] refuses. A panic of the library counts as a name it does
// not know.
func demangleByLibrary(linkage string, m Mode) (text, suffix string, ok bool) {
	if isHostile(linkage) {
		return "", "", false
	}
	base, suffix := cutSuffix(linkage)
	text, ok = demangleSymbol(base, m)
	if !ok && suffix != "" {
		// An assembler name can put a '.' into an identifier.
		suffix = ""
		text, ok = demangleSymbol(linkage, m)
	}
	return text, suffix, ok
}

// demangleSymbol demangles a name without suffix.
func demangleSymbol(name string, m Mode) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	name = withoutMachO(name)
	if escapesLetters(name) {
		return "", false
	}
	options, known := modeOptions[m]
	if !known {
		options = modeOptions[Full]
	}
	text, err := demangle.ToString(name, options...)
	return text, err == nil && text != ""
}
