package exports

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/encode"
	"proflens/encode/stacks"
	"proflens/profile/dcpidb"
	"proflens/profile/stored"
)

var (
	dcpiProfile = Form{Family: dcpi.Family, Unlike: dcpi.KindNotDCPI,
		Plan: ofDCPI(func(db *dcpi.Database, _ Options) (*Plan, error) {
			// Whether they can be added shows while they are written: a fault must not
			// cut an answer off.
			var b bytes.Buffer
			if err := encode.DCPI(&b, db); err != nil {
				return nil, lacking(err)
			}
			return &Plan{Writes: func(w io.Writer) error {
				_, err := b.WriteTo(w)
				return err
			}}, nil
		}), Offers: offering(dcpidb.Of, func(db *dcpidb.Profile) []Offer {
			switch all := db.Overview.Profiles; {
			case len(all) == 0 || !summable(all):
				return nil
			case len(all) > 1:
				return []Offer{{Label: "DCPI", For: "the sum of the profiles as one file"}}
			}
			return []Offer{{Label: "DCPI", For: "the file written back, byte for byte"}}
		})}

	dcpiJSON = Form{Family: dcpi.Family, Unlike: dcpi.KindNotDCPI,
		Plan: ofDCPI(func(db *dcpi.Database, _ Options) (*Plan, error) {
			if err := encode.OneDCPIFile(db); err != nil {
				return nil, lacking(err)
			}
			return &Plan{Writes: func(w io.Writer) error { return encode.DCPIJSON(w, db) }}, nil
		}), Offers: func(p *stored.Profile) ([]Offer, error) {
			if p.Overview.Info.Profiles != 1 { // files of several hosts may have one name
				return nil, nil
			}
			return []Offer{{Label: "DCPI as JSON", For: "header and all samples of the file"}}, nil
		}}

	dcpiPprof = Form{Family: dcpi.Family, Takes: []string{"event"},
		Plan: ofDCPI(func(db *dcpi.Database, o Options) (*Plan, error) {
			samples, err := dcpiSamples(db, true, o)
			return planOfPprof(samples), err
		}), Offers: always(Offer{Label: "pprof",
			For: "a sample for each address, with samples and events of every kind, for go tool pprof; without callers"})}

	dcpiFolded = Form{Family: dcpi.Family, Takes: []string{"event", "names"}, Plan: dcpiStacks(stacks.Folded),
		Offers: offering(dcpidb.Of, func(db *dcpidb.Profile) (list []Offer) {
			events := db.Overview.Events
			for _, event := range events[:min(len(events), dcpiLines)] {
				list = append(list, Offer{
					Label: "Folded, " + event, Query: "event=" + url.QueryEscape(event),
					For: "a line image;procedure with its samples of " + event,
				})
			}
			return list
		})}

	dcpiSpeedscope = Form{Family: dcpi.Family, Takes: []string{"event", "names"}, Plan: dcpiStacks(speedscope),
		Offers: always(Offer{Label: "Speedscope", For: "images and procedures for speedscope.app"})}
)

// dcpiLines bounds the events that are offered one by one.
const dcpiLines = 8

// dcpiTables are the tables of samples that are offered one by one.
var dcpiTables = []Offer{
	{Label: "Procedures", Query: "table=procedures", For: "each procedure with its samples of every event"},
	{Label: "Addresses", Query: "table=samples", For: "each address that has samples"},
	{Label: "Profiles", Query: "table=dcpi-profiles", For: "each file's figures, and every line of its header"},
}

// ofDCPI plans an export of a database of samples.
func ofDCPI(plan func(db *dcpi.Database, o Options) (*Plan, error)) Planner {
	return of(dcpi.Family, "no DCPI samples", plan)
}

// summable reports whether profiles can be written as one file: they are of one
// image, event and period.
func summable(profiles []dcpidb.EventProfile) bool {
	return !slices.ContainsFunc(profiles, func(p dcpidb.EventProfile) bool {
		first := &profiles[0]
		return p.Image != first.Image || p.Event != first.Event || p.Period != first.Period
	})
}

// dcpiStacks plans an export of procedures as stacks.
func dcpiStacks(write func(w io.Writer, p *stacks.Profile, value int, names stacks.Names) error) func(*format.Profile,
	Options) (*Plan, error) {
	return ofDCPI(func(db *dcpi.Database, o Options) (*Plan, error) {
		samples, err := dcpiSamples(db, false, o)
		if err != nil {
			return nil, err
		}
		return planOfStacks(samples, 0, o, write), nil
	})
}

// dcpiSamples are samples by address, or by procedure. Those of the event asked
// for come first, so that folded lines and viewers of pprof show them.
func dcpiSamples(db *dcpi.Database, addresses bool, o Options) (*stacks.Profile, error) {
	event := o["event"]
	var known []string
	for p := range db.Profiles() {
		if !slices.Contains(known, p.Event) {
			known = append(known, p.Event)
		}
	}
	if event != "" && !slices.Contains(known, event) {
		return nil, &OptionError{"event", fmt.Sprintf("unknown value %q; use one of %s", event, strings.Join(known, ", "))}
	}
	samples, err := encode.DCPISamples(db, addresses, event)
	return samples, lacking(err)
}
