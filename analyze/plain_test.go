package analyze_test

import (
	"context"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/mip"
)

// filled has another number in each of its fields, sums and arrays among them.
func filled[T any](from uint64) (v T) {
	eachNumber(reflect.ValueOf(&v).Elem(), func(uint64) uint64 { from++; return from })
	return v
}

// times is a struct with each number of another so many times.
func times[T any](of T, n uint64) T {
	eachNumber(reflect.ValueOf(&of).Elem(), func(was uint64) uint64 { return was * n })
	return of
}

// eachNumber changes the numbers of a struct; those with a fraction are whole here.
func eachNumber(v reflect.Value, change func(uint64) uint64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachNumber(v.Field(i), change)
		}
	case reflect.Array:
		for i := range v.Len() {
			eachNumber(v.Index(i), change)
		}
	case reflect.Float64:
		v.SetFloat(float64(change(uint64(v.Float()))))
	default:
		v.SetUint(change(v.Uint()))
	}
}

// What adds up adds each of its figures, and takes each away again.
func TestTotalsAddEveryFigure(t *testing.T) {
	one := filled[analyze.MIPTotals](10)
	sum := one
	sum.Add(&one)
	if sum != times(one, 2) {
		t.Errorf("twice %+v is %+v", one, sum)
	}
	if sum.Sub(&one); sum != one {
		t.Errorf("once %+v is %+v", one, sum)
	}
	heap := filled[analyze.MemProfTotals](10)
	heaps := heap
	heaps.AddTotals(&heap)
	if heaps != times(heap, 2) {
		t.Errorf("twice %+v is %+v", heap, heaps)
	}
	if heaps.Sub(&heap); heaps != heap {
		t.Errorf("once %+v is %+v", heap, heaps)
	}
	counts := filled[analyze.CountSums](10)
	all := counts
	all.Add(counts)
	if all != times(counts, 2) {
		t.Errorf("twice %+v is %+v", counts, all)
	}
	all.AddRecord(counts)
	want := times(counts, 3)
	if want.Entries = 2*counts.Entries + 1; all != want {
		t.Errorf("a record more is %+v, not %+v", all, want)
	}
	histogram := filled[analyze.Histogram](10)
	histograms := histogram
	histograms.AddAll(&histogram)
	if histograms != times(histogram, 2) {
		t.Errorf("twice %v is %v", histogram, histograms)
	}
	part := analyze.Overlap{Overlap: counts, Mismatch: times(counts, 2), Unique: times(counts, 3)}
	whole := part
	whole.Add(&part)
	if whole.Overlap != times(counts, 2) || whole.Mismatch != times(counts, 4) || whole.Unique != times(counts, 6) {
		t.Errorf("twice %+v is %+v", part, whole)
	}
	f := &mip.Function{Size: 40, MergeCount: 2, CallCount: 9}
	blocks := analyze.MIPBlocks{Blocks: 3, Covered: 2, CoveredBytes: 25}
	var of analyze.MIPTotals
	of.AddFunction(f, &blocks, true)
	of.AddFunction(&mip.Function{Size: 5}, &analyze.MIPBlocks{Blocks: 1}, false)
	if of != (analyze.MIPTotals{
		Functions: 2, Executed: 1, Bytes: 45, ExecutedBytes: 40, CoveredBytes: 25, Blocks: 4, CoveredBlocks: 2,
		Calls: analyze.Sum{Lo: 9},
	}) {
		t.Errorf("two functions come to %+v", of)
	}
}

// Sums are those of whole numbers of any size.
func TestSumsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	whole := func(s analyze.Sum) *big.Int {
		n := new(big.Int).Lsh(new(big.Int).SetUint64(s.Hi), 64)
		return n.Add(n, new(big.Int).SetUint64(s.Lo))
	}
	for range 500 {
		a := analyze.Sum{Hi: r.Uint64() >> (1 + r.IntN(63)), Lo: r.Uint64() | uint64(r.IntN(2))<<63}
		b := analyze.Sum{Hi: r.Uint64() >> (1 + r.IntN(63)), Lo: r.Uint64()}
		sum := a
		if sum.AddSum(b); whole(sum).Cmp(new(big.Int).Add(whole(a), whole(b))) != 0 {
			t.Fatalf("%v and %v are %v", a, b, sum)
		}
		if sum.Sub(b); sum != a {
			t.Fatalf("%v is left of %v", sum, a)
		}
		if a.Compare(b) != whole(a).Cmp(whole(b)) || a.String() != whole(a).String() {
			t.Fatalf("%v stands wrongly to %v", a, b)
		}
		if want := whole(a); want.IsUint64() && a.Saturated() != want.Uint64() || !want.IsUint64() &&
			a.Saturated() != math.MaxUint64 {
			t.Fatalf("%v is at most %d", a, a.Saturated())
		}
	}
}

