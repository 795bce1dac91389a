package analyze

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Library says which frames are the library's: the allocator's, the standard
// library's, those of system headers. Its patterns are of functions or of paths.
// Nobody looks there for what to change, so their allocations are blamed on the
// first frame outside. It is immutable.
type Library struct {
	functions []string
	paths     []string
	key       string
}

// DefaultLibrary is the list that there is without another. One with a '/' is part
// of a path: from its start, or anywhere where it does not begin with '/'. All
// others are beginnings of a demangled name, its return type aside: up to the end
// of a word, or with "::" or '*' at the end whatever follows.
var DefaultLibrary = []string{
	"operator new", "operator delete", "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign",
	"posix_memalign", "valloc", "pvalloc",
	"strdup", "strndup", "__interceptor_*", "___interceptor_*", "je_*", "mi_*", "tc_*", "__libc_*", "_start",
	"start_thread",
	"std::", "__gnu_cxx::", "__cxxabiv1::", "__cxa_*", "abi::",
	"alloc::", "core::", "hashbrown::", "__rust_alloc*", "__rust_realloc", "__rg_*", "__rdl_*", "rust_begin_unwind",
	"__rustc::*",
	"/usr/include/", "/usr/lib/", "/lib/", "/lib64/", "/usr/lib64/", "/usr/local/include/c++/", "/Library/Developer/",
	"/Applications/Xcode.app/",
	".rustup/toolchains/", "/rustc/", "lib/rustlib/src/", "include/c++/v1/",
}

// defaultWord stands for DefaultLibrary in a list.
const defaultWord = "default"

// The bounds of a list that somebody gives.
const (
	maxLibraryRules = 200
	maxLibraryRule  = 500
)

// ParseLibrary reads a list with commas: patterns as DefaultLibrary has them; "default"
// stands for all of these, and a '-' in front takes a pattern away again. An
// empty list is the default.
func ParseLibrary(text string) (*Library, error) {
	var rules []string
	words := strings.Split(text, ",")
	if len(words) > maxLibraryRules {
		return nil, fmt.Errorf("%d patterns; the limit is %d", len(words), maxLibraryRules)
	}
	for _, word := range words {
		word = strings.TrimSpace(word)
		switch {
		case word == "":
		case len(word) > maxLibraryRule:
			return nil, fmt.Errorf("a pattern has %d bytes; the limit is %d", len(word), maxLibraryRule)
		case word == defaultWord:
			rules = append(rules, DefaultLibrary...)
		case word[0] == '-' && len(word) > 1:
			at := slices.Index(rules, word[1:])
			if at < 0 {
				return nil, fmt.Errorf("%q is not in the list before it; start the list with %q", word[1:], defaultWord)
			}
			rules = slices.Delete(rules, at, at+1)
		case !slices.Contains(rules, word):
			rules = append(rules, word)
		}
	}
	if strings.Trim(text, ", ") == "" {
		rules = slices.Clone(DefaultLibrary)
	}
	l := &Library{key: strings.Join(rules, ",")}
	for _, rule := range rules {
		if strings.Contains(rule, "/") && !strings.HasPrefix(rule, "operator") {
			l.paths = append(l.paths, rule)
		} else {
			l.functions = append(l.functions, rule)
		}
	}
	return l, nil
}

// Key tells lists apart: all patterns with commas, as ParseLibrary reads them.
func (l *Library) Key() string { return l.key }

// With is the list with a pattern more, as ParseLibrary reads it: short where it begins as
// the default does.
func (l *Library) With(rule string) string {
	text := l.key + "," + rule
	if after, ok := strings.CutPrefix(text, strings.Join(DefaultLibrary, ",")); ok {
		return defaultWord + after
	}
	return text
}

// Len is the number of patterns.
func (l *Library) Len() int { return len(l.functions) + len(l.paths) }

// HasPath reports whether a source file, or that of a module, is the library's.
func (l *Library) HasPath(file string) bool {
	if file == "" {
		return false
	}
	clean := ResolvePath(file)
	return slices.ContainsFunc(l.paths, func(rule string) bool {
		if rule[0] == '/' {
			return strings.HasPrefix(file, rule) || strings.HasPrefix(clean, rule)
		}
		return strings.Contains(clean, rule)
	})
}

// HasFunction reports whether a function is the library's, by its demangled name
// without return type and parameters. A method of Rust is its type's.
func (l *Library) HasFunction(name string) bool {
	for strings.HasPrefix(name, "<") || strings.HasPrefix(name, "&") { // <alloc::vec::Vec<T> as Trait>::f
		name = name[1:]
	}
	return slices.ContainsFunc(l.functions, func(rule string) bool {
		if before, ok := strings.CutSuffix(rule, "*"); ok {
			return strings.HasPrefix(name, before)
		}
		after, ok := strings.CutPrefix(name, rule)
		return ok && (after == "" || strings.HasSuffix(rule, "::") || !isWord(after[0]) && !strings.HasPrefix(after, "::"))
	})
}

// ForCaller reports whether a function allocates for whoever calls it, by its name as
// HasFunction takes it: a constructor, a destructor, a method of a template, or what is named
// after an allocator, as the wrappers of malloc in C are.
func ForCaller(name string) bool {
	class, method := lastScope(name)
	_, class = lastScope(class)
	bare, _, template := strings.Cut(class, "<")
	own, _, _ := strings.Cut(method, "<")
	return template && bare != "" || class != "" && strings.TrimPrefix(method, "~") == class ||
		strings.Contains(strings.ToLower(own), "alloc")
}

// lastScope cuts a name at its last "::" that is in no template's arguments.
func lastScope(name string) (scope, last string) {
	depth := 0
	for i := len(name) - 1; i > 0; i-- {
		switch {
		case name[i] == '>' || name[i] == ')' || name[i] == '}':
			depth++
		case name[i] == '<' || name[i] == '(' || name[i] == '{':
			depth--
		case depth <= 0 && name[i-1:i+1] == "::":
			return name[:i-1], name[i+1:]
		}
	}
	return "", name
}

// SkipRule is the pattern of a function, or of the template that it is of, by its name as
// HasFunction takes it; empty where there is none.
func SkipRule(name string) string {
	rule, _, _ := strings.Cut(strings.TrimLeft(name, "<&"), "<")
	rule, _, _ = strings.Cut(rule, ",")
	rule = strings.TrimSpace(rule)
	if len(rule) > maxLibraryRule || strings.ContainsAny(rule, "/*") || strings.HasPrefix(rule, "-") ||
		rule == defaultWord {
		return ""
	}
	return rule
}

// isWord reports whether a byte goes on with an identifier.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// ResolvePath is a path as CleanPath has it, and without "a/..".
func ResolvePath(file string) string {
	if file == "" {
		return ""
	}
	return path.Clean(CleanPath(file))
}
