package encode

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
	"proflens/names"
)

// OrderOptions say for which linker an order file is.
type OrderOptions struct {
	// MachO puts an underscore before each name: symbols of Mach-O have one
	// more than the compiler's names, and ld64 wants them as they are.
	MachO bool
	// Run, from 1, orders by one run alone; 0 takes all.
	Run int
	// MinRuns leaves out functions of a Machine IR Profile that ran in fewer runs.
	MinRuns int
}

// NoRunError is returned for a run that a profile does not have.
type NoRunError struct{ Run, Runs int }

// Error says how many there are.
func (e *NoRunError) Error() string {
	return fmt.Sprintf("there is no run %d: the profile has %s", e.Run, wire.Plural(e.Runs, "run"))
}

// OrderPlan is an order file about to be written.
type OrderPlan struct {
	// Findings are what it cannot hold: functions without a name.
	Findings []model.Finding
	partial  []model.Partial
	names    [][]byte
	options  OrderOptions
}

// PlanOrder orders the functions of a profile's temporal traces by
// [analyze.Order]. The error is the source's, or a [*model.FormatError] of kind
// no_temporal_traces when the profile has none, or a [*NoRunError].
func PlanOrder(src instrprof.Source, o OrderOptions) (*OrderPlan, error) {
	var order analyze.Order
	traces, runs, found := 0, 0, false
	for t, err := range src.Traces() {
		if err != nil {
			return nil, err
		}
		traces++
		run := t.Input // of several files; of one file each trace is a run
		if run == 0 {
			run = traces
		}
		runs = max(runs, run)
		if o.Run == 0 || o.Run == run {
			found = true
			order.Add(t)
		}
	}
	if traces == 0 {
		return nil, model.Faultf(model.KindNoTraces,
			"the profile does not record the order in which functions first ran; clang records that with "+
				"-fprofile-generate -mllvm -pgo-temporal-instrumentation")
	}
	if !found {
		return nil, &NoRunError{o.Run, runs}
	}
	functions := order.Functions()
	known := make(map[uint64][]byte, len(functions))
	for _, f := range functions {
		known[f.NameRef] = nil
	}
	for ref, name := range src.Names() {
		if had, wanted := known[ref]; wanted && had == nil {
			known[ref] = bytes.Clone(name)
		}
	}
	p := &OrderPlan{options: o, partial: src.Info().Partial}
	var left leftOut
	for _, f := range functions {
		_, linkage := names.Cut(known[f.NameRef])
		switch {
		case len(linkage) == 0:
			left.nameless++
		case bytes.ContainsAny(linkage, "\n\r"):
			left.broken++
		default:
			p.names = append(p.names, linkage)
		}
	}
	p.Findings = left.findings()
	return p, nil
}

// leftOut counts the functions that an order file cannot hold.
type leftOut struct{ nameless, broken uint64 }

func (l leftOut) findings() (list []model.Finding) {
	if l.nameless > 0 {
		list = append(list, model.Finding{Severity: model.Warning, Code: "order.unnamed", Count: l.nameless,
			Message: "left out: functions without a name"})
	}
	if l.broken > 0 {
		list = append(list, model.Finding{Severity: model.Warning, Code: "order.line_end", Count: l.broken,
			Message: "left out: functions with a line end in their name"})
	}
	return list
}

// Write writes one linkage name a line, the function that ran first first:
// what lld takes as --symbol-ordering-file and ld64 as -order_file. Both pass
// over the comments that say of what a partial profile is the order.
func (p *OrderPlan) Write(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	for _, line := range model.PartialLines(p.partial) {
		b.WriteString("# " + line + "\n")
	}
	for _, name := range p.names {
		if p.options.MachO {
			b.WriteByte('_')
		}
		b.Write(name)
		b.WriteByte('\n')
	}
	return b.Flush()
}
