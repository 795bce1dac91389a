package encode_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/encode"
)

// A preview says of each version what planning it says.
func TestOutlookIsThePlan(t *testing.T) {
	for _, in := range []string{
		"clang-22_ir_c.profraw", "clang-22_fe_mcdc.profraw", "clang-22_ir_vtable.profraw", "clang-22_ir_temporal.profraw",
		"many_hashes.proftext", "clang-22_fe_mcdc.v13.profdata",
	} {
		for _, keep := range []bool{false, true} {
			o, err := encode.PreviewProfdata(input(t, in).Source, encode.ProfdataOptions{KeepVTableNames: keep})
			if err != nil {
				t.Fatal(err)
			}
			if len(o.Versions) != 10 {
				t.Fatalf("%s: %d versions", in, len(o.Versions))
			}
			for _, v := range o.Versions {
				plan, err := encode.PlanProfdata(input(t, in).Source, encode.ProfdataOptions{
					Version: v.Version, KeepVTableNames: keep,
				})
				var lost []model.Finding
				if lossy, ok := errors.AsType[*encode.LossError](err); ok {
					lost = lossy.Losses
				} else if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(lost, v.Lost); diff != "" {
					t.Errorf("%s version %d: lost (-plan +outlook):\n%s", in, v.Version, diff)
				}
				if len(lost) > 0 {
					continue
				}
				var findings []model.Finding
				findings = append(append(findings, v.Remarks...), v.Mismatch...)
				if diff := cmp.Diff(plan.Findings, findings); diff != "" {
					t.Errorf("%s version %d: findings (-plan +outlook):\n%s", in, v.Version, diff)
				}
			}
			plan, err := encode.PlanProfdata(input(t, in).Source, encode.ProfdataOptions{KeepVTableNames: keep})
			if err != nil || plan.Version != o.Default || o.Version(0).Version != plan.Version {
				t.Errorf("%s: the plan is of version %d, the outlook of %d; %v", in, plan.Version, o.Default, err)
			}
		}
	}
}

func TestOutlookOfHashes(t *testing.T) {
	for _, test := range []struct {
		variant    instrprof.Variant
		hashes     []uint64
		version    int
		want       encode.HashFit
		mismatched uint64
	}{
		{0, []uint64{1}, 13, encode.HashKept, 0},
		{0, []uint64{1}, 12, encode.HashKept, 0},
		{0, []uint64{1, 1<<60 - 1}, 12, encode.HashUnknown, 1},
		{0, []uint64{1, 63, 33, 1<<60 - 1, 1 << 6}, 12, encode.HashMismatch, 4},
		{0, []uint64{1, 1 << 60}, 12, encode.HashKept, 0},
		{0, []uint64{1, 1 << 60}, 13, encode.HashMismatch, 1},
		{0, []uint64{1, 1 << 60}, 6, encode.HashMismatch, 0},
		{instrprof.IRProf, []uint64{1, 1 << 60}, 5, encode.HashOfControlFlow, 0},
	} {
		o, err := encode.PreviewProfdata(facts{info: instrprof.Info{Info: model.Info{
			Format: instrprof.FormatRaw, Version: 10,
		},
			Variant: test.variant}, hashes: test.hashes}, encode.ProfdataOptions{})
		if err != nil {
			t.Fatal(err)
		}
		v := o.Version(test.version)
		if v.Hashes != test.want || v.Mismatched() != test.mismatched {
			t.Errorf("%v of %v in version %d: %s, %d; want %s, %d", test.hashes, test.variant, test.version, v.Hashes,
				v.Mismatched(), test.want, test.mismatched)
		}
	}
	if o, _ := encode.PreviewProfdata(facts{}, encode.ProfdataOptions{}); o.Version(4) != nil || o.Version(15) != nil {
		t.Error("an outlook of a version that cannot be written")
	}
}

// Vtable names of a raw profile are kept on request, and from version 12 on.
func TestOutlookOfVTableNames(t *testing.T) {
	for _, test := range []struct {
		keep    bool
		version int
		want    bool
	}{{false, 13, false}, {true, 13, true}, {true, 11, false}} {
		o, err := encode.PreviewProfdata(input(t, "clang-22_ir_vtable.profraw").Source,
			encode.ProfdataOptions{KeepVTableNames: test.keep})
		if err != nil {
			t.Fatal(err)
		}
		if v := o.Version(test.version); v.KeepsVTableNames != test.want || o.VTableNames == 0 {
			t.Errorf("%+v: kept %v of %d", test, v.KeepsVTableNames, o.VTableNames)
		}
	}
}

func TestReleases(t *testing.T) {
	if got := encode.WrittenBy(12).String() + ", " + encode.WrittenBy(13).String(); got != "19 to 21, 22" {
		t.Error(got)
	}
	for version := encode.MinVersion; version <= encode.MaxVersion; version++ {
		if encode.WrittenBy(version).First == 0 {
			t.Errorf("no release writes version %d", version)
		}
		if encode.Identical(version) != (version == 12 || version == 13) {
			t.Errorf("version %d", version)
		}
	}
}
