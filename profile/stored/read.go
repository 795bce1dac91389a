package stored

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"proflens/internal/recovery"
	"proflens/profile/btree"
)

// CheckEvery is how many rows are read or written between two looks at the
// context.
const CheckEvery = 4096

// Row reads columns of a row in the words of tables.
type Row struct {
	*btree.Row
	numbers []uint64 // of Vector
}

// Blob is a copy of a column's bytes.
func (r *Row) Blob(column int) []byte { return append([]byte(nil), r.Bytes(column)...) }

// String is a column of words.
func (r *Row) String(column int) string { return string(r.Blob(column)) }

// Vector is a column of LEB128 numbers, valid until the next one of the walk.
func (r *Row) Vector(column int) []uint64 {
	r.numbers = Vector(r.numbers[:0], r.Row, column)
	return r.numbers
}

// Vector adds a column of LEB128 numbers to dst.
func Vector(dst []uint64, row *btree.Row, column int) []uint64 {
	numbers, err := ReadVector(dst, row.Bytes(column))
	if err != nil {
		row.Fail(fmt.Errorf("row %d: %w", row.ID, err))
	}
	return numbers
}

// Walk calls visit for every row of a table, in order, until one fails.
func (p *Profile) Walk(table string, visit func(row *Row)) error {
	row := Row{}
	return p.EachRow(context.Background(), table, func(r *btree.Row) error {
		row.Row = r
		visit(&row)
		return nil
	})
}

// EachRow is Walk with errors of visit's own, until the context ends.
func (p *Profile) EachRow(ctx context.Context, table string, visit func(row *btree.Row) error) error {
	t, err := p.Table(table)
	if err != nil {
		return err
	}
	if err := eachRow(ctx, t, visit); err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	return nil
}

func eachRow(ctx context.Context, table *btree.Table, visit func(row *btree.Row) error) error {
	c, n := table.Cursor(), 0
	for ok := c.Find(math.MinInt64); ok; ok = c.Next() {
		if n++; n%CheckEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := c.Row()
		if err != nil {
			return err
		}
		if err := visited(row, visit); err != nil {
			return err
		}
	}
	return c.Err()
}

// visited visits a row: an error of the row itself comes before what visit made of it.
func visited(row *btree.Row, visit func(row *btree.Row) error) error {
	err := visit(row)
	return cmp.Or(row.Err(), err)
}

// EachRowOf visits the rows first to last of a table whose ids count from 1, in
// parallel: visit is called on several goroutines, each going through rows of
// its own. what they are is said to who waits.
func EachRowOf(ctx context.Context, table *btree.Table, what string, first, last int,
	visit func(row *btree.Row) error) error {
	workers := min(runtime.GOMAXPROCS(0), (last-first)/1024+1)
	var read atomic.Int64
	report := func(more int64) { Report(ctx, "Reading "+what, int(read.Add(more)), last-first+1) }
	report(0)
	g, within := recovery.WithContext(ctx)
	for w := range workers {
		from := first + w*(last-first+1)/workers
		to := first + (w+1)*(last-first+1)/workers
		if from == to {
			continue
		}
		g.Go(func() error {
			c := table.Cursor()
			row, err := Find(c, from)
			for id := from; ; {
				if err != nil {
					return err
				}
				if err := visited(row, visit); err != nil {
					return err
				}
				if id++; id == to {
					return nil
				}
				if id%CheckEvery == 0 {
					if within.Err() != nil {
						return within.Err()
					}
					report(CheckEvery)
				}
				row, err = Next(c, id)
			}
		})
	}
	return g.Wait()
}

// Pick visits n rows of a table, each by its id, in this order.
func Pick(ctx context.Context, table *btree.Table, n int, id func(i int) int,
	visit func(i int, row *btree.Row) error) error {
	c := table.Cursor()
	for i := range n {
		if i%CheckEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := Find(c, id(i))
		if err != nil {
			return err
		}
		if err := visited(row, func(row *btree.Row) error { return visit(i, row) }); err != nil {
			return err
		}
	}
	return nil
}

// RowOf is the row of an id in a table, alone.
func (p *Profile) RowOf(table string, id int) (*btree.Row, error) {
	t, err := p.Table(table)
	if err != nil {
		return nil, err
	}
	return Find(t.Cursor(), id)
}

// Find moves a cursor to the row of an id.
func Find(c *btree.Cursor, id int) (*btree.Row, error) {
	if !c.Find(int64(id)) {
		if c.Err() != nil {
			return nil, c.Err()
		}
		return nil, Damaged("there is no row %d", id)
	}
	return expect(c, id)
}

// Next moves a cursor to the row after, which must have this id.
func Next(c *btree.Cursor, id int) (*btree.Row, error) {
	if !c.Next() {
		if c.Err() != nil {
			return nil, c.Err()
		}
		return nil, Damaged("the table ends before row %d", id)
	}
	return expect(c, id)
}

func expect(c *btree.Cursor, id int) (*btree.Row, error) {
	row, err := c.Row()
	if err == nil && row.ID != int64(id) {
		err = Damaged("row %d where %d was expected", row.ID, id)
	}
	return row, err
}

// Lookup finds the row of a key that may not be there: then it is nil.
func Lookup(c *btree.Cursor, key int64) (*btree.Row, error) {
	if !c.Find(key) {
		return nil, c.Err()
	}
	row, err := c.Row()
	if err != nil || row.ID != key {
		return nil, err
	}
	return row, nil
}

// vectorStep is for how many numbers of a vector room is made at once.
const vectorStep = 1024

// ReadVector decodes a vector of LEB128 numbers (the schema) and adds them to
// dst.
func ReadVector(dst []uint64, packed []byte) ([]uint64, error) {
	for at := 0; at < len(packed); {
		dst = slices.Grow(dst, min(len(packed)-at, vectorStep))
		n, room := len(dst), dst[:cap(dst)]
		for ; n < len(room) && at < len(packed); n++ {
			v, next := uint64(packed[at]), uint64(0)
			if at+1 < len(packed) {
				next = uint64(packed[at+1])
			}
			size := 1 + int(v>>7)
			if v&next < 0x80 { // one byte or two, as nearly all: which is not to be foreseen, and no branch
				v = v&0x7f | next<<7*(v>>7)
			} else {
				v, size = binary.Uvarint(packed[at:])
			}
			if at += size; size <= 0 || at > len(packed) {
				return room[:n], Damaged("a broken number in a vector")
			}
			room[n] = v
		}
		dst = room[:n]
	}
	return dst, nil
}

// Permutation reads what [Writer.Permutation] wrote, n ids.
func (p *Profile) Permutation(name string, n int) ([]uint32, error) {
	ids := make([]uint32, 0, n)
	err := p.EachRow(context.Background(), name, func(row *btree.Row) error {
		for b := row.Bytes(1); len(b) >= 4; b = b[4:] {
			if len(ids) == n {
				return Damaged("more than %d ids in %s", n, name)
			}
			ids = append(ids, binary.LittleEndian.Uint32(b))
		}
		return nil
	})
	if err == nil && len(ids) != n {
		err = Damaged("%d ids in %s, expected %d", len(ids), name, n)
	}
	return ids, err
}
