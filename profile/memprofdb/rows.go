package memprofdb

import (
	"context"
	"encoding/binary"

	"proflens/profile/stored"
)

// maxFrameRows bounds the rows of call stacks: stacks that share their callers
// can stand for far more frames than the file has.
const maxFrameRows = 1 << 25

// frameRows adds the frames of each context as rows. Of profiles made to have
// more than maxFrameRows, the frames nearest the leaf.
func frameRows(p *stored.Profile, r *stored.Record, add func() error) error {
	m, err := Of(p)
	if err != nil {
		return err
	}
	x, err := m.index(context.Background())
	if err != nil {
		return err
	}
	limit := maxFrameRows / max(len(x.contexts.stack), 1)
	for i, stack := range x.contexts.stack {
		for n := 0; stack >= 0 && n < limit; n, stack = n+1, x.caller[stack] {
			r.Ints(i+1, n, int(x.frame[stack])+1)
			if err := add(); err != nil {
				return err
			}
		}
	}
	return nil
}

// histogramRows adds the access histograms of contexts as rows.
func histogramRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return p.Walk("mib", func(row *stored.Row) {
		for i, count := range row.Vector(mibHistogram) {
			r.Uints(uint64(row.ID), uint64(i), count)
			if err := add(); err != nil {
				row.Fail(err)
				return
			}
		}
	})
}

// calleeRows adds what indirect calls may call as rows.
func calleeRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return p.Walk("heap_call_site", func(row *stored.Row) {
		callees := row.Blob(3)
		for i := 0; len(callees) >= 8; i, callees = i+1, callees[8:] {
			r.Uints(uint64(row.ID), uint64(i), binary.LittleEndian.Uint64(callees))
			if err := add(); err != nil {
				row.Fail(err)
				return
			}
		}
	})
}
