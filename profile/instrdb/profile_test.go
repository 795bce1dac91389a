package instrdb_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"math"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"proflens/profile"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// partOf is a profile that has the source's records.
func partOf(src instrprof.Source) *format.Profile {
	p := &format.Profile{Info: src.Info().Info}
	p.Add(instrprof.Family, src)
	return p
}

// openSource writes a source's file and opens it with a cache of its own.
func openSource(t testing.TB, src instrprof.Source) *instrdb.Profile {
	t.Helper()
	return of(t, profiletest.Store(t, partOf(src)))
}

func of(t testing.TB, p *stored.Profile) *instrdb.Profile {
	t.Helper()
	records, err := instrdb.Of(p)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// cacheBytes is room for all that a test computes.
const cacheBytes = 256 << 20

// naive answers queries by going through all rows.
type naive struct {
	rows    []instrdb.Record // in the default order
	total   analyze.Sum
	variant instrprof.Variant
}

func newNaive(src *synthetic) *naive {
	n := &naive{variant: src.info.Variant}
	var plain, cs analyze.Summarizer
	for i := range src.functions {
		f := &src.functions[i]
		stats := analyze.StatsOf(f, src.info.Variant)
		if stats.CS {
			cs.Add(f)
		} else {
			plain.Add(f)
		}
		n.total.AddSum(stats.Total)
		n.rows = append(n.rows, instrdb.Record{
			Row: instrdb.Row{Ordinal: uint64(i), Name: table.Name{Ref: f.NameRef, PGO: string(f.Name)}, FuncHash: f.FuncHash,
				Stats:     stats,
				Entered:   !stats.Pseudo && analyze.HasEntry(src.info.Variant),
				SiteCount: stats.NumSites[0] + stats.NumSites[1] + stats.NumSites[2], Records: 1,
				Shape: analyze.Shape(f.Counters, nil)},
			Counters: f.Counters, Bitmap: f.Bitmap, Sites: f.Sites,
		})
	}
	slices.SortFunc(n.rows, func(a, b instrdb.Record) int {
		return cmp.Or(b.Total.Compare(a.Total), strings.Compare(a.PGO, b.PGO), cmp.Compare(a.FuncHash, b.FuncHash),
			cmp.Compare(a.Ordinal, b.Ordinal))
	})
	thresholds := map[bool]analyze.Thresholds{
		false: analyze.ThresholdsOf(plain.Summary()), true: analyze.ThresholdsOf(cs.Summary()),
	}
	for i := range n.rows {
		r := &n.rows[i]
		r.Rank = i + 1
		r.Class = thresholds[r.CS].Classify(&r.Stats)
		r.Share = naiveShare(r.Total, n.total)
	}
	n.addUp(n.rows)
	return n
}

func naiveShare(part, whole analyze.Sum) float64 {
	if whole.IsZero() {
		return 0
	}
	return part.Float64() / whole.Float64()
}

func (n *naive) addUp(rows []instrdb.Record) {
	var sum analyze.Sum
	for i := range rows {
		sum.AddSum(rows[i].Total)
		rows[i].Cum = naiveShare(sum, n.total)
	}
}

func numberOf(r *instrdb.Record, c query.Column) uint64 {
	switch c {
	case instrdb.ColTotal:
		if r.Total.Hi > 0 {
			return math.MaxUint64
		}
		return r.Total.Lo
	case instrdb.ColMax:
		return r.Max
	case instrdb.ColEntry:
		return r.Entry
	case instrdb.ColCounters:
		return uint64(r.NumCounters)
	case instrdb.ColZero:
		return uint64(r.NumZero)
	case instrdb.ColSites:
		return uint64(r.NumSites[0] + r.NumSites[1] + r.NumSites[2])
	case instrdb.ColHash:
		return r.FuncHash
	case instrdb.ColOrdinal:
		return r.Ordinal
	case instrdb.ColRank:
		return uint64(r.Rank)
	}
	panic(c)
}

func (n *naive) query(q instrdb.Query) instrdb.Page {
	matcher, err := names.NewMatcher(q.Text, q.Regexp)
	if err != nil {
		panic(err)
	}
	var rows []instrdb.Record
	for _, r := range n.rows {
		path, _ := names.Split([]byte(r.PGO))
		keep := matcher.Match([]byte(r.PGO)) && strings.HasPrefix(path, q.Path)
		keep = keep && (len(q.Classes) == 0 || slices.Contains(q.Classes, r.Class))
		keep = keep && (q.Executed == nil || *q.Executed == r.Executed())
		keep = keep && (q.CS == nil || *q.CS == r.CS)
		keep = keep && (len(q.Quality) == 0 || n.isOdd(&r, q.Quality))
		for _, g := range q.Ranges {
			v := numberOf(&r, g.Column)
			keep = keep && v >= g.Min && v <= g.Max && (r.Entered || g.Column != instrdb.ColEntry)
		}
		if keep {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b instrdb.Record) int {
		for _, k := range q.Sort {
			var d int
			switch k.Column {
			case instrdb.ColName:
				d = strings.Compare(a.PGO, b.PGO)
			case instrdb.ColTotal:
				d = a.Total.Compare(b.Total)
			default:
				d = cmp.Compare(numberOf(&a, k.Column), numberOf(&b, k.Column))
			}
			if k.Desc {
				d = -d
			}
			if d != 0 {
				return d
			}
		}
		return 0
	})
	n.addUp(rows)
	page := instrdb.Page{All: len(n.rows), Matching: len(rows), Records: len(rows), Scanned: len(n.rows), Complete: true}
	for _, r := range rows {
		page.MatchingTotal.AddSum(r.Total)
	}
	for i := max(q.Offset, 0); i < len(rows) && len(page.Rows) < q.Limit; i++ {
		page.Rows = append(page.Rows, rows[i].Row)
	}
	return page
}

var sameRows = []gocmp.Option{
	cmpopts.EquateEmpty(), cmpopts.EquateApprox(1e-12, 0), cmpopts.IgnoreUnexported(instrdb.Page{}),
	cmpopts.IgnoreFields(instrdb.Page{}, "_"), cmpopts.IgnoreFields(instrdb.Row{}, "_"),
	cmpopts.IgnoreFields(table.Name{}, "_"),
}

// randomQuery picks filters and an order.
func randomQuery(rng *mathrand.Rand, n int) instrdb.Query {
	columns := []query.Column{
		instrdb.ColTotal, instrdb.ColMax, instrdb.ColEntry, instrdb.ColCounters, instrdb.ColZero, instrdb.ColSites,
		instrdb.ColHash, instrdb.ColOrdinal, instrdb.ColRank, instrdb.ColName,
	}
	q := instrdb.Query{Offset: rng.IntN(n+3) - 1, Limit: rng.IntN(40)}
	if rng.IntN(3) == 0 {
		q.Offset = 0
	}
	for range rng.IntN(4) {
		q.Sort = append(q.Sort, query.Key{Column: columns[rng.IntN(len(columns))], Desc: rng.IntN(2) == 0})
	}
	if rng.IntN(3) == 0 {
		q.Text = []string{"main", "foo", "MANAGER", "E", "foo::bar", "nowhere"}[rng.IntN(6)]
	}
	if rng.IntN(6) == 0 {
		q.Regexp = []string{"a.c", "^_ZN3foo", `bar\(`, "[0-9]7$"}[rng.IntN(4)]
	}
	if rng.IntN(5) == 0 {
		q.Path = []string{"src/", "src/b/c.cc", "a", "lib/part1", "zzz"}[rng.IntN(5)]
	}
	all := []analyze.Class{analyze.Hot, analyze.Warm, analyze.Cold, analyze.Never, analyze.NoClass}
	for range rng.IntN(3) * rng.IntN(2) {
		q.Classes = append(q.Classes, all[rng.IntN(len(all))])
	}
	yes := rng.IntN(2) == 0
	if rng.IntN(4) == 0 {
		q.Executed = &yes
	}
	if rng.IntN(6) == 0 {
		q.CS = &yes
	}
	for range rng.IntN(3) * rng.IntN(2) {
		q.Quality = append(q.Quality, allQualities[rng.IntN(len(allQualities))])
	}
	for range rng.IntN(2) {
		low, high := rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64)
		if rng.IntN(3) == 0 {
			high = math.MaxUint64
		}
		q.Ranges = append(q.Ranges, query.Range{Column: columns[rng.IntN(len(columns)-1)], Min: min(low, high), Max: high})
	}
	return q
}

