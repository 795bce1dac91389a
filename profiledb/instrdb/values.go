package instrdb

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profiledb/btree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// ValueQuery asks for a page of the value sites of one kind.
type ValueQuery struct {
	Kind  instrprof.ValueKind
	Marks analyze.SiteMark // sites with any of these; 0 is all
	// Target are words of what sites saw: of the name of one value, or of its number
	// where it has none. Empty is all.
	Target string
	query.RowQuery
}

// The columns of value sites that can be sorted and filtered by, beside ColName and
// ColRank of the function.
const (
	ValueTop      query.Column = "top_count" // count of the most frequent value
	ValueTopShare query.Column = "top_share" // of it in the site's counts; no filter
	ValueSum      query.Column = "sum"
	ValueDistinct query.Column = "distinct" // values
	ValueIndex    query.Column = "index"
)

// ValueColumns are all of them.
var ValueColumns = []query.Column{ValueTop, ValueTopShare, ValueSum, ValueDistinct, ValueIndex, ColName, ColRank}

// ValueRow is one value site with the function that it is in.
type ValueRow struct {
	Rank     int    // of the function record
	Name     []byte // its PGO name; empty when the file has none
	NameRef  uint64
	FuncHash uint64
	CS       bool
	Index    int // of the site in the record, within its kind, from 0
	Sum      analyze.Sum
	Values   instrprof.ValueSite // most frequent first, the file's order among equals
}

// ValuePage is one page of value sites. Unless the query says otherwise, those whose
// most frequent value was seen most often come first, which for indirect calls are
// the candidates for promotion to direct ones; ties are in the order of the function
// table.
type ValuePage struct {
	Rows     []ValueRow
	All      int         // sites of the kind
	Matching int         // of them, those that the query selects
	Observed int         // of All, those that recorded something
	Total    analyze.Sum // of all counts of the kind
	// Sizes is how often sizes were seen over all sites, by the ranges of the
	// runtime, smallest first; of memory operations only.
	Sizes []SizeCount
	// Complete is false for the preview of a profile that is still being stored, and
	// while names are being searched: Scanned functions of All so far.
	Complete bool
	Scanned  int
}

// SizeCount is how often a size of memory operations was seen. Value stands for
// a range as in the files (instrprof.md §2.6).
type SizeCount struct {
	Value uint64
	Sites int // that saw it
	Count analyze.Sum
}

// valueSites are the sites of one kind, by how often the most frequent value of each
// was seen.
type valueSites struct {
	list     []valueSite
	observed int
	total    analyze.Sum
	sizes    []SizeCount
}

type valueSite struct {
	id              uint32 // in the table
	function        uint32 // rank - 1
	index, distinct uint32
	top             uint64
	sum             analyze.Sum
	marks           analyze.SiteMark
}

// allSites are those of all kinds: one scan of the table makes them.
type allSites [instrprof.NumValueKinds]valueSites

// Values returns one page of value sites. The first call scans all sites; a
// page then costs the same wherever it is. Errors are a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) Values(ctx context.Context, q ValueQuery) (*ValuePage, error) {
	if int(q.Kind) >= instrprof.NumValueKinds {
		return &ValuePage{Complete: true}, nil
	}
	all, err := stored.Cached(ctx, p.Profile, "value sites", func() (*allSites, int64, error) {
		all, err := p.scanSites(ctx)
		if err != nil {
			return nil, 0, err
		}
		size := int64(0)
		for i := range all {
			size += int64(cap(all[i].list))*int64(unsafe.Sizeof(valueSite{})) + int64(len(all[i].sizes))*32
		}
		return all, size, nil
	})
	if err != nil {
		return nil, err
	}
	s := &all[q.Kind]
	var tests []query.Test
	if q.Marks != 0 {
		tests = append(tests, func(i uint32) bool { return s.list[i].marks&q.Marks != 0 })
	}
	if q.Target != "" {
		saw, err := p.sitesWith(ctx, q.Kind, q.Target)
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool { return saw[s.list[i].id] })
	}
	ids, scanned, err := p.pick(ctx, fmt.Sprintf("value sites %d %d %q", q.Kind, q.Marks, q.Target), len(s.list),
		&q.RowQuery, func(i uint32) uint32 { return s.list[i].function }, s.value, tests...)
	if err != nil {
		return nil, err
	}
	page := &ValuePage{
		All: len(s.list), Matching: len(ids), Observed: s.observed, Total: s.total, Sizes: s.sizes,
		Complete: !p.Storing() && scanned == p.rows, Scanned: scanned,
	}
	page.Rows, err = p.valueRows(ctx, s, ids, q)
	return page, err
}

