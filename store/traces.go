package store

import (
	"context"
	"encoding/binary"
	"fmt"

	"proflens/analyze"
	"proflens/store/btree"
)

// TraceInfo is a temporal trace without its functions.
type TraceInfo struct {
	Weight uint64
	Length int // functions
}

// Traces lists the temporal traces in the file's order.
func (p *Profile) Traces(ctx context.Context) ([]TraceInfo, error) {
	v, err := p.cache.get(ctx, cacheKey{p.id, "traces"}, func() (any, int64, error) {
		list := []TraceInfo{}
		err := walk(p.r, "trace", func(row *rowReader) {
			list = append(list, TraceInfo{Weight: row.Uint(1), Length: int(row.Int(2))})
		})
		return list, int64(len(list)) * 16, err
	})
	if err != nil {
		return nil, err
	}
	return v.([]TraceInfo), nil
}

// Trace is the NameRefs of a trace, from 0, in the order in which the functions
// first ran; ErrNotFound when there is no such trace.
func (p *Profile) Trace(ctx context.Context, index int) ([]uint64, error) {
	table, err := p.r.Table("trace")
	if err != nil {
		return nil, err
	}
	c := table.Cursor()
	if !c.Find(int64(index) + 1) {
		if c.Err() != nil {
			return nil, c.Err()
		}
		return nil, ErrNotFound
	}
	row, err := c.Row()
	if err != nil {
		return nil, err
	}
	if row.ID != int64(index)+1 {
		return nil, ErrNotFound
	}
	return readTrace(row)
}

// readTrace decodes the NameRefs of a trace.
func readTrace(row *btree.Row) ([]uint64, error) {
	packed, err := row.Bytes(3)
	if err != nil {
		return nil, err
	}
	if n := row.Int(2); int64(len(packed)) != 8*n {
		return nil, fmt.Errorf("%w: trace %d has %d bytes, expected 8 for each of %d functions", ErrDamaged, row.ID, len(packed), n)
	}
	refs := make([]uint64, 0, len(packed)/8)
	for ; len(packed) > 0; packed = packed[8:] {
		refs = append(refs, binary.LittleEndian.Uint64(packed))
	}
	return refs, nil
}

// FunctionOrder is the functions of all traces in the order of [analyze.Order].
// It is shared: do not change it.
func (p *Profile) FunctionOrder(ctx context.Context) ([]analyze.Placed, error) {
	v, err := p.cache.get(ctx, cacheKey{p.id, "function order"}, func() (any, int64, error) {
		traces, err := p.Traces(ctx)
		if err != nil {
			return nil, 0, err
		}
		var o analyze.Order
		for i := range traces {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			refs, err := p.Trace(ctx, i)
			if err != nil {
				return nil, 0, err
			}
			o.AddRefs(refs)
		}
		list := o.Functions()
		return list, int64(len(list)) * 24, nil
	})
	if err != nil {
		return nil, err
	}
	return v.([]analyze.Placed), nil
}

// MaximaOf looks up the largest counter of each function, of all its records.
// Functions without a record have 0.
func (p *Profile) MaximaOf(ctx context.Context, refs []uint64) ([]uint64, error) {
	columns, err := p.columns(ctx, maxColumn)
	if err != nil {
		return nil, err
	}
	c := p.name.Cursor()
	maxima := make([]uint64, len(refs))
	for i, ref := range refs {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e, err := p.lookup(c, ref)
		if err == ErrNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, rank := range e.ranks {
			if rank < 1 || rank > p.rows {
				return nil, fmt.Errorf("%w: a name of function %d of %d", ErrDamaged, rank, p.rows)
			}
			maxima[i] = max(maxima[i], columns[maxColumn].at(uint32(rank-1)))
		}
	}
	return maxima, nil
}
