package memprofdb

import (
	"context"
	"fmt"

	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Module is an executable segment that was mapped when a raw profile was
// written.
type Module struct {
	Start, End uint64 // addresses in the process; End is exclusive
	Offset     uint64 // see memprof.Module
	BuildID    []byte // nil where it is not known
	Path       string // of its file where it ran; empty where it is not known
	File       string // the executable that was given for it; empty when none was
	Frames     int    // that are addresses in it, for want of the executable
	Contexts   int    // that have such frames
}

// Wanted reports whether the executable with this build ID would give functions
// to frames.
func (m *Module) Wanted() bool { return m.Frames > 0 && m.File == "" && len(m.BuildID) > 0 }

// Modules lists the segments of raw profiles, in the file's order; others have
// none.
func (p *Profile) Modules(context.Context) ([]Module, error) {
	modules := []Module{}
	err := p.Walk("module", func(row *stored.Row) {
		m := Module{
			Start: row.Uint(1), End: row.Uint(2), Offset: row.Uint(3), Path: row.String(5), File: row.String(6),
			Frames: int(row.Int(7)), Contexts: int(row.Int(8)),
		}
		if !row.IsNull(4) {
			m.BuildID = row.Blob(4)
		}
		modules = append(modules, m)
	})
	return modules, err
}

// What modules can be sorted and filtered by, beside ColIndex, ColContexts and
// ColName: its path, or the build id.
const (
	ColStart   query.Column = "start"
	ColFrames  query.Column = "frames" // without names
	ColBuildID query.Column = "build_id"
)

// ModuleColumns are all of them.
var ModuleColumns = []query.Column{ColIndex, ColName, ColStart, ColBuildID, ColFrames, ColContexts}

// ModuleRow is a module with its number in the file, from 0.
type ModuleRow struct {
	Module
	Index int
}

// ModulePage is one page of modules.
type ModulePage struct {
	Rows          []ModuleRow
	All, Matching int
}

// FindModules returns one page of modules, in the file's order unless the query says
// otherwise. Its words are those of the path, of the executable and of the build id.
// Errors are a *query.ColumnError, that of names.NewMatcher for a pattern, the
// context's, or about the file.
func (p *Profile) FindModules(ctx context.Context, q query.RowQuery) (*ModulePage, error) {
	list, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	of := func(number func(m *Module) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(&list[i]) }}, nil
	}
	ids, err := q.Pick(ctx, query.Rows{
		Len: len(list),
		Names: func(i uint32, show func([]byte)) {
			show([]byte(list[i].Path))
			show([]byte(list[i].File))
			show(fmt.Appendf(nil, "%x", list[i].BuildID))
		},
		Value: func(c query.Column) (query.Value, error) {
			switch c {
			case ColIndex:
				return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
			case ColName:
				return query.Words(len(list), func(i uint32) string { return list[i].Path + list[i].File }), nil
			case ColStart:
				return of(func(m *Module) uint64 { return m.Start })
			case ColBuildID:
				return query.Words(len(list), func(i uint32) string { return string(list[i].BuildID) }), nil
			case ColFrames:
				return of(func(m *Module) uint64 { return uint64(m.Frames) })
			case ColContexts:
				return of(func(m *Module) uint64 { return uint64(m.Contexts) })
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: ModuleColumns}
		},
	})
	if err != nil {
		return nil, err
	}
	page := &ModulePage{All: len(list), Matching: len(ids)}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, ModuleRow{list[i], int(i)})
	}
	return page, nil
}
