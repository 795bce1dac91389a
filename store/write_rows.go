package store

import (
	"context"
	"encoding/binary"
	"slices"

	"proflens/analyze"
	"proflens/store/btree"
)

// sumEvery is how many functions lie between two running totals.
const sumEvery = 256

// checkEvery is how many rows are written between two looks at the context.
const checkEvery = 4096

func (c *contents) writeFunctions(ctx context.Context) error {
	firstSite := int64(1)
	err := c.table("function", func(r *btree.Record, add func(int64) error) error {
		for i, index := range c.ranked {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			rec := c.c.records.at(index)
			r.Uint(uint64(index))
			r.Uint(rec.nameRef)
			r.Uint(rec.funcHash)
			flag(r, rec.CS)
			flag(r, rec.Pseudo)
			sum(r, rec.Total)
			r.Uint(rec.Max)
			r.Uint(uint64(rec.MaxIndex))
			r.Uint(rec.Entry)
			r.Uint(uint64(rec.NumCounters))
			r.Uint(uint64(rec.NumZero))
			sites := int64(0)
			for _, n := range rec.NumSites {
				r.Uint(uint64(n))
				sites += int64(n)
			}
			if sites > 0 {
				r.Int(firstSite)
				firstSite += sites
			} else {
				r.Int(0)
			}
			name(r, c.c.nameOf(rec))
			r.Blob(c.c.countersOf(rec))
			blobOrNull(r, c.c.bitmapOf(rec))
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.table("running_total", func(r *btree.Record, add func(int64) error) error {
		var total analyze.Sum
		for i, index := range c.ranked {
			total.AddSum(c.c.records.at(index).Total)
			if (i+1)%sumEvery != 0 {
				continue
			}
			sum(r, total)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeSites writes the value sites in the order of writeFunctions, which has
// counted their ids.
func (c *contents) writeSites(ctx context.Context) error {
	return c.table("value_site", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for i, index := range c.ranked {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			rec := c.c.records.at(index)
			packed := c.c.sitesOf(rec)
			for kind, sites := range rec.NumSites {
				for site := range sites {
					values, n := binary.Uvarint(packed)
					packed = packed[n:]
					size := vectorSize(packed, 2*values)
					r.Int(int64(i) + 1)
					r.Int(int64(kind))
					r.Uint(uint64(site))
					r.Blob(packed[:size])
					packed = packed[size:]
					id++
					if err := add(id); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// vectorSize is how many bytes the next n LEB128 numbers take.
func vectorSize(b []byte, n uint64) int {
	size := 0
	for ; n > 0; n-- {
		for b[size] >= 0x80 {
			size++
		}
		size++
	}
	return size
}

// writeNames writes every NameRef, those of records and those without, in the
// signed order of row ids.
func (c *contents) writeNames(ctx context.Context) error {
	items := make([]keyed, 0, len(c.ranked)+len(c.extra())) // ids: rank - 1, then the extra names
	for i, index := range c.ranked {
		items = append(items, keyed{c.c.records.at(index).nameRef ^ 1<<63, uint32(i)})
	}
	for i, extra := range c.extra() {
		items = append(items, keyed{extra.ref ^ 1<<63, uint32(len(c.ranked) + i)})
	}
	items = sortKeyed(items)
	return c.table("name", func(r *btree.Record, add func(int64) error) error {
		var others []byte
		for n := 0; len(items) > 0; n++ {
			if n%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			first := items[0]
			others = others[:0]
			for items = items[1:]; len(items) > 0 && items[0].key == first.key; items = items[1:] {
				others = binary.AppendUvarint(others, uint64(items[0].id)+1)
			}
			if isRecord := int(first.id) < len(c.ranked); isRecord {
				r.Int(int64(first.id) + 1)
				blobOrNull(r, others)
				r.Null()
			} else {
				r.Null()
				r.Null()
				name(r, c.extra()[int(first.id)-len(c.ranked)].name)
			}
			if err := add(int64(first.key ^ 1<<63)); err != nil {
				return err
			}
		}
		return nil
	})
}

func blobOrNull(r *btree.Record, b []byte) {
	if len(b) > 0 {
		r.Blob(b)
	} else {
		r.Null()
	}
}

// extra are the names without a record; a preview leaves them out, it must be
// quick.
func (c *contents) extra() []namedRef {
	if c.overview.Storing {
		return nil
	}
	return c.c.extra
}

// permutationRow is how many ids of a permutation stand in one row.
const permutationRow = 16384

func (c *contents) writePermutation(context.Context) error {
	return c.table("permutation", func(r *btree.Record, add func(int64) error) error {
		b := make([]byte, 0, 4*permutationRow)
		at := int64(0)
		for part := range slices.Chunk(c.byName, permutationRow) {
			b = b[:0]
			for _, rank := range part {
				b = binary.LittleEndian.AppendUint32(b, rank)
			}
			r.Blob(b)
			if err := add(at); err != nil {
				return err
			}
			at += int64(len(part))
		}
		return nil
	})
}

func (c *contents) writePathNodes(context.Context) error {
	nodes, _ := c.c.figures.paths.Nodes()
	if c.overview.Storing {
		nodes = nil
	}
	return c.table("path_node", func(r *btree.Record, add func(int64) error) error {
		for i := range nodes {
			n := &nodes[i]
			r.Int(int64(n.Parent))
			r.Int(int64(n.Last))
			r.Int(int64(n.Depth))
			name(r, []byte(n.Name))
			flag(r, n.NoPath)
			for _, v := range []uint64{n.Functions, n.Executed, n.Counters, n.Zero} {
				r.Uint(v)
			}
			sum(r, n.Total)
			if err := add(int64(n.ID)); err != nil {
				return err
			}
		}
		return nil
	})
}
