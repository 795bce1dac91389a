package memprof_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/memprof"
	"proflens/decode/model"
)

// yaml is a profile in text, of one context of a function a line: its name, its
// caller, and how often it allocated.
func yaml(t testing.TB, text string) *memprof.Profile {
	t.Helper()
	p, err := memprof.OpenYAML([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// site is an allocation site of a stack of functions, leaf first.
func site(count int, functions ...string) string {
	s := "      - Callstack:\n"
	for _, f := range functions {
		s += "          - { Function: " + f + ", LineOffset: 1, Column: 2, IsInlineFrame: false }\n"
	}
	return s + fmt.Sprintf("        MemInfoBlock: { AllocCount: %d, TotalSize: %d }\n", count, 10*count)
}

func call(callees string, functions ...string) string {
	s := "      - Frames:\n"
	for _, f := range functions {
		s += "          - { Function: " + f + ", LineOffset: 3, Column: 4, IsInlineFrame: false }\n"
	}
	if callees != "" {
		s += "        CalleeGuids: [ " + callees + " ]\n"
	}
	return s
}

const recordsHead = "---\nHeapProfileRecords:\n"

// Contexts are merged by their call stack, in the order in which each was first
// seen; records by their function, each site once.
func TestProfilesAreMerged(t *testing.T) {
	one := yaml(t, recordsHead+"  - GUID: f\n    AllocSites:\n"+site(1, "f", "main")+site(
		2, "f", "other")+"    CallSites:\n"+call("0x1, 0x2", "f"))
	two := yaml(t, recordsHead+"  - GUID: g\n    AllocSites:\n"+site(8, "g",
		"main")+"  - GUID: f\n    AllocSites:\n"+site(4, "f", "other")+"    CallSites:\n"+call("0x2, 0x3", "f")+call(
		"", "f", "g"))
	p, err := memprof.Merge([]*memprof.Profile{one, two})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, p)
	spelled := func(id memprof.StackID) (s string) {
		for f := range p.Stack(id) {
			s += f.Name + " "
		}
		return s
	}
	var contexts, records []string
	for _, c := range p.Contexts {
		contexts = append(contexts, fmt.Sprint(spelled(c.Stack), c.MIB.Get(memprof.AllocCount), " ",
			c.MIB.Get(memprof.TotalSize)))
	}
	if diff := cmp.Diff([]string{"f main 1 10", "f other 6 60", "g main 8 80"}, contexts); diff != "" {
		t.Error(diff)
	}
	for _, r := range p.Records {
		s := map[uint64]string{model.GUID("f"): "f", model.GUID("g"): "g"}[r.Function]
		for _, n := range r.AllocSites {
			s += fmt.Sprint(" ", n)
		}
		for _, c := range r.CallSites {
			s += fmt.Sprint(", ", spelled(c.Stack), c.Callees)
		}
		records = append(records, s)
	}
	if diff := cmp.Diff([]string{"f 0 1, f [1 2 3], f g []", "g 2"}, records); diff != "" {
		t.Error(diff)
	}
	if one.Contexts[1].MIB.Get(memprof.AllocCount) != 2 {
		t.Error("merging changed a profile")
	}
	if alone, err := memprof.Merge([]*memprof.Profile{one}); err != nil || alone != one {
		t.Errorf("one profile is not itself: %v", err)
	}
}

// What merged profiles are says what all of them are, and nothing where they
// differ.
func TestMergedFacts(t *testing.T) {
	v4, text := indexed(t, "mem_v4.profdata"), yaml(t, recordsHead)
	v2 := indexed(t, "clang-19_mem_v2.profdata")
	for _, test := range []struct {
		profiles []*memprof.Profile
		format   model.Format
		version  uint64
	}{
		{[]*memprof.Profile{v4, v4}, memprof.FormatIndexed, 4},
		{[]*memprof.Profile{v2, v4}, memprof.FormatIndexed, 4},
		{[]*memprof.Profile{v4, text}, "", 4},
		{[]*memprof.Profile{text, v4}, "", 4},
	} {
		p, err := memprof.Merge(test.profiles)
		if err != nil || p.Format != test.format || p.Version != test.version || p.Summary != nil {
			t.Errorf("%s, %d: %+v, %v", test.format, test.version, p, err)
		}
	}
	bare := raw(t, real(t, "vector_v5.memprofraw"))
	if _, err := memprof.Merge([]*memprof.Profile{v4, bare}); model.KindOf(err) != model.KindIncompatible {
		t.Error(err)
	}
	twice, err := memprof.Merge([]*memprof.Profile{bare, raw(t, real(t, "vector_v5.memprofraw"))})
	if err != nil || twice.Dumps != 2 || len(twice.Contexts) != 1 || len(twice.Modules) != 1 ||
		len(twice.Findings) != 2*len(bare.Findings) {
		t.Errorf("%+v, %v", twice, err)
	}
}

// A module is one of the other profile when both have its build ID, or else its
// path, or else lie at one place; its frames are then the same.
func TestModulesAreMerged(t *testing.T) {
	of := func(modules ...memprof.Module) *memprof.Profile {
		p := &memprof.Profile{Modules: modules, Schema: 1 << memprof.AllocCount}
		for i := range modules {
			p.Frames = append(p.Frames, memprof.Frame{Module: int32(i), Address: 0x10})
			p.Stacks = append(p.Stacks, memprof.StackNode{Frame: uint32(i), Caller: memprof.NoStack, Depth: 1})
			p.Contexts = append(p.Contexts, memprof.Context{Stack: memprof.StackID(i), MIB: mib(fields{memprof.AllocCount: 1})})
		}
		return p
	}
	a := of(memprof.Module{Start: 1, BuildID: []byte{1}}, memprof.Module{Start: 2, Path: "/lib/a"},
		memprof.Module{Start: 3, End: 4})
	b := of(memprof.Module{Start: 3, End: 4}, memprof.Module{Start: 9, Path: "/lib/a"},
		memprof.Module{Start: 8, BuildID: []byte{1}}, memprof.Module{Start: 3, End: 4, BuildID: []byte{2}})
	p, err := memprof.Merge([]*memprof.Profile{a, b})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, p)
	if len(p.Modules) != 4 || len(p.Contexts) != 4 {
		t.Fatalf("%+v, %d contexts", p.Modules, len(p.Contexts))
	}
	for i, want := range []uint64{2, 2, 2, 1} {
		if got := p.Contexts[i].MIB.Get(memprof.AllocCount); got != want {
			t.Errorf("context %d: %d, want %d", i, got, want)
		}
	}
}

// Accesses to one symbol, or one string, add up and stop at 64 bits; places and
// cold symbols stand once.
func TestDataAccessIsMerged(t *testing.T) {
	of := func(a memprof.DataAccess) *memprof.Profile { return &memprof.Profile{DataAccess: &a} }
	place := func(file string, line uint32) memprof.DataLocation {
		return memprof.DataLocation{File: file, Line: line}
	}
	one := of(memprof.DataAccess{Records: []memprof.DataAccessRecord{
		{Symbol: "a", AccessCount: 1, Locations: []memprof.DataLocation{place("x", 1)}},
		{Hash: 7, IsString: true, AccessCount: math.MaxUint64 - 1},
	}, ColdSymbols: []string{"c"}, ColdHashes: []uint64{9}})
	two := of(memprof.DataAccess{Records: []memprof.DataAccessRecord{
		{Hash: 7, IsString: true, AccessCount: 5}, {Symbol: "b", AccessCount: 3},
		{Symbol: "a", AccessCount: 2, Locations: []memprof.DataLocation{place("x", 1), place("x", 2)}},
	}, ColdSymbols: []string{"d", "c", "d"}, ColdHashes: []uint64{9, 8}})
	p, err := memprof.Merge([]*memprof.Profile{one, {}, two})
	if err != nil {
		t.Fatal(err)
	}
	want := &memprof.DataAccess{Records: []memprof.DataAccessRecord{
		{Symbol: "a", AccessCount: 3, Locations: []memprof.DataLocation{place("x", 1), place("x", 2)}},
		{Hash: 7, IsString: true, AccessCount: math.MaxUint64}, {Symbol: "b", AccessCount: 3},
	}, ColdSymbols: []string{"c", "d"}, ColdHashes: []uint64{9, 8}}
	if diff := cmp.Diff(want, p.DataAccess); diff != "" {
		t.Error(diff)
	}
}
