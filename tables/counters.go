package tables

import (
	"cmp"
	"context"
	"slices"

	"proflens/profile/table"
	"proflens/profiledb/instrdb"
)

// counter is one counter of a record.
type counter struct {
	*instrdb.Record
	index int
}

var counterColumns = []table.Column[counter]{
	{"func_hash", 16, func(c *counter) table.Cell { return table.Hex(c.FuncHash) }},
	{"cs", 5, func(c *counter) table.Cell { return table.Bool(c.CS) }},
	{"index", 8, func(c *counter) table.Cell { return table.Int(uint64(c.index)) }},
	{"count", 20, func(c *counter) table.Cell { return table.Count(c.Counters[c.index]) }},
	{"share", 8, func(c *counter) table.Cell {
		if c.Total.Float64() == 0 {
			return table.Ratio(0)
		}
		return table.Ratio(float64(c.Counters[c.index]) / c.Total.Float64())
	}},
}

// CounterQuery selects and orders counters of a function.
type CounterQuery struct {
	Hash     *uint64 // of the record; nil is all of them
	From, To uint64  // both inclusive
	ByCount  bool
	Up       bool // by count, the smallest first
}

// Counters is the counters of a function's records, record by record.
func Counters(records []instrdb.Record, q CounterQuery, o table.Options) table.Table {
	var all []counter
	for i := range records {
		r := &records[i]
		if r.Pseudo || q.Hash != nil && r.FuncHash != *q.Hash || q.From >= uint64(len(r.Counters)) {
			continue
		}
		from, part := int(q.From), r.Counters[q.From:]
		if q.To-q.From < uint64(len(part)) {
			part = part[:q.To-q.From+1]
		}
		if q.ByCount {
			for _, at := range CountersByCount(part, !q.Up) {
				all = append(all, counter{r, from + at})
			}
			continue
		}
		for at := range part {
			all = append(all, counter{r, from + at})
		}
	}
	return &table.List[counter]{Columns: counterColumns, Quote: o.Quote,
		Read: func(_ context.Context, offset, limit int) (table.Step[counter], error) {
			from := min(offset, len(all))
			return table.Step[counter]{Rows: all[from : from+min(limit, len(all)-from)], Total: len(all)}, nil
		}}
}

// CountersByCount is the indices of counters by their counts, those of one count in
// order.
func CountersByCount(counters []uint64, descending bool) []int {
	order := make([]int, len(counters))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if descending {
			return cmp.Compare(counters[b], counters[a])
		}
		return cmp.Compare(counters[a], counters[b])
	})
	return order
}
