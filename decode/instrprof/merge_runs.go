package instrprof

import (
	"context"
	"encoding/binary"
	"sync/atomic"

	"proflens/decode/wire"
	"proflens/panics"
)

// Input is one of the inputs of [Merger.AddAll].
type Input struct {
	Name   string // in findings and errors
	Source Source
	Weight uint64 // counts are multiplied by it; 0 means 1
	// Err is why the input is not in the sum, or not wholly; see [Merger.Add].
	Err error
}

// AddAll adds inputs as [Merger.Add] does one after the other, and sets the error of
// each. Runs of known programs that follow one another are added together: each of
// procs goroutines has some of the records, and adds these of all runs in their order,
// so that the sum does not depend on how many goroutines there are.
//
// The error is the context's, or that of a file which changed while it was read; then
// nothing of the Merger may be used.
func (m *Merger) AddAll(ctx context.Context, inputs []Input, procs int) error {
	for len(inputs) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !m.isRun(inputs[0].Source) {
			in := &inputs[0]
			in.Err = m.Add(ctx, in.Name, in.Source, in.Weight)
			inputs = inputs[1:]
			continue
		}
		n := 1
		for n < len(inputs) && m.isRun(inputs[n].Source) {
			n++
		}
		if err := m.addRuns(ctx, inputs[:n], procs); err != nil {
			return err
		}
		inputs = inputs[n:]
	}
	return ctx.Err()
}

// isRun reports whether a source is made of runs of programs whose first runs were
// added.
func (m *Merger) isRun(src Source) bool {
	r := rawOf(src)
	if r == nil {
		return false
	}
	for _, p := range r.parts {
		if len(p.data.bytes) > 0 && (!p.isRun() || p.runOf.places == nil) {
			return false
		}
	}
	return m.inputs > 0 && r.fault == nil
}

// rawOf is the raw file that a source is, or else nil.
func rawOf(src Source) *Raw {
	for {
		switch s := src.(type) {
		case *Raw:
			return s
		case interface{ Unwrap() Source }:
			src = s.Unwrap()
		default:
			return nil
		}
	}
}

// Checked reports whether every record of a source was looked at when it was opened, so
// that no fault can show when it is added.
func Checked(src Source) bool {
	r := rawOf(src)
	if r == nil {
		return false
	}
	for _, p := range r.parts {
		if len(p.data.bytes) > 0 && !p.isRun() {
			return false
		}
	}
	return r.fault == nil
}

// run is an input that is being added.
type run struct {
	raw    *Raw
	weight uint64
	tally  []runTally // by share
}

// runTally counts what one share of the records gave, apart from the others by a line
// of the processor's cache.
type runTally struct {
	warnings [numWarnings]uint64
	large    uint64 // records with an implausible count
	_        [24]byte
}

// sharesPerProc is how many shares of the records there are for each goroutine, so
// that one with large records does not have the others wait for long.
const sharesPerProc = 4

func (m *Merger) addRuns(ctx context.Context, inputs []Input, procs int) error {
	shares := min(procs*sharesPerProc, 1+len(m.records)/64)
	runs := make([]run, len(inputs))
	for i := range inputs {
		in := &inputs[i]
		raw := rawOf(in.Source)
		if in.Err = m.admit(in.Name, raw.Info()); in.Err != nil {
			continue
		}
		runs[i] = run{raw: raw, weight: max(in.Weight, 1), tally: make([]runTally, shares)}
	}
	if err := m.addShares(ctx, runs, shares, procs); err != nil {
		return err
	}
	for i, r := range runs {
		if r.raw == nil {
			continue
		}
		if r.raw.info.Variant.Has(TemporalProf) {
			if err := m.addTraces(r.raw, r.weight); err != nil {
				return err
			}
		}
		m.mergeInfo(inputs[i].Name, r.raw.Info())
		var sum runTally
		for _, t := range r.tally {
			for w, n := range t.warnings {
				sum.warnings[w] += n
			}
			sum.large += t.large
		}
		m.addFindings(inputs[i].Name, r.raw.collectFindings(r.raw.oddOfRun(sum.large)), sum.warnings)
	}
	return nil
}

