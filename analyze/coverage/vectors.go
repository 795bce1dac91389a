package coverage

import (
	"cmp"
	"slices"

	"proflens/decode/covmap"
)

// graph is which condition follows which, and the number that section 7 gives to
// each way through them.
type graph struct {
	next   [][2]int16 // by id: the condition that comes when it is false, and true; -1: decided
	widths []uint64   // by id: ways that lead to it
	into   [][]arc    // by id: the arcs that lead to it
	leaves []leaf     // by number
	total  uint64     // ways that come to a decision
}

// arc is one value of a condition; the ways through it are numbered from index on
// among those that lead to where it leads.
type arc struct {
	from  int16
	value uint8
	index uint64
}

// leaf is a value of a condition that decides; its ways are numbered from first on.
type leaf struct {
	width uint64
	order int
	arc
	first uint64
}

// graphOf is the graph of a decision's conditions; nil where they make none.
func graphOf(branches []*covmap.Region) *graph {
	n := len(branches)
	g := &graph{next: make([][2]int16, n), widths: make([]uint64, n), into: make([][]arc, n)}
	for _, b := range branches {
		g.next[b.ID] = [2]int16{b.NextFalse, b.NextTrue}
	}
	degree := make([]int, n)
	for _, next := range g.next {
		for _, to := range next {
			if int(to) >= n {
				return nil
			}
			if to >= 0 {
				degree[to]++
			}
		}
	}
	g.widths[0] = 1
	for queue := []int16{0}; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		for value, to := range g.next[id] {
			a := arc{from: id, value: uint8(value)}
			if to < 0 {
				g.leaves = append(g.leaves, leaf{width: g.widths[id], order: len(g.leaves), arc: a})
				continue
			}
			a.index = g.widths[to]
			if g.widths[to] += g.widths[id]; g.widths[to] > maxVectors {
				return nil
			}
			g.into[to] = append(g.into[to], a)
			if len(g.into[to]) == degree[to] {
				queue = append(queue, to)
			}
		}
	}
	slices.SortFunc(g.leaves, func(a, b leaf) int {
		return cmp.Or(cmp.Compare(b.width, a.width), cmp.Compare(a.order, b.order))
	})
	for i := range g.leaves {
		g.leaves[i].first = g.total
		if g.total += g.leaves[i].width; g.total > maxVectors {
			return nil
		}
	}
	return g
}

// numbered takes the vectors whose bits are set, in the layout since LLVM 19: one bit
// a vector, and end is behind the last.
func (g *graph) numbered(places []int, bitmap []byte, end int, take func(Vector) error) error {
	first := end - int(g.total)
	if first < 0 {
		return nil
	}
	at := 0
	for bit := first; bit < min(end, 8*len(bitmap)); bit++ {
		if bitmap[bit/8]>>(bit%8)&1 == 0 {
			continue
		}
		number := uint64(bit - first)
		for number >= g.leaves[at].first+g.leaves[at].width {
			at++
		}
		if err := take(g.vector(&g.leaves[at], number, places)); err != nil {
			return err
		}
	}
	return nil
}

// vector is the way of a number, followed from its end to its beginning.
func (g *graph) vector(l *leaf, number uint64, places []int) Vector {
	v := Vector{Values: make([]Value, len(g.next)), Result: l.value == 1}
	a, rest := l.arc, number-l.first
	for {
		v.Values[places[a.from]] = IsFalse + Value(a.value)
		into := g.into[a.from]
		if a.from == 0 || len(into) == 0 {
			return v
		}
		i := len(into) - 1
		for i > 0 && into[i].index > rest {
			i--
		}
		a, rest = into[i], rest-into[i].index
	}
}

// masked takes the vectors whose bits are set, in LLVM 18's layout: from a byte on, a
// bit for each set of conditions that are true.
func (g *graph) masked(places []int, bitmap []byte, from int, take func(Vector) error) error {
	if len(g.next) > 16 || from >= len(bitmap) {
		return nil
	}
	bits := bitmap[from:]
	for number := range g.total {
		at, _ := slices.BinarySearchFunc(g.leaves, number+1, func(l leaf, n uint64) int {
			return cmp.Compare(l.first+l.width, n)
		})
		v := g.vector(&g.leaves[at], number, places)
		bit := 0
		for id, p := range places {
			if v.Values[p] == IsTrue {
				bit += 1 << id
			}
		}
		if bit/8 < len(bits) && bits[bit/8]>>(bit%8)&1 == 1 {
			if err := take(v); err != nil {
				return err
			}
		}
	}
	return nil
}
