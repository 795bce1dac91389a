package exports

import (
	"io"

	"proflens/decode/mip"
	"proflens/encode"
	"proflens/profile/mipdb"
)

var (
	mipOrder = Form{Family: mip.Family, Takes: []string{"run", "min-runs"},
		Plan: ofMIP(func(m *mip.Profile, o Options) (*Plan, error) {
			plan, err := encode.PlanMIPOrder(m, orderOptions(o))
			return planOfOrder(plan), lackingRun(err)
		}), Offers: suiting(mipdb.Of, func(p *mipdb.Profile) bool {
			return p.Overview.HasTimestamps() && p.Overview.Executed > 0
		}, orderOffer...)}

	mipJSON = Form{Family: mip.Family, Takes: []string{"run"}, Plan: ofMIP(func(m *mip.Profile, o Options) (*Plan, error) {
		run := o.Number("run")
		if run > len(m.Runs) {
			return nil, lackingRun(&encode.NoRunError{Run: run, Runs: len(m.Runs)})
		}
		return &Plan{Writes: func(w io.Writer) error {
			return encode.MIPJSON(w, m, encode.MIPJSONOptions{Run: run})
		}}, nil
	}), Offers: always(Offer{Label: "JSON", For: "every field, function and block"})}

	mipProfile = Form{Family: mip.Family, Takes: []string{"layout"},
		Plan: ofMIP(func(m *mip.Profile, o Options) (*Plan, error) {
			plan, err := encode.PlanMIP(m, encode.MIPOptions{Layout: mip.Layout(o.Word("layout"))})
			if err != nil {
				return nil, lacking(err)
			}
			return &Plan{Writes: plan.Write}, nil
		}), Offers: suiting(mipdb.Of, func(p *mipdb.Profile) bool { return p.Overview.Functions > 0 },
			Offer{Label: "MIP", For: "map and runs added up as one .mip, in the documented layout"},
			Offer{Label: "MIP, 64-bit offsets", Query: "layout=tool64", For: "the same, laid out as by the reference tool"})}
)

// ofMIP plans an export of a Machine IR Profile.
func ofMIP(plan func(m *mip.Profile, o Options) (*Plan, error)) Planner {
	return of(mip.Family, "no machine IR", plan)
}
