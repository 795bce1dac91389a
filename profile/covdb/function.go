package covdb

import (
	"context"

	"proflens/analyze/coverage"
	"proflens/profile/btree"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// The columns of coverage_function.
const (
	functionName = 1 + iota
	functionShown
	functionNameRef
	functionHash
	functionObject
	functionFile
	functionLine
	functionColumn
	functionEndLine
	functionFirst
	functionCount
	functionProfiled
	functionDummy
	functionSums
)

// Function is a function, or the functions that begin at one place: instances of a
// template, or an inline function of several units.
type Function struct {
	Name table.Name `col:"name" head:"Function" is:"sort,up,words"`
	ID   int        `col:"id" width:"8" is:"script,key"` // from 1; of instances that of the first
	_    column     `col:"index" is:"sort,up,number,page" help:"place in the order of the programs"`
	// Place is where it stands.
	Place   `col:"file" parts:"file,line" head:"File" is:"sort,up"`
	EndLine uint32 `col:"end_line" width:"8" is:"script"`
	Hash    uint64 `col:"func_hash" width:"16" head:"FuncHash" is:"hex" help:"of the mapping"`
	Count   uint64 `col:"count" width:"12" head:"Calls" is:"sort,range" help:"of all instances"`
	// Instances are how many functions begin at the place, and Ran how many of them
	// ran; 0 of a row that is one of them.
	Instances, Ran int

	_ column `col:"instances" width:"9" head:"Instantiations" is:"sort,number" help:"that begin there" as:"integer 0.."`
	_ column `col:"instances_ran" width:"9" head:"Ran" is:"number" help:"instantiations that ran" as:"integer 0.."`
	// Summary has of instances the largest of each number. It counts no functions.
	coverage.Summary `parts:"lines_,regions_,branches_,mcdc_"`

	_ column `col:"missing" is:"sort,range,number,page" help:"lines that did not run"`
	_ column `col:"total" head:"Lines" is:"sort,range,number,page" help:"lines with code"`
	_ column `col:"source_url" is:"script" help:"on another host; null for none"`

	Shown  string // its name as llvm-cov has it: without the file before a static function's
	Object int    // index of Overview.Objects
	// Profiled: the profile has a record of it. Dummy: of a unit that saw the function
	// and did not emit it.
	Profiled, Dummy bool
}

// Functions is the table of functions, the most missing lines first.
var Functions = table.Declare[Function](table.Declaration{
	About: "A function with its coverage.", Noun: "function", Usual: "-missing",
	Show: "name file lines missing total regions branches mcdc count",
	Text: "count lines lines_covered lines_share branches_share line demangled",
})

// Cell implements [table.Celler].
func (f *Function) Cell(column string, o *table.Options) table.Cell {
	n := 0
	switch column {
	case "index":
		n = f.ID
	case "instances":
		n = max(f.Instances, 1)
	case "instances_ran":
		if n = f.Ran; f.Instances == 0 && f.Count > 0 {
			n = 1
		}
	case "missing":
		n = f.Lines.Missed()
	case "total":
		n = f.Lines.Total
	default:
		return f.Place.Cell(column, o)
	}
	return table.Int(n)
}

// sumsOf are the metrics of a function in the order of the columns.
func sumsOf(s *coverage.Summary) []*coverage.Metric {
	return []*coverage.Metric{&s.Regions, &s.Lines, &s.Branches, &s.MCDC}
}

// function makes a function of a row.
func (p *Profile) function(row *btree.Row) (Function, error) {
	name := row.Bytes(functionName)
	f := Function{
		ID: int(row.ID), Name: table.Name{Ref: row.Uint(functionNameRef), PGO: string(name)}, Hash: row.Uint(functionHash),
		Object:  int(row.Int(functionObject)) - 1,
		Place:   Place{Line: uint32(row.Uint(functionLine)), Column: uint32(row.Uint(functionColumn))},
		EndLine: uint32(row.Uint(functionEndLine)), Count: row.Uint(functionCount),
		Profiled: row.Int(functionProfiled) != 0, Dummy: row.Int(functionDummy) != 0,
	}
	cut, file := row.Uint(functionShown), row.Int(functionFile)
	if cut > uint64(len(name)) || file > int64(len(p.files)) || f.Object < 0 || f.Object >= len(p.Overview.Objects) {
		return f, stored.Damaged("function %d is of file %d and object %d", f.ID, file, f.Object+1)
	}
	f.Shown = f.Name.PGO[cut:]
	if file > 0 {
		f.File = &p.files[file-1]
	}
	for i, m := range sumsOf(&f.Summary) {
		m.Total, m.Covered = int(row.Int(functionSums+2*i)), int(row.Int(functionSums+2*i+1))
	}
	return f, nil
}

// Functions by their ids, from 0, rising, with what they are made of.
func (p *Profile) coverage(ctx context.Context, ids []uint32) (*coverage.Coverage, error) {
	functions := make([]coverage.Function, len(ids))
	err := p.pick(ctx, "coverage_function", ids, func(n int, row *btree.Row) error {
		f, err := p.function(row)
		functions[n] = coverage.Function{
			Name: f.Shown, Linkage: f.Name.PGO, Hash: f.Hash, Object: f.Object, Dummy: f.Dummy, Profiled: f.Profiled,
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var u unpacker
	err = p.pick(ctx, "coverage_body", ids, func(n int, row *btree.Row) error {
		return u.unpack(&functions[n], row.Bytes(1), len(p.files))
	})
	if err != nil {
		return nil, err
	}
	c := coverage.New(p.FileNames(), functions)
	c.SingleByte = p.Overview.SingleByte
	return c, nil
}

// Function is a function by its id, and the coverage of it alone, where it is the only
// function. Errors are stored.ErrNoPart for an id that there is not, the context's, or
// about the profile.
func (p *Profile) Function(ctx context.Context, id int) (*Function, *coverage.Coverage, error) {
	if id < 1 || id > p.Overview.Instances {
		return nil, nil, stored.ErrNoPart
	}
	rows, err := p.rows(ctx, []uint32{uint32(id - 1)})
	if err != nil {
		return nil, nil, err
	}
	c, err := p.coverage(ctx, []uint32{uint32(id - 1)})
	return &rows[0], c, err
}

// rows reads functions by their ids, from 0.
func (p *Profile) rows(ctx context.Context, ids []uint32) ([]Function, error) {
	list := make([]Function, len(ids))
	return list, p.pick(ctx, "coverage_function", ids, func(n int, row *btree.Row) (err error) {
		list[n], err = p.function(row)
		return err
	})
}

// pick visits the rows of functions, by ids from 0.
func (p *Profile) pick(ctx context.Context, table string, ids []uint32, visit func(n int, row *btree.Row) error) error {
	t, err := p.Table(table)
	if err != nil {
		return err
	}
	return stored.Pick(ctx, t, len(ids), func(n int) int { return int(ids[n]) + 1 }, visit)
}

// Named are the functions of a linkage name, by the first 8 MD5 bytes of it.
func (p *Profile) Named(ctx context.Context, nameRef uint64) ([]Function, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	return p.rows(ctx, x.named[nameRef])
}
