package llvmprofdata

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"math"
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
	var all analyze.Overlap
	if err := addUp(&all.Base, base, o.CS); err != nil {
		return err
	}
	if err := addUp(&all.Test, test, o.CS); err != nil {
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
	records, err := recordsOf(ctx, base)
	if err != nil {
		return err
	}
	read := records.Reader()
	for f, err := range test.Functions() {
		if err != nil {
			return err
		}
		key := records.keyOf(f)
		number, ok := records.numbers[key]
		switch {
		case ok:
		case !records.named[key.name]:
			all.Unmatched(f)
			continue
		default:
			all.Mismatched(f)
			if analyze.SumsOf(f).Edge >= 1 {
				records.numbers[key] = nothing // LLVM looks for it so that it is there from now on
			}
			continue
		}
		same := &instrprof.Function{}
		if number != nothing {
			same = read(number)
		}
		r := all.Compare(same, f)
		cutoff := o.ValueCutoff
		if o.Function != "" && bytes.Contains(f.Name, []byte(o.Function)) {
			cutoff = 0
		}
		if r.Scored && slices.Max(f.Counters) >= cutoff {
			fmt.Fprintf(b, "Function level:\n  Function: %s (Hash=%d)\n", f.Name, f.FuncHash)
			dump(b, "edge counters", &analyze.Overlap{Base: r.Base, Test: r.Test, Overlap: r.Overlap})
		}
	}
	fmt.Fprintf(b, "Profile overlap information for base_profile: %s and test_profile: %s\nProgram level:\n", baseName,
		testName)
	dump(b, "functions", &all)
	return b.Flush()
}

// addUp adds up the records that are, or are not, context-sensitive.
func addUp(sums *analyze.CountSums, src instrprof.Source, cs bool) error {
	v := src.Info().Variant
	for f, err := range src.Functions() {
		if err != nil {
			return err
		}
		if !v.Has(instrprof.IRProf) || f.IsCS(v) == cs {
			sums.AddRecord(analyze.SumsOf(f))
		}
	}
	return nil
}

// records are those of a merged profile, with their numbers.
type records struct {
	sums.Records
	seed    maphash.Seed
	numbers map[recordKey]uint32
	named   map[uint64]bool // hashes of names
}

// recordKey is a hash of a name, and a FuncHash.
type recordKey struct{ name, hash uint64 }

func (r *records) keyOf(f *instrprof.Function) recordKey {
	return recordKey{maphash.Bytes(r.seed, f.Name), f.FuncHash}
}

// nothing is the number of no record.
const nothing = math.MaxUint32

func recordsOf(ctx context.Context, src instrprof.Source) (*records, error) {
	merged, err := sums.Of(ctx, src)
	if err != nil {
		return nil, err
	}
	r := &records{merged, maphash.MakeSeed(), map[recordKey]uint32{}, map[uint64]bool{}}
	n := uint32(0)
	for f, err := range merged.Functions() {
		if err != nil {
			return nil, err
		}
		key := r.keyOf(f)
		r.numbers[key], r.named[key.name] = n, true
		n++
	}
	return r, nil
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
