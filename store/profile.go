package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/store/btree"
)

// ErrDamaged is wrapped by errors about a profile file that is not whole or
// not of this schema: decoding the originals again cures it.
var ErrDamaged = btree.ErrCorrupt

// Profile is an open profile file. It is safe for concurrent use. Errors of its
// methods wrap [ErrDamaged] when the file is at fault.
type Profile struct {
	r     *btree.Reader
	cache *Cache
	id    string // of the file, made when it was written: the cache's key outlives the handle

	variant   instrprof.Variant
	siteLimit int // see analyze.SiteLimit
	rows      int // records the file holds: all, or a preview's first
	all       int // records of the profile
	storing   bool
	total     analyze.Sum
	budget    time.Duration               // of a filter by name
	summary   map[bool]analyze.Thresholds // by context sensitivity

	function, valueSite, name, permutation, runningTotal *btree.Table

	overview *overviewOnce
	path     string
	release  func() error // gives a shared handle back
}

// overviewOnce is an overview once it was read.
type overviewOnce struct {
	mu sync.Mutex
	*Overview
}

// OpenProfileFile opens a file that [WriteProfileFile] wrote. The caller must
// close it. Errors about the file wrap [ErrDamaged].
func OpenProfileFile(path string) (*Profile, error) {
	return openProfile(path, sharedCache)
}

// openProfile opens a profile's file that keeps what it computes in cache.
func openProfile(path string, cache *Cache) (*Profile, error) {
	r, err := btree.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profile file: %w", err)
	}
	p := &Profile{r: r, cache: cache, path: path, overview: &overviewOnce{}, budget: nameBudget}
	if err := p.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("profile file: %w", err), r.Close())
	}
	return p, nil
}

func (p *Profile) open() error {
	for name, table := range map[string]**btree.Table{
		"function": &p.function, "value_site": &p.valueSite, "name": &p.name,
		"permutation": &p.permutation, "running_total": &p.runningTotal,
	} {
		var err error
		if *table, err = p.r.Table(name); err != nil {
			return err
		}
	}
	m, err := readMeta(p.r)
	if err != nil {
		return err
	}
	if v := m.number("schema"); v != SchemaVersion {
		return fmt.Errorf("%w: schema version %d, expected %d", ErrDamaged, v, SchemaVersion)
	}
	p.id, p.variant = m.word("file_id"), instrprof.Variant(m.number("variant"))
	p.siteLimit = analyze.SiteLimit(&instrprof.Info{Info: model.Info{Format: model.Format(m.word("format")), Version: m.number("version")}})
	p.rows, p.all, p.storing = m.int("rows"), m.int("functions"), m.number("storing") != 0
	p.total = analyze.Sum{Hi: m.number("total_high"), Lo: m.number("total_low")}
	if p.id == "" || p.rows < 0 || p.rows > maxRecords || p.rows > p.all {
		return fmt.Errorf("%w: %d rows of %d functions", ErrDamaged, p.rows, p.all)
	}
	summaries, err := readSummaries(p.r)
	if err != nil {
		return err
	}
	p.summary = map[bool]analyze.Thresholds{}
	for _, s := range summaries {
		if s.origin == "records" {
			p.summary[s.cs] = analyze.ThresholdsOf(&s.Summary)
		}
	}
	return nil
}

// share makes a handle on the same open file that is given back by release.
func (p *Profile) share(release func() error) *Profile {
	shared := *p
	shared.release = release
	return &shared
}

// Close gives the profile back. What the cache holds of it stays until it is
// pushed out, for the next to open it.
func (p *Profile) Close() error {
	if p.release != nil {
		return p.release()
	}
	return p.close()
}

func (p *Profile) close() error { return p.r.Close() }

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

// classify gives a row's class by the thresholds of its own summary.
func (p *Profile) classify(s *analyze.Stats) analyze.Class {
	t, ok := p.summary[s.CS]
	if !ok {
		t = p.summary[false]
	}
	return t.Classify(s)
}

// find moves c to the function of a rank.
func find(c *btree.Cursor, rank int) (*btree.Row, error) {
	if !c.Find(int64(rank)) {
		if c.Err() != nil {
			return nil, c.Err()
		}
		return nil, fmt.Errorf("%w: no function of rank %d", ErrDamaged, rank)
	}
	row, err := c.Row()
	if err == nil && row.ID != int64(rank) {
		err = fmt.Errorf("%w: function %d where %d was expected", ErrDamaged, row.ID, rank)
	}
	return row, err
}

// functionRow makes a table row of a stored one; Cum is left to the caller.
// counters is used for decoding and returned, to be used again.
func (p *Profile) functionRow(row *btree.Row, counters []uint64) (FunctionRow, []uint64, error) {
	f := FunctionRow{
		Rank: int(row.ID), Ordinal: row.Uint(fnOrdinal),
		NameRef: row.Uint(fnNameRef), FuncHash: row.Uint(fnFuncHash),
		Stats: stats(row),
	}
	f.Class = p.classify(&f.Stats)
	f.Share = share(f.Total, p.total)
	f.SiteCount, f.Records = f.NumSites[0]+f.NumSites[1]+f.NumSites[2], 1
	name, err := row.Bytes(fnName)
	if err != nil {
		return f, counters, err
	}
	f.Name = append([]byte{}, name...)
	if counters, err = readCounters(row, counters); err != nil {
		return f, counters, err
	}
	f.Shape = analyze.Shape(counters, make([]uint64, 0, min(len(counters), analyze.ShapeBuckets)))
	return f, counters, nil
}

