package profdata

import (
	"errors"
	"fmt"
	"io"

	"proflens/command/llvmerr"
	"proflens/encode/llvmprofdata"
)

// overlap prints how alike two profiles are.
func (t *tool) overlap() error {
	if err := t.positionals(2, 2); err != nil {
		return err
	}
	baseName, testName := t.others[0], t.others[1]
	baseData, err := t.read(baseName, t.std.In)
	if err != nil {
		return err
	}
	testData, err := t.read(testName, t.std.In)
	if err != nil {
		return err
	}
	if t.kind == "sample" {
		base, err := t.openSample(baseName, baseData)
		if err != nil {
			return err
		}
		test, err := t.openSample(testName, testData)
		if err != nil {
			return err
		}
		return t.printed(func(w io.Writer) error {
			err := llvmprofdata.SampleOverlap(t.ctx, w, baseName, testName, base, test, llvmprofdata.SampleOverlapOptions{
				Function: t.function, ValueCutoff: t.valueCutoff, SimilarityCutoff: t.similarityCutoff,
			})
			return unlike("compare", err)
		})
	}
	base, err := openInstr(baseName, baseData)
	if err != nil {
		return err
	}
	test, err := openInstr(testName, testData)
	if err != nil {
		return err
	}
	return t.printed(func(w io.Writer) error {
		err := llvmprofdata.Overlap(t.ctx, w, baseName, testName, base, test,
			llvmprofdata.OverlapOptions{CS: t.cs, Function: t.function, ValueCutoff: t.valueCutoff})
		if empty, ok := errors.AsType[*llvmprofdata.EmptySumError](err); ok {
			fmt.Fprintln(t.std.Err, empty) // LLVM ends before its own output is written
			return nil
		}
		return llvmerr.OfRecords(testName, err)
	})
}
