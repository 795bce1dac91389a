package handlers_test

import (
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

func TestSecurityHeaders(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, path := range []string{"/", "/nowhere", "/api/v1/profiles", "/api/v1/profiles/x", "/healthz", "/metrics"} {
		for _, accept := range []string{"text/html", "*/*"} {
			h := l.Get(path, "Accept", accept).Header
			for name, want := range map[string]string{
				"Content-Security-Policy": "default-src 'none'; script-src 'self'", "X-Content-Type-Options": "nosniff",
				"Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			} {
				if !strings.HasPrefix(h.Get(name), want) {
					t.Errorf("%s: %s is %q", path, name, h.Get(name))
				}
			}
			if csp := h.Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") {
				t.Errorf("%s: %s", path, csp)
			}
		}
	}
	if robots := l.Get("/p/x").Header.Get("X-Robots-Tag"); !strings.Contains(robots, "noindex") {
		t.Errorf("X-Robots-Tag of a profile is %q", robots)
	}
}
