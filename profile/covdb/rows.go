package covdb

import (
	"context"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// kinds are those of regions in words.
var kinds = map[covmap.Kind]string{
	covmap.Code: "code", covmap.Expansion: "expansion", covmap.Skipped: "skipped", covmap.Gap: "gap",
	covmap.Branch: "branch", covmap.MCDCBranch: "mcdc_branch",
}

// eachFunction visits all functions with what they are made of.
func eachFunction(ctx context.Context, p *stored.Profile, visit func(id int, f *coverage.Function)) error {
	own, err := Of(p)
	if err != nil {
		return err
	}
	const step = 256
	ids := query.All(own.Overview.Instances)
	for from := 0; from < len(ids); from += step {
		c, err := own.coverage(ctx, ids[from:min(from+step, len(ids))])
		if err != nil {
			return err
		}
		for i := range c.Functions {
			visit(from+i+1, &c.Functions[i])
		}
	}
	return nil
}

// regionRows adds the regions and conditions of functions as rows.
func regionRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	return eachFunction(ctx, p, func(id int, f *coverage.Function) {
		for _, list := range [][]coverage.Region{f.Regions, f.Branches} {
			for i := range list {
				region := &list[i]
				r.Int(int64(id))
				r.Texts(kinds[region.Kind])
				r.Ints(int(f.Files[region.File])+1, int(region.Start.Line), int(region.Start.Column), int(region.End.Line),
					int(region.End.Column))
				r.Uint(region.Count)
				folded := 0
				if region.TrueFolded {
					folded |= trueFolded
				}
				if region.FalseFolded {
					folded |= falseFolded
				}
				if region.Kind == covmap.Branch || region.Kind == covmap.MCDCBranch {
					r.Uint(region.False)
				} else {
					r.Null()
				}
				r.Ints(folded)
				add()
			}
		}
	})
}

// conditionRows adds the conditions of decisions as rows.
func conditionRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	decision := 0
	return eachFunction(ctx, p, func(_ int, f *coverage.Function) {
		for i := range f.Decisions {
			decision++
			for at := range f.Decisions[i].Conditions {
				c := &f.Decisions[i].Conditions[at]
				r.Ints(decision, at, int(c.Start.Line), int(c.Start.Column))
				r.Flag(c.Folded)
				r.Flag(c.Covered())
				add()
			}
		}
	})
}
