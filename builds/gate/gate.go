// Package gate judges a profile, alone and against another one, by the rules of a
// project. What a rule needs and a profile lacks makes the rule fail by name.
package gate

import "proflens/builds/measures"

// Rule is one limit on a figure.
type Rule struct {
	Name    string  // as it was written: "min_overlap", "memprof.max_cold_bytes_growth"
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
	Warning    string       // why figures between the two mean little; empty where they do not
}

// Result is a rule and what it found.
type Result struct {
	Rule
	Key     string // of the measure that was judged, "instr.overlap"; empty where no profile has it
	Title   string // of that measure, or of the first of its name: "Overlap"
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
	Base, Test string // names, for people; Base is empty where there is none
	Link       string // to the comparison; empty where it has no page
	Warning    string // why the figures mean little; empty where they do not
	Results    []Result
}

// LeftOut says what figures of the test are without; empty for nothing.
func (r *Report) LeftOut() string {
	for i := range r.Results {
		if v := r.Results[i].Test; v != nil && v.LeftOut != "" {
			return v.LeftOut
		}
	}
	return ""
}

// Passed reports whether every rule passed.
func (r *Report) Passed() bool { return len(r.Failed()) == 0 }

// Failed are the rules that did not pass, in their order.
func (r *Report) Failed() (list []Result) {
	for i := range r.Results {
		if r.Results[i].Outcome != Pass {
			list = append(list, r.Results[i])
		}
	}
	return list
}
