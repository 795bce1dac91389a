package instrprof_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/encode"
)

func mergeText(t testing.TB, texts ...string) *sums.Merged {
	t.Helper()
	m := sums.NewMerger()
	for i, text := range texts {
		if err := m.Add(context.Background(), fmt.Sprint(i), openText(t, text), 1); err != nil {
			t.Fatal(err)
		}
	}
	return m.Source()
}

// TestMergeGolden compares merges with those of llvm-profdata; see the README
// in testdata/merge.
func TestMergeGolden(t *testing.T) {
	cases, err := os.ReadFile("testdata/merge/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(cases)) {
		fields := strings.Fields(line)
		t.Run(fields[0], func(t *testing.T) {
			m := sums.NewMerger()
			for _, input := range fields[1:] {
				weight, name, _ := strings.Cut(input, ",")
				w, err := strconv.ParseUint(weight, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				data, err := os.ReadFile("testdata/merge/" + name + ".proftext")
				if err != nil {
					t.Fatal(err)
				}
				if err := m.Add(context.Background(), name, openText(t, string(data)), w); err != nil {
					t.Fatal(err)
				}
			}
			compareGolden(t, "testdata/merge/"+fields[0]+".golden", proftext(t, m.Source()))
		})
	}
}

func TestMergeFindings(t *testing.T) {
	a := "c\n1\n1\n1\nb\n1\n1\n1\n$1\n1\ns\n1\n1\n1\n1\n0\n1\n0\no\n1\n1\n18446744073709551615\n"
	b := "c\n1\n2\n1\n1\nb\n1\n1\n1\n$2\n1\n1\ns\n1\n1\n1\n$0\n1\n0\n2\n0\n0\no\n1\n1\n3\nc\n1\n3\n1\n1\n1\n"
	type warning struct {
		code, file string
		count      uint64
	}
	var got []warning
	for _, f := range mergeText(t, a, strings.Replace(b, "18446744073709551615", "9", 1)).Findings() {
		got = append(got, warning{f.Code, f.File, f.Count})
	}
	want := []warning{
		{"merge.count_mismatch", "1", 3}, // c twice, and o: one side is a pseudo count
		{"merge.bitmap_mismatch", "1", 1},
		{"merge.value_site_count_mismatch", "1", 1},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(warning{})); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	over := mergeText(t, "o\n1\n2\n1\n18446744073709551613\n", "o\n1\n2\n1\n1\n").Findings()
	if len(over) != 1 || over[0].Code != "merge.counter_overflow" || over[0].Count != 1 {
		t.Errorf("findings %+v, want one counter_overflow", over)
	}
}

func TestMergeKinds(t *testing.T) {
	ir, fe, plain := ":ir\nf\n1\n1\n1\n", ":fe\nf\n1\n1\n1\n", "f\n1\n1\n1\n"
	entryOnly := &variantSource{variant: instrprof.IRProf | instrprof.FunctionEntryOnly}
	entryFirst := &variantSource{variant: instrprof.IRProf | instrprof.InstrEntry}
	for _, test := range []struct {
		name    string
		first   instrprof.Source
		second  instrprof.Source
		refused bool
	}{
		{"IR then :fe", openText(t, ir), openText(t, fe), true},
		{":fe then IR", openText(t, fe), openText(t, ir), true},
		{":fe then unknown", openText(t, fe), openText(t, plain), true},
		{"unknown then :fe", openText(t, plain), openText(t, fe), false},
		{"unknown then IR", openText(t, plain), openText(t, ir), false},
		{":fe twice", openText(t, fe), openText(t, fe), false},
		{"entries only, then blocks", entryOnly, entryFirst, true},
		{"blocks, then entries only", entryFirst, entryOnly, true},
		{"entries only twice", entryOnly, entryOnly, false},
	} {
		m := sums.NewMerger()
		if err := m.Add(context.Background(), "first", test.first, 1); err != nil {
			t.Fatal(err)
		}
		before := proftext(t, m.Source())
		err := m.Add(context.Background(), "second", test.second, 1)
		if test.refused != (model.KindOf(err) == model.KindUnsupportedVersion) {
			t.Errorf("%s: %v, want refused %v", test.name, err, test.refused)
		}
		if test.refused && string(before) != string(proftext(t, m.Source())) {
			t.Errorf("%s: the refused input changed the profile", test.name)
		}
	}
	mixed := mergeText(t, plain, ir).Findings()
	if len(mixed) != 1 || mixed[0].Code != "merge.mixed_kinds" {
		t.Errorf("front end and IR in one: findings %+v, want a warning", mixed)
	}
}

// variantSource has a variant and no records.
type variantSource struct {
	instrprof.Empty
	variant instrprof.Variant
}

func (s *variantSource) Info() *instrprof.Info {
	return &instrprof.Info{Info: model.Info{Format: instrprof.FormatIndexed}, Variant: s.variant}
}

func TestMergeInfo(t *testing.T) {
	built := builtSample(13)
	x, err := instrprof.OpenIndexed(built.bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := sums.NewMerger()
	add := func(weight uint64) {
		if err := m.Add(context.Background(), "x", x, weight); err != nil {
			t.Fatal(err)
		}
	}
	add(0)
	if one := m.Source().Info(); one.Summary == nil || one.Version != 13 || one.Records != 4 {
		t.Errorf("of one input: %+v", one)
	}
	for f := range m.Source().Functions() {
		if f.Offset == 0 || f.Size == 0 {
			t.Errorf("%s of one input has lost its place in the file", f.Name)
		}
	}
	add(2)
	two := m.Source().Info()
	if two.Summary != nil || two.CSSummary != nil || len(two.BinaryIDs) != 1 || len(two.VTableNames) != 2 ||
		two.Records != 4 || two.Profiles != 2 || two.TraceStreamSize != 10 || two.Variant != built.flags {
		t.Errorf("of two inputs: %+v", two)
	}
	var order []string
	for f := range m.Source().Functions() {
		order = append(order, fmt.Sprint(string(f.Name), f.FuncHash, f.Counters))
		if f.Offset != 0 || f.Size != 0 {
			t.Errorf("%s of two inputs has a place in one of them", f.Name)
		}
	}
	want := []string{
		"main11 [9 0 18446744073709551613]", "main12 [27]", "dir/a.c;leaf1152921504606846976 [15]", "_ZN3foo3barEv7 [0 0]",
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("records in first-seen order (-want +got):\n%s", diff)
	}
}

// TestMergeNameless keeps records apart whose names the file does not have.
func TestMergeNameless(t *testing.T) {
	m := sums.NewMerger()
	src := &functionSource{functions: []instrprof.Function{
		{NameRef: 1, FuncHash: 5, Counters: []uint64{1}}, {NameRef: 2, FuncHash: 5, Counters: []uint64{2}},
		{NameRef: 1, FuncHash: 5, Counters: []uint64{3}},
	}}
	if err := m.Add(context.Background(), "x", src, 1); err != nil {
		t.Fatal(err)
	}
	var got []string
	for f := range m.Source().Functions() {
		got = append(got, fmt.Sprint(f.NameRef, f.Counters))
	}
	if diff := cmp.Diff([]string{"1 [4]", "2 [2]"}, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

type functionSource struct {
	variantSource
	functions []instrprof.Function
}

func (s *functionSource) Functions() iter.Seq2[*instrprof.Function, error] {
	return func(yield func(*instrprof.Function, error) bool) {
		for i := range s.functions {
			if !yield(&s.functions[i], nil) {
				return
			}
		}
	}
}

func TestMergeStops(t *testing.T) {
	m := sums.NewMerger()
	if err := m.Add(context.Background(), "x", openText(t, "f\n1\n1\n1\ng\n"),
		1); model.KindOf(err) != model.KindTruncated {
		t.Errorf("error %v, want the source's", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := m.Add(ctx, "x", openText(t, strings.Repeat("f\n1\n1\n1\n", 10000)), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

// TestProftextWriterError wants the writer's error.
func TestProftextWriterError(t *testing.T) {
	full := errors.New("disk full")
	if err := encode.Proftext(failingWriter{full}, openText(t, "f\n1\n1\n1\n")); !errors.Is(err, full) {
		t.Errorf("error %v, want the writer's", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
