package calltree

import (
	"context"

	"proflens/analyze"
)

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

// Join puts the stacks of two profiles behind each other, to be compared. A function
// that both have is one: the base's. test tells the test profile in the base's cache.
func Join[F, T any](base, other *Stacks[F, T], test string) *Stacks[F, T] {
	s := *base
	s.Compared, s.Test, s.Len = true, uint32(base.Len), base.Len+other.Len
	s.Key += " and " + test + " " + other.Key
	s.Functions = append(make([]F, 0, len(base.Functions)+len(other.Functions)), base.Functions...)
	numbers := make([]uint32, len(other.Functions)) // of the other's functions
	for i := range other.Functions {
		n, ok := base.Find(other.FID(&other.Functions[i]))
		if !ok {
			n = uint32(len(s.Functions))
			s.Functions = append(s.Functions, other.Functions[i])
		}
		numbers[i] = n
	}
	s.Find = func(fid uint64) (uint32, bool) {
		if n, ok := base.Find(fid); ok {
			return n, true
		}
		n, ok := other.Find(fid)
		if !ok {
			return 0, false
		}
		return numbers[n], true
	}
	s.Depth = func(i uint32) int {
		if i < s.Test {
			return base.Depth(i)
		}
		return other.Depth(i - s.Test)
	}
	s.Add = func(to *T, i uint32) {
		if i < s.Test {
			base.Add(to, i)
		} else {
			other.Add(to, i-s.Test)
		}
	}
	s.Open = func(ctx context.Context) (Append, error) {
		first, err := base.Open(ctx)
		if err != nil {
			return nil, err
		}
		second, err := other.Open(ctx)
		if err != nil {
			return nil, err
		}
		return func(list []uint32, inline []bool, i uint32) ([]uint32, []bool) {
			if i < s.Test {
				return first(list, inline, i)
			}
			from := len(list)
			list, inline = second(list, inline, i-s.Test)
			for at := from; at < len(list); at++ {
				list[at] = numbers[list[at]]
			}
			return list, inline
		}, nil
	}
	return &s
}
