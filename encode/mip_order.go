package encode

import (
	"bytes"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/decode/model"
)

// PlanMIPOrder orders the functions that ran by [analyze.MIPOrder]. Names are
// the linker's own already, those of Mach-O with their underscore.
//
// The error is a [*model.FormatError] of kind no_temporal_traces when the
// profile has no timestamps, incompatible for raw files without a map; a
// [*NoRunError].
func PlanMIPOrder(m *mip.Profile, o OrderOptions) (*OrderPlan, error) {
	switch {
	case m.Form == mip.FormatRaw:
		return nil, needsMap()
	case !m.HasTimestamps():
		return nil, model.Faultf(model.KindNoTraces,
			"the profile does not record the order in which functions first ran: it has no timestamps")
	case o.Run > len(m.Runs):
		return nil, &NoRunError{o.Run, len(m.Runs)}
	}
	var order []int
	if o.Run > 0 {
		order = analyze.MIPRunOrder(&m.Runs[o.Run-1])
	} else {
		order = analyze.MIPOrder(m.Functions)
	}
	p := &OrderPlan{}
	var left leftOut
	for _, i := range order {
		f := &m.Functions[i]
		if f.MergeCount < uint64(o.MinRuns) {
			continue
		}
		switch {
		case len(f.Name) == 0:
			left.nameless++
		case bytes.ContainsAny(f.Name, "\n\r"):
			left.broken++
		default:
			p.names = append(p.names, f.Name)
		}
	}
	p.Findings = left.findings()
	return p, nil
}
