package sums

import (
	"math/bits"
	"slices"

	"proflens/decode/instrprof"
	"proflens/internal/mt19937"
)

// The limits of llvm-profdata merge on temporal traces.
const (
	maxTraces      = 100   // how many are kept
	maxTraceLength = 10000 // functions of one
)

// reservoir keeps a fair sample of all traces ever seen. Its random numbers
// are those of a std::mt19937 that nobody seeds, drawn as LLVM draws them, so
// that a merge always keeps the same traces, and those that LLVM keeps.
type reservoir struct {
	size, length int // traces that are kept, and functions of one
	traces       []instrprof.Trace
	streamSize   uint64
	rng          mt19937.Source
}

func newReservoir() reservoir {
	return reservoir{size: maxTraces, length: maxTraceLength, rng: mt19937.New(mt19937.DefaultSeed)}
}

// TraceLimits are how many temporal traces are kept, and how many functions of each.
type TraceLimits struct{ Traces, Functions int }

// KeepTraces has other limits hold than llvm-profdata's, 100 and 10,000. It is called before
// anything is added.
func (m *Merger) KeepTraces(l TraceLimits) { m.traces.size, m.traces.length = l.Traces, l.Functions }

// addTraces adds the traces of one input. Traces of indexed and text files
// have a weight of their own; those of a raw file, of 1, get that of the input, which a sum of such keeps.
func (m *Merger) addTraces(src instrprof.Source, weight uint64) error {
	raw := src.Info().Format == instrprof.FormatRaw
	var in []instrprof.Trace
	for t, err := range src.Traces() {
		if err != nil {
			return err
		}
		refs := t.NameRefs[:min(len(t.NameRefs), m.traces.length)]
		if len(refs) == 0 {
			continue
		}
		if raw {
			t.Weight *= weight
		}
		in = append(in, instrprof.Trace{Weight: t.Weight, NameRefs: slices.Clone(refs), Input: m.inputs + 1})
	}
	m.traces.add(in, src.Info().TraceStreamSize)
	return nil
}

// add takes over the traces of one input, out of streamSize that it saw.
func (r *reservoir) add(in []instrprof.Trace, streamSize uint64) {
	if len(in) == 0 {
		return
	}
	n := min(len(in), max(r.size-len(r.traces), 0))
	r.traces = append(r.traces, in[:n]...)
	in = in[n:]
	shuffle(&r.rng, in)
	for i := uint64(len(r.traces)); i < streamSize && len(in) > 0; i++ {
		if at := upTo(&r.rng, i); at < uint64(len(r.traces)) {
			r.traces[at] = in[0]
			in = in[1:]
		}
	}
	r.streamSize += streamSize
}

// shuffle is llvm::shuffle.
func shuffle(g *mt19937.Source, t []instrprof.Trace) {
	for ; len(t) > 1; t = t[1:] {
		i := uint64(g.Uint32()) % uint64(len(t))
		t[0], t[i] = t[i], t[0]
	}
}

// upTo draws evenly from 0 to most, which is below 2^32 - 1, as libstdc++'s
// uniform_int_distribution does. Above, which no real stream reaches, it
// draws 64 bits.
func upTo(g *mt19937.Source, most uint64) uint64 {
	if most >= 1<<32-1 {
		hi, _ := bits.Mul64(uint64(g.Uint32())<<32|uint64(g.Uint32()), most)
		return hi
	}
	n := uint32(most + 1)
	product := uint64(g.Uint32()) * uint64(n)
	if uint32(product) < n {
		for threshold := -n % n; uint32(product) < threshold; {
			product = uint64(g.Uint32()) * uint64(n)
		}
	}
	return product >> 32
}
