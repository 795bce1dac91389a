package main

import "fmt"

// quantity is what is measured of a thing, and its unit.
type quantity string

const (
	wall   quantity = "wall"   // seconds
	cpu    quantity = "cpu"    // seconds of all cores
	memory quantity = "memory" // bytes at the peak
	stored quantity = "stored" // bytes
)

// aim is the most that a measured thing may take: as a part of what the peer takes, or
// where there is no peer, in the quantity's unit.
type aim struct {
	of, what string // the input, and what is done with it
	quantity
	most  float64
	alone bool // there is no peer
}

// The inputs that aims are of. Other inputs are measured all the same.
const (
	plainFunctions   = "plain"   // a million functions with plain names
	programFunctions = "program" // a million as large programs have them
	twoFunctions     = "two functions"
	heapContexts     = "heap"
	sampledFunctions = "samples"
	coveredFunctions = "coverage"
	fleetOfRuns      = "fleet"
)

// aims are all that is aimed at.
var aims = []aim{
	{of: plainFunctions, what: firstPage, quantity: wall, most: 1},
	{of: plainFunctions, what: everythingStored, quantity: wall, most: 1.3},
	{of: plainFunctions, what: "profdata show --all-functions --counts", quantity: cpu, most: 0.5},
	{of: plainFunctions, what: "profdata show --all-functions --counts", quantity: memory, most: 1},
	{of: plainFunctions, what: "profdata show --all-functions --counts --text", quantity: cpu, most: 0.5},
	{of: plainFunctions, what: "profdata show --all-functions --counts --text", quantity: memory, most: 1},
	{of: plainFunctions, what: "profdata overlap", quantity: cpu, most: 0.5},
	{of: plainFunctions, what: "profdata overlap", quantity: memory, most: 1},
	{of: plainFunctions, what: "profdata merge", quantity: cpu, most: 0.5},
	{of: plainFunctions, what: "profdata merge", quantity: memory, most: 1},
	{of: plainFunctions, what: "export -f csv", quantity: cpu, most: 0.3},
	{of: plainFunctions, what: "export -f csv", quantity: wall, most: 0.3},
	{of: plainFunctions, what: "export -f json", quantity: cpu, most: 0.5},
	{of: plainFunctions, what: "export -f json", quantity: wall, most: 0.3},
	{of: plainFunctions, what: "export -f ndjson", quantity: cpu, most: 0.5},
	{of: plainFunctions, what: "export -f ndjson", quantity: wall, most: 0.3},
	{of: plainFunctions, what: "export -f csv -names mangled", quantity: cpu, most: 1},
	{of: plainFunctions, what: "export -f proftext", quantity: wall, most: 0.3},
	{of: plainFunctions, what: "export -f proftext", quantity: memory, most: 0.6},
	{of: plainFunctions, what: "export -f profdata", quantity: wall, most: 0.4},
	{of: plainFunctions, what: "export -f profdata", quantity: memory, most: 0.6},
	{of: plainFunctions, what: overlapOfTwo, quantity: wall, most: 0.5},
	{of: plainFunctions, what: comparingFirst, quantity: wall, most: 1, alone: true},
	{of: plainFunctions, what: comparingLater, quantity: wall, most: 0.05, alone: true},
	{of: plainFunctions, what: treeFirst, quantity: wall, most: 1, alone: true},
	{of: plainFunctions, what: treeLater, quantity: wall, most: 0.05, alone: true},
	{of: plainFunctions, what: newFilter, quantity: wall, most: 2},
	{of: plainFunctions, what: storedBytes, quantity: stored, most: 1.8},
	{of: plainFunctions, what: takenIn, quantity: memory, most: 200e6, alone: true},
	{of: programFunctions, what: comparingFirst, quantity: wall, most: 1, alone: true},
	{of: programFunctions, what: comparingLater, quantity: wall, most: 0.05, alone: true},
	{of: programFunctions, what: treeFirst, quantity: wall, most: 1, alone: true},
	{of: programFunctions, what: treeLater, quantity: wall, most: 0.05, alone: true},
	{of: programFunctions, what: newFilter, quantity: wall, most: 2},
	{of: programFunctions, what: storedBytes, quantity: stored, most: 1.8},
	{of: programFunctions, what: takenIn, quantity: memory, most: 350e6, alone: true},
	{of: twoFunctions, what: storedBytes, quantity: stored, most: 32e3, alone: true},
	{of: heapContexts, what: "export -f profdata", quantity: cpu, most: 0.7},
	{of: sampledFunctions, what: "tables stored, one as CSV", quantity: wall, most: 0.5},
	{of: sampledFunctions, what: "export -f sample-text", quantity: wall, most: 0.5},
	{of: sampledFunctions, what: comparingFirst, quantity: wall, most: 1, alone: true},
	{of: sampledFunctions, what: comparingLater, quantity: wall, most: 0.05, alone: true},
	{of: coveredFunctions, what: "cov report", quantity: wall, most: 1},
	{of: coveredFunctions, what: "cov report", quantity: memory, most: 0.5},
	{of: coveredFunctions, what: "cov export", quantity: wall, most: 0.3},
	{of: coveredFunctions, what: "cov export", quantity: memory, most: 0.5},
	{of: fleetOfRuns, what: "merge", quantity: wall, most: 0.5},
	{of: fleetOfRuns, what: "merge", quantity: memory, most: 1},
	{of: fleetOfRuns, what: "profdata merge", quantity: wall, most: 0.5},
	{of: fleetOfRuns, what: "profdata merge", quantity: memory, most: 1},
}

// grace is how far an aim may be missed before the run counts as failed: machines differ.
const grace = 1.2

func (a *aim) String() string { return fmt.Sprintf("%s: %s, %s", a.of, a.what, a.quantity) }

// bound is the aim as a row has it.
func (a *aim) bound() string {
	if a.alone {
		return "≤ " + a.quantity.format(a.most)
	}
	return fmt.Sprintf("≤ %g", a.most)
}

// format writes a value in the unit of its quantity.
func (q quantity) format(v float64) string {
	switch {
	case q == memory && v >= 1e9:
		return fmt.Sprintf("%.3g GB", v/1e9)
	case q == memory:
		return fmt.Sprintf("%.0f MB", v/1e6)
	case q == stored && v < 1e6:
		return fmt.Sprintf("%.1f kB", v/1e3)
	case q == stored:
		return fmt.Sprintf("%.1f MB", v/1e6)
	case v < 1:
		return fmt.Sprintf("%.3g ms", v*1e3)
	}
	return fmt.Sprintf("%.3g s", v)
}
