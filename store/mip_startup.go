package store

import (
	"context"
	"fmt"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/store/btree"
)

// MIPStartupQuery asks in which order functions first ran.
type MIPStartupQuery struct {
	Run     int // by one run alone, from 1; 0 is by the average of all
	MinRuns int // functions that ran in at least so many runs
}

// MIPStartup is the functions that ran in the order in which they first did. It
// is shared: do not change it.
type MIPStartup struct {
	Indices []uint32 // read their rows with MIPRows
	// Offsets and Sizes are those of the functions, in that order: address minus
	// that of the raw section, and bytes.
	Offsets []int64
	Sizes   []uint32
	Bytes   uint64 // of all
	// Pages is how many memory pages of 4 KiB the functions touch as they are
	// linked, NeededPages how few would do.
	Pages, NeededPages uint64
}

// MIPPageSize is the memory page that MIPStartup counts by, in bytes.
const MIPPageSize = 4096

// MIPStartup returns the start-up order: what an order file holds. The error is
// ErrNotFound for a profile of another family, without timestamps, or without
// that run, the context's, or about the file.
func (p *Profile) MIPStartup(ctx context.Context, q MIPStartupQuery) (*MIPStartup, error) {
	_, o, err := p.mipTable(ctx)
	if err != nil {
		return nil, err
	}
	if !o.HasTimestamps() || q.Run < 0 || q.Run > o.Runs {
		return nil, ErrNotFound
	}
	v, err := p.cached(ctx, fmt.Sprintf("mip startup %d %d", q.Run, q.MinRuns), func() (any, int64, error) {
		order, err := p.mipFirstOrder(ctx)
		if err == nil && q.Run > 0 {
			order, err = p.mipRunOrder(ctx, q.Run)
		}
		if err != nil {
			return nil, 0, err
		}
		c, err := p.mipColumns(ctx)
		if err != nil {
			return nil, 0, err
		}
		s := newMIPStartup(order, c, uint64(max(q.MinRuns, 0)))
		return s, int64(len(s.Indices)) * 16, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*MIPStartup), nil
}

func newMIPStartup(order []uint32, c *mipColumns, minRuns uint64) *MIPStartup {
	s := &MIPStartup{}
	type span struct{ from, to int64 } // pages, both ends inclusive
	var spans []span
	for _, i := range order {
		if c.merges[i] < minRuns {
			continue
		}
		s.Indices, s.Offsets, s.Sizes = append(s.Indices, i), append(s.Offsets, c.offset[i]), append(s.Sizes, c.size[i])
		s.Bytes += uint64(c.size[i])
		if c.size[i] > 0 {
			end := c.offset[i] + int64(c.size[i]) - 1
			spans = append(spans, span{c.offset[i] >> 12, max(end, c.offset[i]) >> 12})
		}
	}
	slices.SortFunc(spans, func(a, b span) int {
		if a.from < b.from {
			return -1
		}
		if a.from > b.from {
			return 1
		}
		return 0
	})
	next := int64(math.MinInt64) // the first page not counted yet
	for _, pages := range spans {
		if from := max(pages.from, next); from <= pages.to {
			s.Pages += uint64(pages.to - from + 1)
			next = pages.to + 1
		}
	}
	s.NeededPages = (s.Bytes + MIPPageSize - 1) / MIPPageSize
	return s
}

// mipFirstOrder is the functions that ran by the average of the places in which
// they first did; ties in link order.
func (p *Profile) mipFirstOrder(ctx context.Context) ([]uint32, error) {
	v, err := p.cached(ctx, "mip first order", func() (any, int64, error) {
		c, err := p.mipColumns(ctx)
		if err != nil {
			return nil, 0, err
		}
		var order []uint32
		for i := range c.merges {
			if c.merges[i] > 0 {
				order = append(order, uint32(i))
			}
		}
		slices.SortStableFunc(order, func(a, b uint32) int {
			return analyze.CompareAverages(c.timestamps[a], c.merges[a], c.timestamps[b], c.merges[b])
		})
		return order, int64(len(order)) * 4, nil
	})
	if err != nil {
		return nil, err
	}
	return v.([]uint32), nil
}

// mipRunOrder is the functions of one run in the order in which they first ran.
func (p *Profile) mipRunOrder(ctx context.Context, run int) ([]uint32, error) {
	table, err := p.r.Table("mip_function_run")
	if err != nil {
		return nil, err
	}
	_, o, err := p.mipTable(ctx)
	if err != nil {
		return nil, err
	}
	var items []keyed
	var numbers []uint64
	n := 0
	err = eachRow(table, func(row *btree.Row) error {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if row.ID < 1 || uint64(row.ID) > o.Functions {
			return errOr(nil, "runs of function %d of %d", row.ID, o.Functions)
		}
		packed, err := row.Bytes(1)
		if err != nil {
			return err
		}
		if numbers, err = readVector(numbers[:0], packed); err != nil {
			return err
		}
		for at := 0; at+2 < len(numbers); at += 3 {
			if numbers[at] == uint64(run) {
				items = append(items, keyed{numbers[at+2], uint32(row.ID - 1)})
			}
		}
		return nil
	})
	if err != nil || len(items) == 0 {
		return nil, err
	}
	var order []uint32
	for _, item := range sortKeyed(items) {
		order = append(order, item.id)
	}
	return order, nil
}
