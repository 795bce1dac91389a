package covdb

import (
	"context"
	"iter"
	"slices"
	"strings"
	"unsafe"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// column is the type of a blank field: the struct's method Cell makes its column, or its tag goes on with
// that of the field before it.
type column = table.Computed

// File is a source file.
type File struct {
	Index    int // from 0, by name
	FileName `col:"name" head:"Path" is:"sort,up,words"`
	Sums
	Conditions int          // places of conditions: rows of the table of branches
	Kind       sources.Kind `col:"kind" is:"sort,up,page" help:"own code, dependencies, generated, tests"`
	_          column       `col:"source_url" is:"script" help:"on another host; null for none"`
}

// FileName is what a file is called; it is ordered as it is recorded.
type FileName struct {
	Name string `col:"file" help:"as recorded"`
	Path string // with slashes, without what all names begin with
}

// Base is the last part of the path.
func (f *FileName) Base() string { return f.Path[strings.LastIndexByte(f.Path, '/')+1:] }

// Words implements [table.Sought].
func (n *FileName) Words(show func([]byte)) { show([]byte(n.Path)) }

// Compare implements [table.Ordered].
func (n *FileName) Compare(other any) int { return strings.Compare(n.Name, other.(*FileName).Name) }

// Cell implements [table.Celler].
func (f *File) Cell(_ string, o *table.Options) table.Cell { return o.SourceURL(f.Name, f.Path, 0) }

// Files is the table of files, the most missing lines first.
var Files = table.Declare[File](table.Declaration{
	About: "A source file with its coverage.", Noun: "file", Usual: "-missing", Sought: "path",
	Show: "name lines missing total regions branches functions mcdc",
	Text: "lines lines_covered lines_share regions_share branches_share functions_share mcdc_share file",
})

// The columns of coverage_file.
const (
	fileName       = 1
	fileSums       = 2
	filePartly     = fileSums + 18
	fileConditions = filePartly + 1
	fileMentions   = fileConditions + 1
)

// metrics are those of sums in the order of the columns.
func (s *Sums) metrics() []*coverage.Metric {
	return []*coverage.Metric{
		&s.Regions, &s.Functions, &s.Instantiations, &s.Lines, &s.Branches, &s.MCDC, &s.Union.Lines, &s.Union.Regions,
		&s.Union.Branches,
	}
}

func (p *Profile) readFiles() error {
	own := false
	p.Overview.Kinds = map[sources.Kind]int{}
	err := p.Walk("coverage_file", func(row *stored.Row) {
		f := File{Index: len(p.files), FileName: FileName{Name: row.String(fileName)}}
		if row.ID != int64(f.Index)+1 {
			row.Fail(stored.Damaged("file %d where %d was expected", row.ID, f.Index+1))
		}
		for i, m := range f.metrics() {
			m.Total, m.Covered = int(row.Int(fileSums+2*i)), int(row.Int(fileSums+2*i+1))
		}
		f.Partly, f.Conditions = int(row.Int(filePartly)), int(row.Int(fileConditions))
		f.Path = pathOf(f.Name, len(p.Overview.Prefix))
		f.Kind = sources.KindOf(f.Path)
		own = own || f.Kind == sources.Own
		p.files = append(p.files, f)
	})
	for i := range p.files {
		if f := &p.files[i]; !own {
			f.Kind = sources.Own // of a test alone, tests are what it is about
		} else if f.Kind != sources.Own {
			p.Overview.Kinds[f.Kind]++
		}
	}
	return err
}

// pathOf is a file's name without its first bytes, with slashes.
func pathOf(name string, cut int) string {
	path := strings.ReplaceAll(name[min(cut, len(name)):], `\`, "/")
	if path == "" {
		path = name
	}
	return strings.TrimLeft(path, "/")
}

// FileNames are the names of all files by index, as recorded.
func (p *Profile) FileNames() []string {
	names := make([]string, len(p.files))
	for i := range p.files {
		names[i] = p.files[i].Name
	}
	return names
}

// FileAt is a file by index; stored.ErrNoPart when there is none.
func (p *Profile) FileAt(index int) (*File, error) {
	if index < 0 || index >= len(p.files) {
		return nil, stored.ErrNoPart
	}
	return &p.files[index], nil
}

// counted are the files of which no kind is left out.
func (p *Profile) counted() iter.Seq[*File] {
	return func(yield func(*File) bool) {
		for i := range p.files {
			if f := &p.files[i]; !slices.Contains(p.out, f.Kind) && !yield(f) {
				return
			}
		}
	}
}

// fileSet is a set of files by index; nil, which is all, stays nil.
func (p *Profile) fileSet(files []int) query.Bitset {
	if files == nil {
		return nil
	}
	set := query.NewBitset(len(p.files))
	for _, file := range files {
		if file >= 0 && file < len(p.files) {
			set.Set(uint32(file))
		}
	}
	return set
}

// FileOf is the file of a path, of a name as recorded, or the only one whose name ends
// so; stored.ErrNoPart when there is none.
func (p *Profile) FileOf(path string) (*File, error) {
	if list := p.FilesOf(path); len(list) == 1 {
		return list[0], nil
	}
	return nil, stored.ErrNoPart
}

// FilesOf is the file of a path or of a name as recorded, or else all whose name ends
// with whole parts of it, by name.
func (p *Profile) FilesOf(path string) []*File {
	var ends []*File
	for i := range p.files {
		f := &p.files[i]
		if f.Path == path || f.Name == path {
			return []*File{f}
		}
		if strings.HasSuffix(strings.ReplaceAll(f.Name, `\`, "/"), "/"+path) {
			ends = append(ends, f)
		}
	}
	return ends
}

// File is the coverage of the functions that have something in a file, and the file in it, which
// is the one of the same index. Of other files it has no more than these functions say.
//
// Errors are stored.ErrNoPart for an index that there is not, the context's, or about
// the profile.
func (p *Profile) File(ctx context.Context, index int) (*coverage.Coverage, int, error) {
	if _, err := p.FileAt(index); err != nil {
		return nil, 0, err
	}
	ids, err := p.mentions(index)
	if err != nil {
		return nil, 0, err
	}
	c, err := p.coverage(ctx, ids)
	if err == nil && p.without != "" {
		c, _ = c.Without(p.left)
	}
	return c, index, err
}

// Union is a file with all instances of a function as one, and what it was made from. It is
// kept for the next page of the file, so nobody changes it.
type Union struct {
	*coverage.View
	Coverage *coverage.Coverage
	Rows     []coverage.Row // of the view
}

// Union is the union of a file, by its index. Errors are those of [Profile.File].
func (p *Profile) Union(ctx context.Context, index int) (Union, error) {
	key := query.CacheKey("coverage union", index, p.without)
	return stored.Cached(ctx, p.Profile, key, func() (u Union, size int64, err error) {
		c, at, err := p.File(ctx, index)
		if err != nil {
			return u, 0, err
		}
		view := c.UnionView(at)
		u = Union{view, c, view.Rows()}
		size = int64(len(u.Segments))*int64(unsafe.Sizeof(coverage.Segment{})) +
			int64(len(u.Rows))*int64(unsafe.Sizeof(coverage.Row{}))
		for i := range c.Functions {
			f := &c.Functions[i]
			size += int64(len(f.Regions)+len(f.Branches)) * int64(unsafe.Sizeof(coverage.Region{}))
		}
		return u, 2 * size, nil // what begins in a row, and lists of regions
	})
}

// mentions are the functions that have something in a file, from 0.
func (p *Profile) mentions(file int) ([]uint32, error) {
	row, err := p.RowOf("coverage_file", file+1)
	if err != nil {
		return nil, err
	}
	steps := stored.Vector(nil, row, fileMentions)
	ids, at := make([]uint32, 0, len(steps)), uint64(0)
	for _, step := range steps {
		if at += step; step == 0 || at > uint64(p.Overview.Instances) {
			return nil, stored.Damaged("file %d mentions function %d of %d", file+1, at, p.Overview.Instances)
		}
		ids = append(ids, uint32(at-1))
	}
	return ids, row.Err()
}

// FileQuery selects, orders and pages files. What is called lines, regions and branches, and
// what is missing, is that of the union of instances where it is asked for.
type FileQuery struct {
	query.RowQuery        // words of the path
	Dir            string // a directory, and all below; empty for all
	Thresholds     []Threshold
	Union          bool
	Without        []sources.Kind // that are left out
}

// Files returns one page of files. Errors are those of [Profile.FindFiles].
func (p *Profile) Files(ctx context.Context, q FileQuery) (rows []*File, matching int, err error) {
	page, err := p.FindFiles(q)(ctx, table.Query{RowQuery: q.RowQuery})
	if err != nil {
		return nil, 0, err
	}
	return table.RowsOf[File](&page), page.Matching, nil
}

// FileSums are what the files of a query come to.
type FileSums struct {
	Files int
	Sums
}

// Sum adds up what matches a query. Errors are those of [Profile.FindFiles].
func (p *Profile) Sum(ctx context.Context, q FileQuery) (*FileSums, error) {
	q.Limit = len(p.files)
	list, matching, err := p.Files(ctx, q)
	s := &FileSums{Files: matching}
	for _, f := range list {
		s.Add(&f.Sums)
	}
	return s, err
}

// FindFiles finds those that a query selects; the rest of it does not count, nor do
// thresholds among the words.
func (p *Profile) FindFiles(q FileQuery) table.Find {
	dir := strings.Trim(q.Dir, "/")
	tests := []query.Test{func(i uint32) bool { return !slices.Contains(q.Without, p.files[i].Kind) }}
	if dir != "" {
		tests = append(tests, func(i uint32) bool { return strings.HasPrefix(p.files[i].Path, dir+"/") })
	}
	for _, t := range q.Thresholds {
		of := metricOf(t.Column, q.Union)
		tests = append(tests, func(i uint32) bool { return of != nil && t.passes(*of(&p.files[i].Sums)) })
	}
	find := Files.Within(table.Set{Rows: p.files, Tests: tests})
	return func(ctx context.Context, t table.Query) (table.Page, error) {
		t.Text, t.Sort, t.Ranges = WordsOf(t.Text), order(t.Sort, q.Union), slices.Clone(t.Ranges)
		for i := range t.Ranges {
			t.Ranges[i].Column = counted(t.Ranges[i].Column, q.Union)
		}
		return find(ctx, t)
	}
}

// order is an order by the way of counting: by missing lines where there is none.
func order(keys []query.Key, union bool) []query.Key {
	if len(keys) == 0 {
		keys = []query.Key{Files.Key()}
	}
	keys = slices.Clone(keys)
	for i := range keys {
		keys[i].Column = counted(keys[i].Column, union)
	}
	return keys
}
