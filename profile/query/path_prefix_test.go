package query

import (
	"testing"

	"proflens/analyze"
)

func TestPathPrefix(t *testing.T) {
	for _, c := range []struct {
		prefix, name string
		want         bool
	}{
		{"", "main", true},
		{"lib/", "lib/a.c;f", true},
		{"li", "lib/a.c;f", true},
		{"lib", "library", false},
		{";", "main", true},
		{";", "a.c;main", false},
		{"a.c;", "a.c;main", true},
		{"a.c;", "a.c:main", true},
		{"a.c;", "a.cc;main", false},
		{"a.c", "a.cc;main", true},
		{"a/b.c;", `.\a\\b.c;f`, true},
		{`.\a`, `.\a\\b.c;f`, true},
		{"a/", "./a/b.c;f", true},
	} {
		p := NewPathPrefix(c.prefix, nil)
		if got := p.Match([]byte(c.name)); got != c.want {
			t.Errorf("%q of %q: %v", c.prefix, c.name, got)
		}
	}
	rules, _ := analyze.ParseRewrites([]string{"/home/a=src"})
	p := NewPathPrefix("src/", rules)
	for name, want := range map[string]bool{
		"/home/a/b.c;f": true, "/home/b.c;f": false, "src/x.c;f": true, "main": false,
	} {
		if p.Match([]byte(name)) != want {
			t.Errorf("%q, rewritten: %v", name, !want)
		}
	}
}
