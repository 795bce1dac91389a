package llvmprofdata

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// OverlapOptions are those of llvm-profdata overlap for instrumentation profiles.
type OverlapOptions struct {
	CS          bool   // of context-sensitive records
	Function    string // functions whose names contain it are shown one by one
	ValueCutoff uint64 // also those with a counter of this, or more
}

// EmptySumError says that a profile has no counts to compare.
type EmptySumError struct{ Name string }

// Error is in LLVM's words.
func (e *EmptySumError) Error() string {
	return "Sum of edge counts for profile " + e.Name + " is 0."
}

// Overlap prints how alike two profiles are (instrprof.md §6.4). Errors are [*EmptySumError],
// those of the sources, and the writer's.
func Overlap(ctx context.Context, w io.Writer, baseName, testName string, base, test instrprof.Source,
	o OverlapOptions) error {
	b := bufio.NewWriterSize(w, 1<<16)
	summed := &summed{Source: base, cs: o.CS}
	records, err := sums.LookupOf(ctx, summed)
	if err != nil {
		return err
	}
	all := analyze.Overlap{Base: summed.sums}
	if all.Test, err = addedUp(test, o.CS); err != nil {
		return err
	}
	for _, side := range []struct {
		name string
		sums analyze.CountSums
	}{{baseName, all.Base}, {testName, all.Test}} {
		if side.sums.Edge < 1 {
			return &EmptySumError{side.name}
		}
	}
	asked := map[record]bool{} // which the base profile does not have
	for f, err := range test.Functions() {
		if err != nil {
			return err
		}
		same, name := records.Find(f)
		switch {
		case same != nil:
		case name < 0:
			all.Unmatched(f)
			continue
		case !asked[record{name, f.FuncHash}]:
			all.Mismatched(f)
			if analyze.SumsOf(f).Edge >= 1 {
				asked[record{name, f.FuncHash}] = true // LLVM looks for it so that it is there from now on
			}
			continue
		default:
			same = &instrprof.Function{}
		}
		cutoff := o.ValueCutoff
		if o.Function != "" && bytes.Contains(f.Name, []byte(o.Function)) {
			cutoff = 0
		}
		shown := len(f.Counters) > 0 && slices.Max(f.Counters) >= cutoff
		all.ProfilesOnly = !shown
		if r := all.Compare(same, f); shown && r.Scored {
			fmt.Fprintf(b, "Function level:\n  Function: %s (Hash=%d)\n", f.Name, f.FuncHash)
			dump(b, "edge counters", &analyze.Overlap{Base: r.Base, Test: r.Test, Overlap: r.Overlap})
		}
	}
	fmt.Fprintf(b, "Profile overlap information for base_profile: %s and test_profile: %s\nProgram level:\n", baseName,
		testName)
	dump(b, "functions", &all)
	return b.Flush()
}

// record is the number of a name, and a FuncHash.
type record struct {
	name int32
	hash uint64
}

// summed adds up the records of a source that are, or are not, context-sensitive, whenever
// they are read.
type summed struct {
	instrprof.Source
	cs   bool
	sums analyze.CountSums // of those that were read last
}

// Unwrap is the source alone.
func (s *summed) Unwrap() instrprof.Source { return s.Source }

// Functions implements [instrprof.Source].
func (s *summed) Functions() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		s.sums = analyze.CountSums{}
		v := s.Info().Variant
		for f, err := range s.Source.Functions() {
			if err == nil && (!v.Has(instrprof.IRProf) || f.IsCS(v) == s.cs) {
				s.sums.AddRecord(analyze.SumsOf(f))
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// addedUp are the sums of a source.
func addedUp(src instrprof.Source, cs bool) (analyze.CountSums, error) {
	s := summed{Source: src, cs: cs}
	for _, err := range s.Functions() {
		if err != nil {
			return s.sums, err
		}
	}
	return s.sums, nil
}

// valueKinds are what the kinds of values are called here.
var valueKinds = [instrprof.NumValueKinds]string{"IndirectCall", "MemOP", "VTable"}

// dump prints the figures of a program, or of a function.
func dump(b *bufio.Writer, entries string, o *analyze.Overlap) {
	fmt.Fprintf(b, "  # of %s overlap: %d\n", entries, o.Overlap.Entries)
	if o.Mismatch.Entries > 0 {
		fmt.Fprintf(b, "  # of %s mismatch: %d\n", entries, o.Mismatch.Entries)
	}
	if o.Unique.Entries > 0 {
		fmt.Fprintf(b, "  # of %s only in test_profile: %d\n", entries, o.Unique.Entries)
	}
	print := func(kind string, base, test, overlap, mismatch, unique float64) {
		fmt.Fprintf(b, "  %s profile overlap: %.3f%%\n", kind, overlap*100)
		if o.Mismatch.Entries > 0 {
			fmt.Fprintf(b, "  Mismatched count percentage (%s): %.3f%%\n", kind, mismatch*100)
		}
		if o.Unique.Entries > 0 {
			fmt.Fprintf(b, "  Percentage of %s profile only in test_profile: %.3f%%\n", kind, unique*100)
		}
		fmt.Fprintf(b, "  %s profile base count sum: %.0f\n  %[1]s profile test count sum: %.0[3]f\n", kind, base, test)
	}
	print("Edge", o.Base.Edge, o.Test.Edge, o.Overlap.Edge, o.Mismatch.Edge, o.Unique.Edge)
	for i, kind := range valueKinds {
		if o.Base.Values[i] >= 1 || o.Test.Values[i] >= 1 {
			print(kind, o.Base.Values[i], o.Test.Values[i], o.Overlap.Values[i], o.Mismatch.Values[i], o.Unique.Values[i])
		}
	}
}
