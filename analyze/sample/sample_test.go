package sample_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
)

const testdata = "../../decode/sampleprof/testdata/"

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func open(t *testing.T, name string) *sampleprof.Profile {
	t.Helper()
	p, err := sampleprof.Open([]byte(read(t, name)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// goldens are the files that have a golden file of a kind beside them.
func goldens(t *testing.T, kind string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(testdata, func(path string, _ fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(path, "."+kind+".golden"); ok {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(name), testdata))
		}
		return err
	})
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	return list
}

// TestSummary prints summaries as the tools of two generations do.
func TestSummary(t *testing.T) {
	for _, name := range goldens(t, "summary") {
		want := strings.TrimSpace(read(t, name+".summary.golden"))
		p := open(t, name)
		s := sample.Summary(p)
		print := func(old bool) string {
			var b strings.Builder
			third := "Maximum internal block count: 0"
			if old {
				third = fmt.Sprint("Maximum block count: ", s.MaxCount)
			}
			fmt.Fprintf(&b, "Total functions: %d\nMaximum function count: %d\n%s\nTotal number of blocks: %d\nTotal count: "+
				"%d\nDetailed summary:\n",
				s.Functions, s.MaxFunction, third, s.Counts, s.Total)
			for _, e := range s.Entries {
				share := fmt.Sprintf("%.6g", float64(e.Cutoff)/10000)
				if old {
					fmt.Fprintf(&b, "%d blocks with count >= %d account for %s percentage of the total counts.\n", e.Counts,
						e.MinCount, share)
				} else {
					fmt.Fprintf(&b, "%d blocks (%.2f%%) with count >= %d account for %s%% of the total counts.\n", e.Counts,
						100*float64(e.Counts)/float64(max(s.Counts, 1)), e.MinCount, share)
				}
			}
			return strings.TrimSpace(b.String())
		}
		got := print(strings.Contains(want, "percentage"))
		if s.Counts == 0 {
			continue // the tool divides by nothing
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if p.Summary != nil && name != "llvm-13/contexts_md5.ext.afdo" { // whose contexts are lost
			if diff := cmp.Diff(p.Summary, sample.Summarise(p)); diff != "" {
				t.Errorf("%s, computed anew:\n%s", name, diff)
			}
		}
	}
}

// TestHot compares lists of hot functions, whose order of equal totals is open.
func TestHot(t *testing.T) {
	for _, name := range goldens(t, "hot") {
		p := open(t, name)
		h := sample.Hot(p)
		share := func(n uint64) string { return fmt.Sprintf("%.2f%%", 100*float64(n)/float64(h.Samples)) }
		got := []string{
			fmt.Sprintf("%d out of %d functions with profile (%.2f%%) are considered hot functions (max sample >= %d).",
				len(h.Rows), h.Functions, 100*float64(len(h.Rows))/float64(h.Functions), h.Threshold),
			fmt.Sprintf("%d out of %d profile counts (%s) are from hot functions.", h.HotSamples, h.Samples,
				share(h.HotSamples)),
		}
		for _, r := range h.Rows {
			got = append(got, strings.Join(strings.Fields(fmt.Sprintf("%d (%s) %d %d %s", r.Total, share(r.Total), r.Max,
				r.Entry, p.ContextText(r.Function))), " "))
		}
		var want []string
		for line := range strings.Lines(read(t, name+".hot.golden")) {
			if line = strings.Join(strings.Fields(line), " "); line != "" && !strings.HasPrefix(line, "Total sample") {
				want = append(want, line)
			}
		}
		if h.Functions == 0 {
			continue
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestOverlap compares profiles as the tool did.
func TestOverlap(t *testing.T) {
	for name, with := range map[string]string{
		"text/nested.afdotext": "text/twice.afdotext", "llvm-22/line.afdotext": "llvm-19/line.afdotext",
		"llvm-22/line.ext.afdo": "llvm-22/weighted.afdo", "llvm-22/contexts.ext.afdo": "llvm-14/contexts.ext.afdo",
	} {
		want := read(t, name+".overlap.golden")
		_, want, _ = strings.Cut(want, "\n")
		base, test := open(t, name), open(t, with)
		o, err := sample.OverlapOf(t.Context(), sample.SideOf(base), sample.SideOf(test))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		percent := func(x float64) string { return fmt.Sprintf("%.3f%%", 100*x) }
		fmt.Fprintf(&b, "Program level:\n  Whole program profile similarity: %s\n  Whole program sample overlap: %s\n",
			percent(o.Similarity), percent(o.Samples))
		fmt.Fprintf(&b, "    percentage of samples unique in base profile: %s\n    percentage of samples unique in test "+
			"profile: %s\n", percent(o.UniqueBase), percent(o.UniqueTest))
		fmt.Fprintf(&b, "    total samples in base profile: %d\n    total samples in test profile: %d\n", o.SumBase,
			o.SumTest)
		for _, s := range []struct {
			name, things string
			sets         sample.Sets
		}{
			{"Function", "functions", o.Functions}, {"Hot-function", "hot functions", o.HotFunctions},
			{"Hot-block", "hot blocks", o.HotBlocks},
		} {
			fmt.Fprintf(&b, "  %s overlap: %s\n    overlap %s: %d\n    %s unique in base profile: %d\n    %s unique in test "+
				"profile: %d\n",
				s.name, percent(s.sets.Overlap()), s.things, s.sets.Common, s.things, s.sets.Base, s.things, s.sets.Test)
		}
		want, rows, detailed := strings.Cut(want, "Function-level details:\n")
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if !detailed {
			continue
		}
		var got, listed []string
		for _, m := range o.Details {
			if m.MaxTest >= 100 {
				got = append(got, fmt.Sprintf("%.2f%% %.2f%% %.2f%% %.2f%% %.2f%% %.2f%% %d %d %s", 100*m.WeightBase,
					100*m.WeightTest, 100*m.Similarity, 100*m.Samples,
					100*m.UniqueBase, 100*m.UniqueTest, m.SumBase, m.SumTest, base.ContextText(base.Functions[m.Base])))
			}
		}
		for line := range strings.Lines(rows) {
			if !strings.HasPrefix(line, "Base weight") {
				listed = append(listed, strings.Join(strings.Fields(line), " "))
			}
		}
		if diff := cmp.Diff(listed, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
