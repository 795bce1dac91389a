package llvmprofdata

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
)

// OverlapOptions are those of llvm-profdata overlap for instrumentation profiles.
type OverlapOptions struct {
	CS          bool   // of context-sensitive records
	Function    string // functions whose names contain it are shown one by one
	ValueCutoff uint64 // also those with a counter of this, or more
}

// Overlap prints how alike two profiles are (instrprof.md §6.4). base is merged: each of
// its records stands once. Errors are those of the sources, and the writer's.
func Overlap(w io.Writer, baseName, testName string, base, test instrprof.Source, o OverlapOptions) error {
	b := bufio.NewWriterSize(w, 1<<16)
	var all analyze.Overlap
	records, err := recordsOf(base, &all.Base, o.CS)
	if err != nil {
		return err
	}
	if _, err = sumOf(test, o.CS, func(s analyze.CountSums) { all.Test.AddRecord(s) }); err != nil {
		return err
	}
	for _, side := range []struct {
		name string
		sums analyze.CountSums
	}{{baseName, all.Base}, {testName, all.Test}} {
		if side.sums.Edge < 1 {
			fmt.Fprintf(b, "Sum of edge counts for profile %s is 0.\n", side.name)
			return b.Flush()
		}
	}
	for f, err := range test.Functions() {
		if err != nil {
			return err
		}
		found := records[string(f.Name)]
		if found == nil {
			all.Unmatched(f)
			continue
		}
		same, ok := found[f.FuncHash]
		if !ok {
			all.Mismatched(f)
			if analyze.SumsOf(f).Edge >= 1 {
				found[f.FuncHash] = &instrprof.Function{} // LLVM looks for it so that it is there from now on
			}
			continue
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

// sumOf adds up the records that are, or are not, context-sensitive.
func sumOf(src instrprof.Source, cs bool, add func(analyze.CountSums)) (instrprof.Source, error) {
	v := src.Info().Variant
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		if !v.Has(instrprof.IRProf) || f.IsCS(v) == cs {
			add(analyze.SumsOf(f))
		}
	}
	return src, nil
}

// recordsOf holds the records of a profile, and adds them up.
func recordsOf(src instrprof.Source, sums *analyze.CountSums, cs bool) (map[string]map[uint64]*instrprof.Function, error) {
	if _, err := sumOf(src, cs, func(s analyze.CountSums) { sums.AddRecord(s) }); err != nil {
		return nil, err
	}
	records := map[string]map[uint64]*instrprof.Function{}
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		name := string(f.Name)
		if records[name] == nil {
			records[name] = map[uint64]*instrprof.Function{}
		}
		kept := &instrprof.Function{FuncHash: f.FuncHash, Counters: slices.Clone(f.Counters)}
		for kind, sites := range f.Sites {
			for _, site := range sites {
				kept.Sites[kind] = append(kept.Sites[kind], slices.Clone(site))
			}
		}
		records[name][f.FuncHash] = kept
	}
	return records, nil
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
