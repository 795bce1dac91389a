package names

import (
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	row := []string{"_ZN4Sass5CloneEv", "lib/selector.cpp", "malloc"}
	for _, c := range []struct {
		text, re string
		want     bool
	}{
		{"", "", true},
		{"clone", "", true},
		{"  malloc   clone ", "", true},
		{"SELECTOR sass::clone", "", true},
		{"clone free", "", false},
		{"clone", "^mall", true},
		{"clone", "^alloc", false},
	} {
		terms, err := NewTerms(c.text, c.re)
		if err != nil {
			t.Fatal(err)
		}
		found := uint64(0)
		for _, name := range row {
			found |= terms.In([]byte(name))
		}
		if got := found == terms.All(); got != c.want {
			t.Errorf("%q, %q: %v", c.text, c.re, got)
		}
	}
	if terms, err := NewTerms(strings.Repeat("a ", maxWords), ""); err != nil || terms.In([]byte("a")) != terms.All() {
		t.Errorf("as many words as there may be: %v", err)
	}
	for _, c := range [][2]string{
		{strings.Repeat("a ", maxWords), "b"}, {strings.Repeat("a ", maxWords+1), ""}, {"", "("},
	} {
		if _, err := NewTerms(c[0], c[1]); err == nil {
			t.Errorf("%.20q, %q: no error", c[0], c[1])
		}
	}
}
