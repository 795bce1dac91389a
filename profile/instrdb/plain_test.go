package instrdb_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// crossed is one of two programs that have most names in common, with up to five records each:
// of hashes, shapes and value sites that the other has too or has not, and some twice.
func crossed(seed uint64) *synthetic {
	rng := rand.New(rand.NewPCG(seed, 3))
	s := &synthetic{info: instrprof.Info{Variant: instrprof.IRProf | instrprof.CSIRProf}, names: map[uint64][]byte{}}
	counts := []uint64{0, 1, 7, 7, 1000, 1 << 40}
	for i := range 150 {
		if rng.IntN(9) == 0 {
			continue
		}
		name := fmt.Appendf(nil, "_ZN%d%sEv", 2, []string{"aa1f", "bb1g", "cc1h"}[i%3])
		if name = fmt.Appendf(name, ".%d", i); i%5 == 0 {
			name = fmt.Appendf(nil, "src/d%d/f%d.c;f", i%4, i)
		}
		records := 1
		if i%2 == 0 {
			records += rng.IntN(5)
		}
		for range records {
			f := instrprof.Function{Name: name, NameRef: refOf(name), FuncHash: 16 + rng.Uint64N(3), Repeats: rng.Uint64N(7) / 6}
			if records > 1 && rng.IntN(3) == 0 {
				f.FuncHash |= instrprof.CSFlagInFuncHash
			}
			for range 1 + f.FuncHash%3 + rng.Uint64N(9)/8 {
				f.Counters = append(f.Counters, counts[rng.IntN(len(counts))])
			}
			if i%4 == 0 {
				f.Sites[i/4%3] = []instrprof.ValueSite{{{Value: 1 + rng.Uint64N(2), Count: 5}, {Value: 9, Count: rng.Uint64N(90)}}}
				f.Sites[(i/4+1)%3] = f.Sites[i/4%3][:i/4%2]
			}
			s.functions = append(s.functions, f)
		}
	}
	return s
}

// plainPair is a pair by ranks, 0 for none.
type plainPair struct {
	base, test int
	state      table.State
}

// plainPairs pairs records as instrdb says that they are: of one name those of one hash, by rank,
// then those that are left, plain and context-sensitive ones apart; of a name with one record
// on either side, those two.
func plainPairs(base, test *naive) (pairs []plainPair) {
	of := func(n *naive) map[uint64][]*instrdb.Record {
		byRef := map[uint64][]*instrdb.Record{}
		for i := range n.rows {
			byRef[n.rows[i].Ref] = append(byRef[n.rows[i].Ref], &n.rows[i])
		}
		return byRef
	}
	in, to := of(base), of(test)
	for ref, b := range in {
		t := to[ref]
		if len(t) == 0 {
			for _, r := range b {
				pairs = append(pairs, plainPair{r.Rank, 0, table.OnlyBase})
			}
			continue
		}
		var left [2][]int
		for _, r := range b {
			at := slices.IndexFunc(t, func(o *instrdb.Record) bool { return o.FuncHash == r.FuncHash })
			if at < 0 {
				left[0] = append(left[0], r.Rank)
				continue
			}
			state := table.Matched
			if len(r.Counters) != len(t[at].Counters) || r.NumSites != t[at].NumSites {
				state = table.Changed
			}
			pairs = append(pairs, plainPair{r.Rank, t[at].Rank, state})
			t = slices.Delete(slices.Clone(t), at, at+1)
		}
		for _, r := range t {
			left[1] = append(left[1], r.Rank)
		}
		for _, cs := range []bool{false, true} {
			apart := [2][]int{}
			for side, n := range []*naive{base, test} {
				for _, rank := range left[side] {
					if n.rows[rank-1].CS == cs || len(b) == 1 && len(to[ref]) == 1 && !cs {
						apart[side] = append(apart[side], rank)
					}
				}
			}
			for i := range max(len(apart[0]), len(apart[1])) {
				p := plainPair{state: table.Changed}
				if i < len(apart[0]) {
					p.base = apart[0][i]
				}
				if i < len(apart[1]) {
					p.test = apart[1][i]
				}
				pairs = append(pairs, p)
			}
		}
	}
	for ref, t := range to {
		if in[ref] == nil {
			for _, r := range t {
				pairs = append(pairs, plainPair{0, r.Rank, table.OnlyTest})
			}
		}
	}
	return pairs
}

