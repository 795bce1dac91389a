package instrdb

import (
	"context"
	"errors"
	"time"

	"proflens/names"
	"proflens/profile/stored"
)

// suggestBatch is how many names are looked at between two looks at the clock.
const suggestBatch = 512

// Suggest finds the hottest functions whose names have all words of a text, at most
// limit, each name once. It looks through names in the order of the totals, and stops
// when it has enough, when the budget is spent or the context ends; scanned says how far
// it got. The error is that of names.NewMatcher, the context's, or about the file.
func (p *Profile) Suggest(ctx context.Context, text string, limit int,
	budget time.Duration) (rows []Row, scanned int, err error) {
	match, err := names.NewMatcher(text, "")
	if err != nil || limit <= 0 {
		return nil, 0, err
	}
	end := time.Now().Add(budget)
	seen := map[uint64]bool{}
	c := p.function.Cursor()
	for rank := 1; rank <= p.rows; rank++ {
		if rank%suggestBatch == 0 {
			if err := ctx.Err(); err != nil {
				return nil, rank, err
			}
			if time.Now().After(end) {
				return rows, rank, nil
			}
		}
		to := stored.Next
		if rank == 1 {
			to = stored.Find
		}
		row, err := to(c, rank)
		if err != nil {
			return nil, rank, err
		}
		name := row.Bytes(fnName)
		if err := row.Err(); err != nil {
			return nil, rank, err
		}
		if len(name) == 0 || !match.Match(name) || seen[row.Uint(fnNameRef)] {
			continue
		}
		f, _, err := p.functionRow(row, nil)
		if err != nil {
			return nil, rank, errors.Join(err, ctx.Err())
		}
		seen[f.Ref] = true
		if rows = append(rows, f); len(rows) == limit {
			return rows, rank, nil
		}
	}
	return rows, p.rows, nil
}
