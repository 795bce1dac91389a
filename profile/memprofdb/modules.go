package memprofdb

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"proflens/profile/stored"
	"proflens/profile/table"
)

// Module is an executable segment that was mapped when a raw profile was
// written.
type Module struct {
	_        column `col:"name" head:"Module" is:"page,sort,up,words" help:"its file, or the build ID"`
	Index    int    `col:"index" width:"5" head:"#" is:"sort,up,key"` // in the file, from 0
	Start    uint64 `col:"start" width:"18" head:"From" is:"address,sort,up" help:"where it was mapped"`
	End      uint64 `col:"end" width:"18" head:"To" is:"address" help:"the first address behind it"`
	Offset   uint64 `col:"offset" width:"18" is:"address" help:"in the file"` // see memprof.Module
	BuildID  []byte `col:"build_id" width:"40" head:"Build ID" is:"sort,up,words"`
	Frames   int    `col:"frames" width:"8" is:"sort,range" help:"unnamed addresses in it"`
	Contexts int    `col:"contexts" width:"8" is:"sort,range" help:"with such frames"`
	_        column `col:"wanted" width:"6" head:"Executable" help:"whether it would give names to frames" as:"boolean"`
	Path     string `col:"path" is:"omitzero" help:"of its file where it ran"`
	File     string `col:"file" is:"omitzero" help:"the executable that was given for it"`
}

// Cell implements [table.Celler].
func (m *Module) Cell(column string, _ *table.Options) table.Cell {
	if column == "wanted" {
		return table.Bool(m.Wanted())
	}
	return table.Text(m.Path + m.File)
}

// Segments is the table of modules.
var Segments = table.Declare[Module](table.Declaration{
	Noun: "module", Usual: "index", Sought: "path or build ID", Least: "frames",
	Show: "name build_id wanted frames contexts start end",
})

// String is what a module is called: its path where it ran, the file that was given for
// it, its build ID, or its number.
func (m *Module) String() string {
	switch {
	case m.Path != "":
		return m.Path
	case m.File != "":
		return m.File
	case len(m.BuildID) > 0:
		return fmt.Sprintf("%x", m.BuildID)
	}
	return fmt.Sprintf("module %d", m.Index)
}

// Short is a module's name on pages: that of its file, else the build ID.
func (m *Module) Short() string {
	switch file := cmp.Or(m.File, m.Path); {
	case file != "":
		return file[strings.LastIndexByte(file, '/')+1:]
	case len(m.BuildID) > 0:
		return "build ID " + fmt.Sprintf("%x", m.BuildID)[:min(2*len(m.BuildID), 12)]
	}
	return fmt.Sprintf("module %d", m.Index+1)
}

// Wanted reports whether the executable with this build ID would give functions
// to frames.
func (m *Module) Wanted() bool { return m.Frames > 0 && m.File == "" && len(m.BuildID) > 0 }

// columns are those of the table module, in the schema's order.
func (m *Module) columns() []any {
	return []any{&m.Start, &m.End, &m.Offset, &m.BuildID, &m.Path, &m.File, &m.Frames, &m.Contexts}
}

// Modules lists the segments of raw profiles, in the file's order; others have
// none.
func (p *Profile) Modules(context.Context) ([]Module, error) {
	modules := []Module{}
	err := p.Walk("module", func(row *stored.Row) {
		m := Module{Index: len(modules)}
		row.Fill(m.columns()...)
		modules = append(modules, m)
	})
	return modules, err
}

// FindModules finds modules.
func (p *Profile) FindModules(ctx context.Context) (table.Find, error) {
	list, err := p.Modules(ctx)
	return Segments.Within(table.Set{Rows: list}), err
}
