package tables

import (
	"context"

	"proflens/profiledb/mipdb"
)

var mipRunColumns = []Column[mipdb.Run]{
	{"run", 5, func(r *mipdb.Run) Cell { return Int(uint64(r.Run)) }},
	{"functions", 9, func(r *mipdb.Run) Cell { return Count(r.Functions) }},
	{"bytes", 12, func(r *mipdb.Run) Cell { return Count(r.Bytes) }},
	{"blocks", 9, func(r *mipdb.Run) Cell { return Count(r.Blocks) }},
	{"only_functions", 14, func(r *mipdb.Run) Cell { return Count(r.OnlyFunctions) }},
	{"only_bytes", 12, func(r *mipdb.Run) Cell { return Count(r.OnlyBytes) }},
	{"sum_functions", 13, func(r *mipdb.Run) Cell { return Count(r.SumFunctions) }},
	{"sum_bytes", 12, func(r *mipdb.Run) Cell { return Count(r.SumBytes) }},
	{"sum_blocks", 10, func(r *mipdb.Run) Cell { return Count(r.SumBlocks) }},
	{"data_bytes", 12, func(r *mipdb.Run) Cell { return Count(r.DataBytes) }},
	{"file", 0, func(r *mipdb.Run) Cell { return Text(r.File) }},
}

func openMIPRuns(ctx context.Context, p *mipdb.Profile, o Options) (Table, error) {
	return MIPRuns(ctx, p, o)
}

// MIPRuns is the raw files of a Machine IR Profile in the order given: what each
// executed, what only it did, and what it and those before it did.
func MIPRuns(ctx context.Context, p *mipdb.Profile, o Options) (Table, error) {
	runs, err := p.Runs(ctx)
	if err != nil {
		return nil, err
	}
	return &List[mipdb.Run]{Columns: mipRunColumns, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[mipdb.Run], error) {
			from := min(offset, len(runs))
			return Step[mipdb.Run]{Rows: runs[from:min(len(runs), from+limit)], Total: len(runs)}, ctx.Err()
		}}, nil
}
