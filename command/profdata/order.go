package profdata

import (
	"io"
	"slices"
	"strconv"

	"proflens/command/llvmerr"
	"proflens/decode/instrprof"
	"proflens/encode/llvmprofdata"
)

// order prints the functions of temporal traces so that they cause few page faults.
func (t *tool) order() error {
	if err := t.positionals(1, 1); err != nil {
		return err
	}
	name, data, err := t.input()
	if err != nil {
		return err
	}
	opened, err := t.openInstr(name, data)
	if err != nil {
		return err
	}
	src := &passing{opened, t, name}
	symbols, err := llvmprofdata.TraceSymbols(src)
	if err != nil {
		return err
	}
	var traces []instrprof.Trace
	for trace, err := range src.Traces() {
		if err != nil {
			return llvmerr.OfRecords(name, err)
		}
		trace.NameRefs = slices.Clone(trace.NameRefs)
		traces = append(traces, trace)
	}
	if t.TestTraces > 0 && t.TestTraces >= uint64(len(traces)) {
		return &llvmerr.Fault{Msg: "--num-test-traces must be smaller than the total number of traces: expected: < " +
			strconv.Itoa(len(traces)) + ", actual: " + strconv.FormatUint(t.TestTraces, 10)}
	}
	kept := len(traces) - int(t.TestTraces)
	return t.printed(func(w io.Writer) error {
		return llvmprofdata.Order(w, traces[:kept], traces[kept:], symbols)
	})
}
