package encode

import (
	"bufio"
	"fmt"
	"io"

	"proflens/decode/instrprof"
)

// ProbesYAML writes complete probes of a program as llvm-profdata 22 does with "show
// --debug-info --show-format=yaml". start is the address of the first counter of the program.
// The error is the writer's.
func ProbesYAML(w io.Writer, probes []instrprof.DebugProbe, start uint64) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "---\nProbes:\n")
	for _, p := range probes {
		fmt.Fprintf(b, "  - Function Name:   %s\n", yamlScalar(p.Function))
		if p.Entry.Name != "" {
			fmt.Fprintf(b, "    Linkage Name:    %s\n", yamlScalar(p.Entry.Name))
		}
		fmt.Fprintf(b, "    CFG Hash:        0x%X\n    Counter Offset:  0x%X\n    Num Counters:    %d\n", *p.FuncHash,
			*p.Address-start, *p.NumCounters)
		if p.Entry.File != "" {
			fmt.Fprintf(b, "    File:            %s\n", yamlScalar(p.Entry.File))
		}
		if p.Entry.Line != 0 {
			fmt.Fprintf(b, "    Line:            %d\n", p.Entry.Line)
		}
	}
	fmt.Fprintf(b, "...\n")
	return b.Flush()
}
