package site

import (
	"net/http/httptest"
	"testing"
)

// TestHostHeaderIsTheClientsWord: it stands in commands that people paste.
func TestHostHeaderIsTheClientsWord(t *testing.T) {
	for host, want := range map[string]string{
		"localhost:8080":     "http://localhost:8080",
		"prof.example.org":   "http://prof.example.org",
		"[::1]:8080":         "'http://[::1]:8080'",
		"a$(reboot)b":        "'http://a$(reboot)b'",
		"a'b;c":              `'http://a'\''b;c'`,
		"x\u202egro.elpmaxe": "'http://x\ufffdgro.elpmaxe'",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if got := ShellWord(Origin(r)); got != want {
			t.Errorf("Host %q: %s, want %s", host, got, want)
		}
	}
}
