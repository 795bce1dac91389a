package handlers

import (
	"net/url"
	"slices"

	"proflens/decode/model"
	"proflens/encode"
	"proflens/encode/stacks"
	"proflens/store"
	"proflens/views/page"
)

// dcpiExports are the forms of a database of samples that others read.
func dcpiExports(o *store.DCPIOverview, export string) []page.ConvertExport {
	var list []page.ConvertExport
	if summable(o.Profiles) {
		says := "the file written back, byte for byte"
		if len(o.Profiles) > 1 {
			says = "the profiles added up as one file"
		}
		list = append(list, page.ConvertExport{Label: "DCPI", URL: export + "dcpi", For: says})
	}
	if len(o.Profiles) == 1 {
		list = append(list, page.ConvertExport{Label: "DCPI as JSON", URL: export + "dcpi-json", For: "header and samples of the file, nothing left out"})
	}
	list = append(list, page.ConvertExport{Label: "pprof", URL: export + "pprof", For: "a sample for each address, with samples and events of every kind, for go tool pprof; there are no callers in it"})
	for _, event := range o.Events[:min(len(o.Events), dcpiLines)] {
		to := export + "folded?event=" + url.QueryEscape(event)
		list = append(list, page.ConvertExport{Label: "Folded, " + page.Printable(event), URL: to, For: "a line image;procedure with its samples of " + page.Printable(event)})
	}
	list = append(list, page.ConvertExport{Label: "Speedscope", URL: export + "speedscope", For: "images and procedures for the viewer of that name"})
	for _, t := range []struct{ table, label, says string }{
		{"procedures", "Procedures", "each procedure with its samples of every event"},
		{"samples", "Addresses", "each address that has samples"},
		{"dcpi-profiles", "Profiles", "each file's figures, and every line of its header"},
	} {
		list = append(list,
			page.ConvertExport{Label: t.label + ", CSV", URL: export + "csv?table=" + t.table, For: t.says},
			page.ConvertExport{Label: t.label + ", JSON", URL: export + "json?table=" + t.table, For: "the same as objects, for scripts"})
	}
	return list
}

// summable reports whether profiles can be written as one file: they are of one
// image, event and period.
func summable(profiles []store.DCPIProfile) bool {
	return !slices.ContainsFunc(profiles, func(p store.DCPIProfile) bool {
		first := &profiles[0]
		return p.Image != first.Image || p.Event != first.Event || p.Period != first.Period
	})
}

// dcpiStacks are samples of a database by address, or by procedure. Those of event
// come first, so that folded lines and viewers of pprof show them; without it
// those of the first event there is. An unknown event is a *paramError.
func dcpiStacks(db *model.DCPIDatabase, addresses bool, event string) (*stacks.Profile, error) {
	if event != "" {
		var known []string
		for p := range db.Profiles() {
			if !slices.Contains(known, p.Event) {
				known = append(known, p.Event)
			}
		}
		if !slices.Contains(known, event) {
			return nil, unknownValue("event", event, known)
		}
	}
	samples, err := encode.DCPISamples(db, addresses, event)
	return samples, notHeld(err)
}

// noEvents is the fault of an event given for a profile of another family.
func noEvents(event string) error {
	if event == "" {
		return nil
	}
	return &paramError{Param: "event", Msg: "only samples of DCPI have events"}
}
