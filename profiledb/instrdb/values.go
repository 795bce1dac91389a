package instrdb

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profiledb/btree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// ValueQuery asks for a page of the value sites of one kind.
type ValueQuery struct {
	Kind   instrprof.ValueKind
	Marks  analyze.SiteMark // sites with any of these; 0 is all
	Offset int              // position in the order
	Limit  int              // sites
}

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

// ValuePage is one page of value sites: those whose most frequent value was
// seen most often come first, which for indirect calls are the candidates for
// promotion to direct ones; ties are in the order of the function table.
type ValuePage struct {
	Rows     []ValueRow
	All      int         // sites of the kind
	Matching int         // of them, those that the query selects
	Observed int         // of them, those that recorded something; they come first
	Total    analyze.Sum // of all counts of the kind
	// Sizes is how often sizes were seen over all sites, by the ranges of the
	// runtime, smallest first; of memory operations only.
	Sizes []SizeCount
	// Complete is false for the preview of a profile that is still being stored.
	Complete bool
}

// SizeCount is how often a size of memory operations was seen. Value stands for
// a range as in the files (instrprof.md §2.6).
type SizeCount struct {
	Value uint64
	Sites int // that saw it
	Count analyze.Sum
}

// valueOrder is the order of the sites of one kind.
type valueOrder struct {
	ids      []uint32 // value_site.id
	marks    []analyze.SiteMark
	observed int
	total    analyze.Sum
	sizes    []SizeCount
}

// valueOrders are those of all kinds: one scan of the table makes them.
type valueOrders [instrprof.NumValueKinds]valueOrder

// Values returns one page of value sites. The first call scans all sites; a
// page then costs the same wherever it is. The error is the context's, or about
// the file.
func (p *Profile) Values(ctx context.Context, q ValueQuery) (*ValuePage, error) {
	if int(q.Kind) >= instrprof.NumValueKinds {
		return &ValuePage{Complete: true}, nil
	}
	orders, err := stored.Cached(ctx, p.Profile, "value sites", func() (*valueOrders, int64, error) {
		orders, err := p.orderValues(ctx)
		if err != nil {
			return nil, 0, err
		}
		size := int64(0)
		for i := range orders {
			size += int64(cap(orders[i].ids))*5 + int64(len(orders[i].sizes))*32
		}
		return orders, size, nil
	})
	if err != nil {
		return nil, err
	}
	o := &orders[q.Kind]
	ids := o.marked(q.Marks)
	page := &ValuePage{All: len(o.ids), Matching: len(ids), Observed: o.observed, Total: o.total, Sizes: o.sizes, Complete: !p.Storing()}
	page.Rows, err = p.valueRows(ctx, ids, q)
	return page, err
}

// marked are the sites with any of some marks, all for none.
func (o *valueOrder) marked(marks analyze.SiteMark) []uint32 {
	if marks == 0 {
		return o.ids
	}
	var ids []uint32
	for i, id := range o.ids {
		if o.marks[i]&marks != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// valueRows reads the sites at places of an order.
func (p *Profile) valueRows(ctx context.Context, ids []uint32, q ValueQuery) ([]ValueRow, error) {
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	rows := make([]ValueRow, 0, to-from)
	sites, functions := p.valueSite.Cursor(), p.function.Cursor()
	for n, id := range ids[from:to] {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
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

// siteMarks are the marks of sites by their id; few have any.
type siteMarks map[int64]analyze.SiteMark

func (s *siteMarks) add(id int64, m analyze.SiteMark) {
	if m == 0 {
		return
	}
	if *s == nil {
		*s = siteMarks{}
	}
	(*s)[id] = m
}

// orderValues scans the table of value sites.
func (p *Profile) orderValues(ctx context.Context) (*valueOrders, error) {
	columns, err := p.columns(ctx, countersColumn, totalColumn, totalHighColumn)
	if err != nil {
		return nil, err
	}
	t := totals{low: columns[totalColumn], high: columns[totalHighColumn]}
	var items [instrprof.NumValueKinds][]query.Keyed
	var marks siteMarks
	var sizes sizeCounts
	orders := &valueOrders{}
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
		o := &orders[kind]
		var most uint64
		var sum analyze.Sum
		for i := 1; i < len(numbers); i += 2 {
			most = max(most, numbers[i])
			sum.Add(numbers[i])
		}
		o.total.AddSum(sum)
		i := uint32(function)
		marks.add(row.ID, analyze.SiteMarksOf(len(numbers)/2, p.siteLimit, sum, uint32(columns[countersColumn].at(i)), t.at(i)))
		if most > 0 {
			o.observed++
		}
		if kind == uint64(instrprof.MemOPSize) {
			sizes.add(numbers)
		}
		items[kind] = append(items[kind], query.Keyed{Key: ^most, ID: uint32(row.ID)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for kind := range items {
		o := &orders[kind]
		o.ids = make([]uint32, 0, len(items[kind]))
		if len(items[kind]) == 0 {
			continue
		}
		o.marks = make([]analyze.SiteMark, 0, len(items[kind]))
		for _, item := range query.SortKeyed(items[kind]) {
			o.ids = append(o.ids, item.ID)
			o.marks = append(o.marks, marks[int64(item.ID)])
		}
	}
	orders[instrprof.MemOPSize].sizes = sizes.list()
	return orders, nil
}
