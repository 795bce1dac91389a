package exports

import (
	"io"

	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/profile/mipdb"
	"proflens/profile/stored"
)

var (
	mipOrder = Form{Family: mip.Family, Takes: []string{"run", "min-runs"},
		Plan: ofMIP(func(m *mip.Profile, o Options) (*Plan, error) {
			plan, err := encode.PlanMIPOrder(m, orderOptions(o))
			return planOfOrder(plan), lackingRun(err)
		}), Offers: offerMIP(func(o *mipdb.Overview) bool { return o.HasTimestamps() && o.Executed > 0 }, orderOffer...)}

	mipJSON = Form{Family: mip.Family, Takes: []string{"run"}, Plan: ofMIP(func(m *mip.Profile, o Options) (*Plan, error) {
		run := o.Number("run")
		if run > len(m.Runs) {
			return nil, lackingRun(&encode.NoRunError{Run: run, Runs: len(m.Runs)})
		}
		return &Plan{Write: func(w io.Writer) ([]model.Finding, error) {
			return nil, encode.MIPJSON(w, m, encode.MIPJSONOptions{Run: run})
		}}, nil
	}), Offers: offerMIP(nil, Offer{Label: "JSON", For: "every field, function and block"})}

	mipProfile = Form{Family: mip.Family, Takes: []string{"layout"},
		Plan: ofMIP(func(m *mip.Profile, o Options) (*Plan, error) {
			plan, err := encode.PlanMIP(m, encode.MIPOptions{Layout: mip.Layout(o.Word("layout"))})
			if err != nil {
				return nil, lacking(err)
			}
			return &Plan{Write: func(w io.Writer) ([]model.Finding, error) { return nil, plan.Write(w) }}, nil
		}), Offers: offerMIP(func(o *mipdb.Overview) bool { return o.Functions > 0 },
			Offer{Label: "MIP", For: "map and runs added up as one .mip, in the documented layout"},
			Offer{Label: "MIP, 64-bit offsets", Query: "layout=tool64", For: "the same, laid out as by the reference tool"})}
)

// ofMIP plans an export of a Machine IR Profile.
func ofMIP(plan func(m *mip.Profile, o Options) (*Plan, error)) Planner {
	return func(p *format.Profile, o Options) (*Plan, error) {
		m, err := need[*mip.Profile](p, mip.Family, "no machine IR")
		if err != nil {
			return nil, err
		}
		return plan(m, o)
	}
}

// offerMIP offers ways to have a Machine IR Profile that suits; nil suits all.
func offerMIP(suits func(o *mipdb.Overview) bool, offers ...Offer) func(*stored.Profile) ([]Offer, error) {
	return func(p *stored.Profile) ([]Offer, error) {
		m, err := mipdb.Of(p)
		if err != nil || suits != nil && !suits(m.Overview) {
			return nil, err
		}
		return offers, nil
	}
}
