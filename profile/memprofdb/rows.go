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
func frameRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	m, err := Of(p)
	if err != nil {
		return err
	}
	x, err := m.index(ctx)
	if err != nil {
		return err
	}
	limit := maxFrameRows / max(len(x.contexts.stack), 1)
	for i, stack := range x.contexts.stack {
		for n := 0; stack >= 0 && n < limit; n, stack = n+1, x.caller[stack] {
			r.Ints(i+1, n, int(x.frame[stack])+1)
			add()
		}
	}
	return nil
}

// histogramRows adds the access histograms of contexts as rows.
func histogramRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	return p.Walk("mib", func(row *stored.Row) {
		for i, count := range row.Vector(mibHistogram) {
			r.Uints(uint64(row.ID), uint64(i), count)
			add()
		}
	})
}

// calleeRows adds what indirect calls may call as rows.
func calleeRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	return p.Walk("heap_call_site", func(row *stored.Row) {
		callees := row.Blob(3)
		for i := 0; len(callees) >= 8; i, callees = i+1, callees[8:] {
			r.Uints(uint64(row.ID), uint64(i), binary.LittleEndian.Uint64(callees))
			add()
		}
	})
}
