package memprofdb

import (
	"testing"

	"proflens/decode/memprof"
)

// functionsIn are the functions of frames, as a profile stores them.
func functionsIn(frames ...memprof.Frame) *index {
	t := &tables{p: &memprof.Profile{Frames: frames}}
	t.findFunctions()
	x := &index{byFID: map[uint64]uint32{}}
	for i, f := range t.functions {
		x.functions = append(x.functions, Function{FID: f.fid, GUID: f.guid, Name: f.name, File: f.file, Module: -1})
		x.byFID[f.fid] = uint32(i)
	}
	return x
}

func in(file string, line, offset uint32) memprof.Frame {
	return memprof.Frame{Function: 7, Name: "take", File: file, Line: line, LineOffset: offset, Module: -1}
}

// Functions of one name are told apart by their file and first line, where these are known.
func TestFunctionsOfOneName(t *testing.T) {
	for name, test := range map[string]struct {
		frames []memprof.Frame
		want   int
	}{
		"one":              {[]memprof.Frame{in("a.c", 5, 2), in("a.c", 9, 6)}, 1},
		"two files":        {[]memprof.Frame{in("a/c.c", 5, 2), in("b/c.c", 5, 2)}, 2},
		"one file, twice":  {[]memprof.Frame{in("a.c", 5, 2), in("a.c", 25, 2)}, 2},
		"another spelling": {[]memprof.Frame{in("/s/b/../a.c", 5, 2), in("/s/a.c", 9, 6)}, 1},
		"no file":          {[]memprof.Frame{in("a.c", 5, 2), in("", 0, 0)}, 1},
		"no first line":    {[]memprof.Frame{in("a.c", 5, 5), in("a.c", 9, 6)}, 1},
		"indexed":          {[]memprof.Frame{in("", 0, 2), in("", 0, 6)}, 1},
	} {
		x := functionsIn(test.frames...)
		if len(x.functions) != test.want || len(x.byFID) != test.want {
			t.Errorf("%s: %d functions, %d FIDs", name, len(x.functions), len(x.byFID))
		}
		if one := x.functions[0].FID == 7; one != (test.want == 1) {
			t.Errorf("%s: FID %x", name, x.functions[0].FID)
		}
	}
}

// In two profiles those are one that have the longest end of their paths in common.
func TestSameFunctions(t *testing.T) {
	app, vendor := in("/src/app/codec.c", 5, 2), in("/src/vendor/codec.c", 15, 2)
	for name, test := range map[string]struct {
		base, test *index
		want       map[uint32]uint32
	}{
		"the same": {functionsIn(app, vendor), functionsIn(vendor, app), map[uint32]uint32{0: 1, 1: 0}},
		"one more": {functionsIn(vendor), functionsIn(app, vendor), map[uint32]uint32{1: 0}},
		"one less": {functionsIn(app, vendor), functionsIn(vendor), map[uint32]uint32{0: 1}},
		"another folder": {
			functionsIn(app, vendor), functionsIn(in("/ci/2/vendor/codec.c", 16, 2), in("/ci/2/app/codec.c", 6, 2)),
			map[uint32]uint32{0: 1, 1: 0},
		},
		"without files":   {functionsIn(in("", 0, 2)), functionsIn(app, vendor), map[uint32]uint32{0: 0, 1: 0}},
		"each in its own": {functionsIn(app), functionsIn(in("/ci/app/codec.c", 9, 2)), map[uint32]uint32{0: 0}},
	} {
		got := sameFunctions(test.base, test.test)
		if len(got) != len(test.want) {
			t.Errorf("%s: %v", name, got)
		}
		for b, a := range test.want {
			if n, ok := got[b]; !ok || n != a {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
}
