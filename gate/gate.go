// Package gate judges a profile, alone and against another one, by the rules of a
// project. What a rule needs and a profile lacks makes the rule fail by name.
package gate

import "proflens/measures"

// Rule is one limit on a figure.
type Rule struct {
	Name    string  // as it was written: "min_overlap", "max_cold_bytes_growth"
	Measure string  // "overlap", "cold_bytes", or with its family, "memprof.cold_bytes"
	Of      Of      // what of the measure is judged
	Min     bool    // the limit is the least that passes, else the most
	Limit   float64 // in per cent for parts and growth
}

// Of is what of a measure a rule judges.
type Of string

// A rule judges the value itself, the test's value ÷ the base's, or by how many per cent
// the test's is above the base's.
const (
	Itself Of = ""
	Ratio  Of = "ratio"
	Growth Of = "growth"
)

// Outcome is what became of a rule.
type Outcome string

// The outcomes. A rule whose figures are missing has failed too.
const (
	Pass    Outcome = "pass"
	Fail    Outcome = "fail"
	Missing Outcome = "missing"
)

// Figures are what is known of the two profiles, or builds.
type Figures struct {
	Base, Test measures.Set // of each alone
	Between    measures.Set // of the test against the base
	NoBase     bool         // there is no base: rules that need one are missing
}

// Result is a rule and what it found.
type Result struct {
	Rule
	Outcome Outcome
	Found   float64         // in the unit of the limit; 0 where it is missing
	Test    *measures.Value // what was judged; nil where it is missing
	Base    *measures.Value // nil where none was needed
	Figure  string          // what was found, in words: "73 of 82, 89.0 %"
	Wanted  string          // the limit in words: "≥ 90 %"
	Why     string          // why it is missing, or failed: "no heap profile"
}

// Report is a judged pair.
type Report struct {
	Base, Test string // names, for people
	Results    []Result
}

// Passed reports whether every rule passed.
func (r *Report) Passed() bool {
	for i := range r.Results {
		if r.Results[i].Outcome != Pass {
			return false
		}
	}
	return true
}
