package covmap

import "bytes"

// isAbsolute reports whether a name stands for itself. llvm-cov asks the machine
// that it runs on; here those of Windows are absolute everywhere.
func isAbsolute(name []byte) bool {
	return len(name) > 0 && name[0] == '/' || bytes.HasPrefix(name, []byte(`\\`)) || len(name) > 2 && name[1] == ':' &&
		(name[2] == '\\' || name[2] == '/')
}

// join appends dir/name to path, with . and .. folded away as LLVM does: a name that
// needs no change stays as it is.
func join(path []byte, dir string, name []byte) []byte {
	start := len(path)
	path = append(path, dir...)
	if dir != "" && dir[len(dir)-1] != '/' && len(name) > 0 {
		path = append(path, '/')
	}
	path = append(path, name...)
	return path[:start+fold(path[start:])]
}

// fold folds a path in place and returns its new length.
func fold(path []byte) int {
	root := rootSize(path)
	out, names := root, 0 // names: components that a .. can take away
	for in := root; in < len(path); {
		end := in
		for end < len(path) && path[end] != '/' {
			end++
		}
		part := path[in:end]
		in = end + 1
		switch up := string(part) == ".."; {
		case len(part) == 0, string(part) == ".", up && names == 0 && root > 0:
			continue
		case up && names > 0:
			out = root + max(bytes.LastIndexByte(path[root:out], '/'), 0)
			names--
			continue
		case !up:
			names++
		}
		if out > root {
			path[out] = '/'
			out++
		}
		out += copy(path[out:], part)
	}
	return out
}

// rootSize is the length of a path's root: of "/", or "//host/".
func rootSize(path []byte) int {
	if len(path) == 0 || path[0] != '/' {
		return 0
	}
	if len(path) > 2 && path[1] == '/' && path[2] != '/' {
		if end := bytes.IndexByte(path[2:], '/'); end >= 0 {
			return 2 + end + 1
		}
		return len(path)
	}
	return 1
}
