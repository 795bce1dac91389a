package sums

import (
	"context"
	"hash/maphash"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// oneRaw is a raw file as its own sum: its records stay in it.
type oneRaw struct {
	src    instrprof.Source
	beside *Merged // everything but the records
}

// OneRaw is a raw file of one profile as its own sum, in which nothing is held of its records. It
// is nil for a file that must be added up: one that has a record twice, lacks a name, or of which
// only the beginning was decoded. It reads every record once, so that no fault can show later.
// name and errors are those of [Merger.Add].
func OneRaw(ctx context.Context, name string, src instrprof.Source) (instrprof.Source, error) {
	info := src.Info()
	if instrprof.RawOf(src) == nil || info.Profiles != 1 || len(info.Partial) > 0 {
		return nil, nil
	}
	m, seed := NewMerger(), maphash.MakeSeed()
	if err := m.admit(name, info); err != nil {
		return nil, err
	}
	keys := make([]uint64, 0, info.Records)
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		if len(f.Name) == 0 {
			return nil, nil
		}
		keys = append(keys, maphash.Comparable(seed, [...]uint64{f.NameRef, f.FuncHash}))
		if len(keys)%ctxEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if !distinct(keys) {
		return nil, nil
	}
	if info.Variant.Has(instrprof.TemporalProf) {
		if err := m.addTraces(src, 1); err != nil {
			return nil, err
		}
	}
	m.mergeInfo(name, info)
	m.addFindings(name, src.Findings(), m.tally)
	s := &oneRaw{src, m.Source()}
	s.beside.info.Records = uint64(len(keys))
	return s, ctx.Err()
}

// Unwrap is the file.
func (s *oneRaw) Unwrap() instrprof.Source { return s.src }

// Functions implements [instrprof.Source].
func (s *oneRaw) Functions() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		for f, err := range s.src.Functions() {
			if err == nil {
				f.Run = 0
				for _, sites := range f.Sites {
					for i, site := range sites {
						sites[i] = sortByCount(site)
					}
				}
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// Names implements [instrprof.Source].
func (s *oneRaw) Names() instrprof.Names { return s.src.Names() }

// Info implements [instrprof.Source].
func (s *oneRaw) Info() *instrprof.Info { return s.beside.Info() }

// Traces implements [instrprof.Source].
func (s *oneRaw) Traces() instrprof.Traces { return s.beside.Traces() }

// Findings implements [instrprof.Source].
func (s *oneRaw) Findings() []model.Finding { return s.beside.Findings() }
