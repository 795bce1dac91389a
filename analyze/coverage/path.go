package coverage

import "strings"

// CleanPath folds "." and ".." of a path away, and makes its separators slashes: the
// form in which llvm-cov prints paths and compares them.
func CleanPath(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	rest, absolute := strings.CutPrefix(path, "/")
	var parts []string
	for part := range strings.SplitSeq(rest, "/") {
		switch {
		case part == "" || part == ".":
		case part != "..":
			parts = append(parts, part)
		case len(parts) > 0 && parts[len(parts)-1] != "..":
			parts = parts[:len(parts)-1]
		case !absolute:
			parts = append(parts, part)
		}
	}
	if absolute {
		return "/" + strings.Join(parts, "/")
	}
	return strings.Join(parts, "/")
}

// components are a path's, the root among them.
func components(path string) []string {
	var list []string
	if strings.HasPrefix(path, "/") {
		list = append(list, "/")
	}
	for part := range strings.SplitSeq(path, "/") {
		if part != "" {
			list = append(list, part)
		}
	}
	return list
}

// Redundant is the length of what all paths begin with, in whole components of the
// first; 0 of one path.
func Redundant(paths []string) int {
	if len(paths) < 2 {
		return 0
	}
	first := components(paths[0])
	n := len(first)
	for _, path := range paths[1:] {
		for i, part := range components(path) {
			if i >= n {
				break
			}
			if part != first[i] {
				n = i
				break
			}
		}
	}
	at := 0
	for i := range n {
		at += len(first[i])
		for at < len(paths[0]) && paths[0][at] == '/' && i < len(first)-1 {
			at++
		}
	}
	return at
}
