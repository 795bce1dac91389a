package coverage_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

// crowded is functions that stand close together in a few files: some share lines, some
// begin where another ends, some have regions of no length, and macros are everywhere.
func crowded(r *rand.Rand) *coverage.Coverage {
	names := []string{"a.cpp", "b.cpp", "macros.h"}
	position := func(from covmap.Position) covmap.Position {
		lines := r.Uint32N(3)
		if lines == 0 {
			return covmap.Position{Line: from.Line, Column: from.Column + r.Uint32N(4)}
		}
		return covmap.Position{Line: from.Line + lines, Column: 1 + r.Uint32N(6)}
	}
	kinds := []covmap.Kind{covmap.Code, covmap.Code, covmap.Code, covmap.Gap, covmap.Skipped}
	room := 4 + r.Uint32N(40)
	var functions []coverage.Function
	for range 1 + r.IntN(6) {
		f := coverage.Function{Main: r.IntN(4) - 1}
		for range max(f.Main+1, 1+r.IntN(3)) {
			f.Files = append(f.Files, int32(r.IntN(len(names))))
		}
		first := covmap.Position{Line: 1 + r.Uint32N(room), Column: 1 + r.Uint32N(5)}
		region := func() coverage.Region {
			start := position(first)
			return coverage.Region{
				Start: start, End: position(start), Count: r.Uint64N(3), False: r.Uint64N(2), File: uint32(r.IntN(len(f.Files))),
			}
		}
		points := r.IntN(3) == 0
		for range 1 + r.IntN(6) {
			one := region()
			if !points && one.Start == one.End {
				one.End.Column++
			}
			one.Kind = kinds[r.IntN(len(kinds))]
			f.Regions = append(f.Regions, one)
		}
		byFile := func(a, b coverage.Region) int { return int(a.File) - int(b.File) } // as mappings have them
		slices.SortStableFunc(f.Regions, byFile)
		for range r.IntN(3) {
			one := f.Regions[r.IntN(len(f.Regions))] // a condition is within what it decides about
			one.Kind, one.Count, one.TrueFolded, one.FalseFolded = covmap.Branch, r.Uint64N(3), r.IntN(8) == 0, r.IntN(8) == 0
			f.Branches = append(f.Branches, one)
		}
		slices.SortStableFunc(f.Branches, byFile)
		functions = append(functions, f)
	}
	return coverage.New(names, functions)
}

// What all functions say of a file together is what its view shows, whether they share
// lines or not; and what is worked out of all functions at once is what each has by itself.
func TestTotals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 20_000
	if testing.Short() {
		rounds = 500
	}
	for range rounds {
		c := crowded(r)
		summaries, unions := c.Totals()
		for i := range c.Functions {
			if s := c.Summary(&c.Functions[i]); s != summaries[i] {
				t.Fatalf("function %d: %+v by itself, %+v among all\n%+v", i, s, summaries[i], c.Functions)
			}
		}
		for i, got := range unions {
			want := shown(c, i)
			want.Regions = got.Regions // no view counts regions
			if got != want {
				t.Fatalf("file %d: %+v, its view shows %+v\n%+v", i, got, want, c.Functions)
			}
		}
	}
}

// shown is what the view of a file shows.
func shown(c *coverage.Coverage, file int) (sum coverage.FileUnion) {
	v := c.UnionView(file)
	count := func(m *coverage.Metric, covered bool, n int) {
		m.Total += n
		if covered {
			m.Covered += n
		}
	}
	rows := v.Rows()
	for i := range rows {
		row := &rows[i]
		n := int(row.Last-row.First) + 1
		if row.State != coverage.Unmapped {
			count(&sum.Lines, row.State != coverage.Missed, n)
		}
		if row.State == coverage.Partly {
			sum.Partly += n
		}
	}
	sides := coverage.SidesOf(v.Branches)
	sum.Conditions = len(sides)
	for i := range sides {
		if s := &sides[i]; !s.TrueFolded {
			count(&sum.Branches, s.True > 0, 1)
		}
		if s := &sides[i]; !s.FalseFolded {
			count(&sum.Branches, s.False > 0, 1)
		}
	}
	return sum
}
