package tables

import (
	"context"

	"proflens/profile/table"
	"proflens/say"
)

// Sighting is a function as another profile of the same program has it.
type Sighting struct {
	Profile, ProfileName string // its id and name
	Family               string
	Relation             string // build, commit, project or name: what the profiles share
	FID                  string
	FuncHashes           []uint64 // of its records; nil where families have none
	// Total is in Measure: counts, bytes, calls or samples. Share is of its profile,
	// and Rank, from 1, by Total; 0 where there is none.
	Measure string
	Total   string // decimal
	Share   float64
	Rank    int
	// First is its position in the order of the first run, from 0; nil where it never ran
	// or nobody looked.
	First *float64

	// What a page shows of it: a figure, what it is, and where more stands.
	Figure say.Number
	Says   string
	URL    string
	Own    any // what the family's own pages know beside
}

var sightingColumns = []table.Column[Sighting]{
	{"profile", 26, func(s *Sighting) table.Cell { return table.Text(s.Profile) }},
	{"family", 8, func(s *Sighting) table.Cell { return table.Text(s.Family) }},
	{"relation", 8, func(s *Sighting) table.Cell { return table.Text(s.Relation) }},
	{"fid", 16, func(s *Sighting) table.Cell { return table.Text(s.FID) }},
	{"func_hash", 16, func(s *Sighting) table.Cell {
		if len(s.FuncHashes) == 0 {
			return table.Null
		}
		return table.Hex(s.FuncHashes[0])
	}},
	{"measure", 8, func(s *Sighting) table.Cell { return table.Text(s.Measure) }},
	{"total", 20, func(s *Sighting) table.Cell { return table.BigCount(s.Total) }},
	{"share", 8, func(s *Sighting) table.Cell { return table.Ratio(s.Share) }},
	{"rank", 8, func(s *Sighting) table.Cell {
		if s.Rank == 0 {
			return table.Null
		}
		return table.Int(uint64(s.Rank))
	}},
	{"first", 8, func(s *Sighting) table.Cell {
		if s.First == nil {
			return table.Null
		}
		return table.Ratio(*s.First)
	}},
	{"profile_name", 0, func(s *Sighting) table.Cell { return table.Text(s.ProfileName) }},
}

// Sightings is a function in the profiles of the same program, the closest first.
func Sightings(rows []Sighting, o table.Options) table.Table {
	return &table.List[Sighting]{Columns: sightingColumns, Quote: o.Quote,
		Read: func(_ context.Context, offset, limit int) (table.Step[Sighting], error) {
			from := min(offset, len(rows))
			return table.Step[Sighting]{Rows: rows[from : from+min(limit, len(rows)-from)], Total: len(rows)}, nil
		}}
}
