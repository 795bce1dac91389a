package dcpidb

import (
	"cmp"
	"context"

	"proflens/profile/btree"
	"proflens/profile/stored"
)

// eachCount calls visit for the counts above zero of a profile whose offset is in
// [from, to], by rising offset. Blocks outside are not read.
func (p *Profile) eachCount(ctx context.Context, f *EventProfile, from, to uint64,
	visit func(offset uint64, count uint32)) error {
	c := p.chunks.Cursor()
	left := f.blocks
	for ok := left > 0 && c.Find(f.firstBlock); ok && left > 0; ok = c.Next() {
		row, err := c.Row()
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		left--
		first, last := row.Uint(2), row.Uint(3)
		if last < from {
			continue
		}
		if first > to {
			return nil
		}
		if err := eachInBlock(row, first, max(f.Stride, 1), func(offset uint64, count uint32) {
			if offset >= from && offset <= to {
				visit(offset, count)
			}
		}); err != nil {
			return err
		}
	}
	if left > 0 {
		return cmp.Or(c.Err(), stored.Damaged("%d blocks of samples are not there", left))
	}
	return nil
}

// lastOffset is the largest offset with a sample; 0 where there is none.
func (p *Profile) lastOffset(f *EventProfile) (uint64, error) {
	if f.blocks == 0 {
		return 0, nil
	}
	row, err := stored.Find(p.chunks.Cursor(), int(f.firstBlock+f.blocks-1))
	if err != nil {
		return 0, err
	}
	return row.Uint(3), nil
}

// eachInBlock reads the runs of a row of sample_chunk.
func eachInBlock(row *btree.Row, offset, stride uint64, visit func(offset uint64, count uint32)) error {
	packed := stored.ReadNumbers("a block of samples", row.Bytes(5))
	for packed.Left() > 0 {
		offset += packed.Uint()
		for i := range packed.Count(1) {
			if i > 0 {
				offset += stride
			}
			if count := uint32(packed.Uint()); count > 0 {
				visit(offset, count)
			}
		}
	}
	row.Fail(packed.Err())
	return row.Err()
}