// TestFunctionsAgreesWithNaive compares random queries with the naive answer.
func TestFunctionsAgreesWithNaive(t *testing.T) {
	rounds := 120
	if testing.Short() {
		rounds = 40
	}
	for name, src := range map[string]*synthetic{
		"typical": typical(600, 1), "awkward": awkward(600, 2), "few": awkward(3, 3), "none": awkward(0, 4),
	} {
		t.Run(name, func(t *testing.T) {
			p, model := openSource(t, src), newNaive(src)
			rng := mathrand.New(mathrand.NewPCG(5, 6))
			for range rounds {
				q := randomQuery(rng, len(src.functions))
				want := model.query(q)
				got, err := p.Functions(t.Context(), q)
				if err != nil {
					t.Fatalf("%+v: %v", q, err)
				}
				if diff := gocmp.Diff(want, *got, sameRows...); diff != "" {
					t.Fatalf("%+v (-want +got):\n%s", q, diff)
				}
			}
		})
	}
}

// TestPagesCoverEachRowOnce goes through orders page by page.
func TestPagesCoverEachRowOnce(t *testing.T) {
	src := awkward(1200, 7)
	p := openSource(t, src)
	for _, sort := range [][]query.Key{
		nil, {{Column: instrdb.ColMax, Desc: true}, {Column: instrdb.ColOrdinal}}, {{Column: instrdb.ColName}},
		{{Column: instrdb.ColTotal}}, {{Column: instrdb.ColRank, Desc: true}},
	} {
		seen := map[uint64]bool{}
		last := 0.0
		for offset := 0; ; offset += 97 {
			page, err := p.Functions(t.Context(), instrdb.Query{Sort: sort, Offset: offset, Limit: 97})
			if err != nil {
				t.Fatal(err)
			}
			if len(page.Rows) == 0 {
				break
			}
			for _, r := range page.Rows {
				if seen[r.Ordinal] {
					t.Errorf("sort %v: record %d twice", sort, r.Ordinal)
				}
				seen[r.Ordinal] = true
				if r.Cum < last {
					t.Errorf("sort %v: cum falls at rank %d", sort, r.Rank)
				}
				last = r.Cum
			}
		}
		if len(seen) != len(src.functions) || math.Abs(last-1) > 1e-12 {
			t.Errorf("sort %v: %d of %d records, cum ends at %v", sort, len(seen), len(src.functions), last)
		}
	}
}

