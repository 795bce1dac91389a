package sums

import (
	"context"
	"encoding/binary"
	"sync/atomic"

	"proflens/decode/instrprof"
	"proflens/decode/wire"
	"proflens/internal/recovery"
)

// OpenRun opens a raw file that is going to be added with others, most of which are runs
// of few programs; see [instrprof.Programs]. It may be called from several goroutines,
// also while other files are added.
func (m *Merger) OpenRun(data []byte, correlators []*instrprof.Correlator, rec *wire.Recorder,
	upTo bool) (*instrprof.Raw, error) {
	return m.programs.Open(data, correlators, rec, upTo)
}

// Input is one of the inputs of [Merger.AddAll].
type Input struct {
	Name   string // in findings and errors
	Source instrprof.Source
	Weight uint64 // counts are multiplied by it; 0 means 1
	// Err is why the input is not in the sum, or not wholly; see [Merger.Add].
	Err error
}

// AddAll adds inputs as [Merger.Add] does one after the other, and sets the error of
// each. Runs of known programs that follow one another are added together, and so are indexed
// files whose records the sum has in the same order: each of procs goroutines has some of the
// records, and adds these of all inputs in their order, so that the sum does not depend on how
// many goroutines there are.
//
// The error is the context's, or that of a file which changed while it was read; then
// nothing of the Merger may be used.
func (m *Merger) AddAll(ctx context.Context, inputs []Input, procs int) error {
	var alike []run // inputs, so far as they were compared
	for len(inputs) > 0 {
		if len(alike) == 0 && m.inputs > 0 {
			alike = make([]run, len(inputs))
			if err := m.compare(ctx, inputs, alike, procs); err != nil {
				return err
			}
		}
		var some []run
		for i := range inputs {
			r, ok := m.runOf(&inputs[i])
			if i < len(alike) && alike[i].file != nil {
				r, ok = alike[i], true
			}
			if !ok {
				break
			}
			some = append(some, r)
		}
		alike = alike[min(max(len(some), 1), len(alike)):]
		if len(some) == 0 {
			in := &inputs[0]
			in.Err = m.Add(ctx, in.Name, in.Source, in.Weight)
			inputs = inputs[1:]
			continue
		}
		if err := m.addRuns(ctx, some, procs); err != nil {
			return err
		}
		inputs = inputs[len(some):]
	}
	return ctx.Err()
}

// run is an input that is being added.
type run struct {
	in     *Input
	raw    *instrprof.Raw
	parts  []instrprof.Run
	file   *instrprof.Indexed
	places []filePlace
	weight uint64
	tally  []runTally // by share; none of one that is refused
}

// runTally counts what one share of the records gave, apart from the others by a line
// of the processor's cache.
type runTally struct {
	told  []told
	large uint64 // records with an implausible count
	_     [32]byte
}

// told is what there is to say about a record.
type told struct {
	number int32
	warnings
}

// runOf is an input that is made of runs of programs whose first runs were added.
func (m *Merger) runOf(in *Input) (run, bool) {
	raw := instrprof.RawOf(in.Source)
	if raw == nil || m.inputs == 0 {
		return run{}, false
	}
	parts, ok := raw.Runs()
	return run{in: in, raw: raw, parts: parts, weight: max(in.Weight, 1)}, ok
}

// sharesPerProc is how many shares of the records there are for each goroutine, so
// that one with large records does not have the others wait for long.
const sharesPerProc = 4

func (m *Merger) addRuns(ctx context.Context, runs []run, procs int) error {
	shares := min(procs*sharesPerProc, 1+len(m.records)/64)
	for i := range runs {
		r := &runs[i]
		if r.in.Err = m.admit(r.in.Name, r.in.Source.Info()); r.in.Err != nil {
			continue
		}
		r.tally = make([]runTally, shares)
	}
	if err := m.addShares(ctx, runs, shares, procs); err != nil {
		return err
	}
	for i := range runs {
		r := &runs[i]
		if r.in.Err != nil {
			continue
		}
		if r.in.Source.Info().Variant.Has(instrprof.TemporalProf) {
			if err := m.addTraces(r.in.Source, r.weight); err != nil {
				return err
			}
		}
		m.mergeInfo(r.in.Name, r.in.Source.Info())
		m.input, m.tally = r.in.Name, [numWarnings]uint64{}
		large := uint64(0)
		for _, t := range r.tally {
			for _, one := range t.told {
				m.warn(one.warnings, m.names.names[m.records[one.number].name], false)
			}
			large += t.large
		}
		findings := r.in.Source.Findings()
		if r.raw != nil {
			findings = r.raw.FindingsOfRuns(large)
		}
		m.addFindings(r.in.Name, findings, m.tally)
		if r.places != nil {
			m.places.Put(&r.places)
		}
	}
	return nil
}

// addShares has each share of the records added by one goroutine.
func (m *Merger) addShares(ctx context.Context, runs []run, shares, procs int) error {
	g, ctx := recovery.WithContext(ctx)
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
					a.add(m.records, &runs[i], share, from, to)
				}
			}
		})
	}
	return g.Wait()
}

// runAdder adds runs, reusing its memory.
type runAdder struct {
	reader  instrprof.RunReader
	counted instrprof.CountedReader
	scratch siteMerge
}

// add adds those records of a run that have numbers from one to before another.
func (a *runAdder) add(records []record, r *run, share int, from, to int32) {
	if r.tally == nil { // it is refused
		return
	}
	tally := &r.tally[share]
	a.addFile(records, r, tally, from, to)
	for _, part := range r.parts {
		places := part.Between(from, to)
		for i := range places {
			var w warnings
			if a.addPlace(&records[places[i].Number], part, &places[i], r.weight, &w) {
				tally.large++
			}
			tally.warn(places[i].Number, w)
		}
	}
}

func (t *runTally) warn(number int32, w warnings) {
	if w != 0 {
		t.told = append(t.told, told{number, w})
	}
}

// addPlace adds one record, and reports whether a count of it is implausible.
func (a *runAdder) addPlace(r *record, part instrprof.Run, pl *instrprof.Place, weight uint64,
	w *warnings) (large bool) {
	if words, ok := part.Words(pl); ok && r.takes(words) {
		return addWords(r.counters, words, weight, w)
	}
	f := a.reader.Read(part, pl)
	r.merge(f, weight, &a.scratch, w)
	for _, c := range f.Counters {
		large = large || instrprof.Implausible(c)
	}
	return large
}

// takes reports whether a record has as many counts as words are, and neither is a pseudo count.
func (r *record) takes(words []byte) bool {
	return len(words) == 8*len(r.counters) && (len(words) == 0 || r.counters[0] < instrprof.PseudoWarm &&
		binary.LittleEndian.Uint64(words) < instrprof.PseudoWarm)
}

// addWords adds counts, which stand in the file as little-endian words, weight times,
// and reports whether one is implausible. None is a pseudo count.
func addWords(counters []uint64, words []byte, weight uint64, w *warnings) (large bool) {
	words = words[:8*len(counters)]
	for i, have := range counters {
		count := binary.LittleEndian.Uint64(words[8*i:])
		if count == 0 && have <= instrprof.MaxCount {
			continue
		}
		large = large || instrprof.Implausible(count)
		if sum := have + count; weight == 1 && sum >= have && sum <= instrprof.MaxCount {
			counters[i] = sum
		} else {
			counters[i] = addCount(have, count, weight, w)
		}
	}
	return large
}
