package instrdb

import (
	"container/heap"
	"context"
	"runtime"
	"slices"

	"proflens/analyze"
	"proflens/internal/recovery"
	"proflens/profile/instrdb/collected"
	"proflens/profile/query"
)

// ranking is the default order of a collection and its order by name.
type ranking struct {
	ranked []uint32 // record indices in the default order
	byName []uint32 // record indices by name bytes, FuncHash and file order
	same   []bool   // whether the name equals the one before
}

// sameName marks an entry of the stored permutation by name (the schema).
const sameName = 1 << 31

// rank ranks records: by name bytes, FuncHash and file order first, and from
// there, stably, by total. It takes over the list.
func rank(c *collected.Collection, byName []uint32) ranking {
	same := c.SortByName(byName)
	ranked := slices.Clone(byName)
	sortByTotal(c, ranked)
	return ranking{ranked, byName, same}
}

// permutation makes the stored permutation by name of the order by name, in its place: ranks
// from 1, those of one name in their order.
func (r *ranking) permutation(records int) []uint32 {
	rankOf := make([]uint32, records)
	for rank, i := range r.ranked {
		rankOf[i] = uint32(rank) + 1
	}
	for from := 0; from < len(r.byName); {
		to := from + 1
		for to < len(r.byName) && r.same[to] {
			to++
		}
		group := r.byName[from:to]
		for i := range group {
			group[i] = rankOf[group[i]]
		}
		slices.Sort(group)
		for i := range group[1:] {
			group[i+1] |= sameName
		}
		from = to
	}
	return r.byName
}

// sortByTotal sorts by total, descending, keeping the order of equal ones.
func sortByTotal(c *collected.Collection, indices []uint32) {
	query.SortBy(indices, func(i uint32) uint64 { return ^c.At(i).Total.Lo })
	if c.Sums.Total.Hi > 0 {
		query.SortBy(indices, func(i uint32) uint64 { return ^c.At(i).Total.Hi })
	}
}

// rankOnly ranks records without an order by name: those of one total are sorted by what their
// names begin with, and where that agrees among themselves, on every core. before is what all
// records before every sumEvery-th come to.
func rankOnly(ctx context.Context, c *collected.Collection) (ranked []uint32, before []analyze.Sum, err error) {
	items := make([]query.Keyed, 0, c.Len())
	for r := range c.All() {
		items = append(items, query.Keyed{Key: ^r.Total.Lo, ID: uint32(len(items))})
	}
	items = query.SortKeyed(items)
	totalAt := func(i int) analyze.Sum { return analyze.Sum{Lo: ^items[i].Key} }
	if c.Sums.Total.Hi > 0 {
		for i, item := range items {
			items[i].Key = ^c.At(item.ID).Total.Hi
		}
		items = query.SortKeyed(items)
		totalAt = func(i int) analyze.Sum { return c.At(items[i].ID).Total }
	}
	var sum analyze.Sum
	for i := range items {
		if i%sumEvery == 0 {
			before = append(before, sum)
		}
		sum.AddSum(totalAt(i))
	}
	end := func(from, most int) int { // of those with the total of the record before
		for from > 0 && from < most && totalAt(from) == totalAt(from-1) {
			from++
		}
		return from
	}
	workers := runtime.GOMAXPROCS(0)
	ends := make([]int, workers+1)
	for w := range ends {
		ends[w] = end(w*len(items)/workers, len(items))
	}
	begins := c.NameBegins()
	ranked = make([]uint32, len(items))
	g, ctx := recovery.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			for from := ends[w]; from < ends[w+1] && ctx.Err() == nil; {
				to := end(from+1, ends[w+1]) // what is behind is another's, who changes keys
				sortByBegin(c, begins, items[from:to], ranked[from:to])
				from = to
			}
			return ctx.Err()
		})
	}
	return ranked, before, g.Wait()
}

// sortByBegin sorts records of one total by their names, FuncHash and file order, going by what
// names begin with where that differs.
func sortByBegin(c *collected.Collection, begins []uint64, items []query.Keyed, ranked []uint32) {
	var few [256]uint64 // with their places in the low byte
	if len(items) <= len(few) {
		for i, item := range items {
			few[i] = begins[item.ID] | uint64(i)
		}
		slices.Sort(few[:len(items)])
		for i, begin := range few[:len(items)] {
			ranked[i] = items[byte(begin)].ID
		}
	} else {
		for i, item := range items {
			items[i].Key = begins[item.ID]
		}
		for i, item := range query.SortKeyed(items) {
			ranked[i] = item.ID
		}
	}
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && begins[ranked[to]] == begins[ranked[from]] {
			to++
		}
		if to > from+1 {
			c.SortByName(ranked[from:to])
		}
		from = to
	}
}

// top finds the first n records of the default order without sorting the rest,
// in no order.
func top(c *collected.Collection, n int) []uint32 {
	h := topHeap{c: c}
	for i := range uint32(c.Len()) {
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
	c       *collected.Collection
	indices []uint32
}

// before reports whether a comes before b in the default order.
func (h *topHeap) before(a, b uint32) bool {
	if d := h.c.At(a).Total.Compare(h.c.At(b).Total); d != 0 {
		return d > 0
	}
	return h.c.CompareNames(a, b) < 0
}

func (h *topHeap) Len() int           { return len(h.indices) }
func (h *topHeap) Less(i, j int) bool { return h.before(h.indices[j], h.indices[i]) }
func (h *topHeap) Swap(i, j int)      { h.indices[i], h.indices[j] = h.indices[j], h.indices[i] }
func (h *topHeap) Push(x any)         { h.indices = append(h.indices, x.(uint32)) }
func (h *topHeap) Pop() any           { panic("nothing is ever taken out") }
