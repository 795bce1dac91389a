package gate

import (
	"encoding/json"
	"fmt"
	"io"

	"proflens/builds/measures"
	"proflens/internal/humanize"
)

// Object is a report as the API and -format json have it.
type Object struct {
	Passed bool   `json:"passed"`
	Base   string `json:"base,omitempty" doc:"Name of the base."`
	Test   string `json:"test" doc:"Name of the test."`
	Link   string `json:"link,omitempty" doc:"Page that compares the two."`
	// Warning is why the figures mean little.
	Warning string       `json:"warning,omitempty"`
	Rules   []RuleObject `json:"rules"`
}

// RuleObject is a rule and what it found.
type RuleObject struct {
	Rule    string          `json:"rule" doc:"As it was written."`
	Outcome Outcome         `json:"outcome" is:"pass|fail|missing"`
	Measure string          `json:"measure"` // that was judged, with its family where a profile has it
	Title   string          `json:"title"`
	Of      Of              `json:"of,omitempty" is:"ratio|growth"`
	Min     bool            `json:"min" doc:"The limit is the least that passes; else the most."`
	Limit   float64         `json:"limit" doc:"In per cent for parts and growth."`
	Found   *float64        `json:"found,omitempty" doc:"In the unit of the limit; absent where it is missing."`
	Test    *measures.Value `json:"test,omitempty"`
	Base    *measures.Value `json:"base,omitempty"`
	Figure  string          `json:"figure,omitempty" doc:"What was found, in words."`
	Wanted  string          `json:"wanted" doc:"The limit in words."`
	Why     string          `json:"why,omitempty" doc:"Why the rule did not pass."`
}

// NewObject is a report as an object.
func NewObject(r *Report) *Object {
	return &Object{
		Passed: r.Passed(), Base: r.Base, Test: r.Test, Link: r.Link, Warning: r.Warning, Rules: ruleObjects(r.Results),
	}
}

func ruleObjects(results []Result) []RuleObject {
	list := make([]RuleObject, len(results))
	for i := range results {
		res := &results[i]
		o := &list[i]
		*o = RuleObject{Rule: res.Name, Outcome: res.Outcome, Measure: res.Key, Title: res.Title, Of: res.Of, Min: res.Min,
			Limit: res.Limit,
			Test:  res.Test, Base: res.Base, Figure: humanize.Plain(res.Figure), Wanted: humanize.Plain(res.Wanted),
			Why: humanize.Plain(res.Why)}
		if o.Measure == "" {
			o.Measure = res.Rule.Measure
		}
		if res.Outcome != Missing {
			o.Found = &res.Found
		}
	}
	return list
}

// Report is the report that an object was made of.
func (o *Object) Report() *Report {
	r := &Report{Base: o.Base, Test: o.Test, Link: o.Link, Warning: o.Warning}
	for i := range o.Rules {
		rule := &o.Rules[i]
		res := Result{Rule: Rule{Name: rule.Rule, Measure: rule.Measure, Of: rule.Of, Min: rule.Min, Limit: rule.Limit},
			Key: rule.Measure, Title: rule.Title,
			Outcome: rule.Outcome, Test: rule.Test, Base: rule.Base, Figure: rule.Figure, Wanted: rule.Wanted, Why: rule.Why}
		if rule.Found != nil {
			res.Found = *rule.Found
		}
		r.Results = append(r.Results, res)
	}
	return r
}

// WriteJSON writes a report as an [Object].
func WriteJSON(w io.Writer, r *Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(NewObject(r)); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}
