package instrdb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"runtime"
	"slices"

	"proflens/panics"
)

// nameItem is a record in the sort by name, with the part of the name that is
// being looked at.
type nameItem struct {
	high, low uint64 // 16 bytes of the name, big-endian, filled up with zeros
	index     uint32
}

func (a nameItem) compare(b nameItem) int {
	if a.high != b.high {
		return cmp.Compare(a.high, b.high)
	}
	return cmp.Compare(a.low, b.low)
}

// nameWindow is how many bytes of a name are looked at in one go.
const nameWindow = 16

// sortByName sorts records by name bytes, FuncHash, file order. Names have
// long beginnings in common and lie scattered in memory: comparing them as
// they are, a million take four times as long. So they are sorted by sixteen
// bytes at a time, which are fetched once, and only those that agree so far by
// the next sixteen; and on every core, each sorting a range of beginnings.
func (c *collection) sortByName(indices []uint32) {
	items := make([]nameItem, len(indices))
	for i, index := range indices {
		items[i] = c.nameItem(index, 0)
	}
	g, _ := panics.WithContext(context.Background())
	for _, part := range splitByName(items, runtime.GOMAXPROCS(0)) {
		g.Go(func() error {
			c.sortNames(part)
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

// nameItem fetches the bytes of a name from depth on.
func (c *collection) nameItem(index uint32, depth int) nameItem {
	name := c.nameOf(c.records.at(index))
	name = name[min(depth, len(name)):]
	if len(name) < nameWindow {
		var b [nameWindow]byte
		copy(b[:], name)
		name = b[:]
	}
	return nameItem{binary.BigEndian.Uint64(name), binary.BigEndian.Uint64(name[8:]), index}
}

// splitByName rearranges items into parts such that all of a part come before
// all of the next, about equally long, and returns the parts.
func splitByName(items []nameItem, parts int) [][]nameItem {
	const enough = 4096
	if parts < 2 || len(items) < enough {
		return [][]nameItem{items}
	}
	sample := make([]nameItem, 0, enough/8)
	for i := 0; i < len(items); i += len(items)/(enough/8) + 1 {
		sample = append(sample, items[i])
	}
	slices.SortFunc(sample, nameItem.compare)
	pivots := make([]nameItem, parts-1)
	for i := range pivots {
		pivots[i] = sample[(i+1)*len(sample)/parts]
	}
	split := make([][]nameItem, parts)
	for _, item := range items {
		p := 0
		for p < len(pivots) && item.compare(pivots[p]) >= 0 {
			p++
		}
		split[p] = append(split[p], item)
	}
	at := 0
	for p := range split {
		n := copy(items[at:], split[p])
		split[p] = items[at : at+n : at+n]
		at += n
	}
	return split
}

// sortNames sorts items whose keys hold the first window of their names. What
// is still to be sorted stands in a list and not on the stack: names may be
// very long.
func (c *collection) sortNames(items []nameItem) {
	type group struct{ from, to, depth int }
	todo := []group{{0, len(items), 0}}
	for len(todo) > 0 {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		part := items[g.from:g.to]
		if g.depth > 0 {
			for i := range part {
				part[i] = c.nameItem(part[i].index, g.depth)
			}
		}
		slices.SortFunc(part, nameItem.compare)
		for from := 0; from < len(part); {
			to := from + 1
			ends := c.endsBy(part[from].index, g.depth+nameWindow)
			for to < len(part) && part[to].compare(part[from]) == 0 {
				ends = ends || c.endsBy(part[to].index, g.depth+nameWindow)
				to++
			}
			switch {
			case to-from == 1:
			case ends: // equal names, or such that differ in NUL bytes at the end
				slices.SortFunc(part[from:to], func(a, b nameItem) int { return c.compareNames(a.index, b.index) })
			default:
				todo = append(todo, group{g.from + from, g.from + to, g.depth + nameWindow})
			}
			from = to
		}
	}
}

// endsBy reports whether a name has at most n bytes.
func (c *collection) endsBy(index uint32, n int) bool { return int(c.records.at(index).name) <= n }

// compareNames orders records by name bytes, FuncHash, file order.
func (c *collection) compareNames(a, b uint32) int {
	x, y := c.records.at(a), c.records.at(b)
	return cmp.Or(bytes.Compare(c.nameOf(x), c.nameOf(y)), cmp.Compare(x.funcHash, y.funcHash), cmp.Compare(a, b))
}
