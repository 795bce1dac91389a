package profdata

import (
	"errors"
	"io"

	"proflens/command/llvmerr"
	"proflens/decode/instrprof"
	"proflens/decode/sampleprof"
	"proflens/encode/llvmprofdata"
)

// overlap prints how alike two profiles are.
func (t *tool) overlap() error {
	if err := t.positionals(2, 2); err != nil {
		return err
	}
	baseName, testName := t.others[0], t.others[1]
	if t.Kind == "sample" {
		base, err := t.sample(baseName)
		if err != nil {
			return err
		}
		test, err := t.sample(testName)
		if err != nil {
			return err
		}
		return t.printed(func(w io.Writer) error {
			err := llvmprofdata.SampleOverlap(t.ctx, w, baseName, testName, base, test, llvmprofdata.SampleOverlapOptions{
				Function: t.Function, ValueCutoff: t.OverlapCutoff, SimilarityCutoff: t.SimilarityCutoff,
			})
			return unlike("compare", err)
		})
	}
	base, err := t.counters(baseName)
	if err != nil {
		return err
	}
	test, err := t.counters(testName)
	if err != nil {
		return err
	}
	return t.printed(func(w io.Writer) error {
		err := llvmprofdata.Overlap(t.ctx, w, baseName, testName, base, test,
			llvmprofdata.OverlapOptions{CS: t.CS, Function: t.Function, ValueCutoff: t.OverlapCutoff})
		if empty, ok := errors.AsType[*llvmprofdata.EmptySumError](err); ok {
			t.note(empty.Error()) // LLVM ends before its own output is written
			return nil
		}
		return llvmerr.OfRecords(testName, err)
	})
}

// sample opens one of two sample profiles.
func (t *tool) sample(name string) (*sampleprof.Profile, error) {
	data, err := t.read(name, t.std.In)
	if err != nil {
		return nil, err
	}
	return t.openSample(name, data)
}

// counters opens one of two profiles of counters, whose faults LLVM does not name.
func (t *tool) counters(name string) (instrprof.Source, error) {
	data, err := t.read(name, t.std.In)
	if err == nil {
		var src instrprof.Source
		if src, err = t.openInstr(name, data); err == nil {
			return &passing{src, t, name}, nil
		}
	}
	if fault, ok := errors.AsType[*llvmerr.Fault](err); ok {
		fault.Where, fault.More = "error in getting profile count sums", name+": "+fault.More
	}
	return nil, err
}
