package sources

import (
	"cmp"
	"slices"
	"strings"
)

// Dir is a directory or a file of a tree of paths. A directory that has nothing but another
// stands with it as one, "a/b".
type Dir struct {
	Name  string // below the one above
	Path  string // of the root empty
	File  int    // which path it is, by index; -1 for a directory
	Files int    // at or below
	Kids  []*Dir // directories first, each by name
}

// maxDepth is how deep directories can be; what is deeper is in the last.
const maxDepth = 64

// Tree is the tree of paths, with slashes between their parts.
func Tree(paths []string) *Dir {
	root := &Dir{File: -1}
	dirs := map[string]*Dir{"": root}
	for i, path := range paths {
		at, end := root, 0
		at.Files++
		for range maxDepth {
			n := strings.IndexByte(path[end:], '/')
			if n == 0 && end == 0 { // the root of a file system is no directory of its own
				if n = strings.IndexByte(path[1:], '/'); n >= 0 {
					n++
				}
			}
			if n < 0 {
				break
			}
			dir := path[:end+n]
			next := dirs[dir]
			if next == nil {
				next = &Dir{Name: path[end : end+n], Path: dir, File: -1}
				dirs[dir] = next
				at.Kids = append(at.Kids, next)
			}
			next.Files++
			at, end = next, end+n+1
		}
		at.Kids = append(at.Kids, &Dir{Name: path[strings.LastIndexByte(path, '/')+1:], Path: path, File: i, Files: 1})
	}
	root.fold()
	return root
}

// fold makes chains of directories one, and orders what is in each.
func (d *Dir) fold() {
	for _, kid := range d.Kids {
		kid.fold()
		for kid.File < 0 && len(kid.Kids) == 1 && kid.Kids[0].File < 0 {
			only := kid.Kids[0]
			kid.Name, kid.Path, kid.Kids = kid.Name+"/"+only.Name, only.Path, only.Kids
		}
	}
	slices.SortStableFunc(d.Kids, func(a, b *Dir) int {
		return cmp.Or(cmp.Compare(min(a.File, 0), min(b.File, 0)), strings.Compare(a.Name, b.Name))
	})
}
