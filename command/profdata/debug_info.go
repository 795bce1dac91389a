package profdata

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"proflens/command/llvmerr"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/encode"
)

// showDebugInfo prints which functions have counters by a program's debug info.
func (t *tool) showDebugInfo() error {
	if t.ShowFormat == "json" {
		return &llvmerr.Fault{Msg: "JSON output is not supported for debug info correlation"}
	}
	in := "correlated file"
	if t.ShowFormat == "yaml" {
		in = "debug info"
	}
	probes, counters, err := t.probes(t.DebugInfo, in, t.MostWarnings)
	if err != nil {
		return err
	}
	return t.printed(func(w io.Writer) error {
		if t.ShowFormat == "yaml" {
			return encode.ProbesYAML(w, probes, counters.Addr)
		}
		var names []string
		addresses := map[uint64]bool{}
		for _, p := range probes {
			names = append(names, p.Function)
			addresses[*p.Address] = true
		}
		if t.SymbolList {
			slices.Sort(names)
			for _, name := range slices.Compact(names) {
				fmt.Fprintln(w, name)
			}
		}
		if t.DetailedSummary {
			fmt.Fprintf(w, "Counters section size: 0x%x bytes\n", counters.Size)
		}
		_, err := fmt.Fprintf(w, "Found %d functions\n", len(addresses))
		return err
	})
}

func uncorrelated(program, why string) *llvmerr.Fault {
	return &llvmerr.Fault{Where: program, Msg: llvmerr.Instr[model.KindUnableToCorrelate] + ": " + why}
}

// probes are those of a program that say all, and the section with the counters. What is
// wrong with others is a warning each, of which only so many are printed, unless that is 0. It
// is an error that there are none in what the program is called.
func (t *tool) probes(program, in string, most uint64) (
	list []instrprof.DebugProbe, counters symbol.Section, err error,
) {
	image, err := t.image(program)
	if err != nil {
		return nil, counters, err
	}
	counters, all, err := instrprof.DebugProbes(t.ctx, image)
	if err != nil {
		return nil, counters, correlationFault(program, err)
	}
	warned := uint64(0)
	warn := func(format string, args ...any) {
		if warned++; most == 0 || warned <= most {
			fmt.Fprintf(t.std.Err, "warning: "+format+"\n", args...)
		}
	}
	end := counters.Addr + counters.Size
	for p, err := range all {
		switch {
		case err != nil:
			return nil, counters, correlationFault(program, err)
		case !p.Complete():
			name := p.Function
			if name == "" {
				name = "None"
			}
			warn("Incomplete DIE for function %s: CFGHash=%s  CounterPtr=%s  NumCounters=%s", name, orNone(p.FuncHash),
				orNone(p.Address), orNone(p.NumCounters))
			continue
		case *p.Address < counters.Addr || *p.Address >= end:
			warn("CounterPtr out of range for function %s: Actual=0x%x Expected=[0x%x, 0x%x)", p.Function, *p.Address,
				counters.Addr, end)
			continue
		case !p.Entry.Code:
			warn("Could not find address of function %s", p.Function)
		}
		list = append(list, p)
	}
	if most > 0 && warned > most {
		fmt.Fprintf(t.std.Err, "warning: Suppressed %d additional warnings\n", warned-most)
	}
	if len(list) == 0 {
		return nil, counters, uncorrelated(program, "could not find any profile data metadata in "+in)
	}
	return list, counters, nil
}

func orNone(n *uint64) string {
	if n == nil {
		return "None"
	}
	return fmt.Sprint(*n)
}

// image is a program that debug info is read of.
func (t *tool) image(program string) (*symbol.Image, error) {
	data, err := t.read(program, t.std.In)
	if err != nil {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(data, []byte("!<arch>\n")):
		return nil, uncorrelated(program, "not an object file")
	case !symbol.IsProgram(data):
		return nil, &llvmerr.Fault{Where: program, Msg: llvmerr.Coverage[model.KindUnrecognizedFormat]}
	}
	images, err := symbol.OpenProgram(program, data, nil)
	switch {
	case err != nil:
		return nil, llvmerr.Of(program, err, llvmerr.Coverage)
	case len(images) > 1:
		return nil, uncorrelated(program, "not an object file")
	case images[0].Format == symbol.FormatPE:
		return nil, uncorrelated(program, "unsupported debug info format (only DWARF is supported)")
	}
	return images[0], nil
}

// correlationFault is what is wrong with a program's debug info, in LLVM's words.
func correlationFault(program string, err error) error {
	if model.KindOf(err) != model.KindUnableToCorrelate {
		return llvmerr.Of(program, err, llvmerr.Coverage)
	}
	fault := uncorrelated(program, "could not find section (__llvm_prf_cnts)")
	fault.More = err.Error()
	return fault
}
