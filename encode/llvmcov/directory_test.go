package llvmcov

import (
	"fmt"
	"strings"
	"testing"

	"proflens/analyze/coverage"
)

// TestDirectories: what is the same in all paths has no table, nor what only leads to one file, as
// in LLVM's directory_coverage.linux.test. Paths may be any.
func TestDirectories(t *testing.T) {
	for names, want := range map[string]string{
		"/d/a0/a1/a2.cc /d/b0/b1_1.cc /d/b0/b1_2.cc /d/c0/c1/c2_1.cc /d/c0/c1/c2_2.cc /d/main.cc": "" +
			"/d/b0/ [/d/]: b1_1.cc b1_2.cc; " +
			"/d/c0/c1/ [/d/]: c2_1.cc c2_2.cc; /d/ []: a0/a1/a2.cc b0/ c0/c1/ main.cc",
		"/x/a /x/b/c /x/b/d/e /x/b/d/f": "/x/b/d/ [/x/ /x/b/]: e f; /x/b/ [/x/]: d/ c; /x/ []: b/ a",
		"/a b ../c":                     " []: ../c /a b",
		"abc abd":                       " []: abc abd",
		"//a //b/ //b/c":                "//b/ [//]:  c; // []: b/ a",
	} {
		c := &coverage.Coverage{}
		var files []int
		for i, name := range strings.Fields(names) {
			c.Files, files = append(c.Files, coverage.File{Name: name}), append(files, i)
		}
		var got []string
		for _, d := range Directories(c, files, nil) {
			rows := make([]string, len(d.Rows))
			for i := range d.Rows {
				rows[i] = d.Rows[i].Name
			}
			got = append(got, fmt.Sprint(d.Path, " ", d.Above, ": ", strings.Join(rows, " ")))
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%s: %s\nwant %s", names, got, want)
		}
	}
}
