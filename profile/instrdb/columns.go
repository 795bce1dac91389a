package instrdb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profile/btree"
	"proflens/profile/budget"
	"proflens/profile/stored"
)

// columnID is a column of the function table as queries need it in memory.
type columnID uint8

// The columns that a scan of the table can load.
const (
	totalColumn columnID = iota
	totalHighColumn
	maxColumn
	entryColumn
	countersColumn
	zeroColumn
	sitesColumn
	hashColumn
	nameRefColumn
	ordinalColumn
	traitsColumn // see traits
	placeColumn  // id of the file, and the line in the low 32 bits; 0 where not known

	nameColumn // group number in name order, from the stored permutation
)

// columnValues are the values of one column by rank, from rank 1 at index 0.
type columnValues struct {
	narrow []uint32 // when all values fit
	wide   []uint64
}

// at is a row's value. A column of nothing but 0 is nil.
func (c *columnValues) at(i uint32) uint64 {
	switch {
	case c == nil:
		return 0
	case c.wide != nil:
		return c.wide[i]
	}
	return uint64(c.narrow[i])
}

func (c *columnValues) bytes() int64 { return int64(len(c.narrow))*4 + int64(len(c.wide))*8 }

// isWide says which columns hold more than 32 bits.
func (id columnID) isWide() bool {
	switch id {
	case totalColumn, maxColumn, entryColumn, hashColumn, nameRefColumn, placeColumn:
		return true
	}
	return false
}

// The traits of a record: its class in the low bits, flags, and marks.
const (
	traitExecuted = 1 << 4
	traitCS       = 1 << 5
	traitClass    = 1<<4 - 1
	traitMarks    = 8 // where analyze.Mark begins
)

func (p *Profile) traits(s *analyze.Stats, named bool) uint64 {
	t := uint64(slices.Index(classes[:], p.Overview.Classify(s)))
	if s.Executed() {
		t |= traitExecuted
	}
	if s.CS {
		t |= traitCS
	}
	return t | uint64(analyze.MarksOf(s, p.Overview.Info.Variant, named))<<traitMarks
}

// columns returns columns by rank, from the cache or by one scan of the table
// for all that are missing.
func (p *Profile) columns(ctx context.Context, ids ...columnID) (map[columnID]*columnValues, error) {
	columns := make(map[columnID]*columnValues, len(ids))
	var missing []columnID
	var words []string
	for _, id := range ids {
		if columns[id] != nil || slices.Contains(missing, id) || id == totalHighColumn && p.total.Hi == 0 {
			continue
		}
		if c, ok := stored.Kept[*columnValues](p.Profile, id.key()); ok {
			columns[id] = c
			continue
		}
		if id == nameColumn {
			var err error
			if columns[id], err = p.nameColumn(ctx); err != nil {
				return nil, err
			}
			continue
		}
		missing = append(missing, id)
		words = append(words, fmt.Sprint(id))
	}
	if len(missing) == 0 {
		return columns, nil
	}
	// The scan itself is not worth keeping, but not worth doing twice at once.
	scanned, err := stored.Shared(ctx, p.Profile, "scan "+strings.Join(words, " "),
		func() (map[columnID]*columnValues, error) { return p.scan(ctx, missing) })
	for id, c := range scanned {
		columns[id] = c
		stored.Keep(p.Profile, id.key(), c, c.bytes())
	}
	return columns, err
}

func (id columnID) key() string { return fmt.Sprintf("column %d", id) }

// scan reads columns of all rows, on every core.
func (p *Profile) scan(ctx context.Context, ids []columnID) (map[columnID]*columnValues, error) {
	if err := budget.Take(ctx, int64(p.rows)*8*int64(len(ids))); err != nil {
		return nil, err
	}
	f := p.filling(ids)
	err := p.eachRow(ctx, 1, p.rows, func(row *btree.Row) error {
		f.add(row)
		return nil
	})
	return f.columns(), err
}

// filling is columns that are read together, by goroutines that have rows of their own.
type filling struct {
	p    *Profile
	ids  []columnID
	list []columnValues
}

