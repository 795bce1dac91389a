package sums

import (
	"bytes"
	"iter"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// Merged is the sum of several profiles, or of one whose records repeat. It
// shares the memory of its Merger.
type Merged struct {
	m        *Merger
	info     instrprof.Info
	findings []model.Finding
}

// Source returns what was added so far. Add nothing while it is in use.
func (m *Merger) Source() *Merged {
	s := &Merged{m: m, info: m.info, findings: append(m.mixed(), m.found.all()...)}
	s.info.Records = uint64(len(m.records))
	s.info.TraceStreamSize = m.traces.streamSize
	s.info.BinaryIDs = sortedUnique(m.info.BinaryIDs)
	s.info.VTableNames = sortedUnique(m.info.VTableNames)
	s.info.VTables = instrprof.SortedVTables(m.info.VTables)
	s.info.Name()
	return s
}

func sortedUnique(in [][]byte) [][]byte {
	out := slices.Clone(in)
	slices.SortFunc(out, bytes.Compare)
	return slices.CompactFunc(out, bytes.Equal)
}

// Info is that of the only input, or one made of all: flags are united, binary
// ids and vtable names sorted and unique.
func (s *Merged) Info() *instrprof.Info { return &s.info }

// Findings are those of the inputs, then what merging them gave.
func (s *Merged) Findings() []model.Finding { return s.findings }

// Functions yields the records in the order in which each (name, FuncHash) was
// first seen.
func (s *Merged) Functions() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		var f instrprof.Function
		for i := range s.m.records {
			s.Record(uint32(i), &f)
			if !yield(&f, nil) {
				return
			}
		}
	}
}

// Drain is Functions for the last time: see [Drainer].
func (s *Merged) Drain() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		records := s.m.records
		s.m.records = nil
		var f instrprof.Function
		for i := range records {
			s.fill(&f, &records[i], s.repeats(int32(i)))
			if !yield(&f, nil) {
				return
			}
			records[i] = record{} // the slab it was cut from goes with its last record
		}
	}
}

// Record points f at a record by its number, which counts from 0 in the order
// of Functions.
func (s *Merged) Record(i uint32, f *instrprof.Function) {
	s.fill(f, &s.m.records[i], s.repeats(int32(i)))
}

// Reader implements [Records].
func (s *Merged) Reader() func(number uint32) *instrprof.Function {
	var f instrprof.Function
	return func(number uint32) *instrprof.Function {
		s.Record(number, &f)
		return &f
	}
}

// Each implements [Records].
func (s *Merged) Each(numbers []uint32) iter.Seq[*instrprof.Function] {
	return func(yield func(*instrprof.Function) bool) {
		read := s.Reader()
		for _, n := range numbers {
			if !yield(read(n)) {
				return
			}
		}
	}
}

// repeats is how often the only input has a record again.
func (s *Merged) repeats(i int32) uint64 {
	if s.m.inputs > 1 {
		return 0
	}
	return s.m.repeats[i]
}

// fill points f at a record.
func (s *Merged) fill(f *instrprof.Function, r *record, repeats uint64) {
	*f = instrprof.Function{
		Name: s.m.names.names[r.name], NameRef: s.m.names.refs[r.name],
		FuncHash: r.funcHash, Counters: r.counters, Repeats: repeats,
	}
	if s.m.inputs == 1 {
		f.Offset, f.Size = r.offset, r.size
	}
	if e := r.extra; e != nil {
		f.Bitmap, f.Uniformity, f.UniformCounters, f.Sites = e.bitmap, e.uniformity, e.uniformCounters, e.sites
	}
}

// Names yields every name that an input has, with a record or without, once.
func (s *Merged) Names() instrprof.Names {
	return func(yield func(uint64, []byte) bool) {
		for i, name := range s.m.names.names {
			if len(name) > 0 && !yield(s.m.names.refs[i], name) {
				return
			}
		}
		for _, name := range s.info.VTableNames {
			if !yield(instrprof.NameRef(name), name) {
				return
			}
		}
	}
}

// Traces yields the traces that are kept: all up to 100, then a sample of
// TraceStreamSize.
func (s *Merged) Traces() instrprof.Traces {
	return func(yield func(instrprof.Trace, error) bool) {
		for _, t := range s.m.traces.traces {
			if s.m.inputs == 1 {
				t.Input = 0
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}
