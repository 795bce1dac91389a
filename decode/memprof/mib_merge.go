package memprof

import "math"

// mergeRule says what a field becomes when two MIBs are merged.
type mergeRule uint8

const (
	keep mergeRule = iota // the first one's
	last                  // the second one's
	sum
	minimum
	maximum
)

// Merge adds b, which was recorded later, to m by the rules of the runtime and
// of llvm-profdata (memprof.md §1.6), which lose b's own counts of overlaps and
// of equal CPUs. Sums stay within the field's width. What only one of both
// knows is then unknown. m's values must be its own: see [MIB.Clone].
func (m *MIB) Merge(b *MIB) {
	if common := m.Schema & b.Schema; common != m.Schema {
		m.restrict(common)
	}
	m.mergeCounts(b)
	i := 0
	for f := range m.Schema.Fields() {
		m.Values[i] = merged(f, m.Values[i], b.Get(f))
		i++
	}
	if len(b.Histogram) > len(m.Histogram) {
		m.Histogram = append(m.Histogram, make([]uint64, len(b.Histogram)-len(m.Histogram))...)
	}
	for i, n := range b.Histogram {
		m.Histogram[i] = saturated(m.Histogram[i], n, math.MaxUint64)
	}
}

// mergeCounts counts what the later object has in common with the former, while
// the former's times and CPUs are still there.
func (m *MIB) mergeCounts(b *MIB) {
	count := func(f MIBField, of MIBField, when bool) {
		if when && m.Schema.Has(f) && m.Schema.Has(of) {
			at := m.index(f)
			m.Values[at] = saturated(m.Values[at], 1, math.MaxUint32)
		}
	}
	count(NumLifetimeOverlaps, AllocTimestamp, b.Get(AllocTimestamp) < m.Get(DeallocTimestamp))
	count(NumSameAllocCPU, AllocCPUID, b.Get(AllocCPUID) == m.Get(AllocCPUID))
	count(NumSameDeallocCPU, DeallocCPUID, b.Get(DeallocCPUID) == m.Get(DeallocCPUID))
}

func merged(f MIBField, a, b uint64) uint64 {
	switch mibFields[f].rule {
	case last:
		return b
	case sum:
		if f.Size() == 4 {
			return saturated(a, b, math.MaxUint32)
		}
		return saturated(a, b, math.MaxUint64)
	case minimum:
		return min(a, b)
	case maximum:
		return max(a, b)
	}
	return a
}

func saturated(a, b, limit uint64) uint64 {
	if b > limit-min(a, limit) {
		return limit
	}
	return a + b
}

// restrict leaves only the fields of a schema that m has.
func (m *MIB) restrict(to MIBSchema) {
	values := m.Values[:0]
	i := 0
	for f := range m.Schema.Fields() {
		if to.Has(f) {
			values = append(values, m.Values[i])
		}
		i++
	}
	m.Schema, m.Values = to, values
}
