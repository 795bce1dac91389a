package site_test

import (
	"strings"
	"testing"

	"proflens/handlers/site"
)

// A long name keeps what tells functions apart.
func TestTextWord(t *testing.T) {
	long := strings.Repeat("alloc::", 20)
	for name, want := range map[string]string{
		"main":                    "main",
		"<" + long + "Vec>::push": ("<" + long)[:90-4-2] + "… push",
		"std::sort<" + strings.Repeat("int, ", 20) + ">(": "std::sort<" + strings.Repeat("int, ", 20)[:79] + "…",
		strings.Repeat("x", 100):                          strings.Repeat("x", 89) + "…",
	} {
		if got := site.TextWord(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
