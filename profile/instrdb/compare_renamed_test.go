package instrdb_test

import (
	"testing"

	"proflens/decode/instrprof"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/table"
)

// ofNames is a program of functions with these names; a hash of 0 is that of all others.
func ofNames(hashes map[string]uint64) *synthetic {
	s := &synthetic{info: instrprof.Info{Variant: instrprof.IRProf}, names: map[uint64][]byte{}}
	for name, hash := range hashes {
		n := []byte(name)
		s.functions = append(s.functions, instrprof.Function{
			NameRef: refOf(n), Name: n, FuncHash: hash + 77<<32, Counters: []uint64{10, 3},
		})
	}
	return s
}

// A function that was built in another folder, or promoted, is the same; one of another hash,
// or that may be either of two, is lost and new. The overlap is LLVM's, of names
// alone, and what the others add stands beside it.
func TestRenamedFunctionsPair(t *testing.T) {
	base := ofNames(map[string]uint64{
		"main": 0, "/home/a/lib/x.c;helper": 1, "/home/a/lib/x.c;changed": 2, "shop/util.c;init": 3, "cart/util.c;init": 3,
		"y.c;alone": 4, "/home/a/one/t.c;twin": 5, "/home/a/two/t.c;twin": 5, "_ZL4passi.llvm.12": 6,
		"odd.llvm.": 7, "word.llvm.x1": 7, "half": 8, "redone.llvm.1": 9, "dup.llvm.1": 10, "dup.llvm.2": 10,
	})
	test := ofNames(map[string]uint64{
		"main": 0, "/srv/b/lib/x.c;helper": 1, "/srv/b/lib/x.c;changed": 9, "/srv/shop/util.c;init": 3,
		"/srv/cart/util.c;init": 3, `C:\src\y.c;alone`: 4, "/srv/t.c;twin": 5, "_ZL4passi.llvm.13": 6,
		"odd.llvm.5": 7, "word.llvm.x2": 7, "half.llvm.3": 8, "redone.llvm.2": 12, "dup.llvm.3": 10,
	})
	var sides [2]*instrdb.Profile
	for i, s := range []*synthetic{base, test} {
		var err error
		if sides[i], err = instrdb.Of(profiletest.Store(t, profiletest.Of(instrprof.Family, s))); err != nil {
			t.Fatal(err)
		}
	}
	c, err := instrdb.Compare(t.Context(), sides[0], sides[1])
	if err != nil {
		t.Fatal(err)
	}
	figures := c.Figures()
	for state, want := range map[table.State]int{
		table.Matched:  7, // main, helper, both init, alone, pass, half
		table.Changed:  1, // redone
		table.OnlyBase: 7, // changed, both twins, odd, word, both dup
		table.OnlyTest: 5,
	} {
		if got := figures.States[state.Bit()].Pairs; got != want {
			t.Errorf("%v: %d, want %d", state, got, want)
		}
	}
	overlap, err := c.Overlap(t.Context(), false)
	if err != nil || overlap.Overlap.Overlap.Entries != 1 || overlap.Renamed <= 0 {
		t.Errorf("%+v, %v", overlap, err)
	}
}
