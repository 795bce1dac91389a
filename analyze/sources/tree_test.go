package sources

import (
	"fmt"
	"strings"
	"testing"
)

// Directories come before files, chains of them are one, and each counts its files.
func TestTree(t *testing.T) {
	var b strings.Builder
	var write func(d *Dir, indent int)
	write = func(d *Dir, indent int) {
		for _, kid := range d.Kids {
			fmt.Fprintf(&b, "%*s%s %d %s\n", indent, "", kid.Name, kid.Files, kid.Path)
			write(kid, indent+1)
		}
	}
	root := Tree([]string{"/src/a/x.c", "/src/a/b/c/y.c", "/src/a/b/c/z.c", "/usr/include/s.h", "m.c", "/top.c", "d/e.c"})
	write(root, 0)
	const want = `/src/a 3 /src/a
 b/c 2 /src/a/b/c
  y.c 1 /src/a/b/c/y.c
  z.c 1 /src/a/b/c/z.c
 x.c 1 /src/a/x.c
/usr/include 1 /usr/include
 s.h 1 /usr/include/s.h
d 1 d
 e.c 1 d/e.c
m.c 1 m.c
top.c 1 /top.c
`
	if b.String() != want || root.Files != 7 {
		t.Errorf("%d files:\n%s", root.Files, b.String())
	}
	Tree([]string{strings.Repeat("a/", 1000) + "x", "", "/", "//", "a//b"})
}

// Directories that stand alone take nothing, however deep they are.
func TestTreeOfDeepPaths(t *testing.T) {
	var paths []string
	for i := range 1000 {
		paths = append(paths, fmt.Sprintf("p%d%s/f.c", i, strings.Repeat("/x", 60)))
	}
	made := testing.AllocsPerRun(1, func() { Tree(paths) })
	if most := float64(10 * len(paths)); made > most {
		t.Errorf("%.0f allocations, at most %.0f", made, most)
	}
	root := Tree(paths)
	if len(root.Kids) != 1000 || len(root.Kids[7].Kids) != 1 || root.Kids[7].Kids[0].File < 0 || root.Files != 1000 {
		t.Errorf("%d directories of %d files", len(root.Kids), root.Files)
	}
}
