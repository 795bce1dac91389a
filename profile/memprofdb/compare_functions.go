package memprofdb

import (
	"cmp"
	"context"
	"path"
	"slices"
)

// sameFunctions finds which functions of a second profile are one with which of the first.
// Of several called alike, those whose paths have the longest end in common are; a function
// whose file is not known is any of them.
func sameFunctions(a, b *index) map[uint32]uint32 {
	same := make(map[uint32]uint32, min(len(a.functions), len(b.functions)))
	of := calledAlike(b)
	for is, first := range calledAlike(a) {
		second := of[is]
		type match struct {
			a, b   uint32
			common int
		}
		var list []match
		for _, i := range first {
			for _, n := range second {
				f, g := &a.functions[i], &b.functions[n]
				m := match{i, n, commonParts(path.Clean(f.File), path.Clean(g.File))}
				if f.FID == g.FID {
					m.common = 1 << 30
				}
				if m.common > 0 || f.File == "" || g.File == "" {
					list = append(list, m)
				}
			}
		}
		slices.SortStableFunc(list, func(a, b match) int { return cmp.Compare(b.common, a.common) })
		taken := map[uint32]bool{}
		for _, m := range list {
			if _, ok := same[m.b]; !ok && (!taken[m.a] || m.common == 0) {
				same[m.b], taken[m.a] = m.a, true
			}
		}
	}
	return same
}

// calledAlike are the functions of a profile by what all have in common that may be one.
func calledAlike(x *index) map[called][]uint32 {
	alike := make(map[called][]uint32, len(x.functions))
	for i := range x.functions {
		f := &x.functions[i]
		is := called{guid: f.GUID}
		switch {
		case f.GUID != 0:
		case f.Name != "":
			is.name = f.Name
		default:
			is.address = f.FID
		}
		alike[is] = append(alike[is], uint32(i))
	}
	return alike
}

// fidsOf are the FIDs of functions of the test profile for which the base has others.
func fidsOf(ctx context.Context, base, test *Profile) (map[uint64]uint64, error) {
	a, err := base.index(ctx)
	if err != nil {
		return nil, err
	}
	b, err := test.index(ctx)
	if err != nil {
		return nil, err
	}
	same := sameFunctions(a, b)
	fids := map[uint64]uint64{}
	for i := range b.functions {
		f := &b.functions[i]
		if n, ok := same[uint32(i)]; ok {
			if a.functions[n].FID != f.FID {
				fids[f.FID] = a.functions[n].FID
			}
		} else if _, taken := a.byFID[f.FID]; taken {
			fids[f.FID] = ^f.FID // another function of the name
		}
	}
	return fids, nil
}