func (p *Profile) filling(ids []columnID) *filling {
	f := &filling{p, ids, make([]columnValues, len(ids))}
	for n, id := range ids {
		if id.isWide() {
			f.list[n].wide = make([]uint64, p.rows)
		} else {
			f.list[n].narrow = make([]uint32, p.rows)
		}
	}
	return f
}

func (f *filling) add(row *btree.Row) {
	i := row.ID - 1
	for n, id := range f.ids {
		v := f.p.read(row, id)
		if c := &f.list[n]; c.wide != nil {
			c.wide[i] = v
		} else {
			c.narrow[i] = uint32(min(v, 1<<32-1))
		}
	}
}

func (f *filling) columns() map[columnID]*columnValues {
	columns := make(map[columnID]*columnValues, len(f.ids))
	for n, id := range f.ids {
		columns[id] = &f.list[n]
	}
	return columns
}

// readAs are the columns of the database that columns are as they stand there.
var readAs = [...]int{
	totalColumn: fnTotal, totalHighColumn: fnTotalHigh, maxColumn: fnMax, entryColumn: fnEntry,
	countersColumn: fnNumCounters, zeroColumn: fnNumZero, hashColumn: fnFuncHash, nameRefColumn: fnNameRef,
	ordinalColumn: fnOrdinal,
}

// read is a column of a row.
func (p *Profile) read(row *btree.Row, id columnID) uint64 {
	switch id {
	case sitesColumn:
		return row.Uint(fnSites) + row.Uint(fnSites+1) + row.Uint(fnSites+2)
	case placeColumn:
		return row.Uint(fnFile)<<32 | row.Uint(fnLine)
	case traitsColumn:
		s := analyze.Stats{
			Max: row.Uint(fnMax), Entry: row.Uint(fnEntry), NumCounters: uint32(row.Uint(fnNumCounters)),
			NumZero: uint32(row.Uint(fnNumZero)),
			Pseudo:  row.Int(fnPseudo) != 0, CS: row.Int(fnCS) != 0,
		}
		return p.traits(&s, !row.IsNull(fnName))
	}
	return row.Uint(readAs[id])
}

// eachRow visits the rows of ranks first to last, in parallel: visit is called
// on several goroutines, each going through ranks of its own.
func (p *Profile) eachRow(ctx context.Context, first, last int, visit func(row *btree.Row) error) error {
	return stored.EachRowOf(ctx, p.function, "functions", first, last, visit)
}

// nameColumn turns the stored permutation by name round: for each rank the
// number of its name in name order.
func (p *Profile) nameColumn(ctx context.Context) (*columnValues, error) {
	return stored.Cached(ctx, p.Profile, nameColumn.key(), func() (*columnValues, int64, error) {
		order, err := p.Permutation("permutation", p.rows)
		if err != nil {
			return nil, 0, err
		}
		c := &columnValues{narrow: make([]uint32, p.rows)}
		group := uint32(0)
		for _, v := range order {
			rank := v &^ sameName
			if rank == 0 || rank > uint32(p.rows) {
				return nil, 0, stored.Damaged("rank %d in the permutation of %d", rank, p.rows)
			}
			if v&sameName == 0 {
				group++
			}
			c.narrow[rank-1] = group
		}
		return c, c.bytes(), nil
	})
}

// totals are the totals of a profile's records in memory.
type totals struct {
	low, high *columnValues // high is nil where no total has more than 64 bits
	all       analyze.Sum
}

func (p *Profile) totals(ctx context.Context) (*totals, error) {
	columns, err := p.columns(ctx, p.totalColumns()...)
	if err != nil {
		return nil, err
	}
	return &totals{columns[totalColumn], columns[totalHighColumn], p.total}, nil
}

// totalColumns are those of the totals.
func (p *Profile) totalColumns() []columnID {
	if p.total.Hi == 0 {
		return []columnID{totalColumn}
	}
	return []columnID{totalColumn, totalHighColumn}
}

func (t *totals) at(i uint32) analyze.Sum {
	return analyze.Sum{Hi: t.high.at(i), Lo: t.low.at(i)}
}

// of adds up the totals of rows.
func (t *totals) of(ids []uint32) (sum analyze.Sum) {
	for _, i := range ids {
		sum.AddSum(t.at(i))
	}
	return sum
}
