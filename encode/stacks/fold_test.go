package stacks_test

import (
	"strings"
	"testing"

	"proflens/encode/stacks"
)

// TestFold leaves out frames of a library and recursion, and no value.
func TestFold(t *testing.T) {
	profile := func(lines ...string) *stacks.Profile {
		return &stacks.Profile{Types: []stacks.Type{{Name: "n", Unit: "count"}},
			Samples: func(yield func(*stacks.Sample, error) bool) {
				for _, line := range lines {
					var s stacks.Sample
					names := strings.Split(line, ";")
					for i := range names { // root first, as folded lines are
						s.Stack = append(s.Stack, stacks.Frame{Name: names[len(names)-1-i]})
					}
					if s.Values = []uint64{1}; !yield(&s, nil) {
						return
					}
				}
			}}
	}
	library := func(f *stacks.Frame) bool { return strings.HasPrefix(f.Name, "std") }
	for _, c := range []struct {
		from      string
		folded    func(*stacks.Frame) bool
		recursion bool
		want      string
	}{
		{"main;a;std1;std2", library, false, "main;a"},
		{"main;std1;b;std2", library, true, "main;b"},
		{"std1;std2", library, false, "std1"},
		{"main;a;b;a;c", nil, true, "main;a;c"},
		{"main;a;a;a", nil, true, "main;a"},
		{"a;b;c;b;d;a;b", nil, true, "a;b"},
		{"main;a;b;a;c", nil, false, "main;a;b;a;c"},
	} {
		var b strings.Builder
		if err := stacks.Folded(&b, stacks.Fold(profile(c.from), c.folded, c.recursion), 0, stacks.Demangled); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.String()); got != c.want+" 1" {
			t.Errorf("%s is %s, want %s", c.from, got, c.want)
		}
	}
}