func TestFunctionReturnsAllRecordsOfAName(t *testing.T) {
	for _, src := range []*synthetic{awkward(300, 8), typical(300, 9)} {
		p, model := openSource(t, src), newNaive(src)
		byRef := map[uint64][]instrdb.Record{}
		for _, r := range model.rows {
			byRef[r.Ref] = append(byRef[r.Ref], r)
		}
		var refs []uint64
		for ref, want := range byRef {
			refs = append(refs, ref)
			got, _, err := p.Function(t.Context(), ref, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(want, got, sameRows...); diff != "" {
				t.Fatalf("%016x (-want +got):\n%s", ref, diff)
			}
		}
		for ref := range src.names {
			if _, ok := byRef[ref]; !ok {
				if _, _, err := p.Function(t.Context(), ref, nil); !errors.Is(err, stored.ErrNoPart) {
					t.Errorf("a name without a record: %v", err)
				}
			}
			refs = append(refs, ref)
		}
		refs = append(refs, 12345)
		infos, err := p.NamesOf(t.Context(), refs)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			info, ok := infos[ref]
			records := byRef[ref]
			switch {
			case len(records) > 0:
				if !info.HasRecord || string(info.Name) != records[0].PGO {
					t.Errorf("%016x: %+v", ref, info)
				}
			case src.names[ref] != nil:
				if info.HasRecord || !bytes.Equal(info.Name, src.names[ref]) {
					t.Errorf("%016x: %+v", ref, info)
				}
			case ok:
				t.Errorf("%016x is not known, but %+v", ref, info)
			}
		}
	}
}

