package memprofdb

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"proflens/decode/memprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Data is the data access profile, the most accessed data first and cold data in
// order; nil where there is none. It is shared: do not change it. The error is
// the context's, or about the file.
func (p *Profile) Data(ctx context.Context) (*memprof.DataAccess, error) {
	if !p.Overview.DataAccess {
		return nil, nil
	}
	return stored.Cached(ctx, p.Profile, "memprof data", func() (*memprof.DataAccess, int64, error) {
		d := &memprof.DataAccess{}
		records := map[int64]int{}
		size := int64(0)
		err := p.Walk("data_access", func(row *stored.Row) {
			r := memprof.DataAccessRecord{
				Symbol: row.String(3), Hash: row.Uint(4), IsString: row.Int(2) != 0, AccessCount: row.Uint(5),
			}
			size += int64(len(r.Symbol)) + 80
			switch {
			case row.Int(1) == 0:
				records[row.ID] = len(d.Records)
				d.Records = append(d.Records, r)
			case r.IsString:
				d.ColdHashes = append(d.ColdHashes, r.Hash)
			default:
				d.ColdSymbols = append(d.ColdSymbols, r.Symbol)
			}
		})
		if err != nil {
			return nil, 0, err
		}
		err = p.Walk("data_location", func(row *stored.Row) {
			if i, ok := records[row.Int(1)]; ok {
				l := memprof.DataLocation{File: row.String(2), Line: uint32(row.Uint(3))}
				size += int64(len(l.File)) + 24
				d.Records[i].Locations = append(d.Records[i].Locations, l)
			}
		})
		slices.SortStableFunc(d.Records, func(a, b memprof.DataAccessRecord) int {
			return cmp.Compare(b.AccessCount, a.AccessCount)
		})
		slices.Sort(d.ColdSymbols)
		slices.Sort(d.ColdHashes)
		return d, size, err
	})
}

// Datum is static data, or a string literal, with its accesses.
type Datum struct {
	memprof.DataAccessRecord
	Cold bool // known to be untouched: no accesses were counted
}

// What static data can be sorted and filtered by, beside ColClass: cold after the
// rest.
const (
	ColAccessCount query.Column = "access_count"
	ColSymbol      query.Column = "symbol" // or the hash of a literal
	ColKind        query.Column = "kind"
	ColLocations   query.Column = "locations" // how many
)

// DataColumns are all of them.
var DataColumns = []query.Column{ColAccessCount, ColSymbol, ColKind, ColClass, ColLocations}

// DataPage is one page of static data.
type DataPage struct {
	Rows          []Datum
	All, Matching int
}

// FindData returns one page of the data access profile, in the order of Data unless
// the query says otherwise; none where there is no such profile. Its words are those
// of the symbol and of the files that declare it. Errors are a *query.ColumnError,
// that of names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) FindData(ctx context.Context, q query.RowQuery) (*DataPage, error) {
	d, err := p.Data(ctx)
	if err != nil || d == nil {
		return &DataPage{}, err
	}
	symbols := len(d.Records) + len(d.ColdSymbols)
	at := func(i uint32) Datum {
		switch i := int(i); {
		case i < len(d.Records):
			return Datum{DataAccessRecord: d.Records[i]}
		case i < symbols:
			return Datum{memprof.DataAccessRecord{Symbol: d.ColdSymbols[i-len(d.Records)]}, true}
		default:
			return Datum{memprof.DataAccessRecord{IsString: true, Hash: d.ColdHashes[i-symbols]}, true}
		}
	}
	of := func(number func(d *Datum) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { d := at(i); return number(&d) }}, nil
	}
	yes := map[bool]uint64{true: 1}
	page := &DataPage{All: symbols + len(d.ColdHashes)}
	ids, err := q.Pick(ctx, query.Rows{
		Len: page.All,
		Names: func(i uint32, show func([]byte)) {
			d := at(i)
			show([]byte(d.label()))
			for _, l := range d.Locations {
				show(fmt.Appendf(nil, "%s:%d", l.File, l.Line))
			}
		},
		Value: func(c query.Column) (query.Value, error) {
			switch c {
			case ColAccessCount:
				return of(func(d *Datum) uint64 { return d.AccessCount })
			case ColSymbol:
				return query.Words(page.All, func(i uint32) string { d := at(i); return d.label() }), nil
			case ColKind:
				return of(func(d *Datum) uint64 { return yes[d.IsString] })
			case ColClass:
				return of(func(d *Datum) uint64 { return yes[d.Cold] })
			case ColLocations:
				return of(func(d *Datum) uint64 { return uint64(len(d.Locations)) })
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: DataColumns}
		},
	})
	if err != nil {
		return nil, err
	}
	page.Matching = len(ids)
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, at(i))
	}
	return page, nil
}

// label is what the data is called.
func (d *Datum) label() string {
	if d.IsString {
		return fmt.Sprintf("0x%016x", d.Hash)
	}
	return d.Symbol
}
