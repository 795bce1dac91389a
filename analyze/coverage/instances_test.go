package coverage_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
	"proflens/decode/covmap"
	"proflens/decode/model"
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
	at := slices.IndexFunc(c.Files, func(f coverage.File) bool {
		return f.Name == name || strings.HasSuffix(f.Name, "/"+name)
	})
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
	if got, want := countsOf(t, stop, "stop.cpp"), []string{"2 3", "3 1", "4 1", "5 1", "6 2", "7 3", "8 3",
		"9 1"}; !slices.Equal(got, want) {
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

// TestDecisionsWithoutBitmap: llvm-profdata merges the counters of a program with
// -profile-correlate=binary and leaves out its bitmaps. What is not known is not 0 %.
func TestDecisionsWithoutBitmap(t *testing.T) {
	const dir = "clang-22/instances/"
	for _, asLLVM := range []bool{false, true} {
		c := coveragetest.Join(t, mappings, dir+"gate.profdata", coverage.Options{AsLLVM: asLLVM}, dir+"gate.exe")
		if sum := c.Summaries(nil)[0]; sum.MCDC != metric(0, 0) || sum.Lines != metric(6, 6) {
			t.Errorf("%+v, expected no MC/DC and 6 of 6 lines", sum)
		}
		if list := c.Misfits.Bitmapless; len(list) != 1 || list[0].Name != "gate" {
			t.Errorf("%+v, expected gate", list)
		}
	}
}

// one is "int one(void) { return 1; }", whose hash is 0, and unused what a unit has of it
// that does not emit it.
var (
	one    = function{"one", 0, []byte{1, 1, 0, 1, 1, 1, 14, 0, 35}}
	unused = function{"one", 0, []byte{1, 1, 0, 1, 0, 1, 14, 0, 35}}
)

// TestLost: a function is lost to the linker only if no object maps it, and none is
// damaged in its place.
func TestLost(t *testing.T) {
	lost := func(name string, counters []uint64, want int, objects ...*covmap.Object) {
		t.Helper()
		p := &coverage.Profile{}
		p.Add([]byte("one"), coverage.Record{Counters: counters})
		if c := join(t, p, coverage.Options{}, objects...); len(c.Misfits.Lost) != want {
			t.Errorf("%s: %+v are lost, expected %d", name, c.Misfits.Lost, want)
		}
	}
	for _, n := range []uint64{0, 3} {
		lost("mapped, then unused", []uint64{n}, 0, object(t, one), object(t, unused))
		lost("unused, then mapped", []uint64{n}, 0, object(t, unused), object(t, one))
	}
	empty := object(t, one)
	empty.Functions = nil
	lost("named and not mapped", []uint64{3}, 1, empty)
	empty.Faults = []covmap.Fault{{Function: "one", Err: &model.FormatError{}}}
	lost("its record is damaged", []uint64{3}, 0, empty)
	empty.Faults[0].Function = ""
	lost("a record is damaged whose name is not known", []uint64{3}, 0, empty)
	empty.Faults[0].Function = "another"
	lost("another's record is damaged", []uint64{3}, 1, empty)
}
