package llvmprofdata

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/encode"
	"proflens/names"
)

// functionsPerPage is what LLVM assumes where it does not know sizes.
const functionsPerPage = 32

// TraceSymbols are the names of functions in traces. In a text LLVM knows only those that have a record. The error is
// that of a record.
func TraceSymbols(src instrprof.Source) (*encode.Symbols, error) {
	symbols := &encode.Symbols{}
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		symbols.Add(f.NameRef, slices.Clone(f.Name))
	}
	if src.Info().Format != instrprof.FormatText {
		symbols = encode.SymbolsOf(src)
	}
	return symbols, nil
}

// Order prints the functions of temporal traces as llvm-profdata order does, and how many
// pages the last traces, that were kept aside, would then touch.
func Order(w io.Writer, traces, aside []instrprof.Trace, symbols *encode.Symbols) error {
	order := analyze.PageOrder(traces)
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(b, "# Ordered %d functions\n", len(order))
	if len(aside) > 0 {
		page := map[uint64]int{}
		for i, id := range order {
			page[id] = i / functionsPerPage
		}
		area := 0
		for _, t := range aside {
			touched := map[int]bool{}
			for _, id := range t.NameRefs {
				if at, ok := page[id]; ok {
					touched[at] = true
					area += len(touched)
				}
			}
		}
		fmt.Fprintf(b, "# Total area under the page fault curve: %e\n", float32(area))
	}
	b.WriteString("# Warning: Mach-O may prefix symbols with \"_\" depending on the linkage and this output " +
		"does not take that into account. Some post-processing may be required before passing to the linker via " +
		"-order_file.\n")
	for _, id := range order {
		path, function := names.Cut(symbols.Of(id))
		if path := strings.TrimSuffix(string(path), ";"); path != "" {
			fmt.Fprintf(b, "# %s\n", path)
		}
		fmt.Fprintf(b, "%s\n", function)
	}
	return b.Flush()
}