func share(part, whole analyze.Sum) float64 {
	if whole.IsZero() {
		return 0
	}
	return part.Float64() / whole.Float64()
}

// readCounters decodes a row's counters into dst.
func readCounters(row *btree.Row, dst []uint64) ([]uint64, error) {
	packed, err := row.Bytes(fnCounters)
	if err != nil {
		return dst, err
	}
	if dst, err = readVector(dst[:0], packed); err != nil {
		return dst, fmt.Errorf("counters of function %d: %w", row.ID, err)
	}
	if n := row.Uint(fnNumCounters); n != uint64(len(dst)) {
		return dst, fmt.Errorf("%w: function %d has %d counters, expected %d", ErrDamaged, row.ID, len(dst), n)
	}
	return dst, nil
}

// readVector decodes a vector of LEB128 numbers (the schema).
func readVector(dst []uint64, packed []byte) ([]uint64, error) {
	for len(packed) > 0 {
		v, n := binary.Uvarint(packed)
		if n <= 0 {
			return dst, fmt.Errorf("%w: a broken number in a vector", ErrDamaged)
		}
		dst = append(dst, v)
		packed = packed[n:]
	}
	return dst, nil
}

// Function returns every record of a name: each FuncHash, plain and
// context-sensitive, in the default order. Cum is that of the default order.
// It returns ErrNotFound when the profile has no record of nameRef.
func (p *Profile) Function(ctx context.Context, nameRef uint64) ([]FunctionRecord, error) {
	entry, err := p.lookup(p.name.Cursor(), nameRef)
	if err != nil {
		return nil, err
	}
	var records []FunctionRecord
	c := p.function.Cursor()
	for _, rank := range entry.ranks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, err := find(c, rank)
		if err != nil {
			return nil, err
		}
		f, counters, err := p.functionRow(row, nil)
		if err != nil {
			return nil, err
		}
		record := FunctionRecord{FunctionRow: f, Counters: counters}
		bitmap, err := row.Bytes(fnBitmap)
		if err != nil {
			return nil, err
		}
		record.Bitmap = append([]byte(nil), bitmap...)
		if record.Sites, err = p.sites(row); err != nil {
			return nil, err
		}
		sum, err := p.totalBefore(rank)
		if err != nil {
			return nil, err
		}
		sum.AddSum(record.Total)
		record.Cum = share(sum, p.total)
		records = append(records, record)
	}
	if len(records) == 0 {
		return nil, ErrNotFound
	}
	return records, nil
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
				return sites, errors.Join(c.Err(), fmt.Errorf("%w: no value site %d", ErrDamaged, id))
			}
			s, err := c.Row()
			if err != nil {
				return sites, err
			}
			if s.ID != id || s.Int(1) != row.ID || s.Int(2) != int64(kind) {
				return sites, fmt.Errorf("%w: value site %d is of another function than %d", ErrDamaged, id, row.ID)
			}
			site, err := readSite(s)
			if err != nil {
				return sites, err
			}
			sites[kind] = append(sites[kind], site)
			id++
		}
	}
	return sites, nil
}

// nameEntry is a row of the name table.
type nameEntry struct {
	ranks []int
	name  []byte // when there is no record
}

// lookup finds a NameRef; the error is ErrNotFound when the profile does not
// know it.
func (p *Profile) lookup(c *btree.Cursor, nameRef uint64) (nameEntry, error) {
	if !c.Find(int64(nameRef)) {
		if c.Err() != nil {
			return nameEntry{}, c.Err()
		}
		return nameEntry{}, ErrNotFound
	}
	row, err := c.Row()
	if err != nil {
		return nameEntry{}, err
	}
	if row.ID != int64(nameRef) {
		return nameEntry{}, ErrNotFound
	}
	return readName(row)
}

// readName reads a row of the name table.
func readName(row *btree.Row) (nameEntry, error) {
	var e nameEntry
	if row.IsNull(1) {
		name, err := row.Bytes(3)
		e.name = append([]byte(nil), name...)
		return e, err
	}
	others, err := row.Bytes(2)
	if err != nil {
		return e, err
	}
	numbers, err := readVector(nil, others)
	e.ranks = []int{int(row.Int(1))}
	for _, n := range numbers {
		e.ranks = append(e.ranks, int(n))
	}
	return e, err
}

// NamesOf looks up NameRefs, as of indirect-call targets. Those that the
// profile does not know are missing from the result.
func (p *Profile) NamesOf(ctx context.Context, refs []uint64) (map[uint64]NameInfo, error) {
	names := make(map[uint64]NameInfo, len(refs))
	byRef, byRank := p.name.Cursor(), p.function.Cursor()
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := p.lookup(byRef, ref)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(e.ranks) == 0 {
			names[ref] = NameInfo{Name: e.name}
			continue
		}
		row, err := find(byRank, e.ranks[0])
		if err != nil {
			return nil, err
		}
		name, err := row.Bytes(fnName)
		if err != nil {
			return nil, err
		}
		names[ref] = NameInfo{Name: append([]byte{}, name...), HasRecord: true}
	}
	return names, nil
}

// Neighbours returns the records before and after a rank in the default order,
// nil where there is none.
func (p *Profile) Neighbours(ctx context.Context, rank int) (prev, next *FunctionRow, err error) {
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
