package memprof_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

func merge(ctx context.Context, profiles []format.Weighted, o format.MergeOptions) (*decodetest.Profile, error) {
	sum, err := decode.Merge(ctx, profiles, o)
	if err != nil {
		return nil, err
	}
	return decodetest.Of(sum), nil
}

func weighted(name string, p *decodetest.Profile, weight uint64) format.Weighted {
	return format.Weighted{Name: name, Profile: p.Profile, Weight: weight}
}

// Each context of the sum is that of both, merged by call stack.
func TestMergeHeapProfiles(t *testing.T) {
	const name = "clang-22_mem_v4_full.profdata"
	one, two := open(t, heap(t, name)), open(t, heap(t, name))
	sum, err := merge(t.Context(), []format.Weighted{weighted("one", one, 1), weighted("two", two, 3)},
		format.MergeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]model.Family{memprof.Family}, sum.Info().Families); diff != "" || len(sum.Info().MemProf) > 0 {
		t.Error(diff, "or the section of one")
	}
	distinct := one.MemProf.Distinct()
	if len(sum.MemProf.Contexts) != len(distinct) {
		t.Fatalf("%d contexts, %d of each", len(sum.MemProf.Contexts), len(distinct))
	}
	for i, c := range distinct {
		if got := sum.MemProf.Contexts[i].MIB.Get(memprof.TotalSize); got != 2*c.MIB.Get(memprof.TotalSize) {
			t.Errorf("context %d: %d bytes of two, %d of one", i, got, c.MIB.Get(memprof.TotalSize))
		}
	}
	if f := sum.Findings(); len(f) == 0 || f[0].Code != "merge.heap_weight" || f[0].File != "two" {
		t.Errorf("%+v", f)
	}
}

// A heap profile beside counters of any kind is no mixture of kinds.
func TestMergeHeapProfileWithCounters(t *testing.T) {
	alone, ir, both := open(t, heap(t, "mem_v4.profdata")), open(t, text("ir", ":ir\n"+record)),
		open(t, heap(t, "clang-22_mem_instr.profdata"))
	for _, profiles := range [][]format.Weighted{
		{weighted("heap", alone, 1), weighted("ir", ir, 1)}, {weighted("ir", ir, 1), weighted("heap", alone, 1)},
		{weighted("heap", alone, 1), weighted("both", both, 1)},
	} {
		sum, err := merge(t.Context(), profiles, format.MergeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]model.Family{instrprof.Family, memprof.Family}, sum.Info().Families); diff != "" {
			t.Error(diff)
		}
		if sum.MemProf == nil || functions(t, sum) == 0 || !sum.Info().Variant.Has(instrprof.IRProf) {
			t.Error("a half is missing")
		}
		for _, f := range sum.Findings() {
			if f.Code == "merge.mixed_kinds" {
				t.Errorf("%+v", f)
			}
		}
	}
	bare := open(t, heap(t, "clang-22_mem_pie.memprofraw"))
	_, err := merge(t.Context(), []format.Weighted{weighted("heap", alone, 1), weighted("bare", bare, 1)},
		format.MergeOptions{})
	if model.KindOf(err) != model.KindIncompatible || !strings.Contains(err.Error(), "bare cannot be merged with heap") {
		t.Error(err)
	}
	sum, err := merge(t.Context(), []format.Weighted{weighted("ir", ir, 1), weighted("bare", bare, 1)},
		format.MergeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	llvm.WithoutMemProf(sum.Profile)
	if sum = decodetest.Of(sum.Profile); sum.Info().Has(memprof.Family) || sum.Info().Variant.Has(instrprof.MemProf) ||
		sum.MemProf != nil {
		t.Error("a heap profile is left")
	}
}

// What holds heap profiles and no function is of their family alone; where that
// cannot be read there is nothing to show.
func TestFamiliesOfIndexedHeapProfiles(t *testing.T) {
	for name, want := range map[string][]model.Family{
		"mem_v4.profdata": {memprof.Family}, "clang-19_mem_v0.profdata": {memprof.Family},
		"clang-22_mem_instr.profdata": {instrprof.Family, memprof.Family},
	} {
		f := heap(t, name)
		if diff := cmp.Diff(want, decode.Recognise(f.Name, f.Data).Families); diff != "" {
			t.Error(name, diff)
		}
		if diff := cmp.Diff(want, open(t, f).Info().Families); diff != "" {
			t.Error(name, diff)
		}
	}
	f := heap(t, "mem_v4.profdata")
	at := open(t, f).Info().MemProfSection.Offset
	f.Data[at] = 9
	if err := open(t, f).Fault(); model.KindOf(err) != model.KindUnsupportedVersion {
		t.Error(err)
	}
}

// The heap profiles of several indexed files are written, not the section of
// one that has it.
func TestSeveralIndexedHeapProfiles(t *testing.T) {
	p := open(t, heap(t, "mem_v4.profdata"), heap(t, "mem.yaml"))
	if info := p.Info(); len(info.MemProf) > 0 || !info.Has(memprof.Family) || info.Format != instrprof.FormatIndexed {
		t.Errorf("%s, %d bytes of section", info.Describe, len(info.MemProf))
	}
}
