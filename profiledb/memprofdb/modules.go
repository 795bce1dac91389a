package memprofdb

import (
	"context"

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
