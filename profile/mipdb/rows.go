package mipdb

import (
	"context"

	"proflens/profile/btree"
	"proflens/profile/stored"
)

// blockRows adds the blocks of functions as rows.
func blockRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	return p.EachRow(ctx, "mip_function", func(row *btree.Row) error {
		for i, b := range readBlocks(row) {
			r.Int(row.ID)
			r.Ints(i, int(b.Offset))
			r.Flag(b.Covered)
			add()
		}
		return nil
	})
}

// runRows adds what each run says of each function that ran in it.
func runRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	return p.EachRow(ctx, "mip_function_run", func(row *btree.Row) error {
		for _, run := range readRuns(row) {
			r.Int(row.ID)
			r.Ints(run.Run, int(run.Calls), int(run.First))
			add()
		}
		return nil
	})
}