// The summary of records that were counted apart is that of all together.
func TestSummariesAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for round := range 8 {
		var whole analyze.Summarizer
		parts := make([]analyze.Summarizer, 3)
		for range round * 40 {
			counters := make([]uint64, r.IntN(9))
			for i := range counters {
				counters[i] = r.Uint64() >> r.IntN(64)
			}
			whole.AddCounters(counters)
			parts[r.IntN(len(parts))].AddCounters(counters)
		}
		var sum analyze.Summarizer
		for i := range parts {
			sum.AddAll(&parts[i])
		}
		if !reflect.DeepEqual(sum.Summary(), whole.Summary()) || sum.Total() != whole.Total() {
			t.Errorf("%+v, not %+v", sum.Summary(), whole.Summary())
		}
	}
}

// Thresholds are read at the first cutoff that reaches theirs.
func TestThresholdsOfCutoffs(t *testing.T) {
	at := func(cutoffs ...uint64) *instrprof.Summary {
		s := &instrprof.Summary{}
		for _, c := range cutoffs {
			s.Detailed = append(s.Detailed, instrprof.SummaryEntry{Cutoff: c, MinCount: 2_000_000 - c, NumCounts: c})
		}
		return s
	}
	for _, test := range []struct{ cutoffs, want []uint64 }{
		{[]uint64{989_999, 990_000, 999_998, 999_999}, []uint64{990_000, 999_999}},
		{[]uint64{990_001, 1_000_000}, []uint64{990_001, 1_000_000}}, {[]uint64{989_999}, nil}, {[]uint64{999_998},
			[]uint64{999_998, 0}},
	} {
		want := analyze.Thresholds{}
		if len(test.want) > 0 {
			want.Hot, want.NumHot = 2_000_000-test.want[0], test.want[0]
			if test.want[1] > 0 {
				want.Cold = 2_000_000 - test.want[1]
			}
		}
		if got := analyze.ThresholdsOf(at(test.cutoffs...)); got != want {
			t.Errorf("%v: %+v, not %+v", test.cutoffs, got, want)
		}
	}
}

// Lists are paired as one would by hand: what is alike to the last detail first, in the order of both.
func TestPairsOfAnyLists(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	list := func() []analyze.Keyed {
		l := make([]analyze.Keyed, r.IntN(9))
		for i := range l {
			l[i] = analyze.Keyed{Key: r.Uint64N(4), Fine: r.Uint64N(3)}
		}
		return l
	}
	for range 400 {
		a, b := list(), list()
		taken := make([]bool, len(b))
		var want []analyze.Paired
		for i := range a {
			want = append(want, analyze.Paired{A: i, B: -1})
		}
		for _, same := range []func(x, y analyze.Keyed) bool{
			func(x, y analyze.Keyed) bool { return x == y }, func(x, y analyze.Keyed) bool { return x.Key == y.Key },
		} {
			for i := range a {
				for j := range b {
					if want[i].B < 0 && !taken[j] && same(a[i], b[j]) {
						want[i].B, taken[j] = j, true
					}
				}
			}
		}
		for j := range b {
			if !taken[j] {
				want = append(want, analyze.Paired{A: -1, B: j})
			}
		}
		if got := analyze.Pair(a, b); !slices.Equal(got, want) {
			t.Fatalf("%v and %v: %v, not %v", a, b, got, want)
		}
	}
	for range 200 {
		places := r.Perm(r.IntN(9))
		kept := analyze.KeptOrder(places)
		var left []int
		for i, yes := range kept {
			if yes {
				left = append(left, places[i])
			}
		}
		longest := 0
		for set := range 1 << len(places) {
			var some []int
			for i, p := range places {
				if set>>i&1 != 0 {
					some = append(some, p)
				}
			}
			if slices.IsSorted(some) {
				longest = max(longest, len(some))
			}
		}
		if !slices.IsSorted(left) || len(left) != longest {
			t.Fatalf("%v keep their order in %v; %d could", left, places, longest)
		}
	}
}

