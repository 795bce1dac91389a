package instrdb

import (
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// counterRows adds the counters of functions as rows.
func counterRows(p *stored.Profile, r *stored.Record, add func() error) error {
	var counters []uint64
	return p.EachRow("function", func(row *btree.Row) (err error) {
		if counters, err = readCounters(row, counters); err != nil {
			return err
		}
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
	return p.EachRow("value_site", func(row *btree.Row) error {
		site, err := readSite(row)
		if err != nil {
			return err
		}
		for i, v := range site {
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
	return p.EachRow("trace", func(row *btree.Row) error {
		refs, err := readTrace(row)
		if err != nil {
			return err
		}
		for i, ref := range refs {
			r.Uints(uint64(row.ID), uint64(i), ref)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}
