package llvmprofdata

import "slices"

// hottest holds the functions with the largest counters: a heap with the least of them first,
// which treats equal counts as C++'s std::priority_queue does.
type hottest []hotFunction

type hotFunction struct {
	name  string
	count uint64
}

// add holds a function if its count is among the largest, so many of them.
func (h *hottest) add(name []byte, count, most uint64) {
	switch {
	case most == 0 || uint64(len(*h)) == most && (*h)[0].count >= count:
		return
	case uint64(len(*h)) == most:
		h.pop()
	}
	*h = append(*h, hotFunction{})
	h.up(len(*h)-1, hotFunction{string(name), count})
}

// up moves a function from a free place towards the front.
func (h hottest) up(at int, f hotFunction) {
	for at > 0 && h[(at-1)/2].count > f.count {
		h[at] = h[(at-1)/2]
		at = (at - 1) / 2
	}
	h[at] = f
}

// pop takes the least out.
func (h *hottest) pop() hotFunction {
	list, n := *h, len(*h)-1
	least, last := list[0], list[n]
	at, child := 0, 0
	for child < (n-1)/2 {
		child = 2 * (child + 1)
		if list[child].count > list[child-1].count {
			child--
		}
		list[at], at = list[child], child
	}
	if n%2 == 0 && n > 0 && child == (n-2)/2 {
		child = 2 * (child + 1)
		list[at], at = list[child-1], child-1
	}
	*h = list[:n]
	if n > 0 {
		h.up(at, last)
	}
	return least
}

// sorted empties it, the largest first.
func (h *hottest) sorted() (list []hotFunction) {
	for len(*h) > 0 {
		list = append(list, h.pop())
	}
	slices.Reverse(list)
	return list
}
