package names

import "strings"

// A linkage name may end in suffixes that the compiler appended: ".llvm.N" by
// ThinLTO when it promotes a local, ".__uniq.N" by
// -funique-internal-linkage-names, ".cold", ".part.N" and others when it
// splits or clones a function.

// cloneWords are the suffixes that may follow a plain C name. Anything else
// after a '.', as in "_GLOBAL__sub_I_main.cpp" or "__cxx_global_var_init.3",
// belongs to the name.
var cloneWords = map[string]bool{
	"llvm": true, "__uniq": true, "cold": true, "part": true, "isra": true, "constprop": true,
	"specialized": true, "content": true, "outlined": true, "extracted": true, "lto_priv": true,
	"resume": true, "destroy": true, "cleanup": true, "argelim": true, "argprom": true,
	"retelim": true, "ifunc": true, "resolver": true, "default": true, "localalias": true,
}

// uniqueWords are the suffixes that only make a symbol unique.
var uniqueWords = map[string]bool{"llvm": true, "__uniq": true, "lto_priv": true, "localalias": true}

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
