package handlers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// The log and the metrics name a listed profile, and never an unlisted one, a
// file's name or a query.
func TestAccessLogHidesUnlisted(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	listed := l.Put("open.profraw", raw)["id"].(string)
	secret := l.Put("secretname.profraw?visibility=unlisted&name=secretname", raw)
	hidden := secret["id"].(string)
	for _, id := range []string{listed, hidden} {
		l.OK("/api/v1/profiles/" + id)
		l.OK("/api/v1/profiles/" + id + "/functions?q=secretquery")
		l.Get("/p/" + id + "/functions")
		l.Get("/api/v1/profiles/" + id + "/nowhere")
		l.Get("/api/v1/profiles/" + id + "/functions/0123456789abcdef")
	}
	l.Do("DELETE", "/api/v1/profiles/"+hidden, nil, "X-Delete-Token", secret["delete_token"].(string))
	log := l.Log.String()
	if !strings.Contains(log, "profile="+listed) || !strings.Contains(log, "route=/api/v1/profiles/{id}/functions ") {
		t.Errorf("the log does not name the listed profile or its route:\n%s", log)
	}
	metrics := l.OK("/metrics").Text()
	if !strings.Contains(metrics, `proflens_http_requests_total{method="GET",route="/api/v1/profiles/{id}",status="200"} 2`) {
		t.Errorf("the metrics do not count requests by route:\n%s", metrics)
	}
	for what, text := range map[string]string{"log": log, "metrics": metrics, "list": l.OK("/api/v1/profiles").Text()} {
		for _, word := range []string{hidden, "secretname", "secretquery", secret["delete_token"].(string)} {
			if strings.Contains(text, word) {
				t.Errorf("the %s holds %q", what, word)
			}
		}
	}
}

// What anybody can send makes no new label values.
func TestMetricsAreBounded(t *testing.T) {
	l := webtest.Start(t, nil)
	for i := range 5 {
		l.Do(fmt.Sprintf("ODD%d", i), "/", nil)
		l.Get(fmt.Sprintf("/nowhere/%d", i))
	}
	metrics := l.OK("/metrics").Text()
	if strings.Contains(metrics, "ODD") || strings.Contains(metrics, "nowhere") {
		t.Errorf("labels come from clients:\n%s", metrics)
	}
}

func TestAccessLogNamesFaults(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.Store = brokenStore{} })
	a := l.Get("/api/v1/profiles")
	webtest.Problem(t, a, http.StatusInternalServerError, "internal")
	if bytes.Contains(a.Bytes, []byte("disk on fire")) {
		t.Errorf("the answer tells internals: %s", a.Bytes)
	}
	if log := l.Log.String(); !strings.Contains(log, "disk on fire") ||
		!strings.Contains(log, a.Header.Get("X-Request-Id")) {
		t.Errorf("the log does not say why:\n%s", log)
	}
}
