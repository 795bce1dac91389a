package scale

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
)

// WriteSamples writes a sample profile of n functions as text: the names of Write, total
// samples heavy-tailed, a line or two to some hundred in each, calls from a tenth of
// these, and callees that are inlined up to six deep. The same program and run give the same
// bytes; runs of one program differ in their counts.
func WriteSamples(w io.Writer, n int, program uint64, run int) error {
	rng := rand.New(rand.NewPCG(program, 0x9e3779b97f4a7c15))
	names := make([]string, n)
	for i := range names {
		full := name(rng, i)
		names[i] = full[strings.IndexByte(full, ';')+1:]
	}
	out := bufio.NewWriterSize(w, 1<<20)
	for rank, fn := range rng.Perm(n) {
		writeSampled(out, rng, names, names[fn], uint64(1+4e10/math.Pow(float64(rank+1), 1.15))*uint64(1+run*fn%5), 0)
	}
	return out.Flush()
}

// writeSampled writes a function with its lines, and what is inlined into it.
func writeSampled(out *bufio.Writer, rng *rand.Rand, names []string, name string, heat uint64, depth int) {
	var body strings.Builder
	indent := strings.Repeat(" ", depth+1)
	total := heat
	lines := min(200, 1+int(math.Pow(1-rng.Float64(), -1/1.1))+rng.IntN(6))
	for line := range lines {
		count := uint64(float64(heat) * rng.Float64())
		total += count
		fmt.Fprintf(&body, "%s%d", indent, line+1)
		if rng.IntN(5) == 0 {
			fmt.Fprintf(&body, ".%d", 1+rng.IntN(8))
		}
		fmt.Fprintf(&body, ": %d", count)
		if rng.IntN(10) == 0 {
			for t := range 1 + rng.IntN(3) {
				fmt.Fprintf(&body, " %s:%d", names[rng.IntN(len(names))], count>>t)
			}
		}
		body.WriteByte('\n')
	}
	if depth == 0 {
		fmt.Fprintf(out, "%s:%d:%d\n", name, total, heat/16)
	}
	out.WriteString(body.String())
	for depth < 6 && rng.IntN(5) < 2 {
		lines++
		callee := names[rng.IntN(len(names))]
		fmt.Fprintf(out, "%s%d: %s:%d\n", indent, lines, callee, heat)
		writeSampled(out, rng, names, callee, heat/2+1, depth+1)
	}
}
