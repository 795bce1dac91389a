package instrdb

import (
	"bytes"
	"container/heap"
	"context"
	"runtime"
	"slices"

	"proflens/analyze"
	"proflens/panics"
	"proflens/profiledb/query"
)

// ranking is the default order of a collection and its order by name.
type ranking struct {
	ranked []uint32 // record indices in the default order
	byName []uint32 // ranks from 1, by name bytes, then rank; sameName where the name equals the one before
}

// sameName marks an entry of the stored permutation by name (the schema).
const sameName = 1 << 31

// rank ranks records: by name bytes, FuncHash and file order first, and from
// there, stably, by total. It takes over the list.
func (c *collection) rank(byName []uint32) ranking {
	c.sortByName(byName)
	ranked := slices.Clone(byName)
	c.sortByTotal(ranked)

	rankOf := make([]uint32, c.records.n)
	for rank, i := range ranked {
		rankOf[i] = uint32(rank) + 1
	}
	for from := 0; from < len(byName); {
		name := c.nameOf(c.records.at(byName[from]))
		to := from + 1
		for to < len(byName) && bytes.Equal(name, c.nameOf(c.records.at(byName[to]))) {
			to++
		}
		group := byName[from:to]
		for i := range group {
			group[i] = rankOf[group[i]]
		}
		slices.Sort(group)
		for i := range group[1:] {
			group[i+1] |= sameName
		}
		from = to
	}
	return ranking{ranked, byName}
}

// sortByTotal sorts by total, descending, keeping the order of equal ones.
func (c *collection) sortByTotal(indices []uint32) {
	query.SortBy(indices, func(i uint32) uint64 { return ^c.records.at(i).Total.Lo })
	query.SortBy(indices, func(i uint32) uint64 { return ^c.records.at(i).Total.Hi })
}

// sortByDefault sorts records, which come in file order, by total and, on every core,
// those of one total by name.
func (c *collection) sortByDefault(ctx context.Context, indices []uint32) error {
	c.sortByTotal(indices)
	total := func(i int) analyze.Sum { return c.records.at(indices[i]).Total }
	g, ctx := panics.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	end := func(from int) int { // of those with the total of the record before
		for from > 0 && from < len(indices) && total(from) == total(from-1) {
			from++
		}
		return from
	}
	for w := range workers {
		g.Go(func() error {
			last := end((w + 1) * len(indices) / workers)
			for from := end(w * len(indices) / workers); from < last && ctx.Err() == nil; {
				to := end(from + 1)
				if to > from+1 {
					c.sortByName(indices[from:to])
				}
				from = to
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// top finds the first n records of the default order without sorting the rest,
// in no order.
func (c *collection) top(n int) []uint32 {
	h := topHeap{c: c}
	for i := range uint32(c.records.n) {
		switch {
		case len(h.indices) < n:
			heap.Push(&h, i)
		case h.before(i, h.indices[0]):
			h.indices[0] = i
			heap.Fix(&h, 0)
		}
	}
	return h.indices
}

// topHeap holds the best so far, the last of them on top.
type topHeap struct {
	c       *collection
	indices []uint32
}

// before reports whether a comes before b in the default order.
func (h *topHeap) before(a, b uint32) bool {
	if d := h.c.records.at(a).Total.Compare(h.c.records.at(b).Total); d != 0 {
		return d > 0
	}
	return h.c.compareNames(a, b) < 0
}

func (h *topHeap) Len() int           { return len(h.indices) }
func (h *topHeap) Less(i, j int) bool { return h.before(h.indices[j], h.indices[i]) }
func (h *topHeap) Swap(i, j int)      { h.indices[i], h.indices[j] = h.indices[j], h.indices[i] }
func (h *topHeap) Push(x any)         { h.indices = append(h.indices, x.(uint32)) }
func (h *topHeap) Pop() any           { panic("nothing is ever taken out") }
