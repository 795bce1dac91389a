package mipdb

import (
	"context"
	"encoding/binary"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Run is one raw file: what it executed, what only it did, and what the runs
// up to and with it did, which is how coverage grows.
type Run struct {
	Run int `col:"run" width:"5" is:"sort,up,key" help:"from 1, in the order given" as:"integer 1.."`
	analyze.MIPRunFigures
	DataBytes uint64 `col:"data_bytes" width:"12" is:"sort,range,bytes"`
	File      string `col:"file" is:"sort,up,words"`
}

// RawFiles is the table of runs.
var RawFiles = table.Declare[Run](table.Declaration{
	About: "A raw file. only_: executed in no other run. sum_: executed by this run and those before it.",
	Noun:  "run", Usual: "run", Sought: "file",
})

// columns are those of mip_run before what it executed, in the schema's order.
func (r *Run) columns() []any {
	return []any{
		&r.File, &r.DataBytes, &r.Functions, &r.Bytes, &r.Blocks, &r.OnlyFunctions, &r.OnlyBytes, &r.SumFunctions,
		&r.SumBytes, &r.SumBlocks,
	}
}

// FindRuns finds raw files.
func (p *Profile) FindRuns(ctx context.Context) (table.Find, error) {
	runs, err := p.Runs(ctx)
	return RawFiles.Within(table.Set{Rows: runs, Sorted: true}), err
}

// Runs lists the raw files; of a .mip, which does not tell its runs apart, none.
func (p *Profile) Runs(context.Context) ([]Run, error) {
	runs := []Run{}
	err := p.Walk("mip_run", func(row *stored.Row) {
		run := Run{Run: int(row.ID)}
		row.Fill(run.columns()...)
		runs = append(runs, run)
	})
	return runs, err
}

// runSets is which functions each run executed, and which several did.
type runSets struct {
	executed []query.Bitset
	several  query.Bitset
}

func (p *Profile) runSets(ctx context.Context) (*runSets, error) {
	return stored.Cached(ctx, p.Profile, "mip run sets", func() (*runSets, int64, error) {
		s := &runSets{several: query.NewBitset(p.n)}
		once := query.NewBitset(p.n)
		err := p.Walk("mip_run", func(row *stored.Row) {
			packed, set := row.Blob(11), query.NewBitset(p.n)
			if len(packed) != 8*len(set) {
				row.Fail(stored.Damaged("run %d has %d bytes of functions, expected %d", row.ID, len(packed), 8*len(set)))
				return
			}
			for w := range set {
				set[w] = binary.LittleEndian.Uint64(packed[8*w:])
				s.several[w] |= once[w] & set[w]
				once[w] |= set[w]
			}
			s.executed = append(s.executed, set)
		})
		return s, int64(len(s.executed)+2) * int64(p.n/8), err
	})
}

// FunctionRun is what one raw file says of a function that ran in it.
type FunctionRun struct {
	Run   int    // from 1: the index of Runs, plus 1
	Calls uint32 // 0 in coverage mode; mip.MaxCalls is at least so many
	First uint32 // place in which it first ran; 0 without timestamps
}

// Saturated reports whether the calls are at least so many.
func (r *FunctionRun) Saturated() bool { return r.Calls >= mip.MaxCalls }

// FunctionRuns tells of each function in which runs it ran, by indices; of a
// .mip, which does not tell its runs apart, of none.
func (p *Profile) FunctionRuns(ctx context.Context, indices []uint32) ([][]FunctionRun, error) {
	table, err := p.Table("mip_function_run")
	if err != nil {
		return nil, err
	}
	runs := make([][]FunctionRun, len(indices))
	c := table.Cursor()
	for n, i := range indices {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row, err := stored.Lookup(c, int64(i)+1)
		if err != nil {
			return nil, err
		}
		if row == nil {
			continue // it never ran
		}
		if runs[n], err = readRuns(row), row.Err(); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// readRuns reads a row of mip_function_run.
func readRuns(row *btree.Row) (runs []FunctionRun) {
	for numbers := stored.Vector(nil, row, 1); len(numbers) >= 3; numbers = numbers[3:] {
		runs = append(runs, FunctionRun{Run: int(numbers[0]), Calls: uint32(numbers[1]), First: uint32(numbers[2])})
	}
	return runs
}
