package cov

import (
	"fmt"
	"math"
	"strings"

	"proflens/analyze/coverage"
	"proflens/decode/model"
)

// gateError is coverage below what was asked for.
type gateError string

func (e gateError) Error() string { return string(e) }

// gates are what can be asked for, each by -min-NAME.
var gates = [...]struct {
	name, one, what string
	of              func(*coverage.Summary) coverage.Metric
}{
	{"lines", "line", "lines", func(s *coverage.Summary) coverage.Metric { return s.Lines }},
	{"functions", "function", "functions", func(s *coverage.Summary) coverage.Metric { return s.Functions }},
	{"regions", "region", "regions", func(s *coverage.Summary) coverage.Metric { return s.Regions }},
	{"branches", "side of a branch", "sides of branches", func(s *coverage.Summary) coverage.Metric { return s.Branches }},
	{"mcdc", "condition of MC/DC", "conditions of MC/DC", func(s *coverage.Summary) coverage.Metric { return s.MCDC }},
}

// forGate reports whether an argument asks for coverage.
func forGate(arg string) bool {
	return strings.HasPrefix(arg, "-min-") || strings.HasPrefix(arg, "--min-")
}

// gateOf is the gate of some files together, whose numbers are worked out only where
// something is asked for.
func (o *options) gateOf(c *coverage.Coverage, files []int) error {
	asked := false
	for i := range gates {
		asked = asked || o.least[i].set
	}
	if !asked {
		return nil
	}
	return o.gate(sumOf(c, files))
}

// gate is a [gateError] with all that totals fall short of.
func (o *options) gate(s coverage.Summary) error {
	var list []string
	for i := range gates {
		if err := o.short(i, gates[i].what, gates[i].of(&s)); err != nil {
			list = append(list, err.Error())
		}
	}
	if len(list) == 0 {
		return nil
	}
	return gateError(strings.Join(list, "; "))
}

// short is a [gateError] where less ran than a gate asks for. What was not recorded
// passes no gate.
func (o *options) short(gate int, what string, m coverage.Metric) error {
	at, name := o.least[gate], gates[gate].name
	switch {
	case !at.set || m.Total > 0 && m.Percent() >= at.at:
		return nil
	case m.Total == 0:
		return gateError(fmt.Sprintf("there are no %s, and -min-%s asks for %g %%", what, name, at.at))
	}
	need := 0
	for m.Covered+need < m.Total && (coverage.Metric{Total: m.Total, Covered: m.Covered + need}).Percent() < at.at {
		need++
	}
	covered := math.Round(10*m.Percent()) / 10
	if covered >= at.at {
		covered = math.Floor(10*m.Percent()) / 10 // it is never what is asked for
	}
	return gateError(fmt.Sprintf("%.1f %% of %s covered, and -min-%s asks for %g %%: %s short", covered, what, name, at.at,
		model.Amount(need, gates[gate].one, gates[gate].what)))
}
