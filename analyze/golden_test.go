package analyze_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/decode/instrprof"
)

// TestSummaryOfRealFiles recomputes the summaries of indexed profiles: they are
// what llvm-profdata stored in the file, and what its "show --detailed-summary"
// prints (instrprof.md §6.3).
//
// The two differ for front-end profiles: whoever wrote the file took the bit of
// context-sensitive records for what it is in IR profiles, and left every record
// out of the stored summary whose hash happens to have it.
func TestSummaryOfRealFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.profdata")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src, err := instrprof.OpenIndexed(data, nil)
			if err != nil {
				t.Fatal(err)
			}
			plain, _ := summaries(t, src, func(f *instrprof.Function) bool { return f.IsCS(src.Info().Variant) })
			info := src.Info()
			unflagged, flagged := summaries(t, src, func(f *instrprof.Function) bool {
				return f.FuncHash&instrprof.CSFlagInFuncHash != 0
			})
			if diff := cmp.Diff(info.Summary, unflagged.Summary()); diff != "" {
				t.Errorf("summary (-stored +computed):\n%s", diff)
			}
			if info.CSSummary != nil {
				if diff := cmp.Diff(info.CSSummary, flagged.Summary()); diff != "" {
					t.Errorf("context-sensitive summary (-stored +computed):\n%s", diff)
				}
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".profdata") + ".summary.txt")
			if err != nil {
				t.Fatal(err)
			}
			// The first line is about the file's kind.
			_, numbers, _ := strings.Cut(string(want), "\n")
			if diff := cmp.Diff(numbers, show(plain.Summary())); diff != "" {
				t.Errorf("as shown (-llvm-profdata +ours):\n%s", diff)
			}
		})
	}
}

// summaries keeps plain and context-sensitive records apart.
func summaries(t *testing.T, src instrprof.Source, isCS func(*instrprof.Function) bool) (plain, cs analyze.Summarizer) {
	t.Helper()
	for f, err := range src.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		if isCS(f) {
			cs.Add(f)
		} else {
			plain.Add(f)
		}
	}
	return plain, cs
}

// show prints a summary as "llvm-profdata show --detailed-summary" does.
func show(s *instrprof.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Total functions: %d\nMaximum function count: %d\nMaximum internal block count: %d\n"+
		"Total number of blocks: %d\nTotal count: %d\nDetailed summary:\n",
		s.NumFunctions, s.MaxFunctionCount, s.MaxInternalCount, s.NumCounts, s.TotalCount)
	for _, e := range s.Detailed {
		fmt.Fprintf(&b, "%d blocks (%.2f%%) with count >= %d account for %s%% of the total counts.\n",
			e.NumCounts, float64(e.NumCounts)*100/float64(s.NumCounts), e.MinCount,
			strconv.FormatFloat(float64(e.Cutoff)/10000, 'f', -1, 64))
	}
	return b.String()
}
