package sums

// DropUnexecuted drops every function that never ran: all counts and all bits of MC/DC
// of all its records are 0. That is llvm-profdata merge -sparse. Nothing may be added
// afterwards.
func (m *Merger) DropUnexecuted() {
	ran := make([]bool, len(m.names.names))
	for i := range m.records {
		if r := &m.records[i]; !ran[r.name] {
			ran[r.name] = r.ran()
		}
	}
	kept := m.records[:0]
	var repeats map[int32]uint64
	for i, r := range m.records {
		if !ran[r.name] {
			continue
		}
		if n := m.repeats[int32(i)]; n > 0 {
			if repeats == nil {
				repeats = map[int32]uint64{}
			}
			repeats[int32(len(kept))] = n
		}
		kept = append(kept, r)
	}
	clear(m.records[len(kept):])
	m.records, m.repeats = kept, repeats
}

// ran reports whether a record has a count, or a bit of MC/DC, that is not 0.
func (r *record) ran() bool {
	for _, c := range r.counters {
		if c > 0 {
			return true
		}
	}
	if r.extra != nil {
		for _, b := range r.extra.bitmap {
			if b > 0 {
				return true
			}
		}
	}
	return false
}
