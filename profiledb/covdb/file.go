package covdb

import (
	"context"
	"strings"

	"proflens/analyze/coverage"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// File is a source file.
type File struct {
	Index int    // from 0, by name
	Name  string // as recorded
	Path  string // with slashes, without what all names begin with
	Sums
	Conditions int // places of conditions: rows of the table of branches
}

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
	return p.Walk("coverage_file", func(row *stored.Row) {
		f := File{Index: len(p.files), Name: row.String(fileName)}
		if row.ID != int64(f.Index)+1 {
			row.Fail(stored.Damaged("file %d where %d was expected", row.ID, f.Index+1))
		}
		for i, m := range f.metrics() {
			m.Total, m.Covered = int(row.Int(fileSums+2*i)), int(row.Int(fileSums+2*i+1))
		}
		f.Partly, f.Conditions = int(row.Int(filePartly)), int(row.Int(fileConditions))
		f.Path = pathOf(f.Name, len(p.Overview.Prefix))
		p.files = append(p.files, f)
	})
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

// File is the coverage of the functions that have something in a file, and the file in it,
// which is the
// one of the same index. Of other files it has no more than these functions say.
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
	return c, index, err
}

// mentions are the functions that have something in a file, from 0.
func (p *Profile) mentions(file int) ([]uint32, error) {
	table, err := p.Table("coverage_file")
	if err != nil {
		return nil, err
	}
	found, err := stored.Find(table.Cursor(), file+1)
	if err != nil {
		return nil, err
	}
	b, err := found.Bytes(fileMentions)
	if err != nil {
		return nil, err
	}
	steps, err := stored.ReadVector(nil, b)
	ids, at := make([]uint32, 0, len(steps)), uint64(0)
	for _, step := range steps {
		if at += step; step == 0 || at > uint64(p.Overview.Instances) {
			return nil, stored.Damaged("file %d mentions function %d of %d", file+1, at, p.Overview.Instances)
		}
		ids = append(ids, uint32(at-1))
	}
	return ids, err
}

// FileQuery selects, orders and pages files.
type FileQuery struct {
	Text       string // words of the path, in any order, ASCII case ignored
	Dir        string // a directory, and all below; empty for all
	Thresholds []Threshold
	Union      bool        // lines, regions and branches as the union of instances
	Sort       []query.Key // empty is missing lines, descending; ties end by path
	Offset     int
	Limit      int
}

// FilePage is one page of files.
type FilePage struct {
	Rows     []File
	All      int
	Matching int
	Totals   Sums // of those that match
}

// Files returns one page of files. Errors are a *query.ColumnError or the context's.
func (p *Profile) Files(ctx context.Context, q FileQuery) (*FilePage, error) {
	page := &FilePage{All: len(p.files)}
	var ids []uint32
	match := words(q.Text)
	dir := strings.Trim(q.Dir, "/")
	for i := range p.files {
		f := &p.files[i]
		if dir != "" && !strings.HasPrefix(f.Path, dir+"/") || !match(f.Path) || !passes(q.Thresholds, &f.Sums, q.Union) {
			continue
		}
		ids = append(ids, uint32(i))
		page.Totals.Add(&f.Sums)
	}
	sums := func(i uint32) *Sums { return &p.files[i].Sums }
	err := query.Sort(ctx, ids, orDefault(q.Sort), func(c query.Column) (query.Value, error) {
		if c == ColName {
			return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
		}
		return sumsValue(c, sums, q.Union)
	})
	if err != nil {
		return nil, err
	}
	page.Matching = len(ids)
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, p.files[i])
	}
	return page, nil
}

// words tests a path for words.
func words(text string) func(path string) bool {
	wanted := strings.Fields(strings.ToLower(text))
	return func(path string) bool {
		path = strings.ToLower(path)
		for _, word := range wanted {
			if !strings.Contains(path, word) {
				return false
			}
		}
		return true
	}
}
