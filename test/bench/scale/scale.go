// Package scale writes large instrumentation profiles as text, for benchmarks
// and for trying the pages at a size that real programs reach.
package scale

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
)

var (
	words = strings.Fields("base core net http cache index query plan exec row column page log lock pool task timer " +
		"buffer stream codec token syntax graph node edge tree hash table value field record schema batch merge sort scan")
	verbs = strings.Fields("get set add remove find insert erase update apply visit run step reset open close read write")
	args  = strings.Fields("v i m PKc RKSs iPKc mm Pv St6vectorIiSaIiEE " +
		"RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE")
)

// Write writes n functions in LLVM's text format: mangled C++ names in nested
// namespaces, a tenth of them local to a file, counters heavy-tailed in number
// and in value, three in ten never executed, some with value sites. The same
// program and run give the same bytes; runs of one program differ in their counts.
func Write(w io.Writer, n int, program uint64, run int) error {
	rng := rand.New(rand.NewPCG(program, 0x9e3779b97f4a7c15))
	names := make([]string, n)
	for i := range names {
		names[i] = name(rng, i)
	}
	out := bufio.NewWriterSize(w, 1<<20)
	fmt.Fprintln(out, ":ir")
	for rank, fn := range rng.Perm(n) {
		heat := uint64(0)
		if rng.Float64() < 0.7 {
			heat = uint64(4e12/math.Pow(float64(rank+1), 1.15)) * uint64(1+run*fn%5)
		}
		fmt.Fprintf(out, "%s\n%d\n", names[fn], rng.Uint64()>>6)
		counters(out, rng, heat)
		sites(out, rng, heat, names)
		fmt.Fprintln(out)
	}
	return out.Flush()
}

func counters(out io.Writer, rng *rand.Rand, heat uint64) {
	k := min(200, 1+int(math.Pow(1-rng.Float64(), -1/0.9))+rng.IntN(4))
	fmt.Fprintln(out, k)
	for i := range k {
		switch {
		case heat == 0, i > 0 && rng.Float64() < 0.25:
			fmt.Fprintln(out, 0)
		case i == 0:
			fmt.Fprintln(out, heat)
		default:
			fmt.Fprintln(out, uint64(float64(heat)*rng.Float64()*[]float64{0.01, 0.2, 1, 1, 8}[rng.IntN(5)]))
		}
	}
}

func sites(out io.Writer, rng *rand.Rand, heat uint64, names []string) {
	if heat == 0 || rng.Float64() > 0.12 {
		return
	}
	n := 1 + rng.IntN(3)
	fmt.Fprintf(out, "1\n0\n%d\n", n)
	for range n {
		targets := rng.IntN(4)
		fmt.Fprintln(out, targets)
		for t := range targets {
			fmt.Fprintf(out, "%s:%d\n", names[rng.IntN(len(names))], max(1, heat>>(2*t)))
		}
	}
}

func name(rng *rand.Rand, i int) string {
	var b, path strings.Builder
	for range 1 + rng.IntN(3) {
		ns := words[rng.IntN(len(words))]
		fmt.Fprintf(&b, "%d%s", len(ns), ns)
		path.WriteString(ns + "/")
	}
	class := words[rng.IntN(len(words))] + words[rng.IntN(len(words))]
	method := fmt.Sprintf("%s%s%x", verbs[rng.IntN(len(verbs))], words[rng.IntN(len(words))], i)
	linkage := fmt.Sprintf("_ZN%s%d%s%d%sE%s", b.String(), len(class), class, len(method), method,
		args[rng.IntN(len(args))])
	if rng.Float64() < 0.1 {
		return path.String() + class + ".cc;" + linkage
	}
	return linkage
}
