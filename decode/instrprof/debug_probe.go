package instrprof

import (
	"context"
	"errors"
	"iter"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

// DebugProbe is what a program's debug info says of the counters of one function, as
// llvm-profdata show --debug-info lists it. What it does not say is nil or empty.
type DebugProbe struct {
	Function                       string // the name that profiles have
	FuncHash, Address, NumCounters *uint64
	// Entry is the function's entry in the debug info, around that of its counters.
	Entry symbol.FunctionEntry
}

// Complete reports whether nothing is missing that a record needs.
func (p *DebugProbe) Complete() bool {
	return p.Function != "" && p.FuncHash != nil && p.Address != nil && p.NumCounters != nil
}

// DebugProbes finds the section with a program's counters, and yields what its debug info says
// of them, in the order of the file: of none where there is no debug info, and not of those
// that the linker left out. The errors are a [*model.FormatError] and the context's.
func DebugProbes(ctx context.Context, i *symbol.Image) (counters symbol.Section,
	probes iter.Seq2[DebugProbe, error], err error) {
	counters, ok := countersOf(i)
	if !ok {
		return counters, nil, i.Fault(model.KindUnableToCorrelate, namesOf(i).counters, 0,
			"the program has no such section")
	}
	s, err := symbol.NewSymbolizer(i)
	if err != nil {
		return counters, nil, err
	}
	d, err := i.DWARF()
	if errors.Is(err, symbol.ErrNoDebugInfo) {
		return counters, func(func(DebugProbe, error) bool) {}, nil
	}
	if err != nil {
		return counters, nil, err
	}
	return counters, func(yield func(DebugProbe, error) bool) {
		for a, err := range annotatedIn(ctx, d) {
			if err != nil {
				yield(DebugProbe{}, err)
				return
			}
			if !i.Allowance().Take(uint64(len(a.name))) {
				fault := i.Fault(model.KindTooLarge, ".debug_info", a.probe.at, "many functions claim the same names")
				fault.Expected = i.Allowance().Most()
				yield(DebugProbe{}, fault)
				return
			}
			p := DebugProbe{Function: string(a.name), Entry: s.FunctionAt(a.function)}
			for _, f := range []struct {
				of    *uint64
				known bool
				to    **uint64
			}{
				{&a.probe.funcHash, a.hashed, &p.FuncHash}, {&a.address, a.located, &p.Address},
				{&a.probe.numCounters, a.sized, &p.NumCounters},
			} {
				if f.known {
					*f.to = f.of
				}
			}
			if (a.located || p.Entry.Code) && !yield(p, nil) {
				return
			}
		}
	}, nil
}
