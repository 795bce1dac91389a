package llvmcov

import (
	"maps"
	"slices"
	"strings"

	"proflens/analyze/coverage"
)

// Directory is a directory of a report with a table of its own.
type Directory struct {
	Path  string   // with a slash at its end; what its rows' names are below
	Above []string // paths of the directories around it that have a table, the outermost first
	Rows  []Row    // directories first, then files, by name
}

// Directories are those of some files, the outermost last. What only leads to one file or one
// directory has no table.
func Directories(c *coverage.Coverage, files []int, keep func(*coverage.Function) bool) []Directory {
	d := divider{c: c, summaries: c.Summaries(keep)}
	d.divide(files, d.shared(files, 0), nil)
	return d.list
}

type divider struct {
	c         *coverage.Coverage
	summaries []coverage.Summary
	list      []Directory
}

// divide makes the table of a directory, and before it those of the directories in it. It
// returns what its files come to.
func (d *divider) divide(files []int, path string, above []string) (sum coverage.Summary) {
	dir := Directory{Path: path, Above: above}
	inner := map[string][]int{} // files by the next part of their paths
	var rows []Row
	for _, file := range files {
		name := d.c.Files[file].Name[len(path):]
		if i := strings.IndexByte(name, '/'); i >= 0 {
			inner[name[:i+1]] = append(inner[name[:i+1]], file)
			continue
		}
		rows = append(rows, Row{name, file, d.summaries[file]})
	}
	for _, part := range slices.Sorted(maps.Keys(inner)) {
		below := inner[part]
		row := Row{d.c.Files[below[0]].Name[len(path):], below[0], d.summaries[below[0]]}
		if len(below) > 1 {
			to := d.shared(below, len(path))
			row = Row{to[len(path):], -1, d.divide(below, to, append(slices.Clip(above), path))}
		}
		dir.Rows = append(dir.Rows, row)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	dir.Rows = append(dir.Rows, rows...)
	for i := range dir.Rows {
		sum.Add(dir.Rows[i].Summary)
	}
	d.list = append(d.list, dir)
	return sum
}

// shared is the directory that all of some files are in, which agree up to a place.
func (d *divider) shared(files []int, at int) string {
	first := d.c.Files[files[0]].Name
	end := len(first)
	for _, file := range files[1:] {
		name := d.c.Files[file].Name
		end = min(end, len(name))
		for i := at; i < end; i++ {
			if name[i] != first[i] {
				end = i
			}
		}
	}
	return first[:strings.LastIndexByte(first[:end], '/')+1]
}
