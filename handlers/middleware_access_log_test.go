package handlers

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The log and the metrics name a listed profile, and never an unlisted one, a
// file's name or a query.
func TestAccessLogHidesUnlisted(t *testing.T) {
	l := startLive(t, nil)
	raw := sample(t, "ir_c.profraw")
	listed := l.put("open.profraw", raw)["id"].(string)
	secret := l.put("secretname.profraw?visibility=unlisted&name=secretname", raw)
	hidden := secret["id"].(string)
	for _, id := range []string{listed, hidden} {
		l.ok("/api/v1/profiles/" + id)
		l.ok("/api/v1/profiles/" + id + "/functions?q=secretquery")
		l.get("/p/" + id + "/functions")
		l.get("/api/v1/profiles/" + id + "/nowhere")
		l.get("/api/v1/profiles/" + id + "/functions/0123456789abcdef")
	}
	l.do("DELETE", "/api/v1/profiles/"+hidden, nil, "X-Delete-Token", secret["delete_token"].(string))
	log := l.log.String()
	if !strings.Contains(log, "profile="+listed) || !strings.Contains(log, "route=/api/v1/profiles/{id}/functions ") {
		t.Errorf("the log does not name the listed profile or its route:\n%s", log)
	}
	metrics := l.ok("/metrics").text()
	if !strings.Contains(metrics, `proflens_http_requests_total{method="GET",route="/api/v1/profiles/{id}",status="200"} 2`) {
		t.Errorf("the metrics do not count requests by route:\n%s", metrics)
	}
	for what, text := range map[string]string{"log": log, "metrics": metrics, "list": l.ok("/api/v1/profiles").text()} {
		for _, word := range []string{hidden, "secretname", "secretquery", secret["delete_token"].(string)} {
			if strings.Contains(text, word) {
				t.Errorf("the %s holds %q", what, word)
			}
		}
	}
}

// What anybody can send makes no new label values.
func TestMetricsAreBounded(t *testing.T) {
	l := startLive(t, nil)
	for i := range 5 {
		l.do(fmt.Sprintf("ODD%d", i), "/", nil)
		l.get(fmt.Sprintf("/nowhere/%d", i))
	}
	metrics := l.ok("/metrics").text()
	if strings.Contains(metrics, "ODD") || strings.Contains(metrics, "nowhere") {
		t.Errorf("labels come from clients:\n%s", metrics)
	}
}

func TestAccessLogNamesFaults(t *testing.T) {
	l := startLive(t, func(c *Config) { c.Store = brokenStore{} })
	a := l.get("/api/v1/profiles")
	wantProblem(t, a, http.StatusInternalServerError, "internal")
	if bytes.Contains(a.body, []byte("disk on fire")) {
		t.Errorf("the answer tells internals: %s", a.body)
	}
	if log := l.log.String(); !strings.Contains(log, "disk on fire") || !strings.Contains(log, a.Header.Get("X-Request-Id")) {
		t.Errorf("the log does not say why:\n%s", log)
	}
}
