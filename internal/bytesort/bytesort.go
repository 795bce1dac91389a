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

	"proflens/internal/recovery"
)

// item is a thing in the sort, with the part of its name that is being looked at.
type item struct {
	high, low uint64 // 16 bytes of the name, big-endian, filled up with zeros
	index     uint32
	ends      bool // no byte of the name comes behind these
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
	common int // bytes that all names begin with
}

// Sort sorts things by their names, and those of one name as within says; both functions
// are called by several goroutines. It returns for each place whether the name there is
// that of the place before. Names have long beginnings in common: comparing them
// as they are, a million take four times as long. So they are sorted by sixteen bytes at
// a time, which are fetched once, and only those that agree so far by the next sixteen;
// and on every core, each sorting a range of beginnings.
func Sort(indices []uint32, name func(uint32) []byte, within func(a, b uint32) int) (same []bool) {
	s := sorter{name, within, 0}
	items := make([]item, len(indices))
	s.common = s.begin(indices, max(1, len(indices)/sampled))
	if !s.fetch(items, indices) {
		s.common = s.begin(indices, 1)
		s.fetch(items, indices)
	}
	same = make([]bool, len(indices))
	parts := split(items, runtime.GOMAXPROCS(0))
	if len(parts) == 1 {
		s.sort(items, same)
		parts = nil
	}
	g, _ := recovery.WithContext(context.Background())
	from := 0
	for _, part := range parts {
		sameInPart := same[from : from+len(part)]
		from += len(part)
		g.Go(func() error {
			s.sort(part, sameInPart)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err) // it is a panic's, and the caller's to catch
	}
	for i := range items {
		indices[i] = items[i].index
	}
	return same
}

// sampled is how many names are looked at to guess what all begin with: they lie scattered, and
// are to be fetched once.
const sampled = 256

// begin is how many bytes all names begin with, looking at one in so many.
func (s *sorter) begin(indices []uint32, step int) (common int) {
	for i := 0; i < len(indices); i += step {
		name := s.name(indices[i])
		if i == 0 {
			common = len(name)
		}
		for first := s.name(indices[0]); !bytes.HasPrefix(name, first[:common]); {
			common--
		}
	}
	return common
}

// fetch fills items, and reports whether all names have the same beginning.
func (s *sorter) fetch(items []item, indices []uint32) bool {
	var first []byte
	for i, index := range indices {
		name := s.name(index)
		if i == 0 {
			first = name[:s.common]
		}
		if !bytes.HasPrefix(name, first) {
			return false
		}
		items[i] = itemOf(index, name, s.common)
	}
	return true
}

// itemOf has the bytes of a name from depth on.
func itemOf(index uint32, name []byte, depth int) item {
	name = name[min(depth, len(name)):]
	ends := len(name) <= window
	if len(name) < window {
		var b [window]byte
		copy(b[:], name)
		name = b[:]
	}
	return item{binary.BigEndian.Uint64(name), binary.BigEndian.Uint64(name[8:]), index, ends}
}

// split rearranges items into parts such that all of a part come before all of the next,
// about equally long, and returns the parts.
func split(items []item, parts int) [][]item {
	const enough = 4096
	if parts < 2 || len(items) < enough {
		return [][]item{items}
	}
	sample := make([]item, 0, enough/8)
	for i := 0; i < len(items); i += len(items)/(enough/8) + 1 {
		sample = append(sample, items[i])
	}
	slices.SortFunc(sample, item.compare)
	left := parts / 2
	pivot, before := sample[left*len(sample)/parts], 0
	for i := range items {
		if items[i].compare(pivot) < 0 {
			items[before], items[i] = items[i], items[before]
			before++
		}
	}
	return append(split(items[:before], left), split(items[before:], parts-left)...)
}

// sort sorts items whose keys hold the first window of their names behind what is common, and notes which have
// the name of the one before. What is still to be sorted stands in a list and not on the
// stack: names may be very long.
func (s *sorter) sort(items []item, same []bool) {
	type group struct{ from, to, depth int }
	todo := []group{{0, len(items), s.common}}
	for len(todo) > 0 {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		part := items[g.from:g.to]
		if g.depth > s.common {
			for i := range part {
				part[i] = itemOf(part[i].index, s.name(part[i].index), g.depth)
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
			// equal names, or such that differ in NUL bytes at the end
			case slices.ContainsFunc(part[from:to], func(i item) bool { return i.ends }):
				s.sortEnded(part[from:to], same[g.from+from:g.from+to])
			default:
				todo = append(todo, group{g.from + from, g.from + to, g.depth + window})
			}
			from = to
		}
	}
}

// sortEnded sorts items by their whole names.
func (s *sorter) sortEnded(items []item, same []bool) {
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(bytes.Compare(s.name(a.index), s.name(b.index)), s.within(a.index, b.index))
	})
	for i := range items[1:] {
		same[i+1] = bytes.Equal(s.name(items[i].index), s.name(items[i+1].index))
	}
}
