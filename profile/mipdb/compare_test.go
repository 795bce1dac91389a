package mipdb_test

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"proflens/decode/mip"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// ran are functions by name that ran once, in this order, those after "" not at all. They stand
// one behind the other in alphabetical order, each of so many bytes.
func ran(size uint32, names ...string) *mip.Profile {
	m := &mip.Profile{Form: mip.FormatProfile, Header: mip.Header{
		ProfileType: mip.FunctionCoverage | mip.Timestamp | mip.CallCount,
	}}
	end := slices.Index(names, "")
	all := slices.Sorted(slices.Values(names))
	for i, name := range all[1:] {
		f := mip.Function{
			Name: []byte(name), NameSource: mip.NameMD5, Signature: uint64(name[0]), CFGSignature: 1,
			Offset: int64(i) * int64(size), Size: size,
		}
		if at := slices.Index(names, name); at < end {
			f.MergeCount, f.CallCount, f.TimestampSum = 1, 10, uint64(at)+1
		}
		m.Functions = append(m.Functions, f)
	}
	return m
}

// What moved, what is new and what is gone, by hand: of a, b, c and d, which ran in both, d
// comes first now.
func TestCompare(t *testing.T) {
	older, newer := ran(10, "a", "b", "only", "c", "d", "s", "", "n"), ran(10, "d", "a", "x", "b", "c", "n", "", "s")
	of := func(m *mip.Profile, name string) *mip.Function {
		return &m.Functions[slices.IndexFunc(m.Functions, func(f mip.Function) bool { return string(f.Name) == name })]
	}
	of(newer, "a").Size, of(newer, "b").Size = 14, 7
	of(newer, "c").CFGSignature = 2
	base, test := storeMIP(t, older), storeMIP(t, newer)
	type row struct {
		Name                    string
		State                   table.State
		Size, Place, Was, Is, N int
	}
	read := func(by query.Column, base, test *mipdb.Profile) (list []row, c *mipdb.Comparison) {
		t.Helper()
		c, err := mipdb.Compare(t.Context(), base, test, by)
		if err != nil {
			t.Fatal(err)
		}
		c.Each(func(r *mipdb.ComparedRow) {
			one := row{Name: r.PGO, State: r.State, Size: int(r.SizeChange), Place: int(r.PlaceChange), N: int(r.Change)}
			if r.Base != nil {
				one.Was = r.Base.Place
			}
			if r.Test != nil {
				one.Is = r.Test.Place
			}
			list = append(list, one)
		})
		slices.SortFunc(list, func(a, b row) int { return int(a.Name[0]) - int(b.Name[0]) })
		return list, c
	}
	got, c := read(mipdb.CompareCovered, base, test)
	if diff := gocmp.Diff([]row{
		{Name: "a", State: table.Matched | mipdb.Grown, Size: 4, Was: 1, Is: 2, N: 4},
		{Name: "b", State: table.Matched | mipdb.Shrunk, Size: -3, Was: 2, Is: 3, N: -3},
		{Name: "c", State: table.Changed, Was: 3, Is: 4},
		{Name: "d", State: table.Matched | mipdb.Moved, Was: 4, Is: 1, Place: -3},
		{Name: "n", State: table.Matched | mipdb.NewlyCovered, N: 10},
		{Name: "only", State: table.OnlyBase, N: -10},
		{Name: "s", State: table.Matched | mipdb.NewlyDead, N: -10},
		{Name: "x", State: table.OnlyTest, N: 10},
	}, got); diff != "" {
		t.Error(diff)
	}
	if !c.Ordered || c.GrownBy != 4 || c.ShrunkBy != 3 || c.CoveredBy != 10 || c.DeadBy != 10 || c.Base.Functions != 7 ||
		c.Test.Bytes != 71 {
		t.Errorf("%+v", c)
	}
	if diff := gocmp.Diff(map[table.State]int{
		mipdb.Grown: 1, mipdb.Shrunk: 1, mipdb.Moved: 1, mipdb.NewlyCovered: 1, mipdb.NewlyDead: 1,
	}, c.Counts); diff != "" {
		t.Error(diff)
	}
	var places []int
	list, _ := read(mipdb.CompareOrder, base, test)
	for _, r := range list {
		places = append(places, r.N)
	}
	if !slices.Equal(places, []int{0, 0, 0, -3}) {
		t.Errorf("places change by %v", places)
	}
	// The other way round all of it is the other way round, and nothing of one profile changes.
	if got, c := read(mipdb.CompareSize, test, base); got[0].N != -4 || got[1].N != 3 || c.CoveredBy != 10 ||
		c.GrownBy != 3 || got[5].State != table.OnlyTest || got[5].N != 10 {
		t.Errorf("%+v", got)
	}
	if got, c := read(mipdb.CompareCovered, base, base); len(c.Counts) > 0 || slices.ContainsFunc(got, func(r row) bool {
		return r.State != table.Matched || r.N != 0 || r.Place != 0 || r.Was != r.Is
	}) {
		t.Errorf("%+v", got)
	}
}

// What scripts read of a function is worked out here from the file's numbers.
func TestCells(t *testing.T) {
	m := ran(100, "a", "b", "c", "", "d")
	m.Functions[1].CallCount = mip.MaxCalls
	m.Functions[2].MergeCount, m.Functions[2].TimestampSum = 2, 5
	m.Functions[0].RawOffset = 7
	page, err := storeMIP(t, m).Find(mipdb.Query{})(t.Context(), table.Query{
		RowQuery: query.RowQuery{Limit: 9, Sort: []query.Key{{Column: mipdb.ColIndex}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string][]string{
		"fid":       {"0000000000000061", "0000000000000062", "0000000000000063", "0000000000000064"},
		"index":     {"0", "1", "2", "3"},
		"executed":  {"true", "true", "true", "false"},
		"size":      {"100", "100", "100", "100"},
		"saturated": {"false", "true", "false", "false"}, "call_count": {"10", "4294967294", "10", "0"},
		"covered_bytes": {"100", "100", "100", "0"}, "missed_bytes": {"0", "0", "0", "100"},
		"covered_share": {"1", "1", "1", "0"}, "merge_count": {"1", "1", "2", "0"},
		"avg_timestamp": {"1", "2", "2.5", ""}, "timestamp_sum": {"1", "2", "5", "0"},
		"weight": {"1000", "429496729400", "1000", "0"}, "function_offset": {"0", "100", "200", "300"},
		"raw_offset": {"7", "0", "0", "0"}, "cfg_signature": {"0x00000001", "0x00000001", "0x00000001", "0x00000001"},
	} {
		var got []string
		for i := range page.Len() {
			got = append(got, mipdb.Functions.Field(column).Text(page.Row(i)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
}

// A function that ends in another page than it begins in needs both, and two in one page
// need it once.
func TestPagesOfAStart(t *testing.T) {
	m := ran(10, "a", "b", "c", "d", "")
	for i, at := range []int64{4090, 4086, 8191, 1 << 20} {
		m.Functions[i].Offset = at
	}
	p := storeMIP(t, m)
	s, err := p.Startup(t.Context(), mipdb.StartupQuery{})
	if err != nil || s.Pages != 4 || s.Bytes != 40 || !slices.Equal(s.Indices, []uint32{0, 1, 2, 3}) {
		t.Errorf("%+v, %v", s, err)
	}
	rows, whole, err := p.StartupRows(t.Context(), s, query.Names{Text: "c"}, nil, nil, false)
	if err != nil || !whole || !slices.Equal(rows, []mipdb.Placed{{Index: 2, Place: 2}}) {
		t.Errorf("%+v, %t, %v", rows, whole, err)
	}
}
