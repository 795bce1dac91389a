package symbol_test

import (
	"slices"
	"testing"

	"proflens/decode/symbol"
)

// Split debug info has ids of its program, and of no other.
func TestSplitIDs(t *testing.T) {
	ids := func(name string) []uint64 {
		image, err := symbol.Open(name, read(t, "testdata/frames/"+name), nil)
		if err != nil {
			t.Fatal(err)
		}
		return image.SplitIDs()
	}
	for _, name := range []string{"clang-22_split4", "clang-22_split5", "gcc-12_split4"} {
		program := ids(name + ".elf")
		if len(program) != 2 || !slices.Equal(ids(name+".dwp"), program) {
			t.Errorf("%s: %x, its package %x", name, program, ids(name+".dwp"))
		}
		for _, split := range []string{"_one.dwo", "_two.dwo"} {
			if got := ids(name + split); len(got) != 1 || !slices.Contains(program, got[0]) {
				t.Errorf("%s%s: %x", name, split, got)
			}
		}
	}
	if slices.ContainsFunc(ids("clang-22_split4.elf"), func(id uint64) bool {
		return slices.Contains(ids("gcc-12_split4.dwp"), id)
	}) {
		t.Error("two programs have an id in common")
	}
}
