package instrdb_test

import (
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profile/profiletest"
)

// handmade is a source whose vectors are known.
func handmade() *synthetic {
	caller, callee, large := refOf([]byte("caller")), refOf([]byte("callee")), refOf([]byte("large"))
	calls := [instrprof.NumValueKinds][]instrprof.ValueSite{
		{{{Value: callee, Count: 7}, {Value: 0, Count: 1}}},
		{{{Value: 17, Count: 1 << 63}}},
	}
	return &synthetic{
		info: instrprof.Info{Info: model.Info{Families: []model.Family{instrprof.Family}}},
		functions: []instrprof.Function{
			{Name: []byte("caller"), NameRef: caller, FuncHash: 1 << 63, Counters: []uint64{1, 0, 5}, Sites: calls},
			{Name: []byte("callee"), NameRef: callee, Counters: []uint64{7}},
			{Name: []byte("large"), NameRef: large, Counters: []uint64{instrprof.MaxCount, instrprof.MaxCount}},
			{NameRef: 99, Counters: nil},
		},
		traces: []instrprof.Trace{{Weight: 2, NameRefs: []uint64{caller, callee}}},
	}
}

// The vectors of an exported profile are rows, and the views print what does
// not fit a signed integer.
func TestSQLiteRows(t *testing.T) {
	src := handmade()
	db := profiletest.SQLite(t, partOf(src))
	want := map[string]int{}
	for f, err := range src.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		want["counter"] += len(f.Counters)
		for _, sites := range f.Sites {
			for _, site := range sites {
				want["value"] += len(site)
			}
		}
	}
	for trace, err := range src.Traces() {
		if err != nil {
			t.Fatal(err)
		}
		want["trace_function"] += len(trace.NameRefs)
	}
	for table, n := range want {
		var got int
		if err := db.QueryRow(`SELECT count(*) FROM ` + table).Scan(&got); err != nil || got != n || n == 0 {
			t.Errorf("%s has %d rows, expected %d, %v", table, got, n, err)
		}
		var view int
		name := table[:strings.IndexByte(table+"_", '_')] + "_view"
		if err := db.QueryRow(`SELECT count(*) FROM ` + name).Scan(&view); err != nil || view != n {
			t.Errorf("%s has %d rows, expected %d, %v", name, view, n, err)
		}
	}
	for _, sum := range profiletest.Texts(t, db, `SELECT f.id FROM function f WHERE total_high = 0 AND NOT pseudo
		AND total <> (SELECT coalesce(sum(c.count), 0) FROM counter c WHERE c.function = f.id AND c.count >= 0)
		AND NOT EXISTS (SELECT 1 FROM counter c WHERE c.function = f.id AND c.count < 0)`) {
		t.Errorf("the counters of function %s do not add up to its total", sum)
	}
	if got := profiletest.Texts(t, db,
		`SELECT count FROM counter_view WHERE name = 'large' AND idx = 0`); len(got) != 1 ||
		got[0] != "18446744073709551613" {
		t.Errorf("the largest counter is %q", got)
	}
	if got := profiletest.Texts(t, db,
		`SELECT target, count FROM value_view WHERE name = 'caller' ORDER BY idx LIMIT 1`); len(got) != 1 ||
		got[0] != "callee|7" {
		t.Errorf("the call's target is %q", got)
	}
	if got := profiletest.Texts(t, db,
		`SELECT name FROM trace_view WHERE trace = 1 ORDER BY position`); strings.Join(got, " ") != "caller callee" {
		t.Errorf("the trace is %q", got)
	}
}
