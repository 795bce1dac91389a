package names

import (
	"bytes"
	"strings"
)

// maxScopes bounds the scopes of a name, and maxScope the bytes of one: no
// compiler nests that deep, a hostile file may.
const (
	maxScopes = 64
	maxScope  = 1 << 10
)

// Scopes lists what a function stands in, outermost first: namespaces, modules,
// classes, traits and enclosing functions, each without template arguments and
// parameters. It is empty for a function in no scope, for one of C, and for a
// name that does not demangle.
//
//	llvm::SmallVectorImpl<int>::push_back(int const&)   llvm, SmallVectorImpl
//	non-virtual thunk to (anonymous namespace)::A::f()  (anonymous namespace), A
//	<T as core::fmt::Debug>::fmt                        <T as core::fmt::Debug>
//	-[View draw]                                        View
//
// What is deeper than 64 scopes is left out; a scope longer than 1 KiB is cut.
func Scopes(pgo []byte) []string {
	return splitScopes(AppendScopes(nil, pgo))
}

// AppendScopes appends what [Scopes] lists to a key, each with a NUL behind: most scopes
// are known from another name, and take no memory then.
func AppendScopes(key, pgo []byte) []byte {
	_, linkage := Cut(pgo)
	if isObjC(linkage) {
		class, _, _ := strings.Cut(string(linkage[2:]), " ")
		return appendScope(key, class)
	}
	if !isMangled(linkage) {
		return key
	}
	if longer, ok := appendPlainScopes(key, linkage); ok {
		return longer
	}
	for _, scope := range scopesIn(SplitDemangled(Demangle(string(linkage), NoTemplates)).Namespace) {
		key = appendScope(key, scope)
	}
	return key
}

// splitScopes are the scopes in a key.
func splitScopes(key []byte) (list []string) {
	for len(key) > 0 {
		end := bytes.IndexByte(key, 0)
		list = append(list, string(key[:end]))
		key = key[end+1:]
	}
	return list
}

// scopesIn takes the part of a demangled name before its base apart.
func scopesIn(namespace string) []string {
	var list []string
	start, end := 0, -1 // of the scope: it ends where its arguments begin
	begin := func(at int) { start, end = at, -1 }
	for at := 0; at < len(namespace); {
		rest := namespace[at:]
		switch c := rest[0]; {
		case at == start && isOperator(rest):
			operator, _, _ := strings.Cut(rest, "::")
			at += operatorLen(operator)
		case strings.HasPrefix(rest, "::<") && at > start: // Rust's generic arguments
			end = ending(end, at)
			at += 2 + groupLen(rest[2:])
		case strings.HasPrefix(rest, "::"):
			list = scopeOf(list, namespace[start:ending(end, at)])
			at += 2
			begin(at)
		case c == ' ' && isQualifier(rest[1:]):
			end = ending(end, at)
			at++
		case c == ' ': // what stood before is a return type, or "thunk to"
			list = nil
			at++
			begin(at)
		case c == '(' || c == '<' || c == '[' || c == '{':
			if at > start && c != '{' {
				end = ending(end, at)
			}
			at += groupLen(rest)
		case c == '\'':
			at += quoteLen(rest)
		default:
			at++
		}
	}
	return list
}

// ending is where a scope ends that is at an offset now.
func ending(end, at int) int {
	if end >= 0 {
		return end
	}
	return at
}

// isQualifier reports whether a word behind parameters belongs to them.
func isQualifier(word string) bool {
	for _, q := range []string{"const", "volatile", "&", "noexcept"} {
		if after, ok := strings.CutPrefix(word, q); ok && (after == "" || !isIdentifier(rune(after[0]))) {
			return true
		}
	}
	return false
}

// scopeOf appends a scope within the bounds.
func scopeOf(list []string, scope string) []string {
	if scope == "" || len(list) == maxScopes {
		return list
	}
	return append(list, scope[:min(len(scope), maxScope)])
}

// appendScope appends a scope to a key, a NUL in it as a space.
func appendScope[T string | []byte](key []byte, scope T) []byte {
	start := len(key)
	key = append(key, scope[:min(len(scope), maxScope)]...)
	for i, c := range key[start:] {
		if c == 0 {
			key[start+i] = ' '
		}
	}
	if len(key) == start {
		return key
	}
	return append(key, 0)
}

// appendPlainScopes reads the scopes of the commonest C++ names off the mangling,
// <nested-name> of source names alone: demangling takes a hundred times as long.
func appendPlainScopes(key, linkage []byte) (longer []byte, ok bool) {
	rest, nested := bytes.CutPrefix(linkage, []byte("_ZN"))
	if !nested {
		rest, ok = bytes.CutPrefix(linkage, []byte("_Z"))
		return key, ok && len(rest) > 0 && rest[0] >= '1' && rest[0] <= '9' // a name in no scope
	}
	for len(rest) > 0 && strings.IndexByte("rVKRO", rest[0]) >= 0 {
		rest = rest[1:]
	}
	start, scopes, last := len(key), 0, len(key)
	for len(rest) > 0 && rest[0] >= '1' && rest[0] <= '9' {
		var name []byte
		if name, rest, ok = sourceName(rest); !ok {
			return key[:start], false
		}
		switch {
		case bytes.HasPrefix(name, []byte("_GLOBAL__N")):
			name = []byte("(anonymous namespace)")
		case isRustName(name):
			return key[:start], false
		}
		last = len(key)
		key = appendScope(key, name)
		scopes++
	}
	switch {
	case len(rest) == 0 || scopes == 0 || scopes >= maxScopes:
	case rest[0] == 'E':
		return key[:last], true
	case len(rest) > 2 && (rest[0] == 'C' || rest[0] == 'D') && rest[1] >= '0' && rest[1] <= '5' && rest[2] == 'E':
		return key, true // a constructor or destructor
	}
	return key[:start], false
}

// isRustName reports whether a part of a name can be of the mangling that Rust had before
// its own.
func isRustName(name []byte) bool {
	for _, c := range name {
		if c == '$' || c == '.' {
			return true
		}
	}
	return len(name) == 17 && name[0] == 'h'
}

// sourceName reads a length and as many bytes.
func sourceName(mangled []byte) (name, rest []byte, ok bool) {
	n := 0
	for len(mangled) > 0 && mangled[0] >= '0' && mangled[0] <= '9' && n <= maxLinkage {
		n = 10*n + int(mangled[0]-'0')
		mangled = mangled[1:]
	}
	if n > len(mangled) {
		return nil, nil, false
	}
	return mangled[:n], mangled[n:], true
}
