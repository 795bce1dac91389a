package instrdb

import (
	"context"

	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// files are the names of the files that functions are declared in, by id minus one:
// sorted.
func (p *Profile) files(ctx context.Context) ([]string, error) {
	return stored.Cached(ctx, p.Profile, "function files", func() (list []string, size int64, err error) {
		err = p.Walk("function_file", func(row *stored.Row) {
			list = append(list, string(row.Blob(1)))
			size += int64(len(list[len(list)-1])) + 16
			if row.ID != int64(len(list)) {
				row.Fail(stored.Damaged("file %d is the %dth", row.ID, len(list)))
			}
		})
		return list, size, err
	})
}

// FileNames are the files that functions are declared in, by the debug info or the
// coverage mapping of a program; sorted.
func (p *Profile) FileNames(ctx context.Context) ([]string, error) {
	if p.Overview.Placed == 0 {
		return nil, nil
	}
	return p.files(ctx)
}

// matchPath finds records by the file that they are declared in or, where that is not
// known, by the path in their name.
func (p *Profile) matchPath(ctx context.Context, q *query.Names) (*query.Found, error) {
	path := query.NewPathPrefix(q.Path, q.Rewrite)
	files, err := p.files(ctx)
	if err != nil {
		return nil, err
	}
	within := make([]bool, len(files)+1)
	for i, name := range files {
		within[i+1] = path.MatchPath([]byte(name))
	}
	return query.Search(ctx, p.Profile, query.CacheKey("paths", q.Path, q.Rewrite), p.rows, query.SearchBatch,
		func(from, to int, found query.Bitset, _ func() bool) (int, error) {
			hits := make([]bool, to-from) // words of a bitset would be shared between workers
			err := p.eachRow(context.Background(), from+1, to, func(row *btree.Row) error {
				hit := &hits[int(row.ID)-1-from]
				if file := row.Uint(fnFile); file > 0 {
					*hit = file < uint64(len(within)) && within[file]
					return nil
				}
				*hit = path.Match(row.Bytes(fnName))
				return nil
			})
			for i, hit := range hits {
				if hit {
					found.Set(uint32(i))
				}
			}
			return to, err
		})
}
