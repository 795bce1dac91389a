package store

import (
	"context"
	"encoding/binary"

	"proflens/store/btree"
)

// maxFrameRows bounds the rows of call stacks: stacks that share their callers
// can stand for far more frames than the file has.
const maxFrameRows = 1 << 25

// mibFrameRows adds the frames of each context as rows. Of profiles made to have
// more than maxFrameRows, the frames nearest the leaf.
func (p *Profile) mibFrameRows(r *btree.Record, add func() error) error {
	o, err := p.Overview(context.Background())
	if err != nil || o.MemProf == nil {
		return err
	}
	h, err := p.heapIndex(context.Background())
	if err != nil {
		return err
	}
	limit := maxFrameRows / max(len(h.contexts.stack), 1)
	for i, stack := range h.contexts.stack {
		for n := 0; stack >= 0 && n < limit; n, stack = n+1, h.caller[stack] {
			r.Int(int64(i) + 1)
			r.Int(int64(n))
			r.Int(int64(h.frame[stack]) + 1)
			if err := add(); err != nil {
				return err
			}
		}
	}
	return nil
}

// mibHistogramRows adds the access histograms of contexts as rows.
func (p *Profile) mibHistogramRows(r *btree.Record, add func() error) error {
	table, err := p.r.Table("mib")
	if err != nil {
		return err
	}
	return eachRow(table, func(row *btree.Row) error {
		packed, err := row.Bytes(mibHistogram)
		if err != nil {
			return err
		}
		counts, err := readVector(nil, packed)
		if err != nil {
			return err
		}
		for i, count := range counts {
			r.Int(row.ID)
			r.Int(int64(i))
			r.Uint(count)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

// heapCalleeRows adds what indirect calls may call as rows.
func (p *Profile) heapCalleeRows(r *btree.Record, add func() error) error {
	table, err := p.r.Table("heap_call_site")
	if err != nil {
		return err
	}
	return eachRow(table, func(row *btree.Row) error {
		callees, err := row.Bytes(3)
		if err != nil {
			return err
		}
		for i := 0; len(callees) >= 8; i, callees = i+1, callees[8:] {
			r.Int(row.ID)
			r.Int(int64(i))
			r.Uint(binary.LittleEndian.Uint64(callees))
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}