func compare(t *testing.T, base, test *instrdb.Profile) *instrdb.Comparison {
	t.Helper()
	c, err := instrdb.Compare(t.Context(), base, test)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pairsOf are the rows that a query selects, and what stands around them.
func pairsOf(t *testing.T, c *instrdb.Comparison, q instrdb.CompareQuery, r query.RowQuery) ([]*instrdb.PairRow,
	table.Page) {
	t.Helper()
	r.Limit = 10_000
	page, err := c.Find(q)(t.Context(), table.Query{RowQuery: r})
	if err != nil {
		t.Fatal(err)
	}
	return page.Rows.([]*instrdb.PairRow), page
}

var allMoves = table.MoveQuery{Min: table.AllMoves}

// ranksOf are the ranks of a pair, 0 for a side that is missing.
func ranksOf(r *instrdb.PairRow) (ranks [2]int) {
	for i, side := range []*instrdb.PairSide{r.Base, r.Test} {
		if side != nil {
			ranks[i] = side.Rank
		}
	}
	return ranks
}

// Two profiles are paired, scored and added up as a plain reading of both says.
func TestComparisonsAreWhatRecordsSay(t *testing.T) {
	sources := [2]*synthetic{crossed(1), crossed(2)}
	var slow [2]*naive
	var sides [2]*instrdb.Profile
	for i, src := range sources {
		slow[i], sides[i] = newNaive(src), openSource(t, src)
	}
	c := compare(t, sides[0], sides[1])
	want := map[[2]int]table.State{}
	figures := instrdb.CompareFigures{BaseTotal: slow[0].total, TestTotal: slow[1].total}
	var around instrdb.PairTotals
	plain := [2]analyze.Overlap{} // plain, context-sensitive
	for cs := range plain {
		for side, sums := range []*analyze.CountSums{&plain[cs].Base, &plain[cs].Test} {
			for i := range slow[side].rows {
				if r := &slow[side].rows[i]; r.CS == (cs == 1) {
					sums.AddRecord(analyze.SumsOf(recordOf(sources[side], r)))
				}
			}
		}
	}
	for _, p := range plainPairs(slow[0], slow[1]) {
		want[[2]int{p.base, p.test}] = p.state
		of := &figures.States[p.state.Bit()]
		of.Pairs++
		var in [2]float64
		var records [2]*instrprof.Function
		for side, rank := range [2]int{p.base, p.test} {
			if rank == 0 {
				continue
			}
			r := &slow[side].rows[rank-1]
			in[side], records[side] = r.Share, recordOf(sources[side], r)
			[]*analyze.Sum{&of.Base, &of.Test}[side].AddSum(r.Total)
			[]*analyze.Sum{&around.Base, &around.Test}[side].AddSum(r.Total)
		}
		switch m := table.NewMove(in[0], in[1]); {
		case p.state != table.Matched:
		case m.Change > 0:
			figures.Hotter++
		case m.Change < 0:
			figures.Colder++
		default:
			figures.Same++
		}
		for cs := range plain {
			switch o := &plain[cs]; {
			case p.test == 0:
			case p.state == table.OnlyTest:
				o.Unmatched(records[1])
			case p.base == 0 || records[0].FuncHash != records[1].FuncHash:
				o.Mismatched(records[1])
			default:
				o.Compare(records[0], records[1])
			}
		}
	}
	if diff := gocmp.Diff(figures, c.Figures()); diff != "" || figures.Hotter == 0 || figures.Colder == 0 {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	for cs, o := range plain {
		got, err := c.Overlap(t.Context(), cs == 1)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(o, got.Overlap, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
			t.Errorf("overlap, %d (-want +got):\n%s", cs, diff)
		}
	}
	rows, page := pairsOf(t, c, instrdb.CompareQuery{MoveQuery: allMoves}, query.RowQuery{})
	if len(rows) != len(want) || *page.Around.(*instrdb.PairTotals) != around {
		t.Errorf("%d pairs of %+v, want %d of %+v", len(rows), page.Around, len(want), around)
	}
	for i, r := range rows {
		if state := want[ranksOf(r)]; state == 0 || state != r.State {
			t.Errorf("%v is %v, want %v", ranksOf(r), r.State, state)
		}
		var alone analyze.Overlap
		for side, s := range []*instrdb.PairSide{r.Base, r.Test} {
			if s == nil {
				continue
			}
			of := slow[side].rows[s.Rank-1]
			if s.Hash != of.FuncHash || s.Class != of.Class || s.Total != of.Total || s.Max != of.Max ||
				math.Abs(s.Share-of.Share) > 1e-12 || s.Counters != of.NumCounters || s.Entries != nil || r.PGO != of.PGO ||
				r.CS != of.CS && r.Base == nil {
				t.Errorf("%+v of %v is not %+v", s, r.Name, of.Row)
			}
		}
		if both := r.Base != nil && r.Test != nil && r.Base.Hash == r.Test.Hash; both != (r.Overlap != nil) {
			t.Errorf("%v has the overlap %+v", ranksOf(r), r.Overlap)
		} else if both {
			o := alone.Compare(recordOf(sources[0], &slow[0].rows[r.Base.Rank-1]),
				recordOf(sources[1], &slow[1].rows[r.Test.Rank-1]))
			if diff := gocmp.Diff(&o, r.Overlap, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
				t.Errorf("%v (-want +got):\n%s", ranksOf(r), diff)
			}
			type figures struct{ Overlap, Base, Test float64 }
			kinds, got := map[string]figures{}, map[string]figures{}
			for kind := range o.Base.Values {
				if f := (figures{o.Overlap.Values[kind], o.Base.Values[kind], o.Test.Values[kind]}); f.Base+f.Test > 0 {
					kinds[instrprof.ValueKind(kind).String()] = f
				}
			}
			err := json.Unmarshal(table.AppendCell(nil, r.Values.Cell("", nil), false), &got)
			if err != nil || o.Scored && !maps.Equal(got, kinds) || !o.Scored && len(got) > 0 {
				t.Errorf("%v: values overlap by %+v, %v; want %+v", ranksOf(r), got, err, kinds)
			}
		}
		if i > 0 && math.Abs(r.Change) > math.Abs(rows[i-1].Change) || r.Change != table.NewMove(r.InBase, r.InTest).Change {
			t.Errorf("%v changes by %v", ranksOf(r), r.Change)
		}
	}
	profiletest.Table(t, instrdb.Pairs, c.Find(instrdb.CompareQuery{MoveQuery: allMoves}), "name", "base", "test",
		"overlap")
	for _, state := range []table.State{table.Matched, table.Changed, table.OnlyBase, table.OnlyTest} {
		of := figures.States[state.Bit()]
		held := table.Held{Rows: of.Pairs, Base: naiveShare(of.Base, slow[0].total), Test: naiveShare(of.Test, slow[1].total)}
		if c.Held(state) != held || of.Pairs == 0 {
			t.Errorf("%v holds %+v, want %+v", state, c.Held(state), held)
		}
	}
	holdFilters(t, c, rows)

	for _, r := range pairsOnly(t, compare(t, sides[0], sides[0])) {
		if r.State != table.Matched || r.Change != 0 || r.Overlap.Scored && math.Abs(r.Overlap.Overlap.Edge-1) > 1e-9 {
			t.Errorf("%v of one profile: %v, %v, %+v", ranksOf(r), r.State, r.Change, r.Overlap)
		}
	}
	back := map[[2]int]*instrdb.PairRow{}
	for _, r := range pairsOnly(t, compare(t, sides[1], sides[0])) {
		ranks := ranksOf(r)
		back[[2]int{ranks[1], ranks[0]}] = r
	}
	for _, r := range rows {
		state := r.State
		if state == table.OnlyBase || state == table.OnlyTest {
			state ^= table.OnlyBase | table.OnlyTest
		}
		if other := back[ranksOf(r)]; other == nil || other.Change != -r.Change || other.State != state {
			t.Errorf("%+v is %+v the other way", r, other)
		}
	}
}

func pairsOnly(t *testing.T, c *instrdb.Comparison) []*instrdb.PairRow {
	t.Helper()
	rows, _ := pairsOf(t, c, instrdb.CompareQuery{MoveQuery: allMoves}, query.RowQuery{})
	return rows
}

// recordOf is what a source has of a record.
func recordOf(s *synthetic, r *instrdb.Record) *instrprof.Function { return &s.functions[r.Ordinal] }

// holdFilters: each filter, and each column's range, selects what it would of all rows.
func holdFilters(t *testing.T, c *instrdb.Comparison, all []*instrdb.PairRow) {
	t.Helper()
	yes, no, low, high := true, false, 0.3, 0.9
	class := func(s *instrdb.PairSide) analyze.Class {
		if s == nil {
			return instrdb.Absent
		}
		return s.Class
	}
	some := []analyze.Class{analyze.Hot, instrdb.Absent}
	edge := func(r *instrdb.PairRow) float64 {
		if r.Overlap == nil || !r.Overlap.Scored {
			return -1
		}
		return r.Overlap.Overlap.Edge
	}
	total := func(s *instrdb.PairSide) uint64 {
		if s == nil {
			return 0
		}
		return s.Total.Saturated()
	}
	for what, f := range map[string]struct {
		q    instrdb.CompareQuery
		r    query.RowQuery
		want func(r *instrdb.PairRow) bool
	}{
		"state": {
			instrdb.CompareQuery{MoveQuery: table.MoveQuery{Min: table.AllMoves, States: table.Changed | table.OnlyTest}},
			query.RowQuery{}, func(r *instrdb.PairRow) bool { return r.State == table.Changed || r.State == table.OnlyTest },
		},
		"more": {
			instrdb.CompareQuery{MoveQuery: table.MoveQuery{Direction: table.More, Min: math.Abs(all[20].Change)}},
			query.RowQuery{}, func(r *instrdb.PairRow) bool { return r.Change >= math.Abs(all[20].Change) },
		},
		"classes": {instrdb.CompareQuery{Classes: some}, query.RowQuery{}, func(r *instrdb.PairRow) bool {
			return slices.Contains(some, class(r.Base)) || slices.Contains(some, class(r.Test))
		}},
		"base classes": {instrdb.CompareQuery{BaseClasses: some}, query.RowQuery{}, func(r *instrdb.PairRow) bool {
			return slices.Contains(some, class(r.Base))
		}},
		"test classes": {instrdb.CompareQuery{TestClasses: some}, query.RowQuery{}, func(r *instrdb.PairRow) bool {
			return slices.Contains(some, class(r.Test))
		}},
		"sensitive": {instrdb.CompareQuery{CS: &yes}, query.RowQuery{}, func(r *instrdb.PairRow) bool { return r.CS }},
		"plain":     {instrdb.CompareQuery{CS: &no}, query.RowQuery{}, func(r *instrdb.PairRow) bool { return !r.CS }},
		"like": {instrdb.CompareQuery{MinOverlap: &low}, query.RowQuery{},
			func(r *instrdb.PairRow) bool { return edge(r) >= low }},
		"unlike": {instrdb.CompareQuery{MaxOverlap: &high}, query.RowQuery{},
			func(r *instrdb.PairRow) bool { return edge(r) >= 0 && edge(r) <= high }},
		"path": {instrdb.CompareQuery{Names: instrdb.Query{Names: query.Names{Path: "src/d1/"}}}, query.RowQuery{},
			func(r *instrdb.PairRow) bool { return strings.HasPrefix(r.PGO, "src/d1/") }},
		"words": {instrdb.CompareQuery{}, query.RowQuery{Text: "bb::g"},
			func(r *instrdb.PairRow) bool {
				_, linkage := names.Split([]byte(r.PGO))
				return strings.Contains(names.Demangle(linkage, names.Full), "bb::g")
			}},
		"range": {instrdb.CompareQuery{},
			query.RowQuery{Ranges: []query.Range{{Column: instrdb.PairTestTotal, Min: 0, Max: 1 << 41}}},
			func(r *instrdb.PairRow) bool { return total(r.Test) <= 1<<41 }},
	} {
		if f.q.Min == 0 && f.q.Direction == "" {
			f.q.Min = table.AllMoves
		}
		var want instrdb.PairTotals
		ranks := [2][][2]int{}
		for _, r := range all {
			if f.want(r) {
				ranks[0] = append(ranks[0], ranksOf(r))
				for side, s := range []*instrdb.PairSide{r.Base, r.Test} {
					if s != nil {
						[]*analyze.Sum{&want.Base, &want.Test}[side].AddSum(s.Total)
					}
				}
			}
		}
		rows, page := pairsOf(t, c, f.q, f.r)
		for _, r := range rows {
			ranks[1] = append(ranks[1], ranksOf(r))
		}
		if !slices.Equal(ranks[0], ranks[1]) || *page.Around.(*instrdb.PairTotals) != want || len(rows) == 0 ||
			len(rows) == len(all) || page.All != len(all) || page.Matching != len(rows) {
			t.Errorf("%s: %d pairs, %+v; want %d, %+v", what, len(rows), page.Around, len(ranks[0]), want)
		}
	}
	for _, column := range []query.Column{instrdb.PairOverlap, instrdb.PairName, "base", "test", instrdb.PairTestMax} {
		rows, _ := pairsOf(t, c, instrdb.CompareQuery{MoveQuery: allMoves},
			query.RowQuery{Sort: []query.Key{{Column: column}}})
		if len(rows) != len(all) || !slices.IsSortedFunc(rows, func(a, b *instrdb.PairRow) int {
			switch column {
			case instrdb.PairName:
				return strings.Compare(a.PGO, b.PGO)
			case instrdb.PairOverlap: // what has none comes last
				return cmp.Or(-cmp.Compare(min(edge(a), 0), min(edge(b), 0)), cmp.Compare(edge(a), edge(b)))
			case "base":
				return cmp.Compare(total(a.Base), total(b.Base))
			case "test":
				return cmp.Compare(total(a.Test), total(b.Test))
			}
			return 0
		}) {
			t.Errorf("sort=%s: %d rows, of %d, are in another order", column, len(rows), len(all))
		}
	}
}
