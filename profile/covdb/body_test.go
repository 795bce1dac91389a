package covdb

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

func sample() *coverage.Function {
	at := func(line, column uint32) covmap.Position { return covmap.Position{Line: line, Column: column} }
	return &coverage.Function{
		Files: []int32{2, 0}, Main: 0,
		Regions: []coverage.Region{
			{Start: at(10, 1), End: at(20, 2), Count: 1 << 40},
			{Start: at(12, 3), End: at(12, 9), Count: 7, Kind: covmap.Expansion, Expanded: 1},
			{Start: at(3, 11), End: at(3, 20), Count: ^uint64(0), File: 1, Kind: covmap.Gap},
			{Start: at(1, 1), End: at(1<<32-1, 1<<32-1), Kind: covmap.Skipped},
		},
		Branches: []coverage.Region{
			{Start: at(13, 4), End: at(13, 5), Count: 3, False: 4, Kind: covmap.MCDCBranch, TrueFolded: true},
			{Start: at(3, 1), End: at(3, 2), File: 1, Kind: covmap.Branch, FalseFolded: true},
		},
		Decisions: []coverage.Decision{{
			Start: at(13, 4), End: at(13, 30), False: 1,
			Conditions: []coverage.Condition{
				{Start: at(13, 4), Pair: [2]int{1, 2}, Next: [2]int16{-1, 1}},
				{Start: at(13, 9), Folded: true, ID: 1, Next: [2]int16{-1, -1}},
			},
			Vectors: []coverage.Vector{
				{Values: []coverage.Value{coverage.IsFalse, coverage.NotEvaluated}},
				{Values: []coverage.Value{coverage.IsTrue, coverage.IsTrue}, Result: true},
			},
		}},
	}
}

func TestBodiesComeBack(t *testing.T) {
	want := sample()
	var p packer
	var u unpacker
	got := &coverage.Function{}
	if err := u.unpack(got, p.pack(want), 3); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, expected %+v", got, want)
	}
}

// A damaged body is an error or another function, of no more than its bytes could hold.
func TestDamagedBodies(t *testing.T) {
	var p packer
	whole := append([]byte(nil), p.pack(sample())...)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 20_000 {
		b := append([]byte(nil), whole[:len(whole)-n%3*r.IntN(len(whole)/3)]...)
		for range 1 + n%4 {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		var f coverage.Function
		var u unpacker
		if err := u.unpack(&f, b, 3); err != nil {
			continue
		}
		c := coverage.New([]string{"a", "b", "c"}, []coverage.Function{f})
		for i := range c.Files {
			c.FileView(i)
		}
	}
	for _, pair := range [][2]int{{3, 1}, {1, 3}, {-1, 1}, {1, -1}} { // of two vectors
		f := sample()
		f.Decisions[0].Conditions[0].Pair = pair
		if new(unpacker).unpack(&coverage.Function{}, p.pack(f), 3) == nil {
			t.Errorf("vectors %d are taken for some of two", pair)
		}
	}
	var f coverage.Function
	var u unpacker
	for n := range whole {
		if u.unpack(&f, whole[:n], 3) == nil {
			t.Errorf("%d of %d bytes are taken for all", n, len(whole))
		}
	}
}

// What all names begin with is whole directories, of either system; of one file its own.
func TestPrefixesOfPaths(t *testing.T) {
	for want, files := range map[string][]string{
		"": nil, "/": {"/x.c"}, `C:\a\`: {`C:\a\b.c`}, "a/": {"a/b.c", "a/c.c"}, "/a/b/": {"/a/b/c.c", "/a/b/d.c"},
	} {
		if got := prefixOf(files); got != want {
			t.Errorf("%q begin with %q, not %q", files, got, want)
		}
	}
	for _, files := range [][]string{{"x.c"}, {"a/x.c", "b/x.c"}, {""}} {
		if got := prefixOf(files); got != "" {
			t.Errorf("%q begin with %q", files, got)
		}
	}
	for path, want := range map[string]int{"": -1, "x": -1, "/": 0, "/x": 0, "a/b/c": 3, `a\b`: 1, `a/b\c`: 3} {
		if got := lastSlash(path); got != want {
			t.Errorf("%q: %d, not %d", path, got, want)
		}
	}
	for _, c := range []struct {
		name string
		cut  int
		want string
	}{{"/a/b.c", 3, "b.c"}, {"/a/b.c", 2, "b.c"}, {"/a/b.c", 99, "a/b.c"}, {`a\b.c`, 0, "a/b.c"}, {"/a", 2, "a"}} {
		if got := pathOf(c.name, c.cut); got != c.want {
			t.Errorf("%q without %d is %q, not %q", c.name, c.cut, got, c.want)
		}
	}
}
