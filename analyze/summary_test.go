package analyze

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
)

// TestSummaryByHand is arithmetic that fits on paper.
func TestSummaryByHand(t *testing.T) {
	var s Summarizer
	s.Add(&instrprof.Function{Counters: []uint64{100, 50, 0}})
	s.Add(&instrprof.Function{Counters: []uint64{20, 20, 10}})
	s.Add(&instrprof.Function{Counters: []uint64{instrprof.PseudoHot, 7}}) // no counters
	s.Add(&instrprof.Function{Counters: []uint64{0}})
	s.Add(&instrprof.Function{})
	want := &instrprof.Summary{
		NumFunctions: 4, NumCounts: 7, MaxFunctionCount: 100, MaxCount: 100, MaxInternalCount: 50, TotalCount: 200,
	}
	// 1 % of 200 is 2, so the 100 reaches up to 50 %; 150 reaches up to 70 %;
	// both 20 are taken at once, which makes 190 and reaches 95 %; then the 10.
	for _, cutoff := range DefaultCutoffs {
		e := instrprof.SummaryEntry{Cutoff: cutoff}
		switch {
		case cutoff <= 500000:
			e.MinCount, e.NumCounts = 100, 1
		case cutoff <= 700000:
			e.MinCount, e.NumCounts = 50, 2
		case cutoff <= 950000:
			e.MinCount, e.NumCounts = 20, 4
		default:
			e.MinCount, e.NumCounts = 10, 5
		}
		want.Detailed = append(want.Detailed, e)
	}
	if diff := cmp.Diff(want, s.Summary()); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	th := ThresholdsOf(s.Summary())
	if th != (Thresholds{Hot: 10, Cold: 10, NumHot: 5}) {
		t.Errorf("thresholds %+v", th)
	}
}

func TestSummaryOfNothing(t *testing.T) {
	var s Summarizer
	got := s.Summary()
	if len(got.Detailed) != len(DefaultCutoffs) || got.Detailed[15] != (instrprof.SummaryEntry{Cutoff: 999999}) ||
		got.NumCounts != 0 {
		t.Errorf("summary of nothing: %+v", got)
	}
}

// literal is the algorithm of instrprof.md §6.3, word for word, over all
// counters sorted.
func literal(counters []uint64) []instrprof.SummaryEntry {
	sorted := slices.Clone(counters)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	var total, sum, seen, cur uint64
	for _, c := range counters {
		total += c
	}
	var entries []instrprof.SummaryEntry
	for _, cutoff := range DefaultCutoffs {
		d := new(big.Int).Mul(new(big.Int).SetUint64(total), new(big.Int).SetUint64(cutoff))
		desired := d.Div(d, big.NewInt(1000000)).Uint64()
		for sum < desired && len(sorted) > 0 {
			cur = sorted[0]
			for len(sorted) > 0 && sorted[0] == cur {
				sum, seen, sorted = sum+cur, seen+1, sorted[1:]
			}
		}
		entries = append(entries, instrprof.SummaryEntry{Cutoff: cutoff, MinCount: cur, NumCounts: seen})
	}
	return entries
}

// TestDetailedSummary compares with the literal algorithm on many kinds of
// distribution, some of which wrap.
func TestDetailedSummary(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	kinds := map[string]func() uint64{
		"small":       func() uint64 { return rng.Uint64N(100) },
		"around":      func() uint64 { return smallCounts - 3 + rng.Uint64N(6) },
		"one bucket":  func() uint64 { return 1<<40 + rng.Uint64N(1<<20) },
		"few values":  func() uint64 { return 1 << (10 + 5*rng.Uint64N(8)) },
		"lognormal":   func() uint64 { return rng.Uint64N(1 << rng.Uint64N(40)) },
		"one giant":   func() uint64 { return max(rng.Uint64N(1000), (rng.Uint64N(500)/499)<<50) },
		"wraps":       func() uint64 { return rng.Uint64() >> rng.Uint64N(60) &^ 7 },
		"wraps twice": func() uint64 { return instrprof.MaxCount - rng.Uint64N(5) },
	}
	for name, next := range kinds {
		t.Run(name, func(t *testing.T) {
			for range 40 {
				counters := make([]uint64, 1+rng.IntN(400))
				var s Summarizer
				for i := range counters {
					counters[i] = next()
				}
				s.AddCounters(counters)
				if diff := cmp.Diff(literal(counters), s.Summary().Detailed); diff != "" {
					t.Fatalf("%v (-literal +ours):\n%s", counters, diff)
				}
			}
		})
	}
}

func TestSortUint64(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 100, 2048, 5000, 70_000} {
		for _, shift := range []uint64{0, 20, 53, 63} {
			a := make([]uint64, n)
			for i := range a {
				a[i] = rng.Uint64() >> shift << (shift / 2)
			}
			want := slices.Clone(a)
			slices.Sort(want)
			if sortUint64(a); !slices.Equal(a, want) {
				t.Errorf("%d numbers of %d bits are not sorted", n, 64-shift)
			}
		}
	}
}

func BenchmarkSummary(b *testing.B) {
	const counters, perFunction = 10_000_000, 10
	rng := rand.New(rand.NewPCG(9, 10))
	for _, kind := range []struct {
		name string
		next func() uint64
	}{
		{"lognormal", func() uint64 {
			if rng.IntN(100) < 45 {
				return 0
			}
			return rng.Uint64N(1 << rng.Uint64N(36))
		}},
		{"all large", func() uint64 { return 1<<20 + rng.Uint64N(1<<36) }},
		{"one bucket", func() uint64 { return 1<<40 + rng.Uint64N(1<<31) }},
	} {
		all := make([]uint64, counters)
		for i := range all {
			all[i] = kind.next()
		}
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var s Summarizer
				for i := 0; i < counters; i += perFunction {
					s.AddCounters(all[i : i+perFunction])
				}
				if s.Summary().NumCounts != counters {
					b.Fatal("counters are missing")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/counters, "ns/counter")
		})
	}
}

// The summary of records that were counted apart and added up is that of all of them.
func TestSummariesAddUp(t *testing.T) {
	for _, parts := range [][][]uint64{
		{{100, 50, 0}, {20, 20, 10}}, {{1 << 20, 3}, {2, 1 << 30}}, {{1 << 20}, {7}}, {{7}, {1 << 20}}, {{}, {5, 5}},
		{{5}, {}},
	} {
		var whole, sum Summarizer
		for _, counters := range parts {
			var part Summarizer
			for _, s := range []*Summarizer{&whole, &part} {
				s.Add(&instrprof.Function{Counters: counters})
			}
			sum.AddAll(&part)
		}
		if diff := cmp.Diff(whole.Summary(), sum.Summary()); diff != "" || whole.Total() != sum.Total() {
			t.Errorf("%v added up (-whole +sum):\n%s", parts, diff)
		}
	}
}
