package sampleprof

import (
	"fmt"

	"proflens/decode/model"
)

// lost is what the compiler does not use of the profile, on the programs beside it.
func (p *Profile) lost() []model.Finding {
	functions := map[Fit]map[NameID]bool{FitStale: {}, FitGone: {}}
	samples := map[Fit]uint64{}
	total := uint64(0)
	p.EachFunction(func(f *Function) {
		fit, own := p.Program.Fit(p.Names[f.Name], f.Checksum), uint64(0)
		for i := range f.Body {
			own = Add(own, f.Body[i].Count)
		}
		total, samples[fit] = Add(total, own), Add(samples[fit], own)
		if names := functions[fit]; names != nil {
			names[f.Name] = true
		}
	})
	var found []model.Finding
	say := func(fit Fit, code, message, cause string) {
		if count := uint64(len(functions[fit])); count > 0 {
			found = append(found, model.Finding{Severity: model.Warning, Code: prefix + "." + code, Kind: KindHashMismatch,
				File: p.Program.Files[0], Count: count,
				Message: fmt.Sprintf("functions %s; they have %d of %d samples", message, samples[fit], total), Cause: cause,
				Remedy: "record the profile again, with the program of today"})
		}
	}
	say(FitStale, "stale", "that changed since they were sampled: their probes have another checksum, and the compiler "+
		"drops their samples", "the program was built of other sources than the one that was sampled, or with other options")
	say(FitGone, "gone", "that the program has not got",
		"they were renamed or removed since they were sampled, or the profile is also of another program")
	return found
}
