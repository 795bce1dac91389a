package tables

import (
	"context"
	"fmt"
	"slices"

	"proflens/profiledb/dcpidb"
)

// openDCPIProfiles is the profiles of a database, in the order of the files.
func openDCPIProfiles(ctx context.Context, p *dcpidb.Profile, o Options) (Table, error) {
	db := p.Overview
	type row = dcpidb.EventProfile
	all := slices.Concat(
		[]Column[row]{
			{"event", 10, func(f *row) Cell { return Text(f.Event) }},
			{"epoch", 20, func(f *row) Cell { return Text(f.Epoch) }},
			{"platform", 12, func(f *row) Cell { return Text(f.Platform) }},
		},
		imageCells(db, func(f *row) int { return f.Image }),
		[]Column[row]{
			{"samples", 12, func(f *row) Cell { return Count(f.Samples) }},
			{"addresses", 9, func(f *row) Cell { return Count(f.Nonzero) }},
			{"events", 14, func(f *row) Cell { return DCPIFigure(f.Events(f.Samples), dcpidb.UnitEvents) }},
			{"period", 8, func(f *row) Cell { return Count(f.Period) }},
			{"fraction", 8, func(f *row) Cell { return Count(f.Fraction) }},
			{"cpuspeed", 8, func(f *row) Cell {
				if f.CPUSpeed == 0 {
					return Null
				}
				return Count(f.CPUSpeed)
			}},
			{"cpuamask", 8, func(f *row) Cell {
				if f.CPUAMask == nil {
					return Null
				}
				return Text(fmt.Sprintf("0x%x", *f.CPUAMask))
			}},
			{"cpuimplv", 8, func(f *row) Cell { return optional(f.CPUImplVer) }},
			{"cpucount", 8, func(f *row) Cell { return optional(f.CPUCount) }},
			{"chunks", 8, func(f *row) Cell { return Int(uint64(f.Chunks)) }},
			{"stride", 6, func(f *row) Cell { return Count(f.Stride) }},
			{"version", 8, func(f *row) Cell {
				if f.Version == "" {
					return Null
				}
				return Text(f.Version)
			}},
			{"file", 0, func(f *row) Cell { return Text(f.File) }},
		})
	return &List[row]{Columns: all, Quote: o.Quote,
		Text: []string{"samples", "event", "epoch", "platform", "image", "file"},
		Read: func(ctx context.Context, offset, limit int) (Step[row], error) {
			from := min(offset, len(db.Profiles))
			return Step[row]{Rows: db.Profiles[from:min(len(db.Profiles), from+limit)], Total: len(db.Profiles)}, ctx.Err()
		}}, nil
}

// optional is a count that may not be told.
func optional(n *uint64) Cell {
	if n == nil {
		return Null
	}
	return Count(*n)
}
