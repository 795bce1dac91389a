package calltree

import "proflens/analyze"

// compare measures the stacks of two profiles.
func (t *tree[F, T]) compare() {
	t.base, t.wide = make([]T, 1, len(t.ids)+1), make([]analyze.Sum, 1, len(t.ids)+1)
	var sides [2]T // of the stacks that are alike to the end
	for n, i := range t.ids {
		sum := t.base[n]
		side := 1
		if i < t.s.Test {
			t.s.Add(&sum, i)
			side = 0
		}
		t.base = append(t.base, sum)
		t.s.Add(&sides[side], i)
		wide := t.wide[n]
		depth := len(t.o.of(i))
		if n+1 == len(t.ids) || len(t.o.of(t.ids[n+1])) != depth || int(t.common[n+1]) != depth ||
			(t.o.beyond(i) > 0) != (t.o.beyond(t.ids[n+1]) > 0) {
			larger, other := t.weight(&sides[0]), t.weight(&sides[1])
			if other.Compare(larger) > 0 {
				larger = other
			}
			wide.AddSum(larger)
			sides = [2]T{}
		}
		t.wide = append(t.wide, wide)
	}
}

// split gives a node of two profiles what each has of it.
func (t *tree[F, T]) split(n *Node[F, T], from, to int) {
	if t.base == nil {
		return
	}
	base := t.base[to]
	t.s.Sub(&base, &t.base[from])
	n.Base = &base
	t.s.Sub(&n.Totals, &base)
}
