package mip_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/mip"
	"proflens/decode/model"
)

// Runs add up by the rules of the format: a run in which a function ran counts one,
// calls and places add up, and a block that was covered once is covered.
func TestJoinAddsRunsUp(t *testing.T) {
	l := laidOut{layout: mip.Documented, kind: counting, functions: []function{
		{name: "f", raw: 32, blocks: []mip.Block{{Offset: 4}, {Offset: 8}}}, {name: "g", raw: 42}, {name: "h", raw: 50},
	}}
	never := counted(mip.Never, mip.Never)
	m := l.opened(t)
	j := mip.NewJoiner(m)
	if size := j.RawSize(); size != 58 {
		t.Errorf("a run takes %d bytes", size)
	}
	for i, counters := range [][]byte{
		slices.Concat(counted(3, 1, 0x00, 0xff), counted(mip.MaxCalls, 2), never),
		slices.Concat(counted(4, 2, 0xff, 0xff), counted(0, 7), never), // called no times: it did not run
		slices.Concat(counted(mip.Never, mip.Never, 0xff, 0x00), counted(5, 1), never, []byte("and more behind")),
	} {
		if err := j.Add(string(rune('a'+i)), run(counting, counters...), nil); err != nil {
			t.Fatal(i, err)
		}
	}
	type sums struct {
		Merges, Calls, Places uint64
		Saturated             bool
		Blocks                []bool
	}
	var got []sums
	for _, f := range m.Functions {
		var blocks []bool
		for _, b := range f.Blocks {
			blocks = append(blocks, b.Covered)
		}
		got = append(got, sums{f.MergeCount, f.CallCount, f.TimestampSum, f.Saturated, blocks})
	}
	want := []sums{{2, 7, 3, false, []bool{true, true}}, {2, mip.MaxCalls + 5, 3, true, nil}, {0, 0, 0, false, nil}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if m.Form != mip.FormatProfile || len(m.Runs) != 3 || m.Runs[1].File != "b" || m.Runs[2].DataBytes != 26+15 {
		t.Errorf("%s of %d runs", m.Form, len(m.Runs))
	}
	second := &m.Runs[1]
	if second.Executed.Has(1) || second.Calls[1] != 0 || second.First[0] != 2 || second.Blocks.Has(0) ||
		!m.Runs[2].Blocks.Has(1) || m.Runs[2].Executed.Has(0) {
		t.Errorf("%+v", second)
	}
}

// In coverage mode a byte of zero is one that ran, 255 one that did not, and any
// other is told and counts for nothing.
func TestJoinCoverage(t *testing.T) {
	m := laidOut{layout: mip.Documented, kind: coverage,
		functions: []function{{name: "f", raw: 33, blocks: []mip.Block{{Offset: 4}}}, {name: "g", raw: 32}}}.opened(t)
	j := mip.NewJoiner(m)
	for _, counters := range [][]byte{{0xff, 0x00, 0x00}, {0x01, 0x00, 0x7f}} {
		if err := j.Add("run", run(coverage, counters...), nil); err != nil {
			t.Fatal(err)
		}
	}
	f, g := m.Functions[0], m.Functions[1]
	if f.MergeCount != 2 || f.CallCount != 1 || !f.Blocks[0].Covered || g.Executed() {
		t.Errorf("%+v, %+v", f, g)
	}
	if m.Runs[0].OddBytes != 0 || m.Runs[1].OddBytes != 2 || !slices.Equal(m.Warnings, []mip.Warning{mip.OddByte}) ||
		m.Runs[1].Calls != nil {
		t.Errorf("%+v, %v", m.Runs[1], m.Warnings)
	}
}

// What does not belong to the map is refused: the fault is told where it stands,
// and nothing was added.
func TestJoinRefuses(t *testing.T) {
	l := laidOut{layout: mip.Documented, kind: counting, functions: []function{{name: "f", raw: 32}, {name: "g", raw: 40}}}
	whole := run(counting, slices.Concat(counted(1, 1), counted(2, 2))...)
	change := func(at int, with ...byte) []byte {
		data := bytes.Clone(whole)
		copy(data[at:], with)
		return data
	}
	for _, test := range []struct {
		name            string
		data            []byte
		kind            model.Kind
		section, field  string
		offset          uint64
		expected, found string
	}{
		{"another program", change(12, 1), model.KindMismatch, "header", "ModuleHash", 12, "0x1f2e3d4c", "0x1f2e3d01"},
		{"another profile type", run(coverage, make([]byte, 16)...), model.KindMismatch, "header", "ProfileType", 8,
			"Block Coverage, Function Timestamp, Function Call Count", "Function Coverage, Block Coverage"},
		{"a profile", l.bytes(), model.KindBadHeader, "header", "FileType", 6, "Raw", "Profile"},
		{"a byte short", whole[:47], model.KindCorrupt, "counters", "", 47, "at least 48 bytes", "47"},
		{"a header alone", whole[:32], model.KindCorrupt, "counters", "", 32, "at least 48 bytes", "32"},
		{"half of a header", whole[:16], model.KindTruncated, "header", "RawSectionOffset", 16, "8 bytes", "0"},
		{
			"calls without a place", change(44, 0xff, 0xff, 0xff, 0xff), model.KindCorrupt, "counters", "CallCount", 40,
			"both, or neither", "00000002 and ffffffff",
		},
		{
			"a place without calls", change(32, 0xff, 0xff, 0xff, 0xff), model.KindCorrupt, "counters", "CallCount", 32,
			"both, or neither", "ffffffff and 00000001",
		},
	} {
		m := l.opened(t)
		j := mip.NewJoiner(m)
		err := j.Add("run", test.data, nil)
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		f := faultOf(t, err)
		if f.Kind != test.kind || f.Section != test.section || f.Field != test.field || f.Offset != test.offset ||
			f.Expected != test.expected || f.Found != test.found {
			t.Errorf("%s: %+v", test.name, f)
		}
		if len(m.Runs) != 0 || m.Functions[0].Executed() || m.Functions[1].Executed() {
			t.Errorf("%s: something was added", test.name)
		}
		if err := j.Add("whole", whole, nil); err != nil || len(m.Runs) != 1 {
			t.Errorf("after %s: %v", test.name, err)
		}
	}
}

// Functions share all of their counters, when the linker folded them, or none.
func TestJoinSharedCounters(t *testing.T) {
	folded := laidOut{layout: mip.Documented, kind: counting,
		functions: []function{{name: "f", raw: 32}, {name: "g", raw: 32}}}.opened(t)
	if err := mip.NewJoiner(folded).Add("run", run(counting, counted(3, 1)...), nil); err != nil ||
		folded.Functions[0].CallCount != 3 || folded.Functions[1].CallCount != 3 {
		t.Errorf("%+v, %v", folded.Functions, err)
	}
	for name, test := range map[string]struct {
		functions       []function
		expected, found string
	}{
		"overlap": {[]function{{name: "f", raw: 32}, {name: "g", raw: 36}}, "from byte 40 on", "36"},
		"one in one": {
			[]function{{name: "f", raw: 32, blocks: make([]mip.Block, 8)}, {name: "g", raw: 36}}, "from byte 48 on", "36",
		},
		"a longer one": {
			[]function{{name: "f", raw: 32}, {name: "g", raw: 32, blocks: make([]mip.Block, 1)}}, "from byte 40 on", "32",
		},
		"in the header": {[]function{{name: "f", raw: 31}, {name: "g", raw: 64}}, "at least 32", "31"},
	} {
		m := laidOut{layout: mip.Documented, kind: counting, functions: test.functions}.opened(t)
		err := mip.NewJoiner(m).Add("run", run(counting, make([]byte, 100)...), nil)
		if f := faultOf(t, err); f.Kind != model.KindCorrupt || f.Section != "functions" || f.Expected != test.expected ||
			f.Found != test.found {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Offsets past any file do not wrap round to its begin.
func TestJoinHugeOffsets(t *testing.T) {
	for _, raw := range []uint64{1 << 40, math.MaxUint64 - 7, math.MaxUint64} {
		m := laidOut{layout: mip.Tool64, kind: counting, functions: []function{{name: "f", raw: raw}}}.opened(t)
		j := mip.NewJoiner(m)
		if size := j.RawSize(); size < 1<<40 {
			t.Errorf("a run takes %d bytes", size)
		}
		if err := j.Add("run", run(counting, make([]byte, 100)...), nil); model.KindOf(err) != model.KindCorrupt {
			t.Error(err)
		}
	}
}

// Counts stop at what 64 bits hold, and that is told once.
func TestSumsSaturate(t *testing.T) {
	m := laidOut{layout: mip.Documented, kind: counting,
		functions: []function{{name: "f", raw: 32, merges: 9, calls: math.MaxUint64 - 1, sums: math.MaxUint64}}}.opened(t)
	j := mip.NewJoiner(m)
	for range 2 {
		if err := j.Add("run", run(counting, counted(2, 1)...), nil); err != nil {
			t.Fatal(err)
		}
	}
	if f := m.Functions[0]; f.CallCount != math.MaxUint64 || f.TimestampSum != math.MaxUint64 || f.MergeCount != 11 ||
		!slices.Equal(m.Warnings, []mip.Warning{mip.Saturated}) {
		t.Errorf("%+v, %v", f, m.Warnings)
	}
}

// Profiles are merged function by function, by signature and place of the counters;
// what only one has comes behind, and functions that share both keep their order.
func TestMerger(t *testing.T) {
	one := laidOut{layout: mip.Documented, kind: coverage, functions: []function{
		{name: "f", raw: 32, merges: 1, calls: 1, blocks: []mip.Block{{Offset: 4, Covered: true}, {Offset: 8}}},
		{name: "f", raw: 32, merges: 5, blocks: []mip.Block{{Offset: 4}, {Offset: 8}}},
		{name: "g", raw: 40, merges: 2, calls: 1, blocks: []mip.Block{{Offset: 4, Covered: true}}},
	}, names: []string{"g"}}.opened(t)
	two := laidOut{layout: mip.Tool64, kind: coverage, functions: []function{
		{name: "new", raw: 50, merges: 1, calls: 1, blocks: []mip.Block{{Offset: 12, Covered: true}}},
		{name: "g", raw: 40, merges: 1, blocks: []mip.Block{{Offset: 5}}}, // of another build
		{name: "f", raw: 32, merges: 1, calls: 1, blocks: []mip.Block{{Offset: 4}, {Offset: 8, Covered: true}}},
		{name: "f", raw: 32, blocks: []mip.Block{{Offset: 4}, {Offset: 8}}},
		{name: "f", raw: 99, merges: 7},
	}}.opened(t)
	var g mip.Merger
	if g.MIP() != nil {
		t.Error("something is there of nothing")
	}
	for _, m := range []*mip.Profile{one, two} {
		if err := g.Add("x", m); err != nil {
			t.Fatal(err)
		}
	}
	m := g.MIP()
	var got []string
	first := 0
	for _, f := range m.Functions {
		blocks := ""
		for _, b := range f.Blocks {
			blocks += map[bool]string{true: "+", false: "-"}[b.Covered]
		}
		got = append(got, strings.Join([]string{string(f.Name), string(rune('0' + f.MergeCount)),
			string(rune('0' + f.CallCount)), blocks}, " "))
		if f.FirstBlock != first {
			t.Errorf("%s: its blocks are from %d on, not %d", f.Name, f.FirstBlock, first)
		}
		first += len(f.Blocks)
	}
	if diff := cmp.Diff([]string{"f 2 1 ++", "f 5 0 --", "g 3 1 ", "new 1 1 +", "f 7 0 "}, got); diff != "" {
		t.Error(diff)
	}
	if g.Differing != 1 || m.Blocks != 5 || m.Names != nil || m.Layout != mip.Documented ||
		!slices.Contains(m.Warnings, mip.BlocksDiffer) {
		t.Errorf("%d differ, %d blocks, %v", g.Differing, m.Blocks, m.Warnings)
	}
	err := g.Add("y", laidOut{layout: mip.Documented, kind: counting}.opened(t))
	if f := faultOf(t, err); f.Kind != model.KindMismatch || f.File != "y" || f.Field != "ProfileType" ||
		!strings.Contains(f.Msg, "y and x") {
		t.Errorf("%+v", f)
	}
}