// value is a column of sites.
func (s *valueSites) value(c query.Column) (query.Value, error) {
	of := func(number func(*valueSite) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(&s.list[i]) }}, nil
	}
	switch c {
	case ValueTop:
		return of(func(v *valueSite) uint64 { return v.top })
	case ValueTopShare:
		return query.Value{
			At:    func(i uint32) uint64 { return query.Ordered(float64(s.list[i].top) / s.list[i].sum.Float64()) },
			Known: func(i uint32) bool { return !s.list[i].sum.IsZero() },
		}, nil
	case ValueSum:
		return of(func(v *valueSite) uint64 { return v.sum.Saturated() })
	case ValueDistinct:
		return of(func(v *valueSite) uint64 { return uint64(v.distinct) })
	case ValueIndex:
		return of(func(v *valueSite) uint64 { return uint64(v.index) })
	case ColRank:
		return of(func(v *valueSite) uint64 { return uint64(v.function) + 1 })
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: ValueColumns}
}

// valueRows reads the sites at places of an order.
func (p *Profile) valueRows(ctx context.Context, s *valueSites, ids []uint32, q ValueQuery) ([]ValueRow, error) {
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	rows := make([]ValueRow, 0, to-from)
	sites, functions := p.valueSite.Cursor(), p.function.Cursor()
	for n, i := range ids[from:to] {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		id := s.list[i].id
		site, err := stored.Find(sites, int(id))
		if err != nil {
			return nil, err
		}
		if site.Int(vsKind) != int64(q.Kind) {
			return nil, stored.Damaged("value site %d is not of kind %v", id, q.Kind)
		}
		row := ValueRow{Rank: int(site.Int(vsFunction)), Index: int(site.Int(vsSite))}
		if row.Values, err = readSite(site); err != nil {
			return nil, err
		}
		for _, v := range row.Values {
			row.Sum.Add(v.Count)
		}
		slices.SortStableFunc(row.Values, func(a, b instrprof.Value) int { return cmp.Compare(b.Count, a.Count) })
		function, err := stored.Find(functions, row.Rank)
		if err != nil {
			return nil, err
		}
		row.NameRef, row.FuncHash, row.CS = function.Uint(fnNameRef), function.Uint(fnFuncHash), function.Int(fnCS) != 0
		name, err := function.Bytes(fnName)
		if err != nil {
			return nil, err
		}
		row.Name = append([]byte{}, name...)
		rows = append(rows, row)
	}
	return rows, nil
}

// The columns of the value_site table, in the schema's order.
const (
	vsFunction = 1 + iota
	vsKind
	vsSite
	vsTargets
)

// readSite decodes the values of a row, in the file's order.
func readSite(row *btree.Row) (instrprof.ValueSite, error) {
	packed, err := row.Bytes(vsTargets)
	if err != nil {
		return nil, err
	}
	numbers, err := stored.ReadVector(nil, packed)
	if err != nil {
		return nil, fmt.Errorf("value site %d: %w", row.ID, err)
	}
	site := make(instrprof.ValueSite, 0, len(numbers)/2)
	for i := 0; i+1 < len(numbers); i += 2 {
		site = append(site, instrprof.Value{Value: numbers[i], Count: numbers[i+1]})
	}
	return site, nil
}

// scanSites reads the table of value sites.
func (p *Profile) scanSites(ctx context.Context) (*allSites, error) {
	columns, err := p.columns(ctx, countersColumn, totalColumn, totalHighColumn)
	if err != nil {
		return nil, err
	}
	t := totals{low: columns[totalColumn], high: columns[totalHighColumn]}
	var sizes sizeCounts
	all := &allSites{}
	var numbers []uint64
	n := 0
	err = p.EachRow("value_site", func(row *btree.Row) error {
		if n++; n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		kind, function := row.Uint(vsKind), row.Uint(vsFunction)-1
		if kind >= instrprof.NumValueKinds || row.ID < 0 || row.ID > math.MaxUint32 || function >= uint64(p.rows) {
			return stored.Damaged("value site %d is of kind %d and function %d of %d", row.ID, kind, function+1, p.rows)
		}
		packed, err := row.Bytes(vsTargets)
		if err != nil {
			return err
		}
		if numbers, err = stored.ReadVector(numbers[:0], packed); err != nil {
			return fmt.Errorf("value site %d: %w", row.ID, err)
		}
		of := &all[kind]
		v := valueSite{
			id: uint32(row.ID), function: uint32(function), index: uint32(min(row.Uint(vsSite), math.MaxUint32)),
			distinct: uint32(len(numbers) / 2),
		}
		for i := 1; i < len(numbers); i += 2 {
			v.top = max(v.top, numbers[i])
			v.sum.Add(numbers[i])
		}
		of.total.AddSum(v.sum)
		v.marks = analyze.SiteMarksOf(len(numbers)/2, p.siteLimit, v.sum, uint32(columns[countersColumn].at(v.function)),
			t.at(v.function))
		if v.top > 0 {
			of.observed++
		}
		if kind == uint64(instrprof.MemOPSize) {
			sizes.add(numbers)
		}
		of.list = append(of.list, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for kind := range all {
		slices.SortStableFunc(all[kind].list, func(a, b valueSite) int { return cmp.Compare(b.top, a.top) })
	}
	all[instrprof.MemOPSize].sizes = sizes.list()
	return all, nil
}
