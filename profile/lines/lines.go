// Package lines is figures by line of source files: what the families of a profile have
// beside the code.
package lines

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"proflens/analyze/sources"
)

// Column is a figure that lines and files have.
type Column struct {
	Key   string // of tables and the API; a profile has each once
	Label string // for people
	Title string // what it counts
	Bytes bool   // its values are bytes
	// Shared is set where several files have the same of it, as the stacks that pass them:
	// their sum is of nothing.
	Shared bool
	// Counts is set where it counts what is there, rather than how much that did.
	Counts bool
}

// Table is figures of a profile by file and line. It is immutable.
type Table struct {
	Columns []Column
	Files   []File // by name
}

// File is a source file.
type File struct {
	Name  string   `col:"file" width:"40" head:"File" is:"sort,up,words" help:"source file"` // as sources.Clean writes it
	Sums  []uint64 // by column, of the whole file
	Lines []uint32 // that have a figure; rising. 0 is for what has no line
	cells []uint64
}

// At are the figures of one of the lines, by column.
func (f *File) At(i int) []uint64 {
	n := len(f.Sums)
	return f.cells[i*n : i*n+n : i*n+n]
}

// Find is a file by its name; nil where the table has none of it.
func (t *Table) Find(name string) *File {
	name = sources.Clean(name)
	i, ok := slices.BinarySearchFunc(t.Files, name, func(f File, name string) int { return strings.Compare(f.Name, name) })
	if !ok {
		return nil
	}
	return &t.Files[i]
}

// EndsWith is the only file whose name ends with whole components of a path; nil for none
// or several.
func (t *Table) EndsWith(path string) (found *File) {
	for i := range t.Files {
		if path == "" || !strings.HasSuffix(t.Files[i].Name, "/"+path) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &t.Files[i]
	}
	return found
}

// Below is a file's name below the directory that all files of the table share.
func (t *Table) Below(f *File) string {
	first, last := t.Files[0].Name, t.Files[len(t.Files)-1].Name // all are between them
	shared := 0
	for i := range min(len(first), len(last)) {
		if first[i] != last[i] {
			break
		}
		if first[i] == '/' || first[i] == '\\' {
			shared = i + 1
		}
	}
	return f.Name[shared:]
}

// Bytes is about how much memory the table takes.
func (t *Table) Bytes() (size int64) {
	for i := range t.Files {
		f := &t.Files[i]
		size += int64(len(f.Name)) + 96 + 4*int64(len(f.Lines)) + 8*int64(len(f.cells)+len(f.Sums))
	}
	return size
}

// Builder makes a table.
type Builder struct {
	columns []Column
	files   map[string]*building
}

// building is a file of it.
type building struct {
	sums  []uint64
	lines map[uint32][]uint64
}

// New begins a table.
func New(columns ...Column) *Builder {
	return &Builder{columns, map[string]*building{}}
}

// Add adds to a line and to its file. Sums stop at the largest number.
func (b *Builder) Add(file string, line uint32, column int, value uint64) {
	b.AddLine(file, line, column, value)
	b.AddFile(file, column, value)
}

// AddLine adds to a line alone, where the file's figure is no sum of its lines.
func (b *Builder) AddLine(file string, line uint32, column int, value uint64) {
	f := b.file(file)
	cells := f.lines[line]
	if cells == nil {
		cells = make([]uint64, len(b.columns))
		f.lines[line] = cells
	}
	cells[column] = plus(cells[column], value)
}

// AddFile adds to a file alone.
func (b *Builder) AddFile(file string, column int, value uint64) {
	f := b.file(file)
	f.sums[column] = plus(f.sums[column], value)
}

func (b *Builder) file(name string) *building {
	f := b.files[name]
	if f == nil {
		f = &building{make([]uint64, len(b.columns)), map[uint32][]uint64{}}
		b.files[name] = f
	}
	return f
}

func plus(a, b uint64) uint64 {
	if a+b < a {
		return 1<<64 - 1
	}
	return a + b
}

// Table is what was added.
func (b *Builder) Table() *Table {
	clean := map[string]*building{}
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		from, to := b.files[name], clean[sources.Clean(name)]
		if to == nil {
			clean[sources.Clean(name)] = from
			continue
		}
		for i, v := range from.sums {
			to.sums[i] = plus(to.sums[i], v)
		}
		for line, cells := range from.lines {
			if to.lines[line] == nil {
				to.lines[line] = cells
				continue
			}
			for i, v := range cells {
				to.lines[line][i] = plus(to.lines[line][i], v)
			}
		}
	}
	t := &Table{Columns: b.columns}
	for name, from := range clean {
		f := File{Name: name, Sums: from.sums, Lines: slices.Sorted(maps.Keys(from.lines))}
		for _, line := range f.Lines {
			f.cells = append(f.cells, from.lines[line]...)
		}
		t.Files = append(t.Files, f)
	}
	slices.SortFunc(t.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return t
}

// Join is tables side by side.
func Join(tables ...*Table) *Table {
	if len(tables) == 1 {
		return tables[0]
	}
	b := New()
	for _, t := range tables {
		b.columns = append(b.columns, t.Columns...)
	}
	at := 0
	for _, t := range tables {
		for i := range t.Files {
			f := &t.Files[i]
			for c, v := range f.Sums {
				b.AddFile(f.Name, at+c, v)
			}
			for n, line := range f.Lines {
				for c, v := range f.At(n) {
					b.AddLine(f.Name, line, at+c, v)
				}
			}
		}
		at += len(t.Columns)
	}
	return b.Table()
}
