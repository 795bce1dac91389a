package instrprof

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"proflens/decode/model"
)

// readTrace orders the functions of a temporal profile by the timestamps of
// their first execution: one trace over all profiles of the file, or none
// (instrprof.md §2.8).
func (r *Raw) readTrace() []model.Trace {
	type first struct{ stamp, ref uint64 }
	var called []first
	for _, p := range r.parts {
		if !p.variant.Has(model.TemporalProf) {
			continue
		}
		for i := range int(p.word[numData]) {
			record := p.record(i)
			counters, _ := p.counterBytes(i, record)
			if stamp, _ := p.timestamp(counters); stamp != 0 && stamp != math.MaxUint64 {
				called = append(called, first{stamp, p.nameRef(i, record)})
			}
		}
	}
	if len(called) == 0 {
		return nil
	}
	slices.SortFunc(called, func(a, b first) int {
		return cmp.Or(cmp.Compare(a.stamp, b.stamp), cmp.Compare(a.ref, b.ref))
	})
	refs := make([]uint64, len(called))
	for i, f := range called {
		refs[i] = f.ref
	}
	r.info.TraceStreamSize = 1
	return []model.Trace{{Weight: 1, NameRefs: refs}}
}

// Traces implements [model.Source].
func (r *Raw) Traces() iter.Seq2[model.Trace, error] {
	return func(yield func(model.Trace, error) bool) {
		for _, t := range r.trace {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// Findings implements [model.Source].
func (r *Raw) Findings() []model.Finding {
	if r.findings == nil {
		return r.collectFindings(0)
	}
	return r.findings
}

// collectFindings says what to know of the file beyond its records; large is
// how many records have an implausible count.
func (r *Raw) collectFindings(large uint64) []model.Finding {
	var correlated, counters, without, last uint64
	for _, p := range r.parts {
		if p.correlated() {
			correlated++
			counters += p.word[numCounters]
		}
		if p.valuesMissing {
			without++
		}
		if p.word[valueKindLast] > maxValueKind {
			last = p.word[valueKindLast]
		}
	}
	out := []model.Finding{}
	if correlated > 0 {
		out = append(out, model.Finding{
			Severity: model.Warning, Code: "raw.missing_correlation_info", Kind: model.KindMissingCorrelation, Section: "header",
			Expected: "data records and names", Found: fmt.Sprintf("%d counters and no records", counters), Count: correlated,
			Message: "the profile has counters, but no data records and no names to tell whose they are",
			Cause:   "the program was built with -profile-correlate, which leaves records and names in the executable or its debug info",
			Remedy:  "merge with llvm-profdata merge --debug-info=FILE or --binary-file=FILE, and open the .profdata it writes",
		})
	}
	if without > 0 {
		out = append(out, model.Finding{
			Severity: model.Note, Code: "raw.no_value_data", Section: "value data", Count: without,
			Message: "functions have value sites, but the file ends before the value data",
			Cause:   "continuous mode (%c) writes no value data; a file cut exactly here looks the same",
			Remedy:  "without %c in LLVM_PROFILE_FILE the program writes value data at its exit",
		})
	}
	if large > 0 {
		out = append(out, model.Finding{
			Severity: model.Warning, Code: "raw.counter_value_too_large", Section: "counters", Count: large,
			Message: "functions have a counter above 2^56",
			Cause:   "a count that no program reaches: the file is damaged, or the counters were overwritten while the program ran",
			Remedy:  "record the profile again; look at these functions' counters with suspicion",
		})
	}
	if last > 0 {
		out = append(out, model.Finding{
			Severity: model.Note, Code: "raw.value_kind_last", Section: "header", Field: "ValueKindLast",
			Expected: fmt.Sprintf("at most %d", maxValueKind), Found: fmt.Sprint(last),
			Message: "the header states more value kinds than can be; the number is ignored",
		})
	}
	return out
}
