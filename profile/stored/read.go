package stored

import (
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

// Row reads columns of a row and keeps the first error.
type Row struct {
	*btree.Row
	err     error
	numbers []uint64 // of Vector
}

// Blob is a copy of a column's bytes.
func (r *Row) Blob(column int) []byte {
	b, err := r.Bytes(column)
	r.Fail(err)
	return append([]byte(nil), b...)
}

// String is a column of words.
func (r *Row) String(column int) string { return string(r.Blob(column)) }

// Vector is a column of LEB128 numbers, valid until the next one of the walk.
func (r *Row) Vector(column int) []uint64 {
	b, err := r.Bytes(column)
	r.numbers = r.numbers[:0]
	if err == nil {
		r.numbers, err = ReadVector(r.numbers, b)
	}
	r.Fail(err)
	return r.numbers
}

// Fail ends the walk with an error.
func (r *Row) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Walk calls visit for every row of a table, in order.
func (p *Profile) Walk(table string, visit func(row *Row)) error {
	row := Row{}
	return p.EachRow(table, func(r *btree.Row) error {
		row.Row = r
		visit(&row)
		return row.err
	})
}

// EachRow is Walk with errors of visit's own.
func (p *Profile) EachRow(table string, visit func(row *btree.Row) error) error {
	t, err := p.Table(table)
	if err != nil {
		return err
	}
	if err := eachRow(t, visit); err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	return nil
}

func eachRow(table *btree.Table, visit func(row *btree.Row) error) error {
	c := table.Cursor()
	for ok := c.Find(math.MinInt64); ok; ok = c.Next() {
		row, err := c.Row()
		if err != nil {
			return err
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return c.Err()
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
				if err := visit(row); err != nil {
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
		n := len(dst)
		dst = slices.Grow(dst, min(len(packed)-at, vectorStep))
		for room := dst[n:cap(dst)]; len(room) > 0 && at < len(packed); room = room[1:] {
			v := uint64(packed[at])
			if at++; v >= 0x80 { // as most are not
				if at < len(packed) && packed[at] < 0x80 { // as are most of the others
					v = v&0x7f | uint64(packed[at])<<7
					at++
				} else {
					var size int
					if v, size = binary.Uvarint(packed[at-1:]); size <= 0 {
						return dst[:n], Damaged("a broken number in a vector")
					}
					at += size - 1
				}
			}
			room[0] = v
			n++
		}
		dst = dst[:n]
	}
	return dst, nil
}

// Permutation reads what [Writer.Permutation] wrote, n ids.
func (p *Profile) Permutation(name string, n int) ([]uint32, error) {
	ids := make([]uint32, 0, n)
	err := p.EachRow(name, func(row *btree.Row) error {
		b, err := row.Bytes(1)
		for ; err == nil && len(b) >= 4; b = b[4:] {
			if len(ids) == n {
				return Damaged("more than %d ids in %s", n, name)
			}
			ids = append(ids, binary.LittleEndian.Uint32(b))
		}
		return err
	})
	if err == nil && len(ids) != n {
		err = Damaged("%d ids in %s, expected %d", len(ids), name, n)
	}
	return ids, err
}
