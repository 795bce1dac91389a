package instrdb

import (
	"context"
	"errors"

	"proflens/profile/stored"
)

// hashesLooked is how many records of a name are looked at.
const hashesLooked = 64

// Hashes says of rows, in their order, how many records have the same name and are
// plain or context-sensitive as they are, at most hashesLooked; 0 where there is no
// other. Errors are the context's, or about the file.
func (p *Profile) Hashes(ctx context.Context, rows []Row) ([]int, error) {
	counts := make([]int, len(rows))
	if p.Overview.Quality.SeveralHashes == 0 {
		return counts, nil
	}
	byRef, byRank := p.name.Cursor(), p.function.Cursor()
	type kind struct {
		ref uint64
		cs  bool
	}
	known := map[kind]int{}
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, has := known[kind{rows[i].Ref, rows[i].CS}]
		if has {
			counts[i] = n
			continue
		}
		entry, err := p.lookup(byRef, rows[i].Ref)
		if errors.Is(err, stored.ErrNoPart) {
			continue // a preview has not all names
		}
		if err != nil {
			return nil, err
		}
		if len(entry.ranks) < 2 {
			continue
		}
		for _, rank := range entry.ranks[:min(len(entry.ranks), hashesLooked)] {
			if rank > p.rows && p.Storing() {
				continue // not in the preview
			}
			row, err := stored.Find(byRank, rank)
			if err != nil {
				return nil, err
			}
			if row.Int(fnCS) != 0 == rows[i].CS {
				n++
			}
		}
		if n < 2 {
			n = 0
		}
		counts[i], known[kind{rows[i].Ref, rows[i].CS}] = n, n
	}
	return counts, nil
}
