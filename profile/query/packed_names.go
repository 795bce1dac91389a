package query

import (
	"context"
	"runtime"
	"sync/atomic"

	"proflens/internal/recovery"
	"proflens/names"
	"proflens/profile/btree"
	"proflens/profile/budget"
	"proflens/profile/stored"
)

// packedNames are the names in a column of a table, in batches of PackedBatch rows. Reading
// rows takes several times as long as looking at their names, so that a second search is
// quicker than the first. It is immutable.
type packedNames []*names.Lines

// mostPacked is how many bytes of names are kept in memory for a profile, and again as
// many demangled.
const mostPacked = 96 << 20

// packed are the names of n rows, whose ids count from 1; nil where they take too much.
func packed(ctx context.Context, p *stored.Profile, table *btree.Table, rows, column int) (packedNames, error) {
	return stored.Cached(ctx, p, CacheKey("packed names", table.Root(), column), func() (packedNames, int64, error) {
		if err := budget.Take(ctx, min(mostPacked, p.Content().Size())); err != nil {
			return nil, 0, err
		}
		return pack(ctx, rows, mostPacked, func(from, to int) (*names.Lines, error) {
			return readNames(table, from+1, to, column, mostPacked)
		})
	})
}

// demangledKey is where the same names are kept demangled, once somebody has had the time.
func demangledKey(table *btree.Table, column int) string {
	return CacheKey("demangled names", table.Root(), column)
}

// DemangleAhead demangles the names in a column of a table of n rows, whose ids count from
// 1, for searches to come. It leaves the other cores to those who wait.
func DemangleAhead(ctx context.Context, p *stored.Profile, table *btree.Table, rows, column int) error {
	plain, err := packed(ctx, p, table, rows, column)
	if err != nil || plain == nil {
		return err
	}
	_, err = stored.Cached(ctx, p, demangledKey(table, column), func() (full packedNames, size int64, err error) {
		if err := budget.Take(ctx, mostPacked); err != nil {
			return nil, 0, err
		}
		for _, batch := range plain {
			if ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			lines := batch.Demangled(mostPacked - size)
			if lines == nil {
				return nil, 0, nil
			}
			full = append(full, lines)
			size += lines.Bytes()
		}
		return full, size, nil
	})
	return err
}

// pack makes batches on every core; none where they take more than so many bytes.
func pack(ctx context.Context, rows int, most int64,
	batch func(from, to int) (*names.Lines, error)) (packedNames, int64, error) {
	batches := make(packedNames, (rows+PackedBatch-1)/PackedBatch)
	var size atomic.Int64
	g, ctx := recovery.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range batches {
		g.Go(func() (err error) {
			if ctx.Err() != nil || size.Load() > most {
				return ctx.Err()
			}
			batches[i], err = batch(i*PackedBatch, min((i+1)*PackedBatch, rows))
			if err == nil {
				size.Add(batches[i].Bytes())
			}
			return err
		})
	}
	if err := g.Wait(); err != nil || size.Load() > most {
		return nil, 0, err
	}
	return batches, size.Load(), nil
}

// readNames reads the names of rows, from the first to the last, or as far as they take
// more than so many bytes.
func readNames(table *btree.Table, first, last, column int, most int64) (*names.Lines, error) {
	list := &names.Lines{}
	c, next := table.Cursor(), stored.Find
	for id := first; id <= last && list.Bytes() <= most; id++ {
		row, err := next(c, id)
		if err != nil {
			return nil, err
		}
		list.Add(row.Bytes(column))
		if err := row.Err(); err != nil {
			return nil, err
		}
		next = stored.Next
	}
	list.Clip()
	return list, nil
}
