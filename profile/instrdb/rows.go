package instrdb

import (
	"context"

	"proflens/profile/btree"
	"proflens/profile/stored"
)

// counterRows adds the counters of functions as rows.
func counterRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	var counters []uint64
	return p.EachRow(ctx, "function", func(row *btree.Row) error {
		counters = readCounters(row, counters)
		for i, c := range counters {
			r.Uints(uint64(row.ID), uint64(i), c)
			add()
		}
		return nil
	})
}

// valueRows adds the values of sites.
func valueRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	return p.EachRow(ctx, "value_site", func(row *btree.Row) error {
		for i, v := range readSite(row) {
			r.Uints(uint64(row.ID), uint64(i), v.Value, v.Count)
			add()
		}
		return nil
	})
}

// traceRows adds the functions of traces.
func traceRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	return p.EachRow(ctx, "trace", func(row *btree.Row) error {
		for i, ref := range readTrace(row) {
			r.Uints(uint64(row.ID), uint64(i), ref)
			add()
		}
		return nil
	})
}
