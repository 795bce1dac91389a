package instrdb

import (
	"context"
	"errors"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// The columns of the function table, in the schema's order.
const (
	fnID = iota
	fnOrdinal
	fnNameRef
	fnFuncHash
	fnCS
	fnPseudo
	fnTotal
	fnTotalHigh
	fnMax
	fnMaxIndex
	fnEntry
	fnNumCounters
	fnNumZero
	fnSites // of three kinds
	_
	_
	fnFirstSite
	fnRepeats
	fnFile
	fnLine
	fnName
	fnCounters
	fnBitmap
)

// stats reads the numbers of a row.
func stats(row *btree.Row) analyze.Stats {
	s := analyze.Stats{
		Total:       analyze.Sum{Hi: row.Uint(fnTotalHigh), Lo: row.Uint(fnTotal)},
		Max:         row.Uint(fnMax),
		MaxIndex:    uint32(row.Int(fnMaxIndex)),
		Entry:       row.Uint(fnEntry),
		NumCounters: uint32(row.Int(fnNumCounters)),
		NumZero:     uint32(row.Int(fnNumZero)),
		Pseudo:      row.Int(fnPseudo) != 0,
		CS:          row.Int(fnCS) != 0,
	}
	for k := range s.NumSites {
		s.NumSites[k] = uint32(row.Int(fnSites + k))
	}
	return s
}

// functionRow makes a table row of a stored one; Cum is left to the caller.
// counters is used for decoding and returned, to be used again.
func (p *Profile) functionRow(row *btree.Row, counters []uint64) (Row, []uint64, error) {
	f := Row{
		Rank: int(row.ID), Ordinal: row.Uint(fnOrdinal), FuncHash: row.Uint(fnFuncHash), Repeats: row.Uint(fnRepeats),
		Stats: stats(row),
	}
	f.Entered = p.Overview.entered(&f.Stats)
	f.Class = p.Overview.Classify(&f.Stats)
	f.Share = query.Share(f.Total, p.total)
	f.SiteCount, f.Records = f.NumSites[0]+f.NumSites[1]+f.NumSites[2], 1
	f.Name = nameOf(row)
	if file := row.Uint(fnFile); file > 0 {
		files, err := p.files(context.Background())
		if err != nil {
			return f, counters, err
		}
		if file > uint64(len(files)) {
			return f, counters, stored.Damaged("function %d is in file %d of %d", row.ID, file, len(files))
		}
		f.File, f.Line = files[file-1], uint32(row.Uint(fnLine))
	}
	counters = readCounters(row, counters)
	f.Shape = analyze.Shape(counters, make([]uint64, 0, min(len(counters), analyze.ShapeBuckets)))
	return f, counters, row.Err()
}

// readCounters decodes a row's counters into dst.
func readCounters(row *btree.Row, dst []uint64) []uint64 {
	dst = stored.Vector(dst[:0], row, fnCounters)
	if n := row.Uint(fnNumCounters); n != uint64(len(dst)) {
		row.Fail(stored.Damaged("function %d has %d counters, expected %d", row.ID, len(dst), n))
	}
	return dst
}

// MostRecords is how many records of a name are given at once, and mostCounters how many
// counters they have together, but for the first. Real names have a few.
const (
	MostRecords  = 1000
	mostCounters = 4 << 20
)

// Function returns the records of a name: each FuncHash, plain and
// context-sensitive, in the default order, and how many there are. Of more than
// [MostRecords], or of very large ones, it returns the first, and those with the hash, if one is asked for.
// Cum is that of the default order.
// It returns stored.ErrNoPart when the profile has no record of nameRef.
func (p *Profile) Function(ctx context.Context, nameRef uint64, hash *uint64) (records []Record, all int, err error) {
	entry, err := p.lookup(p.name.Cursor(), nameRef)
	if err != nil {
		return nil, 0, err
	}
	c := p.function.Cursor()
	counters := 0
	for i, rank := range entry.ranks {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		more := i >= MostRecords || counters > mostCounters
		if more && hash == nil {
			break
		}
		row, err := stored.Find(c, rank)
		if err != nil {
			return nil, 0, err
		}
		if more && row.Uint(fnFuncHash) != *hash {
			continue
		}
		f, values, err := p.functionRow(row, nil)
		if err != nil {
			return nil, 0, err
		}
		counters += len(values)
		record := Record{Row: f, Counters: values, Bitmap: append([]byte(nil), row.Bytes(fnBitmap)...)}
		if record.Sites, err = p.sites(row); err != nil {
			return nil, 0, err
		}
		sum, err := p.totalBefore(rank)
		if err != nil {
			return nil, 0, err
		}
		sum.AddSum(record.Total)
		record.Cum = query.Share(sum, p.total)
		records = append(records, record)
	}
	if len(records) == 0 {
		return nil, 0, stored.ErrNoPart
	}
	return records, len(entry.ranks), nil
}

// sites reads the value sites of a function.
func (p *Profile) sites(row *btree.Row) ([instrprof.NumValueKinds][]instrprof.ValueSite, error) {
	return sitesAt(p.valueSite.Cursor(), row)
}

// sitesAt is sites with a cursor that is there already.
func sitesAt(c *btree.Cursor, row *btree.Row) (sites [instrprof.NumValueKinds][]instrprof.ValueSite, err error) {
	id := row.Int(fnFirstSite)
	for kind := range sites {
		for range row.Uint(fnSites + kind) {
			if !c.Find(id) {
				return sites, errors.Join(c.Err(), stored.Damaged("no value site %d", id))
			}
			s, err := c.Row()
			if err != nil {
				return sites, err
			}
			if s.ID != id || s.Int(1) != row.ID || s.Int(2) != int64(kind) {
				return sites, stored.Damaged("value site %d is of another function than %d", id, row.ID)
			}
			sites[kind] = append(sites[kind], readSite(s))
			if err := s.Err(); err != nil {
				return sites, err
			}
			id++
		}
	}
	return sites, row.Err()
}

// Neighbours returns the records before and after a rank in the default order,
// nil where there is none.
func (p *Profile) Neighbours(ctx context.Context, rank int) (prev, next *Row, err error) {
	from := max(rank-1, 1)
	rows, err := p.defaultPage(ctx, from-1, rank+1-from+1)
	if err != nil {
		return nil, nil, err
	}
	for i := range rows {
		switch rows[i].Rank {
		case rank - 1:
			prev = &rows[i]
		case rank + 1:
			next = &rows[i]
		}
	}
	return prev, next, nil
}
