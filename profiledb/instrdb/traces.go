package instrdb

import (
	"cmp"
	"context"
	"encoding/binary"

	"proflens/analyze"
	"proflens/profiledb/btree"
	"proflens/profiledb/stored"
)

// TraceInfo is a temporal trace without its functions.
type TraceInfo struct {
	Weight uint64
	Length int // functions
}

// Traces lists the temporal traces in the file's order.
func (p *Profile) Traces(ctx context.Context) ([]TraceInfo, error) {
	return stored.Cached(ctx, p.Profile, "traces", func() ([]TraceInfo, int64, error) {
		list := []TraceInfo{}
		err := p.Walk("trace", func(row *stored.Row) {
			list = append(list, TraceInfo{Weight: row.Uint(1), Length: int(row.Int(2))})
		})
		return list, int64(len(list)) * 16, err
	})
}

// Trace is the NameRefs of a trace, from 0, in the order in which the functions
// first ran; stored.ErrNoPart when there is no such trace.
func (p *Profile) Trace(_ context.Context, index int) ([]uint64, error) {
	table, err := p.Table("trace")
	if err != nil {
		return nil, err
	}
	row, err := stored.Lookup(table.Cursor(), int64(index)+1)
	if err != nil || row == nil {
		return nil, cmp.Or(err, stored.ErrNoPart)
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
		return nil, stored.Damaged("trace %d has %d bytes, expected 8 for each of %d functions", row.ID, len(packed), n)
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
	return stored.Cached(ctx, p.Profile, "function order", func() ([]analyze.Placed, int64, error) {
		var o analyze.Order
		n := 0
		err := p.EachRow("trace", func(row *btree.Row) error {
			if n++; n%64 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			refs, err := readTrace(row)
			o.AddRefs(refs)
			return err
		})
		list := o.Functions()
		return list, int64(len(list)) * 24, err
	})
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
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e, err := p.lookup(c, ref)
		if err == stored.ErrNoPart {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, rank := range e.ranks {
			if rank < 1 || rank > p.rows {
				return nil, stored.Damaged("a name of function %d of %d", rank, p.rows)
			}
			maxima[i] = max(maxima[i], columns[maxColumn].at(uint32(rank-1)))
		}
	}
	return maxima, nil
}
