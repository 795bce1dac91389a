package query

import (
	"context"
	"runtime"
	"sync/atomic"

	"proflens/panics"
	"proflens/profiledb/btree"
	"proflens/profiledb/stored"
)

// packedNames are the names in a column of a table, in batches of SearchBatch rows. Reading
// rows takes several times as long as looking at their names, so that a second search is
// quicker than the first. It is immutable.
type packedNames []nameBatch

type nameBatch struct {
	text []byte
	ends []uint32 // of each name in text
}

// mostPacked is how many bytes of names are kept in memory for a profile.
const mostPacked = 64 << 20

// at is the i-th name of the batch.
func (b *nameBatch) at(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.text[from:b.ends[i]:b.ends[i]]
}

// packNames reads the names of n rows, whose ids count from 1; nil where they take more
// than so many bytes.
func packNames(ctx context.Context, table *btree.Table, rows, column int, most int64) (packedNames, error) {
	batches := make(packedNames, (rows+SearchBatch-1)/SearchBatch)
	var size atomic.Int64
	g, ctx := panics.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range batches {
		g.Go(func() error {
			if ctx.Err() != nil || size.Load() > most {
				return ctx.Err()
			}
			err := batches[i].read(table, i*SearchBatch+1, min((i+1)*SearchBatch, rows), column)
			size.Add(int64(len(batches[i].text)))
			return err
		})
	}
	if err := g.Wait(); err != nil || size.Load() > most {
		return nil, err
	}
	return batches, nil
}

// read reads the names of rows, from the first to the last.
func (b *nameBatch) read(table *btree.Table, first, last, column int) error {
	c := table.Cursor()
	next := stored.Find
	for id := first; id <= last; id++ {
		row, err := next(c, id)
		if err != nil {
			return err
		}
		name, err := row.Bytes(column)
		if err != nil {
			return err
		}
		b.text = append(b.text, name...)
		b.ends = append(b.ends, uint32(len(b.text)))
		next = stored.Next
	}
	return nil
}

// bytes is what they take.
func (p packedNames) bytes() (size int64) {
	for i := range p {
		size += int64(cap(p[i].text)) + int64(cap(p[i].ends))*4
	}
	return size
}
