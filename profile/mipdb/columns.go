package mipdb

import (
	"context"
	"math"
	"math/bits"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// The columns of the mip_function table, in the schema's order.
const (
	colID = iota
	colSignature
	colRawOffset
	colOffset
	colSize
	colCFGSignature
	colMergeCount
	colCallCount
	colTimestampSum
	colSaturated
	colBlocks
	colCoveredBlocks
	colRemovedBlocks
	colCoveredBytes
	colTwin
	colPathNode
	colScopeNode
	colNameSource
	colName
	colBlockData
	colBlocksDiffer
)

// columns is what queries need of all functions in memory, by index.
type columns struct {
	size, blocks, covered, coveredBytes []uint32
	offset                              []int64
	merges, calls, timestamps           []uint64
	scope                               []uint32
	executed, saturated                 query.Bitset
	odd                                 []Quality
}

// columnBytes is what a function takes in columns.
const columnBytes = 5*4 + 4*8 + 2

// columns reads the columns with one scan of the table, on every core.
func (p *Profile) columns(ctx context.Context) (*columns, error) {
	return stored.Cached(ctx, p.Profile, "mip columns", func() (*columns, int64, error) {
		n := p.n
		c := &columns{
			size: make([]uint32, n), blocks: make([]uint32, n), covered: make([]uint32, n), coveredBytes: make([]uint32, n),
			scope:  make([]uint32, n),
			offset: make([]int64, n), merges: make([]uint64, n), calls: make([]uint64, n), timestamps: make([]uint64, n),
			executed: query.NewBitset(n), saturated: query.NewBitset(n), odd: make([]Quality, n),
		}
		saturated := make([]bool, n) // words of a bitset would be shared between workers
		err := stored.EachRowOf(ctx, p.functions, "functions", 1, n, func(row *btree.Row) error {
			i := row.ID - 1
			c.size[i], c.blocks[i], c.covered[i] = uint32(row.Uint(colSize)), uint32(row.Uint(colBlocks)),
				uint32(row.Uint(colCoveredBlocks))
			c.coveredBytes[i], c.scope[i] = uint32(row.Uint(colCoveredBytes)), uint32(row.Uint(colScopeNode))
			c.offset[i], c.merges[i], c.calls[i], c.timestamps[i] = row.Int(colOffset), row.Uint(colMergeCount),
				row.Uint(colCallCount), row.Uint(colTimestampSum)
			saturated[i] = row.Int(colSaturated) != 0
			if row.Int(colBlocksDiffer) != 0 {
				c.odd[i] |= BlocksDiffer
			}
			if mip.NameSource(row.Bytes(colNameSource)) == mip.NameNone {
				c.odd[i] |= NoName
			}
			return nil
		})
		for i := range n {
			if c.merges[i] > 0 || c.calls[i] > 0 {
				c.executed.Set(uint32(i))
			}
			if saturated[i] {
				c.saturated.Set(uint32(i))
			}
		}
		return c, int64(n) * columnBytes, err
	})
}

// totals are those of one function.
func (c *columns) totals(i uint32, counted bool) analyze.MIPTotals {
	t := analyze.MIPTotals{
		Functions: 1, Bytes: uint64(c.size[i]), CoveredBytes: uint64(c.coveredBytes[i]), Blocks: uint64(c.blocks[i]),
		CoveredBlocks: uint64(c.covered[i]),
	}
	if c.executed.Has(i) {
		t.Executed, t.ExecutedBytes = 1, t.Bytes
	}
	if counted {
		t.Calls.Add(c.calls[i])
	}
	return t
}

// value is a column for sorting and filtering.
func (p *Profile) value(ctx context.Context, c *columns, column query.Column) (query.Value, error) {
	of := func(at func(i uint32) uint64) (query.Value, error) { return query.Value{At: at}, nil }
	narrow := func(values []uint32) (query.Value, error) {
		return of(func(i uint32) uint64 { return uint64(values[i]) })
	}
	switch column {
	case ColIndex:
		return of(func(i uint32) uint64 { return uint64(i) })
	case ColSize:
		return narrow(c.size)
	case ColBlocks:
		return narrow(c.blocks)
	case ColCovered:
		return narrow(c.coveredBytes)
	case ColMissed:
		return of(func(i uint32) uint64 { return uint64(c.size[i] - min(c.coveredBytes[i], c.size[i])) })
	case ColCalls:
		return of(func(i uint32) uint64 { return c.calls[i] })
	case ColShare:
		v := query.Real(func(i uint32) float64 { return float64(c.coveredBytes[i]) / float64(c.size[i]) })
		v.Known = func(i uint32) bool { return c.size[i] > 0 }
		return v, nil
	case ColRuns:
		return of(func(i uint32) uint64 { return c.merges[i] })
	case ColWeight:
		return of(func(i uint32) uint64 {
			high, low := bits.Mul64(c.calls[i], uint64(c.size[i]))
			if high > 0 {
				return math.MaxUint64
			}
			return low
		})
	case ColAddress:
		lowest := int64(math.MaxInt64)
		for _, v := range c.offset {
			lowest = min(lowest, v)
		}
		return of(func(i uint32) uint64 { return uint64(c.offset[i]) - uint64(lowest) })
	case ColName, "demangled":
		ranks, err := p.nameRanks(ctx)
		if err != nil {
			return query.Value{}, err
		}
		return narrow(ranks)
	case ColFirst:
		ranks, err := p.firstRanks(ctx)
		return query.Value{At: func(i uint32) uint64 { return uint64(ranks[i]) },
			Known: func(i uint32) bool { return c.merges[i] > 0 }}, err
	}
	return query.Value{}, &query.ColumnError{Column: column}
}

// inRange tests a column by a range; first positions by the average itself, and
// not by its place among others.
func (p *Profile) inRange(ctx context.Context, c *columns, r query.Range) (query.Test, error) {
	if r.Column == ColName {
		return nil, &query.ColumnError{Column: r.Column}
	}
	v, err := p.value(ctx, c, r.Column)
	if r.Column == ColFirst {
		v.At = func(i uint32) uint64 { return c.timestamps[i] / c.merges[i] }
	}
	return v.In(r.Min, r.Max), err
}

// nameRanks gives each function its place in the order by name.
func (p *Profile) nameRanks(ctx context.Context) ([]uint32, error) {
	return stored.Cached(ctx, p.Profile, "mip names", func() ([]uint32, int64, error) {
		order, err := p.Permutation("mip_by_name", p.n)
		ranks := make([]uint32, p.n)
		for at, id := range order {
			if id == 0 || int(id) > p.n {
				return nil, 0, stored.Damaged("function %d of %d in the order by name", id, p.n)
			}
			ranks[id-1] = uint32(at)
		}
		return ranks, int64(p.n) * 4, err
	})
}

// firstRanks gives each function that ran its place by the average of those in
// which it first ran, from 1; equal averages share a place, and 0 is none.
func (p *Profile) firstRanks(ctx context.Context) ([]uint32, error) {
	order, err := p.firstOrder(ctx)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, "mip first ranks", func() ([]uint32, int64, error) {
		c, err := p.columns(ctx)
		if err != nil {
			return nil, 0, err
		}
		ranks := make([]uint32, len(c.size))
		rank := uint32(0)
		for n, i := range order {
			if n == 0 || analyze.CompareAverages(c.timestamps[order[n-1]], c.merges[order[n-1]], c.timestamps[i],
				c.merges[i]) != 0 {
				rank++
			}
			ranks[i] = rank
		}
		return ranks, int64(len(ranks)) * 4, nil
	})
}
