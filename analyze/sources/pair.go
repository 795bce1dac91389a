package sources

import (
	"path"
	"strconv"
	"strings"

	"proflens/internal/humanize"
)

// Pair finds the text of each file that a profile names among paths below a folder: the index
// of the path whose end is longest in common, or -1 for none. Components are compared. A
// program may be built anywhere: what stands before the common end may differ, but a common
// file name alone does for paths in at most one folder. Of several that fit as well, the one
// with least before its common end counts, and else none.
func Pair(files, paths []string) []int {
	type candidate struct {
		path, before int
		several      bool
	}
	named := map[string]bool{}
	for _, f := range files {
		named[path.Base(slashed(f))] = true
	}
	ends := map[string]candidate{}
	for i, p := range paths {
		end, more := slashed(p), named[path.Base(slashed(p))]
		for before := 0; more; before++ {
			switch had, known := ends[end]; {
			case !known || before < had.before:
				ends[end] = candidate{i, before, false}
			case before == had.before:
				had.several = true
				ends[end] = had
			}
			_, end, more = strings.Cut(end, "/")
		}
	}
	list := make([]int, len(files))
	for i, f := range files {
		list[i] = -1
		whole := slashed(f)
		for end, more := whole, true; more; _, end, more = strings.Cut(end, "/") {
			if c, ok := ends[end]; ok {
				if !c.several && (c.before <= 1 || end == whole || strings.Contains(end, "/")) {
					list[i] = c.path
				}
				break
			}
		}
	}
	return list
}

// maxNamed is how many missing files a sentence names.
const maxNamed = 5

// Matched says how many source files have text, and which have none: all of these, or as
// many as are known.
func Matched(with, of int, missing []string) string {
	said := strconv.Itoa(with) + " of " + humanize.Plural(of, "source")
	if with >= of {
		return said
	}
	names := make([]string, 0, maxNamed+1)
	for _, name := range missing[:min(len(missing), maxNamed)] {
		names = append(names, humanize.Printable(name))
	}
	if more := of - with - len(names); more > 0 {
		names = append(names, strconv.Itoa(more)+" more")
	}
	return said + "; missing " + strings.Join(names, ", ")
}
