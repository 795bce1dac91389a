package gate

import (
	"encoding/json"
	"fmt"
	"io"

	"proflens/internal/humanize"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations,omitempty"`
	Results     []sarifResult     `json:"results"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID          string       `json:"id"`
	Description sarifMessage `json:"shortDescription"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// WriteSARIF writes a report as SARIF 2.1.0: a result a rule that did not pass. A profile
// is of no line of the sources, and code hosts show no result without one, so all are at
// the head of the file that keeps the rules.
func WriteSARIF(w io.Writer, r *Report) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "Proflens", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	at := sarifLocation{sarifPhysical{sarifArtifact{FileName}, sarifRegion{1}}}
	for i := range r.Results {
		res := &r.Results[i]
		name := humanize.Printable(res.Name)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			name, sarifMessage{line(res.Title + " " + res.Wanted)},
		})
		if res.Outcome == Pass {
			continue
		}
		run.Results = append(run.Results,
			sarifResult{RuleID: name, RuleIndex: i, Kind: "fail", Level: "error", Message: sarifMessage{res.reason()},
				Locations: []sarifLocation{at}, Fingerprints: map[string]string{"proflensRule/v1": name}})
	}
	var told []sarifNotification
	for _, n := range []struct{ level, text string }{{"warning", r.Warning}, {"note", r.LeftOut()}} {
		if n.text != "" {
			told = append(told, sarifNotification{n.level, sarifMessage{line(n.text)}})
		}
	}
	if len(told) > 0 {
		run.Invocations = []sarifInvocation{{true, told}}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	log := sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
	if err := enc.Encode(log); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}
