package sampleprof

// Accumulate adds a function to another of the same profile, as merging does. Its records
// become the other's; whoever adds settles the sum. Functions of which the checksums say
// that they are of different builds are dropped, callees too: dropped is how many.
// overflow says that a count stopped at the largest; there may be more once the sum is
// settled.
func Accumulate(to, f *Function) (dropped uint64, overflow bool) {
	switch {
	case to.Checksum == 0:
		to.Checksum = f.Checksum
	case to.Checksum != f.Checksum:
		return 1, false
	}
	overflow = accumulate(&to.Total, f.Total)
	overflow = accumulate(&to.Head, f.Head) || overflow
	to.Body = append(to.Body, f.Body...)
	to.VTables = append(to.VTables, f.VTables...)
	if len(f.Sites) == 0 {
		return 0, overflow
	}
	had := make(map[place]*Function, len(to.Sites))
	for _, s := range to.Sites {
		had[place{at: s.Loc, name: s.Callee.Name}] = s.Callee
	}
	for _, s := range f.Sites {
		callee := had[place{at: s.Loc, name: s.Callee.Name}]
		if callee == nil {
			to.Sites = append(to.Sites, s)
			continue
		}
		n, over := Accumulate(callee, s.Callee)
		dropped, overflow = dropped+n, over || overflow
	}
	return dropped, overflow
}
