package instrdb_test

import (
	"fmt"
	"reflect"
	"testing"

	"proflens/decode/instrprof"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// run is a run of a program of 10,000 functions: some are of another hash or shape in each
// run, or only there; some have value sites, and two records.
func run(number int) *synthetic {
	s := &synthetic{info: instrprof.Info{Variant: instrprof.IRProf}, names: map[uint64][]byte{}}
	for i := range 10_000 {
		if i%97 == number {
			continue
		}
		name := fmt.Appendf(nil, "function%d", i)
		f := instrprof.Function{NameRef: refOf(name), Name: name, FuncHash: uint64(i) << 20}
		if i%89 == 0 {
			f.FuncHash += uint64(number)
		}
		for c := range 1 + i%13 + i%83/82*number {
			f.Counters = append(f.Counters, uint64((i*31+c*17*number)%(300+i)))
		}
		if i%11 == 0 {
			f.Sites[i%3] = []instrprof.ValueSite{{{Value: 1, Count: uint64(i)}, {Value: uint64(2 + number), Count: 7}}, {}}
		}
		s.functions = append(s.functions, f)
		if i%101 == 0 {
			f.FuncHash++
			s.functions = append(s.functions, f)
		}
	}
	return s
}

// What does not fit into memory is read from the file, with the same result.
func TestComparisonsOfWhatIsNotHeld(t *testing.T) {
	base, test := profiletest.Of(instrprof.Family, run(1)), profiletest.Of(instrprof.Family, run(2))
	compared := func() (*instrdb.Overlap, table.Page) {
		var sides [2]*instrdb.Profile
		for i, p := range []string{profiletest.Path(t, base), profiletest.Path(t, test)} {
			var err error
			if sides[i], err = instrdb.Of(profiletest.At(t, p)); err != nil {
				t.Fatal(err)
			}
		}
		c, err := instrdb.Compare(t.Context(), sides[0], sides[1])
		if err != nil {
			t.Fatal(err)
		}
		overlap, err := c.Overlap(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		page, err := c.Find(instrdb.CompareQuery{MoveQuery: table.MoveQuery{Min: table.AllMoves}})(t.Context(),
			table.Query{RowQuery: query.RowQuery{Limit: 20_000}})
		if err != nil {
			t.Fatal(err)
		}
		return overlap, page
	}
	overlap, page := compared()
	if overlap.Mismatch.Entries == 0 || overlap.Unique.Entries == 0 || overlap.Overlap.Overlap.Values[0] == 0 ||
		overlap.Score <= 0 || overlap.Score >= 1 || page.Matching < 10_000 {
		t.Errorf("%+v of %d pairs compares little", overlap, page.Matching)
	}
	for _, bound := range []int64{0, 100_000} {
		before := instrdb.HoldAtMost(bound)
		again, rows := compared()
		instrdb.HoldAtMost(before)
		if !reflect.DeepEqual(overlap, again) {
			t.Errorf("with %d bytes held:\n%+v, expected\n%+v", bound, again, overlap)
		}
		for i := range page.Len() {
			if got, want := rows.Row(i).Interface(), page.Row(i).Interface(); !reflect.DeepEqual(got, want) {
				t.Fatalf("with %d bytes held, pair %d is %+v, expected %+v", bound, i, got, want)
			}
		}
	}
}
