package gateweb

import (
	"bytes"
	"net/http"
	"strings"

	"proflens/builds/gate"
	"proflens/handlers/site"
	"proflens/internal/humanize"
)

// problem is the answer where a gate fails, as RFC 9457 lets it have members of its own.
type problem struct {
	site.Problem
	Rules  []gate.RuleObject `json:"rules" doc:"Those that did not pass."`
	Report *gate.Object      `json:"report" is:"!"` // all of them
}

// write writes a report, with status 422 where a rule did not pass.
func write(w http.ResponseWriter, r *http.Request, format *gate.Format, report *gate.Report) error {
	w.Header().Add("Vary", "Accept")
	status := http.StatusOK
	if !report.Passed() {
		status = http.StatusUnprocessableEntity
	}
	h := w.Header()
	if format.Name == "json" {
		if status == http.StatusOK {
			return site.WriteStatusJSON(w, status, gate.NewObject(report))
		}
		h.Set("Content-Type", "application/problem+json")
		h.Set("Cache-Control", "no-store")
		body, err := site.Marshal(problemOf(r, report))
		if err != nil {
			return err
		}
		w.WriteHeader(status)
		w.Write(body)
		return nil
	}
	var b bytes.Buffer
	if err := format.Write(&b, report); err != nil {
		return err
	}
	media := format.Media
	if strings.HasPrefix(media, "text/") {
		media += "; charset=utf-8"
	}
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(b.Bytes())
	return nil
}

func problemOf(r *http.Request, report *gate.Report) *problem {
	var why []string
	failed := report.Failed()
	for i := range failed {
		why = append(why, failed[i].Name+": "+failed[i].Why)
	}
	whole := gate.NewObject(report)
	p := &problem{Report: whole, Problem: site.Problem{Type: "about:blank", Title: "The gate fails",
		Status: http.StatusUnprocessableEntity, Kind: "gate_failed",
		Detail: humanize.Plain(report.Verdict() + "; " + strings.Join(why, "; ")), RequestID: site.RequestOf(r).Id}}
	for _, rule := range whole.Rules {
		if rule.Outcome != gate.Pass {
			p.Rules = append(p.Rules, rule)
		}
	}
	return p
}
