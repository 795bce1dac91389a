package calltree

// Collapser leaves out of stacks what stands between two calls of one function: A, B,
// A, C is A, C. It is for one goroutine; nil leaves nothing out.
type Collapser struct {
	place []uint32 // by function: where it was put last
}

// NewCollapser is for stacks of so many functions.
func NewCollapser(functions int) *Collapser { return &Collapser{make([]uint32, functions)} }

// Collapse shortens the stack that stands from a place on in list, and in inline.
func (c *Collapser) Collapse(list []uint32, inline []bool, from int) ([]uint32, []bool) {
	if c == nil {
		return list, inline
	}
	kept := from
	for i := from; i < len(list); i++ {
		n := list[i]
		if at := int(c.place[n]); at >= from && at < kept && list[at] == n {
			kept = at + 1
			continue
		}
		c.place[n] = uint32(kept)
		list[kept], inline[kept] = n, inline[i]
		kept++
	}
	return list[:kept], inline[:kept]
}
