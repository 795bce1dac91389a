package instrdb

import (
	"cmp"
	"slices"

	"proflens/profile/table"
)

// Counter is one counter of a record.
type Counter struct {
	FuncHash uint64  `col:"func_hash" width:"16" is:"hex"`
	CS       bool    `col:"cs" width:"5" help:"counted after inlining"`
	Index    int     `col:"index" width:"8"`
	Count    uint64  `col:"count" width:"20"`
	Share    float64 `col:"share" width:"8" is:"part" help:"of the record's total"`
}

// Counters is the table of the counters of a function, record by record.
var Counters = table.Declare[Counter](table.Declaration{About: "A counter.", Noun: "counter"})

// CounterQuery selects and orders counters of a function.
type CounterQuery struct {
	Hash     *uint64 // of the record; nil is all of them
	From, To uint64  // both inclusive
	ByCount  bool
	Up       bool // by count, the smallest first
}

// Of is the counters of records that it selects.
func (q *CounterQuery) Of(records []Record) []Counter {
	var all []Counter
	for i := range records {
		r := &records[i]
		if r.Pseudo || q.Hash != nil && r.FuncHash != *q.Hash || q.From >= uint64(len(r.Counters)) {
			continue
		}
		from := len(all)
		for at := q.From; at < uint64(len(r.Counters)) && at <= q.To; at++ {
			c := Counter{FuncHash: r.FuncHash, CS: r.CS, Index: int(at), Count: r.Counters[at]}
			if total := r.Total.Float64(); total > 0 {
				c.Share = float64(c.Count) / total
			}
			all = append(all, c)
		}
		if q.ByCount {
			byCount(all[from:], !q.Up, func(c Counter) uint64 { return c.Count })
		}
	}
	return all
}

// CountersByCount is the indices of counters by their counts, those of one count in
// order.
func CountersByCount(counters []uint64, descending bool) []int {
	order := make([]int, len(counters))
	for i := range order {
		order[i] = i
	}
	byCount(order, descending, func(i int) uint64 { return counters[i] })
	return order
}

func byCount[T any](list []T, descending bool, count func(T) uint64) {
	slices.SortStableFunc(list, func(a, b T) int {
		if descending {
			a, b = b, a
		}
		return cmp.Compare(count(a), count(b))
	})
}