func TestNeighbours(t *testing.T) {
	src := awkward(600, 10)
	p, model := openSource(t, src), newNaive(src)
	for _, rank := range []int{1, 2, 255, 256, 257, 258, 300, 599, 600} {
		prev, next, err := p.Neighbours(t.Context(), rank)
		if err != nil {
			t.Fatal(err)
		}
		at := func(rank int) *instrdb.Row {
			if rank < 1 || rank > len(model.rows) {
				return nil
			}
			return &model.rows[rank-1].Row
		}
		if diff := gocmp.Diff(at(rank-1), prev, sameRows...); diff != "" {
			t.Errorf("before %d: %s", rank, diff)
		}
		if diff := gocmp.Diff(at(rank+1), next, sameRows...); diff != "" {
			t.Errorf("after %d: %s", rank, diff)
		}
	}
}

func TestOverviewComesBack(t *testing.T) {
	for name, src := range map[string]*synthetic{
		"awkward": awkward(700, 11), "typical": typical(700, 12), "none": awkward(0, 13),
	} {
		t.Run(name, func(t *testing.T) {
			inputs := []stored.Input{{Name: "a.profraw", SHA256: "00ff", Size: 1 << 40, Describe: "d",
				Format: instrprof.FormatRaw, Version: 8,
				Sections: []model.Section{{Name: "header", Size: 88},
					{Name: "names", Offset: 1 << 63, Size: 1<<64 - 1, Note: "n"}}}, {Name: "b"}}
			path := filepath.Join(t.TempDir(), "p.db")
			figures, err := profile.Write(t.Context(), path, profile.Input{Profile: partOf(src), Files: inputs}, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := profiletest.At(t, path)
			o, whole := of(t, p).Overview, p.Overview
			m := newNaive(src)
			if diff := gocmp.Diff(src.info, o.Info, sameRows...); diff != "" {
				t.Errorf("info (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(inputs, whole.Inputs, sameRows...); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(src.findings, whole.Findings[:len(src.findings)], sameRows...); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			classes, distinct := instrdb.Classes{}, map[uint64]bool{}
			var counters, histogram uint64
			var largest uint64
			for _, r := range m.rows {
				classes[r.Class]++
				distinct[r.Ref] = true
				counters += uint64(r.NumCounters)
				largest = max(largest, r.Max)
			}
			for _, n := range o.Histogram {
				histogram += n
			}
			if diff := gocmp.Diff(classes, o.Classes, sameRows...); diff != "" {
				t.Errorf("classes (-want +got):\n%s", diff)
			}
			if o.Functions != len(m.rows) || o.Names != len(distinct) || o.Counters != counters || o.Total != m.total ||
				o.Max != largest || o.Traces != len(src.traces) {
				t.Errorf("overview %+v", o)
			}
			if (o.MaxAt == nil) != (largest == 0) || o.MaxAt != nil && o.MaxAt.Max != largest {
				t.Errorf("the largest counter %d is in %+v", largest, o.MaxAt)
			}
			if len(m.rows) > 0 && (len(o.Curve) == 0 || o.Curve[len(o.Curve)-1].N != len(m.rows)) {
				t.Errorf("curve %v", o.Curve)
			}
			if figures.Functions != len(m.rows) || figures.Total != m.total.String() || figures.Describe != src.info.Describe ||
				len(figures.Spark) > 24 {
				t.Errorf("figures %+v", figures)
			}
			if len(src.findings) > 0 && (figures.Finding == nil || figures.Finding.Severity != model.Warning) {
				t.Errorf("worst finding %+v", figures.Finding)
			}
		})
	}
}

// TestSQLiteAcceptsTheFile has SQLite check a file and read its views.
func TestSQLiteAcceptsTheFile(t *testing.T) {
	src := awkward(900, 14)
	path := filepath.Join(t.TempDir(), "p.db")
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: partOf(src)}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var check string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
		t.Fatalf("integrity_check: %v %s", err, check)
	}
	m := newNaive(src)
	rows, err := db.Query("SELECT rank, name, class, max, entry, num_counters, ordinal, share FROM function_view ORDER " +
		"BY rank")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	i := 0
	for ; rows.Next(); i++ {
		var rank, counters, ordinal int
		var name sql.NullString
		var class, largest, entry string
		var share float64
		if err := rows.Scan(&rank, &name, &class, &largest, &entry, &counters, &ordinal, &share); err != nil {
			t.Fatal(err)
		}
		want := m.rows[i]
		if rank != want.Rank || name.String != want.PGO && !strings.Contains(want.PGO, "\x00") ||
			class != string(want.Class) ||
			largest != (analyze.Sum{Lo: want.Max}).String() || entry != (analyze.Sum{Lo: want.Entry}).String() ||
			counters != int(want.NumCounters) || ordinal != int(want.Ordinal) || math.Abs(share-want.Share) > 1e-9 {
			t.Fatalf("row %d: %d %q %s %s %s %d %v, want %+v", i, rank, name.String, class, largest, entry, counters, share,
				want.Row)
		}
	}
	if rows.Err() != nil || i != len(m.rows) {
		t.Errorf("%d rows: %v", i, rows.Err())
	}
	for _, view := range []string{
		"threshold", "value_site_view", "name_view", "path_node", "trace", "binary_id", "vtable", "curve",
	} {
		var n int
		if err := db.QueryRow("SELECT count(*) FROM " + view).Scan(&n); err != nil || n == 0 {
			t.Errorf("%s: %d rows, %v", view, n, err)
		}
	}
}

func TestTextFilterGoesOn(t *testing.T) {
	src := typical(query.PackedBatch+1000, 15)
	p := openSource(t, src)
	p.Budget = 0 // every ask looks at one batch
	q := instrdb.Query{
		Names: query.Names{Text: "manager"}, Sort: []query.Key{{Column: instrdb.ColMax, Desc: true}}, Limit: 3,
	}
	m := newNaive(src)
	for step := 1; ; step++ {
		page, err := p.Functions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if page.Scanned != min(step*query.PackedBatch, len(src.functions)) {
			t.Fatalf("ask %d has looked at %d", step, page.Scanned)
		}
		part := naive{rows: slices.Clone(m.rows[:page.Scanned]), total: m.total}
		want := part.query(q)
		want.All, want.Complete = len(m.rows), step == 2
		if diff := gocmp.Diff(want, *page, sameRows...); diff != "" {
			t.Fatalf("ask %d (-want +got):\n%s", step, diff)
		}
		if page.Complete {
			return
		}
	}
}

// A filter has what was foreseen: but for the rows that it shows it reads nothing.
func TestPrefetchIsAllThatAFilterReads(t *testing.T) {
	path := profiletest.Path(t, partOf(typical(5_000, 1)))
	p := of(t, profiletest.At(t, path))
	q := instrdb.Query{Names: query.Names{Text: "a"}, Limit: 1}
	want, err := of(t, profiletest.At(t, path)).Functions(t.Context(), q)
	if err != nil || want.Matching == 0 {
		t.Fatal(want, err)
	}
	if err := p.Prefetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	q.Limit = 0
	got, err := p.Functions(t.Context(), q)
	if err != nil || got.Matching != want.Matching || got.MatchingTotal != want.MatchingTotal {
		t.Errorf("%+v, %v; expected %+v", got, err, want)
	}
}

func TestPreview(t *testing.T) {
	src := typical(instrdb.PreviewFrom, 16)
	dir := t.TempDir()
	preview, path := filepath.Join(dir, "preview.db"), filepath.Join(dir, "p.db")
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: partOf(src), Preview: preview},
		nil); err != nil {
		t.Fatal(err)
	}
	whole, first := of(t, profiletest.At(t, path)), of(t, profiletest.At(t, preview))
	for _, q := range []instrdb.Query{{Limit: 50}, {Offset: 700, Limit: 20}} {
		want, err := whole.Functions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := first.Functions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if got.Complete || got.Scanned != instrdb.PreviewRows {
			t.Errorf("the preview does not say that it is one: %d %v", got.Scanned, got.Complete)
		}
		want.Complete, want.Scanned = false, instrdb.PreviewRows
		if diff := gocmp.Diff(want, got, sameRows...); diff != "" {
			t.Errorf("preview differs (-whole +preview):\n%s", diff)
		}
	}
	page, err := first.Functions(t.Context(), instrdb.Query{Sort: []query.Key{{Column: instrdb.ColName}}, Limit: 2000})
	if err != nil || len(page.Rows) != instrdb.PreviewRows || page.Complete {
		t.Errorf("by name: %d rows, complete %v, %v", len(page.Rows), page.Complete, err)
	}
	if !first.Storing() || whole.Storing() {
		t.Error("storing is the preview's mark")
	}
	if diff := gocmp.Diff(whole.Overview, first.Overview,
		append(sameRows, cmpopts.IgnoreFields(instrdb.Overview{}, "MaxAt"))...); diff != "" {
		t.Errorf("overview of the preview (-whole +preview):\n%s", diff)
	}
	if _, err := os.Stat(preview + ".part"); !os.IsNotExist(err) {
		t.Error("a temporary file is left")
	}
}

