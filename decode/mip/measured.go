package mip

// measure notes which of the types in a header the file has nothing of, and
// what there is to say of the type. A record with function coverage is a byte,
// whatever else the header names: so a map or a raw file of such a type lacks
// timestamps and call counts, and a .mip has those that are not all nothing.
func measure(m *Profile) {
	t := m.Header.ProfileType
	if t.Has(FunctionCoverage) && t&(Timestamp|CallCount) != 0 {
		m.Lacks = t & (Timestamp | CallCount)
		for i := range m.Functions {
			if m.Functions[i].TimestampSum > 0 {
				m.Lacks &^= Timestamp
			}
			if m.Functions[i].CallCount > 1 {
				m.Lacks &^= CallCount
			}
		}
		if m.Lacks != 0 {
			warn(m, CoverageAlone)
		}
	}
	if blocksAlone(m) {
		warn(m, BlocksAlone)
	}
	if t.Has(ReturnAddress) {
		warn(m, ReturnAddresses)
	}
}

// countsCalls reports whether call counts of two profiles add up; else they say
// at most that a function ran.
func (m *Profile) countsCalls() bool {
	return !m.Header.ProfileType.Has(FunctionCoverage) || m.HasCalls()
}
