package store

import "proflens/store/btree"

// mipBlockRows adds the blocks of functions of machine IR as rows.
func (p *Profile) mipBlockRows(r *btree.Record, add func() error) error {
	table, err := p.r.Table("mip_function")
	if err != nil {
		return err
	}
	return eachRow(table, func(row *btree.Row) error {
		blocks, err := readMIPBlocks(row)
		if err != nil {
			return err
		}
		for i, b := range blocks {
			r.Int(row.ID)
			r.Int(int64(i))
			r.Int(int64(b.Offset))
			flag(r, b.Covered)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

// mipRunRows adds what each run says of each function that ran in it.
func (p *Profile) mipRunRows(r *btree.Record, add func() error) error {
	table, err := p.r.Table("mip_function_run")
	if err != nil {
		return err
	}
	return eachRow(table, func(row *btree.Row) error {
		runs, err := readMIPFunctionRuns(row)
		if err != nil {
			return err
		}
		for _, run := range runs {
			r.Int(row.ID)
			r.Int(int64(run.Run))
			r.Int(int64(run.Calls))
			r.Int(int64(run.First))
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}
