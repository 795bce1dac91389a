package store

import (
	"context"
	"encoding/binary"
	"fmt"

	"proflens/analyze"
	"proflens/store/btree"
)

// The columns of the mip_function table, in the schema's order.
const (
	mfID = iota
	mfSignature
	mfRawOffset
	mfOffset
	mfSize
	mfCFGSignature
	mfMergeCount
	mfCallCount
	mfTimestampSum
	mfSaturated
	mfBlocks
	mfCoveredBlocks
	mfRemovedBlocks
	mfCoveredBytes
	mfTwin
	mfPathNode
	mfScopeNode
	mfNameSource
	mfName
	mfBlockData
)

// mipColumns is what queries need of all functions in memory, by index.
type mipColumns struct {
	size, blocks, covered, coveredBytes []uint32
	offset                              []int64
	merges, calls, timestamps           []uint64
	scope                               []uint32
	executed, saturated                 bitset
}

// mipColumnBytes is what a function takes in mipColumns.
const mipColumnBytes = 5*4 + 4*8 + 1

// mipTable is the table of functions, and how many it holds.
func (p *Profile) mipTable(ctx context.Context) (*btree.Table, *MIPOverview, error) {
	o, err := p.Overview(ctx)
	if err != nil {
		return nil, nil, err
	}
	if o.MIP == nil {
		return nil, nil, ErrNotFound
	}
	if o.MIP.Functions > maxRecords {
		return nil, nil, errOr(nil, "%d functions of machine IR", o.MIP.Functions)
	}
	t, err := p.r.Table("mip_function")
	return t, o.MIP, err
}

// mipColumns reads the columns with one scan of the table, on every core.
func (p *Profile) mipColumns(ctx context.Context) (*mipColumns, error) {
	v, err := p.cached(ctx, "mip columns", func() (any, int64, error) {
		table, o, err := p.mipTable(ctx)
		if err != nil {
			return nil, 0, err
		}
		n := int(o.Functions)
		c := &mipColumns{
			size: make([]uint32, n), blocks: make([]uint32, n), covered: make([]uint32, n), coveredBytes: make([]uint32, n), scope: make([]uint32, n),
			offset: make([]int64, n), merges: make([]uint64, n), calls: make([]uint64, n), timestamps: make([]uint64, n),
			executed: newBitset(n), saturated: newBitset(n),
		}
		saturated := make([]bool, n) // words of a bitset would be shared between workers
		err = eachRowOf(ctx, table, 1, n, func(row *btree.Row) error {
			i := row.ID - 1
			c.size[i], c.blocks[i], c.covered[i] = uint32(row.Uint(mfSize)), uint32(row.Uint(mfBlocks)), uint32(row.Uint(mfCoveredBlocks))
			c.coveredBytes[i], c.scope[i] = uint32(row.Uint(mfCoveredBytes)), uint32(row.Uint(mfScopeNode))
			c.offset[i], c.merges[i], c.calls[i], c.timestamps[i] = row.Int(mfOffset), row.Uint(mfMergeCount), row.Uint(mfCallCount), row.Uint(mfTimestampSum)
			saturated[i] = row.Int(mfSaturated) != 0
			return nil
		})
		for i := range n {
			if c.merges[i] > 0 || c.calls[i] > 0 {
				c.executed.set(uint32(i))
			}
			if saturated[i] {
				c.saturated.set(uint32(i))
			}
		}
		return c, int64(n) * mipColumnBytes, err
	})
	if err != nil {
		return nil, err
	}
	return v.(*mipColumns), nil
}

// mipNameRanks gives each function its place in the order by name.
func (p *Profile) mipNameRanks(ctx context.Context) ([]uint32, error) {
	v, err := p.cached(ctx, "mip names", func() (any, int64, error) {
		_, o, err := p.mipTable(ctx)
		if err != nil {
			return nil, 0, err
		}
		table, err := p.r.Table("mip_by_name")
		if err != nil {
			return nil, 0, err
		}
		ranks := make([]uint32, o.Functions)
		at := uint32(0)
		err = eachRow(table, func(row *btree.Row) error {
			ids, err := row.Bytes(1)
			for ; err == nil && len(ids) >= 4; ids = ids[4:] {
				id := binary.LittleEndian.Uint32(ids)
				if id == 0 || uint64(id) > o.Functions {
					return fmt.Errorf("%w: function %d of %d in the order by name", ErrDamaged, id, o.Functions)
				}
				ranks[id-1] = at
				at++
			}
			return err
		})
		return ranks, int64(len(ranks)) * 4, err
	})
	if err != nil {
		return nil, err
	}
	return v.([]uint32), nil
}

// mipFirstRanks gives each function that ran its place by the average of those
// in which it first ran, from 1; equal averages share a place, and 0 is none.
func (p *Profile) mipFirstRanks(ctx context.Context) ([]uint32, error) {
	order, err := p.mipFirstOrder(ctx)
	if err != nil {
		return nil, err
	}
	v, err := p.cached(ctx, "mip first ranks", func() (any, int64, error) {
		c, err := p.mipColumns(ctx)
		if err != nil {
			return nil, 0, err
		}
		ranks := make([]uint32, len(c.size))
		rank := uint32(0)
		for n, i := range order {
			if n == 0 || analyze.CompareAverages(c.timestamps[order[n-1]], c.merges[order[n-1]], c.timestamps[i], c.merges[i]) != 0 {
				rank++
			}
			ranks[i] = rank
		}
		return ranks, int64(len(ranks)) * 4, nil
	})
	if err != nil {
		return nil, err
	}
	return v.([]uint32), nil
}
