package sources

import (
	"fmt"
	"testing"
)

func TestPair(t *testing.T) {
	for _, c := range []struct {
		name         string
		files, paths []string
		want         []int
	}{
		{"built elsewhere", []string{"/build/x/src/a.c", "/build/x/src/b.c"}, []string{"src/b.c", "src/a.c"}, []int{1, 0}},
		{"the longest end", []string{"/b/src/a.h", "/b/ext/src/a.h"}, []string{"src/a.h", "ext/src/a.h"}, []int{0, 1}},
		{"least before it", []string{"/b/x/lib/a.h"}, []string{"old/lib/a.h", "lib/a.h"}, []int{1}},
		{"several", []string{"a.c"}, []string{"x/a.c", "y/a.c"}, []int{-1}},
		{"the folder of an archive", []string{"/b/a.c"}, []string{"repo-1.0/a.c"}, []int{0}},
		{"a common name is no file of ours", []string{"/usr/include/string.h"}, []string{"src/compat/string.h"}, []int{-1}},
		{"a name as it was given to the compiler", []string{"a.c"}, []string{"src/deep/a.c"}, []int{0}},
		{"from a build folder", []string{"../src/a.c", "./b.c"}, []string{"src/a.c", "b.c"}, []int{0, 1}},
		{"of Windows", []string{`C:\b\src\a.c`}, []string{"src/a.c"}, []int{0}},
		{"none", []string{"", "/", "a.c"}, []string{"x", "b.c", "ba.c"}, []int{-1, -1, -1}},
	} {
		if got := Pair(c.files, c.paths); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

func TestMatched(t *testing.T) {
	missing := []string{"a", "b", "c", "d", "e", "f\x1b"}
	for want, got := range map[string]string{
		"1 of 1 source":                                 Matched(1, 1, nil),
		"0 of 2 sources; missing a, b":                  Matched(0, 2, missing[:2]),
		"2 of 9 sources; missing a, b, c, d, e, 2 more": Matched(2, 9, missing),
		"1 of 7 sources; missing a, b, c, d, e, 1 more": Matched(1, 7, missing),
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
