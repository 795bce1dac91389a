package covmap

// countExpansions gives every expansion the counter of the first region of what it
// expands to, which may be an expansion again. Of several expansions of one file id
// the last has it, as in LLVM; expansions in a circle count zero.
func (m *Mapping) countExpansions() {
	if len(m.Files) < 2 {
		return
	}
	first, expander := none(&m.first, len(m.Files)), none(&m.expander, len(m.Files))
	expands := false
	for n := range m.Regions {
		r := &m.Regions[n]
		if first[r.File] < 0 {
			first[r.File] = int32(n)
		}
		if r.Kind == Expansion {
			expander[r.Expanded], expands = int32(n), true
		}
	}
	if !expands {
		return
	}
	for file := range first {
		m.settle(uint32(file), first, expander)
	}
}

// link is an expansion, and the region that it has its counter from.
type link struct{ expansion, first int32 }

// settle counts the expansion of a file id, after those that it begins with. Each is
// settled once: then its file id has no expander any more.
func (m *Mapping) settle(file uint32, first, expander []int32) {
	chain := m.chain[:0]
	for expander[file] >= 0 && first[file] >= 0 {
		chain = append(chain, link{expander[file], first[file]})
		expander[file] = -1
		r := &m.Regions[first[file]]
		if r.Kind != Expansion {
			break
		}
		file = r.Expanded
	}
	for n := len(chain) - 1; n >= 0; n-- {
		m.Regions[chain[n].expansion].Counter = m.Regions[chain[n].first].Counter
	}
	m.chain = chain
}

// none is a list of n times -1, in a slice that is used again.
func none(list *[]int32, n int) []int32 {
	*list = (*list)[:0]
	for range n {
		*list = append(*list, -1)
	}
	return *list
}
