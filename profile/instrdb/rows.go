package instrdb

import (
	"context"

	"proflens/profile/btree"
	"proflens/profile/stored"
)

// counterRows adds the counters of functions as rows.
func counterRows(p *stored.Profile, r *stored.Record, add func() error) error {
	var counters []uint64
	return p.EachRow(context.Background(), "function", func(row *btree.Row) error {
		counters = readCounters(row, counters)
		for i, c := range counters {
			r.Uints(uint64(row.ID), uint64(i), c)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

// valueRows adds the values of sites.
func valueRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return p.EachRow(context.Background(), "value_site", func(row *btree.Row) error {
		for i, v := range readSite(row) {
			r.Uints(uint64(row.ID), uint64(i), v.Value, v.Count)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

// traceRows adds the functions of traces.
func traceRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return p.EachRow(context.Background(), "trace", func(row *btree.Row) error {
		for i, ref := range readTrace(row) {
			r.Uints(uint64(row.ID), uint64(i), ref)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}
