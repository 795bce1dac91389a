package store

import "context"

// MIPFunctionRuns tells of each function in which runs it ran, by indices; of a
// .mip, which does not tell its runs apart, of none.
func (p *Profile) MIPFunctionRuns(ctx context.Context, indices []uint32) ([][]MIPFunctionRun, error) {
	table, err := p.r.Table("mip_function_run")
	if err != nil {
		return nil, err
	}
	runs := make([][]MIPFunctionRun, len(indices))
	c := table.Cursor()
	for n, i := range indices {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !c.Find(int64(i) + 1) {
			if c.Err() != nil {
				return nil, c.Err()
			}
			continue
		}
		row, err := c.Row()
		if err != nil {
			return nil, err
		}
		if row.ID != int64(i)+1 {
			continue // it never ran
		}
		if runs[n], err = readMIPFunctionRuns(row); err != nil {
			return nil, err
		}
	}
	return runs, nil
}
