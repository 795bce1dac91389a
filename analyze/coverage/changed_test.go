package coverage

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/covmap"
	"proflens/decode/unidiff"
)

// drawn is a file of one function in lines 2 to 12: lines 4 to 6 did not run, one side
// of the condition in line 8 was never seen, both of that in line 9, and the compiler
// knows one side of that in line 10.
func drawn() *Coverage {
	at := func(line, column uint32) covmap.Position { return covmap.Position{Line: line, Column: column} }
	code := func(from, to covmap.Position, n uint64) Region { return Region{Start: from, End: to, Count: n} }
	when := func(line uint32, yes, no uint64) Region {
		return Region{Start: at(line, 7), End: at(line, 9), Count: yes, False: no, Kind: covmap.Branch}
	}
	known := when(10, 5, 0)
	known.FalseFolded = true
	return &Coverage{
		Files: []File{{Name: "/build/lib/x.c", functions: []int32{0}}, {Name: "/build/lib/y.c"}, {Name: "/build/other/y.c"}},
		Functions: []Function{{
			Name: "f", Files: []int32{0}, Regions: []Region{code(at(2, 1), at(12, 2), 5), code(at(4, 3), at(6, 4), 0)},
			Branches: []Region{when(8, 5, 0), when(9, 2, 3), known},
		}},
	}
}

func TestChanged(t *testing.T) {
	hunk := func(from int, lines ...unidiff.Line) unidiff.Hunk {
		return unidiff.Hunk{New: unidiff.Range{From: from}, Lines: lines}
	}
	plus := func(n int, text string) unidiff.Line { return unidiff.Line{New: n, Text: text} }
	files := []unidiff.File{
		{Path: "lib/x.c", Hunks: []unidiff.Hunk{
			hunk(1, plus(1, "// one"), unidiff.Line{Old: 1, New: 2, Text: "two"}, plus(3, "three")),
			hunk(5, plus(5, "five"), plus(6, "six"), plus(8, "eight")),
			hunk(20, plus(20, "twenty")),
		}},
		{Path: "z.c", Hunks: []unidiff.Hunk{hunk(1, plus(1, "a"))}},
	}
	c := drawn()
	x := Changer{View: func(file int) (*View, error) { return c.FileView(file), nil }}
	for i := range c.Files {
		x.Names = append(x.Names, c.Files[i].Name)
	}
	got, err := x.Changed(files)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ChangedSum{Covered: 1, Partly: 1, NotCovered: 2, NoCode: 2}, got.Sum); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]ChangedLine{{1, 0, Unmapped, "// one"}, {3, 5, Ran, "three"}, {5, 0, Missed, "five"},
		{6, 0, Missed, "six"}, {8, 5, Partly, "eight"}, {20, 0, Unmapped, "twenty"}}, got.Files[0].Lines); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]unidiff.Range{{From: 5, Lines: 2}}, got.Files[0].Uncovered()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"z.c"}, got.Unmapped); diff != "" {
		t.Error(diff)
	}
	// A hunk of another version of the source counts nowhere.
	x.Text = func(int) ([][]byte, bool, error) {
		return bytes.Split([]byte("// one\ntwo\nthree\n\nFIVE\nsix\n\neight"), []byte("\n")), true, nil
	}
	if got, err = x.Changed(files); err != nil {
		t.Fatal(err)
	}
	if len(got.Files[0].Unfit) != 2 || got.Sum != (ChangedSum{Covered: 1, NoCode: 1}) {
		t.Errorf("%+v", got)
	}
}
