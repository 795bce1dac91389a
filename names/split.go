package names

import "bytes"

// Split separates a PGO name into the path of the source file, which only
// functions of local linkage have, and the linkage name (instrprof.md §4). The
// path is empty when there is none.
//
//	dir/a.c;foo     IR instrumentation since LLVM 18
//	a.c:foo         before, and front-end instrumentation to this day
//	<unknown>;foo   local, in a file without a name
func Split(pgo []byte) (path, linkage string) {
	p, l := Cut(pgo)
	return string(p), string(l)
}

// Cut is [Split] without copying: both results are parts of pgo.
func Cut(pgo []byte) (path, linkage []byte) {
	if i := bytes.IndexByte(pgo, ';'); i >= 0 {
		if i == len(pgo)-1 {
			return nil, pgo
		}
		return pgo[:i], pgo[i+1:]
	}
	if i := colon(pgo); i >= 0 && i < len(pgo)-1 {
		return pgo[:i], pgo[i+1:]
	}
	return nil, pgo
}

// colon finds the ':' that ends a path, or -1. A ':' also stands in C++ scopes,
// Objective-C selectors and after a Windows drive, so it counts only after
// something that looks like a source file.
func colon(pgo []byte) int {
	if isObjC(pgo) {
		return -1
	}
	for i := 0; i < len(pgo); i++ {
		n := bytes.IndexByte(pgo[i:], ':')
		if n < 0 {
			return -1
		}
		i += n
		if i+1 < len(pgo) && pgo[i+1] == ':' {
			for i+1 < len(pgo) && pgo[i+1] == ':' {
				i++
			}
			continue
		}
		if isSourceFile(pgo[:i]) {
			return i
		}
	}
	return -1
}

// isObjC reports whether a name is an Objective-C method, "-[Class selector:]"
// or "+[Class selector:]".
func isObjC[T string | []byte](name T) bool {
	return len(name) > 2 && (name[0] == '-' || name[0] == '+') && name[1] == '['
}

// sourceExtensions are the extensions, in lower case, that mark a path before a
// ':'. Besides source files there are those of modules that link-time
// optimisation named.
var sourceExtensions = wordSet(`
	c cc cp cpp cxx c++
	h hh hpp hxx h++ inc inl ipp tcc tpp txx def
	ixx cppm ccm cxxm c++m
	m mm rs swift d zig cu cuh hip cl
	f for f77 f90 f95 f03 f08
	i ii mi mii ll bc o`)

// isSourceFile reports whether the text before a ':' looks like a file.
func isSourceFile(path []byte) bool {
	if bytes.HasSuffix(path, []byte("<unknown>")) || bytes.HasSuffix(path, []byte("<stdin>")) {
		return true
	}
	dot := bytes.LastIndexByte(path, '.')
	if dot <= 0 || len(path)-dot-1 > 5 {
		return false
	}
	var ext [5]byte
	n := copy(ext[:], path[dot+1:])
	for i, c := range ext[:n] {
		ext[i] = lower(c)
	}
	return sourceExtensions[string(ext[:n])] || isCodegenUnit(path, dot)
}

// isCodegenUnit reports whether path ends in "-cgu.N", as rustc names its
// modules; dot is the offset of that '.'.
func isCodegenUnit(path []byte, dot int) bool {
	return bytes.HasSuffix(path[:dot], []byte("-cgu")) && isDigits(path[dot+1:])
}

// isDigits reports whether s is one or more decimal digits.
func isDigits[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}

// lower folds an ASCII letter to lower case.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
