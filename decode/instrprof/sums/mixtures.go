package sums

import (
	"fmt"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// mixture is two kinds of counters that mean different things, though their records may
// look alike.
type mixture struct {
	flag          instrprof.Variant // what tells them apart
	without, with string            // what a profile has
	cause         string
}

// mixtures are those that LLVM did not refuse: front end with IR, of which it sees only
// text, and counts with single bytes, which it refuses since August 2026.
var mixtures = [...]mixture{
	{instrprof.IRProf, "front-end instrumentation", "IR instrumentation",
		"one of the programs was compiled with -fprofile-instr-generate and the other with -fprofile-generate"},
	{instrprof.ByteCoverage, "counts", "single-byte coverage, which only says what ran",
		"one of the programs was compiled for single-byte coverage, such as with -mllvm -pgo-block-coverage, and the " +
			"other without"},
}

// noteMixtures remembers the first input on either side of each mixture.
func (m *Merger) noteMixtures(name string, info *instrprof.Info) {
	if !info.Has(instrprof.Family) {
		return // a heap profile alone has no counters
	}
	for i, x := range mixtures {
		side := 0
		if info.Variant.Has(x.flag) {
			side = 1
		}
		if m.firsts[i][side] == "" {
			m.firsts[i][side] = name
		}
	}
}

// mixed are the findings for inputs on both sides of a mixture.
func (m *Merger) mixed() (found []model.Finding) {
	for i, x := range mixtures {
		without, with := m.firsts[i][0], m.firsts[i][1]
		if without == "" || with == "" {
			continue
		}
		found = append(found, model.Finding{
			Severity: model.Warning, Code: "merge.mixed_kinds", Kind: model.KindUnsupportedVersion, File: without,
			Message: fmt.Sprintf("%s has %s and %s %s: their counters mean different things", without, x.without, with, x.with),
			Cause:   x.cause,
			Remedy:  "merge profiles of one kind of instrumentation only",
		})
	}
	return found
}

// Mixture is how the counters of two profiles mean different things; nil where they mean
// the same, as far as their kinds tell, and where only one has counters.
func Mixture(a, b *instrprof.Info) error {
	return mixtureIn(a, b, mixtures[:])
}

// BytesAndCounts is Mixture for single bytes and counts alone, which llvm-profdata
// refuses to add up since August 2026.
func BytesAndCounts(a, b *instrprof.Info) error { return mixtureIn(a, b, mixtures[1:]) }

func mixtureIn(a, b *instrprof.Info, of []mixture) error {
	if !a.Has(instrprof.Family) || !b.Has(instrprof.Family) {
		return nil
	}
	for _, x := range of {
		if a.Variant.Has(x.flag) != b.Variant.Has(x.flag) {
			return &model.FormatError{Kind: model.KindUnsupportedVersion, Section: "header",
				Msg: fmt.Sprintf("one has %s, the other %s; their counters mean different things", x.without, x.with)}
		}
	}
	return nil
}

// CannotMerge is why the second of two profiles cannot be merged with the first, as far
// as their kinds decide; nil when it can. It refuses every mixture too.
func CannotMerge(a, b *instrprof.Info) error {
	if err := Mixture(a, b); err != nil {
		return err
	}
	return KindsDiffer(a, b)
}
