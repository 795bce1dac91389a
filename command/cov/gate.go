package cov

import (
	"fmt"

	"proflens/analyze/coverage"
	"proflens/encode/llvmcov"
)

// gateError is coverage below what was asked for.
type gateError string

func (e gateError) Error() string { return string(e) }

// gate is a [gateError] where less than -min-lines percent of lines ran.
func (o *options) gate(what string, m coverage.Metric) error {
	if !o.minLines.set || m.Total == 0 || m.Percent() >= o.minLines.at {
		return nil
	}
	need := 0
	for m.Covered+need < m.Total && (coverage.Metric{Total: m.Total, Covered: m.Covered + need}).Percent() < o.minLines.at {
		need++
	}
	return gateError(fmt.Sprintf("%s of %s covered, and -min-lines asks for %g %%: %d lines short", llvmcov.Percent(m), what, o.minLines.at, need))
}
