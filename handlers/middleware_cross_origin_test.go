package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

func TestCrossOrigin(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, test := range []struct {
		name    string
		headers []string
		refused bool
	}{
		{"another program", nil, false},
		{"a page of ours", []string{"Sec-Fetch-Site", "same-origin"}, false},
		{"a page of ours, old browser", []string{"Origin", l.URL}, false},
		{"another site", []string{"Sec-Fetch-Site", "cross-site"}, true},
		{"another site, old browser", []string{"Origin", "https://elsewhere.example"}, true},
		{"a sandboxed page", []string{"Origin", "null"}, true},
	} {
		for method, path := range map[string]string{"PUT": "/x", "POST": "/upload", "DELETE": "/api/v1/profiles/x"} {
			a := l.Do(method, path, strings.NewReader(""), test.headers...)
			if refused := a.StatusCode == http.StatusForbidden; refused != test.refused {
				t.Errorf("%s from %s: %s", method, test.name, a.Status)
			}
		}
		if a := l.Get("/api/v1/profiles", test.headers...); a.StatusCode != http.StatusOK {
			t.Errorf("GET from %s: %s", test.name, a.Status)
		}
	}
}
