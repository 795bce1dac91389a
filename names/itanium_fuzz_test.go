package names

import (
	"strings"
	"testing"
	"time"

	"proflens/internal/memtest"
)

// FuzzItanium holds the demangler of C++ to its bounds, and its reading of a
// name to the library's: where both accept one, they agree on what it is called.
func FuzzItanium(f *testing.F) {
	for i, name := range first(sample(f)) {
		if i%64 == 0 && len(name) < 200 {
			f.Add(name)
		}
	}
	for _, tt := range grammar {
		f.Add(tt.linkage)
	}
	f.Fuzz(func(t *testing.T, linkage string) {
		defer memtest.Watch(t, len(linkage))()
		if len(linkage) > maxLinkage {
			return
		}
		for _, m := range []Mode{Full, Short, NoTemplates} {
			start := time.Now()
			text, suffix, ok := demangleItanium(linkage, m)
			if took := time.Since(start); took > time.Minute {
				t.Errorf("%q, %s: took %v", linkage, m, took)
			}
			if suffix > len(linkage) || len(text) > maxText || ok != (text != "") {
				t.Errorf("%q, %s: %d bytes, %d of suffix, %v", linkage, m, len(text), suffix, ok)
			}
		}
		if strings.HasPrefix(strings.TrimLeft(linkage, "_"), "ZT") {
			return // of a type, whose words differ: "complex", "_Complex"
		}
		ours, theirs := bases(linkage)
		if isWord(ours) && isWord(theirs) && ours != theirs {
			t.Errorf("%q is %q, by the library %q", linkage, ours, theirs)
		}
	})
}

// bases are what ours and the library call a name, if both accept it.
func bases(linkage string) (ours, theirs string) {
	ours, _, ok := demangleCpp(linkage, NoTemplates)
	theirs, _, also := demangleByLibrary(linkage, NoTemplates)
	if !ok || !also {
		return "", ""
	}
	return SplitDemangled(ours).Base, SplitDemangled(theirs).Base
}

func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !isIdentifier(r) }) < 0
}
