package site

import (
	"net/http/httptest"
	"testing"
)

func TestAccepted(t *testing.T) {
	const json, csv, text, html = "application/json", "text/csv", "text/plain", "text/html"
	for _, test := range []struct {
		accept, want string
		offers       []string
	}{
		{"", json, []string{json, csv}},
		{"*/*", json, []string{json, csv}},
		{"text/csv", csv, []string{json, csv}},
		{"text/*", csv, []string{json, csv, text}},
		{"TEXT/CSV; charset=utf-8", csv, []string{json, csv}},
		{"application/json;q=0.5, text/csv", csv, []string{json, csv}},
		{"application/json;q=0, */*", csv, []string{text, csv}[1:]},
		{"image/png", json, []string{json, csv}},
		// A browser.
		{"text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", html, []string{json, html}},
		// A script that would take anything but likes JSON.
		{"application/json, text/plain, */*", json, []string{text, json}},
		{"application/json, text/plain, */*", json, []string{json, html}},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept", test.accept)
		if got := Accepted(r, test.offers...); got != test.want {
			t.Errorf("Accept %q of %v: %s, want %s", test.accept, test.offers, got, test.want)
		}
	}
}
