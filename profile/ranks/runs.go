package ranks

import (
	"bytes"
	"cmp"
	"slices"

	"proflens/analyze"
)

// Split is a function on which runs of one program disagree: some executed it, and in
// others it never ran, or was cold.
type Split struct {
	*Function        // of the run in which its share is the largest
	Heats     []Heat // of each run; empty where a run does not tell
	Share     float64
	// Dead is set where some run never executed it; else some run was cold, and another not.
	Dead bool
}

// Splits are the functions on which runs disagree, those that never ran somewhere first,
// the hottest of them before the others, at most limit of all; and what the runs have in
// common.
func Splits(runs []*Profile, limit int) (list []Split, all int, common Common) {
	wholes := make([]float64, len(runs))
	var guids []uint64
	seen := map[uint64]bool{}
	for i, p := range runs {
		wholes[i] = p.whole()
		for j := range p.Functions {
			if guid := p.Functions[j].GUID; !seen[guid] {
				seen[guid] = true
				guids = append(guids, guid)
			}
		}
	}
	for _, guid := range guids {
		s := Split{Heats: make([]Heat, len(runs)), Share: -1}
		dead, cold, warm := 0, 0, 0
		for i, p := range runs {
			f := p.find(guid)
			heat := p.heatOf(f)
			s.Heats[i] = heat
			if f != nil {
				if share := shareOf(f, wholes[i]); share > s.Share {
					s.Function, s.Share = f, share
				}
			}
			switch heat {
			case "":
			case Never:
				dead++
			case Cold:
				cold++
			default:
				warm++
			}
		}
		ran := cold + warm
		switch len(runs) {
		case ran:
			common.Executed++
		case dead:
			common.Never++
		}
		s.Dead = ran > 0 && dead > 0
		if s.Dead || cold > 0 && warm > 0 {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Split) int {
		if a.Dead != b.Dead {
			if a.Dead {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Share, a.Share), bytes.Compare(a.Linkage, b.Linkage), cmp.Compare(a.GUID, b.GUID))
	})
	return list[:min(limit, len(list))], len(list), common
}

// Common counts functions on which all runs agree.
type Common struct {
	Executed int // by all of them
	Never    int // that none executed
}

// heatOf is how hot a function is in a profile, nil for one that it does not have: that
// was not seen to run where the profile is sampled.
func (p *Profile) heatOf(f *Function) Heat {
	switch {
	case f != nil:
		return f.Heat
	case p.Sampled:
		return Never
	}
	return ""
}

// whole is the total of all functions.
func (p *Profile) whole() float64 {
	var sum analyze.Sum
	for i := range p.Functions {
		sum.AddSum(p.Functions[i].Total)
	}
	return sum.Float64()
}

func shareOf(f *Function, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return f.Total.Float64() / whole
}