func TestUnknownColumnAndPattern(t *testing.T) {
	p := openSource(t, typical(10, 17))
	if _, err := p.Functions(t.Context(), instrdb.Query{Sort: []query.Key{{Column: query.Column("x")}}}); !errors.As(
		err, new(*query.ColumnError)) {
		t.Errorf("sort by an unknown column: %v", err)
	}
	if _, err := p.Functions(t.Context(),
		instrdb.Query{Ranges: []query.Range{{Column: query.Column("x"), Min: 0, Max: 1}}}); !errors.As(
		err, new(*query.ColumnError)) {
		t.Errorf("filter by an unknown column: %v", err)
	}
	if _, err := p.Functions(t.Context(),
		instrdb.Query{Ranges: []query.Range{{Column: instrdb.ColName, Min: 0, Max: 1}}}); !errors.As(
		err, new(*query.ColumnError)) {
		t.Errorf("filter by the name as a number: %v", err)
	}
	if _, err := p.Functions(t.Context(), instrdb.Query{Names: query.Names{Regexp: "("}}); err == nil {
		t.Error("a broken pattern was taken")
	}
}

func TestWriteStopsWithItsContextAndSource(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.db")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := profile.Write(ctx, path, profile.Input{Profile: partOf(typical(10, 18))}, nil); !errors.Is(
		err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	if _, err := profile.Write(ctx, path, profile.Input{Profile: partOf(typical(5000, 18))},
		func(_ stored.Stage, done, _ uint64) {
			if done > 2000 {
				cancel()
			}
		}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled on the way: %v", err)
	}
	src := typical(10, 18)
	src.fail = &model.FormatError{Kind: model.KindTruncated}
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: partOf(src)},
		nil); model.KindOf(err) != model.KindTruncated {
		t.Errorf("a source that fails: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

// TestStages: what is told while a profile is written goes one way.
func TestStages(t *testing.T) {
	var stages []stored.Stage
	var last uint64
	_, err := profile.Write(t.Context(), filepath.Join(t.TempDir(), "p.db"),
		profile.Input{Profile: partOf(typical(5000, 18))}, func(stage stored.Stage, done, total uint64) {
			if n := len(stages); n == 0 || stages[n-1] != stage {
				stages, last = append(stages, stage), 0
			}
			if done > total || total > 0 && done < last {
				t.Errorf("%s: %d of %d after %d", stage, done, total, last)
			}
			last = done
		})
	want := []stored.Stage{stored.Reading, stored.Indexing, stored.Writing}
	if err != nil || !slices.Equal(stages, want) {
		t.Errorf("%v, %v; want %v", stages, err, want)
	}
}

// exercise asks for everything once.
func exercise(ctx context.Context, p *instrdb.Profile) error {
	var errs []error
	yes := true
	for _, q := range []instrdb.Query{
		{Limit: 100}, {Offset: 290, Limit: 100},
		{Sort: []query.Key{{Column: instrdb.ColMax, Desc: true}, {Column: instrdb.ColName}}, Limit: 100},
		{Quality: allQualities, Limit: 20}, {Names: query.Names{Text: "main"}, Executed: &yes, Limit: 50},
		{
			Ranges: []query.Range{{Column: instrdb.ColTotal, Min: 5, Max: 1 << 40}},
			Sort:   []query.Key{{Column: instrdb.ColTotal}}, Limit: 500,
		},
	} {
		page, err := p.Functions(ctx, q)
		errs = append(errs, err)
		if err != nil {
			continue
		}
		var refs []uint64
		for _, r := range page.Rows {
			refs = append(refs, r.Ref)
			if len(refs) < 4 {
				_, _, err := p.Function(ctx, r.Ref, nil)
				errs = append(errs, err)
			}
		}
		_, err = p.NamesOf(ctx, refs)
		errs = append(errs, err)
	}
	_, _, err := p.Neighbours(ctx, 7)
	return errors.Join(append(errs, err)...)
}

// TestDamagedFile flips bytes of a file: an error that says so, or an answer,
// never a panic.
func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.db")
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: partOf(awkward(120, 19))}, nil); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := mathrand.New(mathrand.NewPCG(20, 21))
	bad := filepath.Join(dir, "bad.db")
	check := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(bad, b, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := stored.OpenWith(bad, stored.NewCache(1<<20))
		if err == nil {
			var records *instrdb.Profile
			if records, err = instrdb.Of(p); err == nil {
				err = exercise(t.Context(), records)
			}
			p.Close()
		}
		if err != nil && !errors.Is(err, stored.ErrDamaged) && !errors.Is(err, stored.ErrNoPart) {
			t.Fatalf("error of another kind: %v", err)
		}
	}
	for range 80 {
		b := bytes.Clone(good)
		at := rng.IntN(len(b))
		switch rng.IntN(3) {
		case 0:
			_, _ = rand.Read(b[at:min(at+64, len(b))])
		case 1:
			b[at] ^= 1 << rng.IntN(8)
		case 2:
			at = at/4096*4096 + rng.IntN(24)
			b[at] = byte(rng.Uint32())
		}
		check(b)
	}
	for _, n := range []int{0, 1, 99, 100, 4096, len(good) / 2, len(good) - 1} {
		check(good[:n])
	}
	if _, err := stored.Open(filepath.Join(dir, "missing.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// TestConcurrentQueries shares one profile and a cache that is too small for it.
func TestConcurrentQueries(t *testing.T) {
	src := awkward(1000, 22)
	path := filepath.Join(t.TempDir(), "p.db")
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: partOf(src)}, nil); err != nil {
		t.Fatal(err)
	}
	m := newNaive(src)
	for _, limit := range []int64{0, 20_000, cacheBytes} {
		file, err := stored.OpenWith(path, stored.NewCache(limit))
		if err != nil {
			t.Fatal(err)
		}
		p := of(t, file)
		var wg sync.WaitGroup
		for g := range 6 {
			wg.Go(func() {
				rng := mathrand.New(mathrand.NewPCG(23, uint64(g/2))) // two ask for the same
				for range 12 {
					q := randomQuery(rng, len(src.functions))
					got, err := p.Functions(t.Context(), q)
					if err != nil {
						t.Errorf("%+v: %v", q, err)
						return
					}
					if diff := gocmp.Diff(m.query(q), *got, sameRows...); diff != "" {
						t.Errorf("%+v (-want +got):\n%s", q, diff)
						return
					}
				}
			})
		}
		wg.Wait()
		file.Close()
	}
}
