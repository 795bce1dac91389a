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

// Tree is the tree of paths, with slashes between their parts. Directories that stand
// alone are never made: memory is in proportion to the paths, however deep they are.
func Tree(paths []string) *Dir {
	root := &Dir{File: -1}
	order := make([]int, len(paths))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(paths[a], paths[b]) })
	root.fill(paths, order, 0, 0)
	return root
}

// fill puts files below a directory, whose path and the slash behind it are so many bytes;
// level is how deep it stands.
func (d *Dir) fill(paths []string, order []int, from, level int) {
	d.Files = len(order)
	for len(order) > 0 {
		path := paths[order[0]]
		end := slash(path, from)
		if end < 0 || level == maxDepth {
			d.Kids = append(d.Kids, &Dir{Name: path[strings.LastIndexByte(path, '/')+1:], Path: path, File: order[0], Files: 1})
			order = order[1:]
			continue
		}
		n := 1
		for n < len(order) && strings.HasPrefix(paths[order[n]], path[:end+1]) {
			n++
		}
		last, below := paths[order[n-1]], level+1
		for next := slash(path, end+1); next >= 0 && below < maxDepth &&
			strings.HasPrefix(last, path[:next+1]); next = slash(path, end+1) {
			end, below = next, below+1
		}
		kid := &Dir{Name: path[from:end], Path: path[:end], File: -1}
		kid.fill(paths, order[:n], end+1, below)
		d.Kids, order = append(d.Kids, kid), order[n:]
	}
	slices.SortStableFunc(d.Kids, func(a, b *Dir) int {
		return cmp.Or(cmp.Compare(min(a.File, 0), min(b.File, 0)), strings.Compare(a.Name, b.Name),
			cmp.Compare(a.File, b.File))
	})
}

// slash is where the next part of a path ends, -1 for the last. The root of a file system
// is no directory of its own.
func slash(path string, from int) int {
	skip := 0
	if from == 0 && strings.HasPrefix(path, "/") {
		skip = 1
	}
	if n := strings.IndexByte(path[from+skip:], '/'); n >= 0 {
		return from + skip + n
	}
	return -1
}
