package encode

import (
	"context"
	"fmt"
	"io"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/encode/stacks"
	"proflens/names"
)

// Pprof writes a gzipped profile.proto for `go tool pprof`, and returns what it
// cannot hold. Functions begin on the lines where they are declared, by what says so; nil
// says nothing. The error is the source's, the writer's or the context's.
func Pprof(
	ctx context.Context, w io.Writer, src instrprof.Source, declared model.Declarations,
) ([]model.Finding, error) {
	s := &functionSamples{src: src, variant: src.Info().Variant}
	if declared != nil {
		if err := s.findStarts(ctx, declared); err != nil {
			return nil, err
		}
	}
	clamped, err := stacks.Pprof(w, s.profile())
	return s.findings(clamped), err
}

// named is a function by its linkage name; local for one that only its unit sees.
type named struct {
	linkage string
	local   bool
}

// manyLines is the line of functions that are declared on several: which, nobody knows.
const manyLines = -1

// findStarts finds the lines that the functions of the profile are declared on.
func (s *functionSamples) findStarts(ctx context.Context, declared model.Declarations) error {
	s.starts = map[named]int64{}
	for f, err := range s.src.Functions() {
		if err != nil {
			return err
		}
		if path, linkage := names.Split(f.Name); linkage != "" {
			s.starts[named{linkage, path != ""}] = 0
		}
	}
	wanted := func(linkage []byte) bool {
		_, seen := s.starts[named{string(linkage), false}]
		_, local := s.starts[named{string(linkage), true}]
		return seen || local
	}
	_, err := declared(ctx, wanted, func(d model.Declaration) {
		key := named{string(d.Name), d.Local}
		switch at, ok := s.starts[key]; {
		case !ok || at == int64(d.Line) || at != 0 && d.Code: // where code begins is a guess
		case at == 0:
			s.starts[key] = int64(d.Line)
		default:
			s.starts[key] = manyLines
		}
	})
	return err
}

// functionSamples are the records of an instrumentation profile as stacks of
// one frame: there are no callers in such a profile.
type functionSamples struct {
	src     instrprof.Source
	variant instrprof.Variant
	pseudo  uint64 // records left out
	starts  map[named]int64
}

// profile says what the values are. Single-byte counters say that a block ran,
// not how often, and an IR profile has an entry count only where the entry block
// is instrumented first (instrprof.md §6.2).
func (s *functionSamples) profile() *stacks.Profile {
	p := &stacks.Profile{Name: s.src.Info().Describe, Samples: s.samples}
	p.Comments = []string{p.Name, "one sample for each function record; the profile does not record callers"}
	switch {
	case s.variant.Has(instrprof.ByteCoverage):
		p.Types = []stacks.Type{{Name: "executed", Unit: "count"}, {Name: "covered", Unit: "count"}}
		p.Comments = append(p.Comments,
			"byte coverage: counters say whether a block ran, not how often; executed is 1 for a function that ran, covered "+
				"is how many of its blocks did")
	case analyze.HasEntry(s.variant):
		p.Types = []stacks.Type{{Name: "entry", Unit: "count"}, {Name: "total", Unit: "count"}, {Name: "max", Unit: "count"}}
		p.Comments = append(p.Comments,
			"entry is how often the function was entered, total the sum of its counters, max the largest of them")
	default:
		p.Types = []stacks.Type{{Name: "total", Unit: "count"}, {Name: "max", Unit: "count"}}
		p.Comments = append(p.Comments,
			"no entry counts: the entry block is not instrumented first; total is the sum of a function's counters, max the "+
				"largest of them")
	}
	p.Comments = append(p.Comments, model.PartialLines(s.src.Info().Partial)...)
	return p
}

func (s *functionSamples) samples(yield func(*stacks.Sample, error) bool) {
	s.pseudo = 0
	sample := stacks.Sample{Stack: make([]stacks.Frame, 1)}
	for f, err := range s.src.Functions() {
		if err != nil {
			yield(nil, err)
			return
		}
		stats := analyze.StatsOf(f, s.variant)
		if stats.Pseudo {
			s.pseudo++
			continue
		}
		frame := functionFrame(f.Name, f.NameRef)
		if frame.Linkage != "" {
			frame.Start = max(s.starts[named{frame.Linkage, frame.File != ""}], 0)
		}
		sample.Stack[0] = frame
		sample.Values = s.values(sample.Values[:0], &stats)
		sample.Labels = append(sample.Labels[:0], stacks.Label{Key: "func_hash", Text: hex16(f.FuncHash)})
		if stats.CS {
			sample.Labels = append(sample.Labels, stacks.Label{Key: "record", Text: "context-sensitive"})
		}
		if !yield(&sample, nil) {
			return
		}
	}
}

// values are those of profile's types.
func (s *functionSamples) values(values []uint64, stats *analyze.Stats) []uint64 {
	total := stats.Total.Lo
	if stats.Total.Hi > 0 {
		total = 1<<64 - 1
	}
	switch {
	case s.variant.Has(instrprof.ByteCoverage):
		executed := uint64(0)
		if stats.Executed() {
			executed = 1
		}
		return append(values, executed, uint64(stats.NumCounters-stats.NumZero))
	case analyze.HasEntry(s.variant):
		values = append(values, stats.Entry)
	}
	return append(values, total, stats.Max)
}

// findings are what the format could not hold.
func (s *functionSamples) findings(clamped int) []model.Finding {
	var list []model.Finding
	if clamped > 0 {
		list = append(list, model.Finding{Severity: model.Warning, Code: "pprof.clamped", Count: uint64(clamped),
			Message: "values above 2^63 - 1, the format's maximum, were capped there"})
	}
	if s.pseudo > 0 {
		list = append(list, model.Finding{Severity: model.Note, Code: "pprof.pseudo", Count: s.pseudo,
			Message: "left out: records with a pseudo count, which have no measured counts"})
	}
	return list
}

// functionFrame is the frame of a function with this PGO name, which may be
// empty.
func functionFrame(name []byte, ref uint64) stacks.Frame {
	path, linkage := names.Split(name)
	if linkage == "" {
		return stacks.Frame{Name: "[no name " + hex16(ref) + "]"}
	}
	return stacks.Frame{Name: names.Demangle(linkage, names.Full), Linkage: linkage, File: path}
}

func hex16(n uint64) string { return fmt.Sprintf("%016x", n) }
