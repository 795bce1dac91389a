package coverage_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
)

const mappings = "../../decode/covmap/testdata/"

// instances is a program of clang 22, joined.
func instances(t *testing.T, name string) *coverage.Coverage {
	t.Helper()
	const dir = "clang-22/instances/"
	return coveragetest.Join(t, mappings, dir+name+".profdata", coverage.Options{}, dir+name+".covmapping")
}

// countsOf are the lines of a file that have a count: "6 2".
func countsOf(t *testing.T, c *coverage.Coverage, name string) []string {
	t.Helper()
	at := slices.IndexFunc(c.Files, func(f coverage.File) bool { return f.Name == name || strings.HasSuffix(f.Name, "/"+name) })
	if at < 0 {
		t.Fatalf("no file %s", name)
	}
	var list []string
	for l := range c.UnionView(at).Lines() {
		for n := l.First; l.Mapped && n <= l.Last; n++ {
			list = append(list, fmt.Sprint(n, l.Count))
		}
	}
	return list
}

// TestUnionOfInstances: a line counts as often as the instances of its function count it
// together, by if constexpr, #if, a loop and two statements in one line: what llvm-cov shows
// of each of them, added up.
func TestUnionOfInstances(t *testing.T) {
	data, err := os.ReadFile(mappings + "clang-22/instances/two.lines")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	got := countsOf(t, instances(t, "two"), "shared.h")
	if macro := []string{"2 2", "3 2", "4 2"}; !slices.Equal(got[:3], macro) || !slices.Equal(got[3:], want) {
		t.Errorf("%v, expected %v and %v", got, macro, want)
	}
	stop := instances(t, "stop")
	if got, want := countsOf(t, stop, "stop.cpp"), []string{"2 3", "3 1", "4 1", "5 1", "6 2", "7 3", "8 3", "9 1"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	_, unions := stop.Totals()
	if u := unions[0]; u.Lines != metric(8, 8) || u.Regions.Missed() > 0 || u.Partly > 0 {
		t.Errorf("%+v, expected 8 of 8 lines, all whole", u)
	}
}

// TestNothingCountsNothing: a region of no length has no line, and one that ends at the
// first column of a line not that line, which the file may not have.
func TestNothingCountsNothing(t *testing.T) {
	for _, c := range []struct {
		program, file string
		want          []string
	}{
		{"test", "lib.hh", []string{"5 2", "13 1"}},
		{"unit", "tail.h", []string{"1 0", "2 0"}},
		{"sw", "sw.c", []string{"1 2", "2 2", "3 1", "4 1", "5 0", "6 1", "7 1", "8 0", "9 2", "10 2", "11 1"}},
	} {
		joined := instances(t, c.program)
		if got := countsOf(t, joined, c.file); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, expected %v", c.file, got, c.want)
		}
		_, unions := joined.Totals()
		for i := range joined.Files {
			if strings.HasSuffix(joined.Files[i].Name, c.file) && unions[i].Lines.Total != len(c.want) {
				t.Errorf("%s: %d lines in all, expected %d", c.file, unions[i].Lines.Total, len(c.want))
			}
		}
	}
}
