package mip_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/mip"
)

var layouts = []mip.Layout{mip.Documented, mip.Tool64, mip.DocumentedCount, mip.Tool64Length}

// Nothing in a file says in which layout it is, and yet each is told.
func TestLayoutsAreTold(t *testing.T) {
	functions := []function{
		{name: "main", raw: 32, merges: 1, calls: 1, blocks: []mip.Block{{Offset: 4, Covered: true}, {Offset: 0}}},
		{name: "_ZN4NodeC1Ev", raw: 35},
		{name: "=SUM(A1)", raw: 36, merges: 2, calls: 1, blocks: []mip.Block{{Offset: 8}}},
	}
	for _, layout := range layouts {
		m := laidOut{layout: layout, kind: coverage, functions: functions}.opened(t)
		if m.Layout != layout || m.Blocks != 3 || len(m.Warnings) != 0 {
			t.Errorf("%s is read as %s, %d blocks, %v", layout, m.Layout, m.Blocks, m.Warnings)
		}
		first, last := 0, m.Functions[2]
		for _, f := range m.Functions {
			if f.FirstBlock != first || f.Offset != -16 || f.NameSource != mip.NameMD5 || f.Size != 64 || f.CFGSignature != 7 {
				t.Errorf("%s: %+v", layout, f)
			}
			first += len(f.Blocks)
		}
		if string(last.Name) != "=SUM(A1)" || last.RawOffset != 36 || last.MergeCount != 2 || !last.Executed() ||
			m.Functions[1].Executed() {
			t.Errorf("%s: %+v", layout, last)
		}
		if b := m.Functions[0].Blocks; !b[0].Covered || b[0].Removed() || b[1].Covered || !b[1].Removed() {
			t.Errorf("%s: %+v", layout, b)
		}
	}
}

// A file without functions is whole in any layout, and taken for the first.
func TestLayoutOfNothing(t *testing.T) {
	for _, layout := range layouts {
		if m := (laidOut{layout: layout, kind: counting}).opened(t); m.Layout != mip.Documented || len(m.Functions) != 0 ||
			len(m.Warnings) != 0 {
			t.Errorf("%s: %+v", layout, m)
		}
	}
}

// The names of a file, however they end, go to the functions whose signature is
// their hash; else by position, when there are as many and none is the hash of any.
func TestNamesOfFunctions(t *testing.T) {
	of := func(names ...string) []function {
		list := make([]function, len(names))
		for i, name := range names {
			list[i] = function{name: name, raw: uint64(32 + i)}
		}
		return list
	}
	strange := []function{{raw: 32, signature: 1}, {raw: 33, signature: 2}}
	for _, test := range []struct {
		what     string
		l        laidOut
		names    []string
		source   mip.NameSource
		warnings []mip.Warning
	}{
		{
			"in another order", laidOut{functions: of("a", "b"), names: []string{"b", "a"}}, []string{"a", "b"}, mip.NameMD5,
			nil,
		},
		{"without a last NUL", laidOut{functions: of("a", "b"), open: true}, []string{"a", "b"}, mip.NameMD5, nil},
		{"more than functions", laidOut{functions: of("a"), names: []string{"x", "a", "y"}}, []string{"a"}, mip.NameMD5, nil},
		{
			"one without a name", laidOut{functions: of("a", "b"), names: []string{"a"}}, []string{"a", ""}, "",
			[]mip.Warning{mip.UnnamedFunctions},
		},
		{
			"none at all", laidOut{functions: of("a", "b"), names: []string{}}, []string{"", ""}, mip.NameNone,
			[]mip.Warning{mip.UnnamedFunctions},
		},
		{"two of one name", laidOut{functions: of("a", "a")}, []string{"a", "a"}, mip.NameMD5, nil},
		{
			"by position", laidOut{functions: strange, names: []string{"x", "y"}}, []string{"x", "y"}, mip.NamePositional,
			[]mip.Warning{mip.PositionalNames},
		},
		{
			"an empty one by position", laidOut{functions: strange, names: []string{"", "y"}}, []string{"", "y"},
			mip.NamePositional, []mip.Warning{mip.PositionalNames},
		},
		{
			"too many for positions", laidOut{functions: strange, names: []string{"x", "y", "z"}}, []string{"", ""},
			mip.NameNone, []mip.Warning{mip.UnnamedFunctions},
		},
	} {
		test.l.kind = mip.FunctionCoverage
		for _, layout := range layouts {
			if test.l.open && (layout == mip.Tool64 || layout == mip.DocumentedCount) {
				continue // names by their number end in a NUL each
			}
			test.l.layout = layout
			m := test.l.opened(t)
			var names []string
			for _, f := range m.Functions {
				names = append(names, string(f.Name))
				if test.source != "" && f.NameSource != test.source {
					t.Errorf("%s, %s: %q is of %s", test.what, layout, f.Name, f.NameSource)
				}
			}
			if diff := cmp.Diff(test.names, names); diff != "" || !slices.Equal(m.Warnings, test.warnings) {
				t.Errorf("%s, %s: %s, %v", test.what, layout, diff, m.Warnings)
			}
		}
	}
}

// A block is covered or not; another byte is told.
func TestOddBlocksOfProfiles(t *testing.T) {
	data := laidOut{layout: mip.Documented, kind: coverage,
		functions: []function{{name: "f", raw: 32, blocks: []mip.Block{{Offset: 4}}}}}.bytes()
	data[40+48+4] = 7
	m, err := mip.OpenProfile(data, nil)
	if err != nil || !slices.Equal(m.Warnings, []mip.Warning{mip.OddByte}) || !m.Functions[0].Blocks[0].Covered {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestWords(t *testing.T) {
	if got := (mip.FileMap | mip.File64).Words(); !slices.Equal(got, []string{"Map", "64 Bit"}) {
		t.Error(got)
	}
	if got := counting.Words(); !slices.Equal(got, []string{
		"Block Coverage", "Function Timestamp", "Function Call Count",
	}) {
		t.Error(got)
	}
	if got := mip.ProfileType(0).Words(); got == nil || len(got) != 0 {
		t.Error("no words are nil, and null in JSON")
	}
}
