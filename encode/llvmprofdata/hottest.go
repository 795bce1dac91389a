package llvmprofdata

import "slices"

// hottest are the functions with the largest counters, the largest first; of equal ones that
// of the file comes first.
type hottest []hotFunction

type hotFunction struct {
	name  string
	count uint64
}

// add holds a function if its count is among the largest, so many of them.
func (h *hottest) add(name []byte, count, most uint64) {
	if most == 0 || uint64(len(*h)) >= most && (*h)[len(*h)-1].count >= count {
		return
	}
	at, _ := slices.BinarySearchFunc(*h, count, func(f hotFunction, count uint64) int {
		if f.count >= count {
			return -1
		}
		return 1
	})
	*h = slices.Insert(*h, at, hotFunction{string(name), count})
	*h = (*h)[:min(uint64(len(*h)), most)]
}