// The order of functions at startup is what llvm-profdata prints.
func TestPageOrderOfTraces(t *testing.T) {
	data, err := os.ReadFile("testdata/order.proftext")
	if err != nil {
		t.Fatal(err)
	}
	src, err := instrprof.OpenText(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[uint64]string{}
	for f, err := range src.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		names[f.NameRef] = string(f.Name)
	}
	var traces []instrprof.Trace
	for trace, err := range src.Traces() {
		if err != nil {
			t.Fatal(err)
		}
		trace.NameRefs = slices.Clone(trace.NameRefs)
		traces = append(traces, trace)
	}
	var got []string
	for _, ref := range analyze.PageOrder(traces) {
		got = append(got, names[ref])
	}
	golden, err := os.ReadFile("testdata/order.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(golden)) {
		if !strings.HasPrefix(line, "#") {
			want = append(want, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v\nnot %v", got, want)
	}
}

// inputs is a profile of records.
type inputs struct {
	instrprof.Source
	list []*instrprof.Function
}

func (s *inputs) Functions() iter.Seq2[*instrprof.Function, error] {
	return func(yield func(*instrprof.Function, error) bool) {
		for _, f := range s.list {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// What an input has in a sum is what is gone without it, and its overlap is with all the others.
func TestContributionsOfInputs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	const functions, counters = 12, 4
	files := make([]*inputs, 3)
	weights := []uint64{1, 3, 2}
	m := sums.NewMerger()
	count := make([][functions][counters]uint64, len(files)) // times the weight
	for i := range files {
		files[i] = &inputs{Source: instrprof.NoRecords(&instrprof.Info{})}
		for n := range functions {
			f := &instrprof.Function{Name: []byte{'f', byte('a' + n)}, FuncHash: 1, Counters: make([]uint64, counters)}
			f.NameRef = instrprof.NameRef(f.Name)
			for c := range f.Counters {
				if r.IntN(3) == 0 {
					f.Counters[c] = r.Uint64N(50)
				}
				count[i][n][c] = f.Counters[c] * weights[i]
			}
			files[i].list = append(files[i].list, f)
		}
		if err := m.Add(t.Context(), "f", files[i], weights[i]); err != nil {
			t.Fatal(err)
		}
	}
	of := analyze.NewContributions(m.Source())
	for i := range files {
		var want analyze.Contribution
		var own, others float64
		for n := range functions {
			ran, shared := false, false
			for c := range counters {
				rest := uint64(0)
				for j := range files {
					if j != i {
						rest += count[j][n][c]
					}
				}
				own, others = own+float64(count[i][n][c]), others+float64(rest)
				if shared = shared || rest > 0; count[i][n][c] == 0 {
					continue
				}
				ran = true
				want.Count.Add(count[i][n][c])
				if want.Counters++; rest == 0 {
					want.OnlyCounters++
				}
			}
			if ran {
				if want.Functions++; !shared {
					want.OnlyFunctions++
				}
			}
		}
		for n := range functions {
			for c := range counters {
				rest := 0.0
				for j := range files {
					if j != i {
						rest += float64(count[j][n][c])
					}
				}
				want.Overlap += min(float64(count[i][n][c])/own, rest/others)
			}
		}
		want.Compared = true
		got, err := of.Of(context.Background(), files[i], weights[i])
		if err != nil || math.Abs(got.Overlap-want.Overlap) > 1e-12 {
			t.Errorf("input %d overlaps by %f, not %f; %v", i, got.Overlap, want.Overlap, err)
		}
		if got.Overlap = want.Overlap; got != want {
			t.Errorf("input %d has %+v, not %+v", i, got, want)
		}
	}
	alone := sums.NewMerger()
	if err := alone.Add(t.Context(), "f", files[0], 1); err != nil {
		t.Fatal(err)
	}
	if got, err := analyze.NewContributions(alone.Source()).Of(t.Context(), files[0], 0); err != nil || got.Compared ||
		got.Overlap != 0 || got.Functions != got.OnlyFunctions || got.Counters != got.OnlyCounters {
		t.Errorf("alone it has %+v, %v", got, err)
	}
}

// The spread of few values fits on paper.
func TestSpreadOnPaper(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   analyze.Spread
	}{
		{nil, analyze.Spread{}},
		{[]float64{0, 0}, analyze.Spread{}},
		{[]float64{5}, analyze.Spread{Sum: 5, Sets: 1, Mean: 5, Min: 5, Max: 5}},
		{[]float64{1, 3, 0}, analyze.Spread{Sum: 4, Sets: 2, Mean: 4.0 / 3, Deviation: math.Sqrt(7.0 / 3), Max: 3,
			Range: 3, Share: 0.75}},
	} {
		got := analyze.SpreadOf(test.values)
		if math.Abs(got.Deviation-test.want.Deviation) > 1e-12 {
			t.Errorf("%v deviate by %f", test.values, got.Deviation)
		}
		if got.Deviation = test.want.Deviation; got != test.want {
			t.Errorf("%v: %+v, not %+v", test.values, got, test.want)
		}
	}
}

// Blocks have the bytes up to the next, byte by byte; runs add what no run before them ran.
func TestMIPBlocksAndRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		f := &mip.Function{Size: uint32(1 + r.IntN(40)), MergeCount: uint64(r.IntN(2)), CallCount: uint64(r.IntN(2))}
		for range r.IntN(6) {
			f.Blocks = append(f.Blocks, mip.Block{Offset: uint32(r.IntN(int(f.Size) + 3)), Covered: r.IntN(2) == 0})
		}
		want := analyze.MIPBlocks{Blocks: 1}
		if f.Executed() {
			want.Covered++
		}
		for _, b := range f.Blocks {
			if b.Removed() {
				want.Removed++
				continue
			}
			if want.Blocks++; b.Covered {
				want.Covered++
			}
		}
		for at := range f.Size {
			begins, covered := uint32(0), f.Executed()
			for _, b := range f.Blocks {
				switch offset := min(b.Offset, f.Size); {
				case b.Removed() || offset > at || offset < begins:
				case offset > begins:
					begins, covered = offset, b.Covered
				default:
					covered = covered || b.Covered
				}
			}
			if covered {
				want.CoveredBytes++
			}
		}
		spans := analyze.MIPSpans(f, true, nil)
		if got := analyze.MIPBlocksOf(f, spans); got != want {
			t.Fatalf("%+v comes to %+v, not %+v", f, got, want)
		}
		end := uint32(0)
		for _, s := range spans {
			if s.From != end || s.To < s.From {
				t.Fatalf("%+v has spans %+v", f, spans)
			}
			end = s.To
		}
		if end != f.Size {
			t.Fatalf("%+v ends at %d", f, end)
		}
		if one := analyze.MIPSpans(f, false, spans); len(one) != 1 || one[0] != (analyze.MIPSpan{To: f.Size, Block: -1,
			Covered: f.Executed()}) {
			t.Fatalf("without blocks %+v is %+v", f, one)
		}
	}
	for range 60 {
		m := &mip.Profile{Functions: make([]mip.Function, 1+r.IntN(90)), Blocks: 1 + r.IntN(150)}
		for i := range m.Functions {
			m.Functions[i] = mip.Function{Size: uint32(r.IntN(50)), MergeCount: uint64(r.IntN(4)), TimestampSum: r.Uint64N(9)}
		}
		m.Runs = make([]mip.Run, 1+r.IntN(4))
		ran := make([]int, len(m.Functions))
		for n := range m.Runs {
			run := &m.Runs[n]
			run.Executed, run.Blocks = mip.NewBits(len(m.Functions)), mip.NewBits(m.Blocks)
			for i := range m.Functions {
				if run.First = append(run.First, uint32(r.IntN(9))); r.IntN(2) == 0 {
					run.Executed.Set(i)
					ran[i]++
				}
			}
			for i := range m.Blocks {
				if r.IntN(3) == 0 {
					run.Blocks.Set(i)
				}
			}
		}
		before, blocks := map[int]bool{}, map[int]bool{}
		for n, got := range analyze.MIPRunsOf(m) {
			var want analyze.MIPRunFigures
			run := &m.Runs[n]
			for i := range m.Functions {
				if !run.Executed.Has(i) {
					continue
				}
				size := uint64(m.Functions[i].Size)
				before[i] = true
				if want.Functions, want.Bytes, want.Blocks = want.Functions+1, want.Bytes+size, want.Blocks+1; ran[i] == 1 {
					want.OnlyFunctions, want.OnlyBytes = want.OnlyFunctions+1, want.OnlyBytes+size
				}
			}
			for i := range m.Blocks {
				if run.Blocks.Has(i) {
					want.Blocks++
					blocks[i] = true
				}
			}
			for i := range before {
				want.SumBytes += uint64(m.Functions[i].Size)
			}
			want.SumFunctions, want.SumBlocks = uint64(len(before)), uint64(len(before)+len(blocks))
			if got != want {
				t.Fatalf("run %d has %+v, not %+v", n, got, want)
			}
			order := analyze.MIPRunOrder(run)
			if len(order) != int(want.Functions) || !slices.IsSortedFunc(order, func(a, b int) int {
				if run.First[a] != run.First[b] {
					return int(run.First[a]) - int(run.First[b])
				}
				return a - b
			}) {
				t.Fatalf("run %d was in order %v", n, order)
			}
		}
		var want []int
		for i := range m.Functions {
			if m.Functions[i].MergeCount > 0 {
				want = append(want, i)
			}
		}
		average := func(i int) float64 { return float64(m.Functions[i].TimestampSum) / float64(m.Functions[i].MergeCount) }
		slices.SortStableFunc(want, func(a, b int) int {
			if average(a) < average(b) {
				return -1
			}
			return map[bool]int{true: 1}[average(a) > average(b)]
		})
		if got := analyze.MIPOrder(m.Functions); !slices.Equal(got, want) {
			t.Fatalf("%v, not %v", got, want)
		}
	}
	if analyze.CompareAverages(math.MaxUint64, 3, math.MaxUint64-1, 3) != 1 || analyze.CompareAverages(1<<63, 1<<62, 4,
		2) != 0 {
		t.Error("averages past 64 bits are wrong")
	}
	for names, want := range map[string]bool{
		"": false, "_main": true, "main": false, "_a _b": false, "_a __Z1fv": true, "_a __R1": true, "_$s1": true,
		"_a x __Z1": false,
		"_ _main":   true, "_$t": false,
	} {
		var functions []mip.Function
		for _, name := range append(strings.Fields(names), "") {
			functions = append(functions, mip.Function{Name: []byte(name)})
		}
		if got := analyze.MIPUnderscored(functions); got != want {
			t.Errorf("%q: %v", names, got)
		}
	}
}

// Overlaps of value sites are those of values that both have, of equal ones one by one.
func TestOverlapOfSites(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 200 {
		site := func() (s instrprof.ValueSite) {
			for range r.IntN(14) {
				s = append(s, instrprof.Value{Value: r.Uint64N(12), Count: 1 + r.Uint64N(9)})
			}
			return s
		}
		base := &instrprof.Function{Counters: []uint64{5, 0, 3}, Sites: [3][]instrprof.ValueSite{{site()}}}
		test := &instrprof.Function{Counters: []uint64{2, 1, 0}, Sites: [3][]instrprof.ValueSite{{site()}}}
		o := &analyze.Overlap{Base: analyze.SumsOf(base), Test: analyze.SumsOf(test)}
		got := o.Compare(base, test)
		taken := map[int]bool{}
		want := 0.0
		for _, b := range base.Sites[0][0] {
			for i, v := range test.Sites[0][0] {
				if v.Value == b.Value && !taken[i] {
					taken[i] = true
					want += min(float64(b.Count)/o.Base.Values[0], float64(v.Count)/o.Test.Values[0])
					break
				}
			}
		}
		edge := min(5.0/8, 2.0/3)
		if math.Abs(got.Overlap.Values[0]-want) > 1e-12 || math.Abs(o.Overlap.Values[0]-want) > 1e-12 ||
			math.Abs(got.Score-edge) > 1e-12 || math.Abs(got.Overlap.Edge-edge) > 1e-12 || !got.Scored {
			t.Fatalf("%v and %v: %+v, not %f", base.Sites[0], test.Sites[0], got, want)
		}
	}
	o := &analyze.Overlap{Base: analyze.CountSums{Edge: 1}, Test: analyze.CountSums{Edge: 0.5}}
	if o.Comparable() {
		t.Error("a profile without counts is compared")
	}
	if o.Test.Edge = 1; !o.Comparable() {
		t.Error("two profiles with a count are not compared")
	}
}
