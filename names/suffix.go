package names

import "strings"

// A linkage name may end in suffixes that the compiler appended: ".llvm.N" by
// ThinLTO when it promotes a local, ".__uniq.N" by
// -funique-internal-linkage-names, ".cold", ".part.N" and others when it
// splits or clones a function.

// cloneWords are the suffixes that may follow a plain C name. Anything else
// after a '.', as in "_GLOBAL__sub_I_main.cpp" or "__cxx_global_var_init.3",
// belongs to the name.
var cloneWords = wordSet(`
	llvm __uniq cold part isra constprop specialized content outlined extracted lto_priv resume
	destroy cleanup argelim argprom retelim ifunc resolver default localalias`)

// uniqueWords are the suffixes that only make a symbol unique.
var uniqueWords = wordSet("llvm __uniq lto_priv localalias")

// wordSet has words with blanks between them.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// cutClones separates a name from the known suffixes at its end. Numbers belong
// to the word before them.
func cutClones(name string) (base, suffix string) {
	end := len(name)
	for rest := name; ; {
		dot := strings.LastIndexByte(rest, '.')
		if dot <= 0 {
			break
		}
		word := rest[dot+1:]
		rest = rest[:dot]
		if cloneWords[word] {
			end = dot
		} else if !isDigits(word) {
			break
		}
	}
	return name[:end], name[end:]
}

// cutNoise removes from a suffix the parts that only make a symbol unique, such
// as ".llvm.N" and ".__uniq.N", and the numbers of the rest: what stays says in
// what way a symbol is not all of its function.
func cutNoise(suffix string) string {
	if suffix == "" {
		return ""
	}
	var kept strings.Builder
	for word := range strings.SplitSeq(suffix[1:], ".") {
		if !uniqueWords[word] && !isDigits(word) {
			kept.WriteByte('.')
			kept.WriteString(word)
		}
	}
	return kept.String()
}
