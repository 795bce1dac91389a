// Package bytesort sorts things by byte strings that lie scattered in memory, such as the
// names of functions.
package bytesort

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"runtime"
	"slices"

	"proflens/panics"
)

// item is a thing in the sort, with the part of its name that is being looked at.
type item struct {
	high, low uint64 // 16 bytes of the name, big-endian, filled up with zeros
	index     uint32
}

func (a item) compare(b item) int {
	if a.high != b.high {
		return cmp.Compare(a.high, b.high)
	}
	return cmp.Compare(a.low, b.low)
}

// window is how many bytes of a name are looked at in one go.
const window = 16

// sorter knows the names.
type sorter struct {
	name   func(uint32) []byte
	within func(a, b uint32) int
}

// Sort sorts things by their names, and those of one name as within says; both functions
// are called by several goroutines. Names have long beginnings in common: comparing them
// as they are, a million take four times as long. So they are sorted by sixteen bytes at
// a time, which are fetched once, and only those that agree so far by the next sixteen;
// and on every core, each sorting a range of beginnings.
func Sort(indices []uint32, name func(uint32) []byte, within func(a, b uint32) int) {
	s := sorter{name, within}
	items := make([]item, len(indices))
	for i, index := range indices {
		items[i] = s.item(index, 0)
	}
	items, parts := split(items, runtime.GOMAXPROCS(0))
	g, _ := panics.WithContext(context.Background())
	for _, part := range parts {
		g.Go(func() error {
			s.sort(part)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err) // it is a panic's, and the caller's to catch
	}
	for i := range items {
		indices[i] = items[i].index
	}
}

// item fetches the bytes of a name from depth on.
func (s *sorter) item(index uint32, depth int) item {
	name := s.name(index)
	name = name[min(depth, len(name)):]
	if len(name) < window {
		var b [window]byte
		copy(b[:], name)
		name = b[:]
	}
	return item{binary.BigEndian.Uint64(name), binary.BigEndian.Uint64(name[8:]), index}
}

// split rearranges items such that all of a part come before all of the next, about
// equally long, and returns them and the parts.
func split(items []item, parts int) ([]item, [][]item) {
	const enough = 4096
	if parts < 2 || len(items) < enough {
		return items, [][]item{items}
	}
	sample := make([]item, 0, enough/8)
	for i := 0; i < len(items); i += len(items)/(enough/8) + 1 {
		sample = append(sample, items[i])
	}
	slices.SortFunc(sample, item.compare)
	pivots := make([]item, parts-1)
	for i := range pivots {
		pivots[i] = sample[(i+1)*len(sample)/parts]
	}
	partOf := func(one item) int {
		p := 0
		for p < len(pivots) && one.compare(pivots[p]) >= 0 {
			p++
		}
		return p
	}
	sizes := make([]int, parts)
	for _, one := range items {
		sizes[partOf(one)]++
	}
	parted, lists := make([]item, len(items)), make([][]item, parts)
	at := 0
	for p, size := range sizes {
		lists[p] = parted[at : at : at+size]
		at += size
	}
	for _, one := range items {
		p := partOf(one)
		lists[p] = append(lists[p], one)
	}
	return parted, lists
}

// sort sorts items whose keys hold the first window of their names. What is still to be
// sorted stands in a list and not on the stack: names may be very long.
func (s *sorter) sort(items []item) {
	type group struct{ from, to, depth int }
	todo := []group{{0, len(items), 0}}
	for len(todo) > 0 {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		part := items[g.from:g.to]
		if g.depth > 0 {
			for i := range part {
				part[i] = s.item(part[i].index, g.depth)
			}
		}
		slices.SortFunc(part, item.compare)
		for from := 0; from < len(part); {
			to := from + 1
			for to < len(part) && part[to].compare(part[from]) == 0 {
				to++
			}
			switch {
			case to-from == 1:
			case s.someEnds(part[from:to], g.depth+window): // equal names, or such that differ in NUL bytes at the end
				slices.SortFunc(part[from:to], func(a, b item) int {
					return cmp.Or(bytes.Compare(s.name(a.index), s.name(b.index)), s.within(a.index, b.index))
				})
			default:
				todo = append(todo, group{g.from + from, g.from + to, g.depth + window})
			}
			from = to
		}
	}
}

// someEnds reports whether a name has at most n bytes.
func (s *sorter) someEnds(items []item, n int) bool {
	return slices.ContainsFunc(items, func(i item) bool { return len(s.name(i.index)) <= n })
}
