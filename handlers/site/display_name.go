package site

import (
	"fmt"
	"strconv"
	"strings"

	"proflens/internal/humanize"
	"proflens/names"
)

// Symbols writes functions' names in one mode, through a shared cache.
type Symbols struct {
	Cache *names.Cache
	Mode  names.Mode
	Long  bool // of the function that the page is about: cut much later
}

// Symbols are the site's in a mode.
func (s *Site) Symbols(mode names.Mode) Symbols { return Symbols{Cache: s.Names, Mode: mode} }

// Name is a function's name for a table. The path of a local function is in
// the title only: it has a column of its own.
func (s Symbols) Name(pgo []byte, ref uint64) humanize.Name {
	if len(pgo) == 0 {
		return humanize.MissingName(ref)
	}
	show := humanize.Printable
	if s.Long {
		show = humanize.Long
	}
	path, linkage := names.Split(pgo)
	full := show(s.Cache.Demangle(linkage, names.Full))
	if path != "" {
		full += "\n" + show(path)
	}
	shown := s.Cache.Demangle(linkage, s.Mode)
	if s.Mode == names.Mangled || shown == "" {
		// A mangled name has no parts; it is cut at its end like a namespace.
		return humanize.Name{Namespace: show(linkage), Full: full}
	}
	if shown == linkage && looksMangled(linkage) {
		return humanize.Name{Namespace: show(linkage), Full: full}
	}
	parts := names.SplitDemangled(shown)
	// A conversion's type can be as long as any argument list, and is cut as one.
	if kind, _, found := strings.Cut(parts.Base, " "); found && kind == "operator" && len(parts.Base) > longOperator {
		parts.Base, parts.Args = kind, parts.Base[len(kind):]+parts.Args
	}
	return humanize.Name{
		Namespace: show(parts.Namespace), Base: show(parts.Base), Args: show(parts.Args),
		Full: full,
	}
}

// longOperator is the length of base from which a conversion's type is cut.
const longOperator = 40

// looksMangled reports whether a name that did not demangle is of a mangling all
// the same: it has no base to keep whole.
func looksMangled(linkage string) bool {
	const short = 32
	mangled := len(linkage) > short && strings.ContainsRune("_?$", rune(linkage[0]))
	return mangled && !strings.HasPrefix(linkage, "_GLOBAL__")
}

// FID is a function's address: its NameRef in sixteen hex digits.
func FID(ref uint64) string { return fmt.Sprintf("%016x", ref) }

// ParseFID reads what fid writes.
func ParseFID(s string) (uint64, bool) {
	ref, err := strconv.ParseUint(s, 16, 64)
	return ref, err == nil && s == FID(ref)
}

// ShortName is the innermost scope and the base, for a narrow note.
func ShortName(n humanize.Name) string {
	if n.Base == "" {
		return n.Namespace
	}
	return n.Base
}
