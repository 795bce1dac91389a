package llvmprofdata

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
)

// SampleOverlapOptions are those of llvm-profdata overlap --sample: which functions are
// shown one by one.
type SampleOverlapOptions struct {
	Function         string // whose names contain it
	ValueCutoff      uint64 // with a count of this, or more, in the test profile
	SimilarityCutoff uint64 // alike by less, in parts per million
}

// overlapColumns are where the cells of functions begin.
var overlapColumns = []int{0, 15, 30, 43, 53, 67, 81, 96, 111}

// SampleOverlap prints how alike two sample profiles are (sampleprof.md §10.5). Errors are
// those of [sample.OverlapOf], and the writer's.
func SampleOverlap(ctx context.Context, w io.Writer, baseName, testName string, base, test *sampleprof.Profile,
	o SampleOverlapOptions) error {
	baseSide, testSide := sample.SideOf(base), sample.SideOf(test)
	all, err := sample.OverlapOf(ctx, baseSide, testSide)
	if err != nil {
		return err
	}
	rank := make(map[*sampleprof.Function]int, len(test.Functions))
	for i, f := range test.Table().Functions() {
		rank[f] = i
	}
	slices.SortFunc(all.Details, func(a, b sample.FunctionOverlap) int {
		return cmp.Or(cmp.Compare(b.WeightBase, a.WeightBase), rank[test.Functions[a.Test]]-rank[test.Functions[b.Test]])
	})
	b := bufio.NewWriter(w)
	for _, side := range []struct {
		name string
		sum  uint64
	}{{baseName, all.SumBase}, {testName, all.SumTest}} {
		if side.sum == 0 {
			fmt.Fprintf(b, "Sum of sample counts for profile %s is 0.\n", side.name)
		}
	}
	if all.SumBase == 0 || all.SumTest == 0 {
		return b.Flush()
	}
	percent := func(label string, share float64) { fmt.Fprintf(b, "%s: %.3f%%\n", label, share*100) }
	fmt.Fprintf(b, "Profile overlap information for base_profile: %s and test_profile: %s\nProgram level:\n", baseName,
		testName)
	percent("  Whole program profile similarity", all.Similarity)
	percent("  Whole program sample overlap", all.Samples)
	percent("    percentage of samples unique in base profile", all.UniqueBase)
	percent("    percentage of samples unique in test profile", all.UniqueTest)
	fmt.Fprintf(b, "    total samples in base profile: %d\n    total samples in test profile: %d\n", all.SumBase,
		all.SumTest)
	sets := func(label, noun string, s sample.Sets) {
		percent("  "+label+" overlap", s.Overlap())
		fmt.Fprintf(b, "    overlap %s: %d\n    %[1]s unique in base profile: %[3]d\n"+
			"    %[1]s unique in test profile: %[4]d\n", noun, s.Common, s.Base, s.Test)
	}
	sets("Function", "functions", all.Functions)
	sets("Hot-function", "hot functions", all.HotFunctions)
	sets("Hot-block", "hot blocks", all.HotBlocks)
	headed := false
	for i := range all.Details {
		f := &all.Details[i]
		name := test.ContextText(test.Functions[f.Test])
		if f.MaxTest < o.ValueCutoff && (f.Base < 0 || (o.Function == "" || !strings.Contains(name, o.Function)) &&
			f.Similarity*1e6 >= float64(o.SimilarityCutoff)) {
			continue
		}
		if !headed {
			b.WriteString("Function-level details:\n")
			columns(b, overlapColumns, "Base weight", "Test weight", "Similarity", "Overlap", "Base unique", "Test unique",
				"Base samples", "Test samples", "Function name")
			headed = true
		}
		var cells []string
		for _, share := range []float64{f.WeightBase, f.WeightTest, f.Similarity, f.Samples, f.UniqueBase, f.UniqueTest} {
			cells = append(cells, fmt.Sprintf("%.2f%%", share*100))
		}
		columns(b, overlapColumns, append(cells, fmt.Sprint(f.SumBase), fmt.Sprint(f.SumTest), name)...)
	}
	return b.Flush()
}
