package mipdb

import (
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// blockRows adds the blocks of functions as rows.
func blockRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return p.EachRow("mip_function", func(row *btree.Row) error {
		blocks, err := readBlocks(row)
		if err != nil {
			return err
		}
		for i, b := range blocks {
			r.Int(row.ID)
			r.Ints(i, int(b.Offset))
			r.Flag(b.Covered)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

// runRows adds what each run says of each function that ran in it.
func runRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return p.EachRow("mip_function_run", func(row *btree.Row) error {
		runs, err := readRuns(row)
		if err != nil {
			return err
		}
		for _, run := range runs {
			r.Int(row.ID)
			r.Ints(run.Run, int(run.Calls), int(run.First))
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}