// oddOfRun is what is odd of the records of runs: most is the same in each.
func (r *Raw) oddOfRun(large uint64) oddRecords {
	odd := oddRecords{large: large}
	for _, p := range r.parts {
		if p.runOf != nil {
			odd.unnamed += p.runOf.unnamed
			odd.untimed += p.runOf.untimed
		}
	}
	return odd
}

// addShares has each share of the records added by one goroutine.
func (m *Merger) addShares(ctx context.Context, runs []run, shares, procs int) error {
	g, ctx := panics.WithContext(ctx)
	var next atomic.Int64
	for range min(procs, shares) {
		g.Go(func() error {
			var a runAdder
			for {
				share := int(next.Add(1)) - 1
				if share >= shares {
					return nil
				}
				from, to := int32(len(m.records)*share/shares), int32(len(m.records)*(share+1)/shares)
				for i := range runs {
					if err := ctx.Err(); err != nil {
						return err
					}
					if r := &runs[i]; r.raw != nil {
						a.add(m.records, r.raw, r.weight, &r.tally[share], from, to)
					}
				}
			}
		})
	}
	return g.Wait()
}

// runAdder adds runs, reusing its memory.
type runAdder struct {
	function Function
	values   valueReader
	scratch  siteMerge
}

// add adds those records of a run that have numbers from one to before another.
func (a *runAdder) add(records []record, raw *Raw, weight uint64, tally *runTally, from, to int32) {
	for _, p := range raw.parts {
		if p.runOf == nil {
			continue
		}
		places := p.runOf.between(from, to)
		for i := range places {
			var w warnings
			if a.addPlace(&records[places[i].number], p, &places[i], weight, &w) {
				tally.large++
			}
			if w != 0 {
				tally.warn(w)
			}
		}
	}
}

func (t *runTally) warn(w warnings) {
	for x := range numWarnings {
		if w&(1<<x) != 0 {
			t.warnings[x]++
		}
	}
}

// addPlace adds one record, and reports whether a count of it is implausible.
func (a *runAdder) addPlace(r *record, p *rawPart, pl *place, weight uint64, w *warnings) (large bool) {
	n := uint64(pl.counts)
	if int(n) == len(r.counters) && !pl.extra && p.counterSize() == 8 && !p.bigEndian {
		counts := p.counters.bytes[pl.at : pl.at+8*n]
		if n == 0 || r.counters[0] < PseudoWarm && binary.LittleEndian.Uint64(counts) < PseudoWarm {
			return addWords(r.counters, counts, weight, w)
		}
	}
	f := &a.function
	p.read(int(pl.index), p.record(int(pl.index)), f)
	f.Sites = [NumValueKinds][]ValueSite{}
	if pl.block > 0 && len(p.blocks) > 0 {
		c := wire.New("value data", p.values.bytes[p.blocks[pl.block-1]:], 0)
		c.SetOrder(p.bigEndian)
		_ = a.values.read(c, &f.Sites) // it was read before
		p.remap(&f.Sites)
	}
	r.merge(f, weight, &a.scratch, w)
	return largest(f.Counters) > maxPlausibleCount
}

// addWords adds counts, which stand in the file as little-endian words, weight times,
// and reports whether one is implausible. None is a pseudo count.
func addWords(counters []uint64, words []byte, weight uint64, w *warnings) (large bool) {
	words = words[:8*len(counters)]
	for i, have := range counters {
		count := binary.LittleEndian.Uint64(words[8*i:])
		if count == 0 && have <= MaxCount {
			continue
		}
		large = large || count > maxPlausibleCount
		if sum := have + count; weight == 1 && sum >= have && sum <= MaxCount {
			counters[i] = sum
		} else {
			counters[i] = addCount(have, count, weight, w)
		}
	}
	return large
}
