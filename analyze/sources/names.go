package sources

import (
	"path"
	"strings"
)

// Names finds the files that a profile names among paths of an archive or a repository.
type Names struct {
	files  []string
	byBase map[string][]int
}

// NewNames takes the names that the mapping has.
func NewNames(files []string) *Names {
	n := &Names{files: files, byBase: make(map[string][]int, len(files))}
	for i, f := range files {
		base := path.Base(slashed(f))
		n.byBase[base] = append(n.byBase[base], i)
	}
	return n
}

// Find is the file that a path means, by index: that of the same name, or the only one
// whose name ends with the path, or with which the path ends. -1: none, or several.
func (n *Names) Find(p string) int {
	p = slashed(p)
	found, most := -1, -1
	for _, i := range n.byBase[path.Base(p)] {
		file := slashed(n.files[i])
		if file == p {
			return i
		}
		if !endsWith(file, p) && !endsWith(p, file) {
			continue
		}
		switch shared := min(len(file), len(p)); {
		case shared > most:
			found, most = i, shared
		case shared == most:
			found = -1
		}
	}
	return found
}

// FindIn is Find, also for a path below one more folder: archives often begin with one
// that is called after the version.
func (n *Names) FindIn(p string) int {
	p = slashed(p)
	if found := n.Find(p); found >= 0 {
		return found
	}
	if _, rest, ok := strings.Cut(p, "/"); ok {
		return n.Find(rest)
	}
	return -1
}

// Clean is the one way to write a file's name: without "." and "..", and with single
// slashes. Names of Windows stay as they are.
func Clean(name string) string {
	if name == "" || strings.Contains(name, `\`) {
		return name
	}
	return path.Clean(name)
}

func slashed(name string) string { return path.Clean(strings.ReplaceAll(name, `\`, "/")) }

// endsWith reports whether a path ends with whole components of another.
func endsWith(file, with string) bool {
	rest, ok := strings.CutSuffix(file, with)
	return ok && (rest == "" || strings.HasSuffix(rest, "/"))
}
