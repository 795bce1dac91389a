package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"proflens/analyze"
	"proflens/store/btree"
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
	ordinalColumn
	traitsColumn // see traits
	numScanned

	nameColumn // group number in name order, from the stored permutation
)

// column is the values of one column by rank, from rank 1 at index 0.
type column struct {
	narrow []uint32 // when all values fit
	wide   []uint64
}

func (c *column) at(i uint32) uint64 {
	if c.wide != nil {
		return c.wide[i]
	}
	return uint64(c.narrow[i])
}

func (c *column) bytes() int64 { return int64(len(c.narrow))*4 + int64(len(c.wide))*8 }

// isWide says which columns hold more than 32 bits.
func (id columnID) isWide() bool {
	switch id {
	case totalColumn, maxColumn, entryColumn, hashColumn:
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

var classes = [...]analyze.Class{analyze.NoClass, analyze.Hot, analyze.Warm, analyze.Cold, analyze.Never}

func (p *Profile) traits(s *analyze.Stats, named bool) uint64 {
	var t uint64
	class := p.classify(s)
	for i, c := range classes {
		if c == class {
			t = uint64(i)
		}
	}
	if s.Executed() {
		t |= traitExecuted
	}
	if s.CS {
		t |= traitCS
	}
	return t | uint64(analyze.MarksOf(s, p.variant, named))<<traitMarks
}

// columns returns columns by rank, from the cache or by one scan of the table
// for all that are missing.
func (p *Profile) columns(ctx context.Context, ids ...columnID) (map[columnID]*column, error) {
	columns := make(map[columnID]*column, len(ids))
	var missing []columnID
	var names []string
	for _, id := range ids {
		if columns[id] != nil || slices.Contains(missing, id) {
			continue
		}
		if v, ok := p.cache.peek(p.columnKey(id)); ok {
			columns[id] = v.(*column)
			continue
		}
		if id == nameColumn {
			c, err := p.cache.get(ctx, p.columnKey(id), func() (any, int64, error) { return p.loadNameColumn(ctx) })
			if err != nil {
				return nil, err
			}
			columns[id] = c.(*column)
			continue
		}
		missing = append(missing, id)
		names = append(names, fmt.Sprint(id))
	}
	if len(missing) == 0 {
		return columns, nil
	}
	// The scan itself is not worth keeping, but not worth doing twice at once.
	v, err := p.cached(ctx, "scan "+strings.Join(names, " "), func() (any, int64, error) {
		loaded, err := p.scan(ctx, missing)
		return loaded, p.cache.limit, err
	})
	if err != nil {
		return nil, err
	}
	for id, c := range v.(map[columnID]*column) {
		columns[id] = c
		p.cache.put(p.columnKey(id), c, c.bytes())
	}
	return columns, nil
}

func (p *Profile) columnKey(id columnID) cacheKey {
	return cacheKey{p.id, fmt.Sprintf("column %d", id)}
}

func (p *Profile) cached(ctx context.Context, what string, compute func() (any, int64, error)) (any, error) {
	return p.cache.get(ctx, cacheKey{p.id, what}, compute)
}

// scan reads columns of all rows, on every core.
func (p *Profile) scan(ctx context.Context, ids []columnID) (map[columnID]*column, error) {
	list := make([]column, len(ids))
	columns := make(map[columnID]*column, len(ids))
	for n, id := range ids {
		columns[id] = &list[n]
		if id.isWide() {
			list[n].wide = make([]uint64, p.rows)
		} else {
			list[n].narrow = make([]uint32, p.rows)
		}
	}
	err := p.eachRow(ctx, 1, p.rows, func(row *btree.Row) error {
		i := row.ID - 1
		for n, id := range ids {
			v := p.value(row, id)
			if c := &list[n]; c.wide != nil {
				c.wide[i] = v
			} else {
				c.narrow[i] = uint32(min(v, 1<<32-1))
			}
		}
		return nil
	})
	return columns, err
}

// value is a column of a row.
func (p *Profile) value(row *btree.Row, id columnID) uint64 {
	switch id {
	case totalColumn:
		return row.Uint(fnTotal)
	case totalHighColumn:
		return row.Uint(fnTotalHigh)
	case maxColumn:
		return row.Uint(fnMax)
	case entryColumn:
		return row.Uint(fnEntry)
	case countersColumn:
		return row.Uint(fnNumCounters)
	case zeroColumn:
		return row.Uint(fnNumZero)
	case sitesColumn:
		return row.Uint(fnSites) + row.Uint(fnSites+1) + row.Uint(fnSites+2)
	case hashColumn:
		return row.Uint(fnFuncHash)
	case ordinalColumn:
		return row.Uint(fnOrdinal)
	case traitsColumn:
		s := analyze.Stats{
			Max: row.Uint(fnMax), Entry: row.Uint(fnEntry), NumCounters: uint32(row.Uint(fnNumCounters)), NumZero: uint32(row.Uint(fnNumZero)),
			Pseudo: row.Int(fnPseudo) != 0, CS: row.Int(fnCS) != 0,
		}
		return p.traits(&s, !row.IsNull(fnName))
	}
	panic("no such column")
}

// eachRow visits the rows of ranks first to last, in parallel: visit is called
// on several goroutines, each going through ranks of its own.
func (p *Profile) eachRow(ctx context.Context, first, last int, visit func(row *btree.Row) error) error {
	return eachRowOf(ctx, p.function, first, last, visit)
}

// eachRowOf is eachRow of a table whose ids are those of functions, from 1.
func eachRowOf(ctx context.Context, table *btree.Table, first, last int, visit func(row *btree.Row) error) error {
	workers := min(runtime.GOMAXPROCS(0), (last-first)/1024+1)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		from := first + w*(last-first+1)/workers
		to := first + (w+1)*(last-first+1)/workers
		if from == to {
			continue
		}
		g.Go(func() error {
			c := table.Cursor()
			row, err := find(c, from)
			for rank := from; ; {
				if err != nil {
					return err
				}
				if err := visit(row); err != nil {
					return err
				}
				if rank++; rank == to {
					return nil
				}
				if rank%checkEvery == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				row, err = next(c, rank)
			}
		})
	}
	return g.Wait()
}

// next moves c to the function after, which must have this rank.
func next(c *btree.Cursor, rank int) (*btree.Row, error) {
	if !c.Next() {
		if c.Err() != nil {
			return nil, c.Err()
		}
		return nil, fmt.Errorf("%w: the function table ends before rank %d", ErrDamaged, rank)
	}
	row, err := c.Row()
	if err == nil && row.ID != int64(rank) {
		err = fmt.Errorf("%w: function %d where %d was expected", ErrDamaged, row.ID, rank)
	}
	return row, err
}

// loadNameColumn turns the stored permutation by name round: for each rank the
// number of its name in name order.
func (p *Profile) loadNameColumn(ctx context.Context) (*column, int64, error) {
	groups := make([]uint32, p.rows)
	at, group := 0, uint32(0)
	c := p.permutation.Cursor()
	for ok := c.Find(0); ok; ok = c.Next() {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		row, err := c.Row()
		if err != nil {
			return nil, 0, err
		}
		ranks, err := row.Bytes(1)
		if err != nil {
			return nil, 0, err
		}
		for ; len(ranks) >= 4; ranks = ranks[4:] {
			v := binary.LittleEndian.Uint32(ranks)
			rank := v &^ sameName
			if at == p.rows || rank == 0 || rank > uint32(p.rows) {
				return nil, 0, fmt.Errorf("%w: rank %d in the permutation of %d", ErrDamaged, rank, p.rows)
			}
			if v&sameName == 0 {
				group++
			}
			groups[rank-1] = group
			at++
		}
	}
	if c.Err() != nil {
		return nil, 0, c.Err()
	}
	if at != p.rows {
		return nil, 0, fmt.Errorf("%w: %d ranks in the permutation of %d", ErrDamaged, at, p.rows)
	}
	col := &column{narrow: groups}
	return col, col.bytes(), nil
}
