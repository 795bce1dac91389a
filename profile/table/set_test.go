package table

import (
	"slices"
	"strings"
	"testing"

	"proflens/profile/query"
)

// Rows that stand in their usual order keep it; what they must pass besides leaves them
// among all; words can be sought elsewhere than in rows; and what stands around can depend
// on those that match.
func TestSets(t *testing.T) {
	of := func(set Set, q Query) ([]uint64, Page) {
		t.Helper()
		q.Limit = 10
		set.Rows = zoo()
		page, err := animals.Within(set)(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var ids []uint64
		for _, a := range RowsOf[animal](&page) {
			ids = append(ids, a.ID)
		}
		return ids, page
	}
	if got, _ := of(Set{Sorted: true}, Query{}); !slices.Equal(got, []uint64{1, 2, 3}) {
		t.Errorf("sorted rows stand as %v", got)
	}
	if got, _ := of(Set{Sorted: true},
		Query{RowQuery: query.RowQuery{Sort: []query.Key{{Column: "weight"}}}}); !slices.Equal(got, []uint64{1, 3, 2}) {
		t.Errorf("by weight they stand as %v", got)
	}
	set := Set{
		Tests:   []query.Test{func(i uint32) bool { return i > 0 }},
		Names:   func(i uint32, show func([]byte)) { show([]byte{"xyz"[i]}) },
		Matched: func(ids []uint32) any { return len(ids) },
	}
	if got, page := of(set, Query{}); !slices.Equal(got, []uint64{2, 3}) || page.All != 3 || page.Around != 2 {
		t.Errorf("%v of %d, around %v", got, page.All, page.Around)
	}
	if got, _ := of(set, Query{RowQuery: query.RowQuery{Text: "y"}, Facets: []string{"tame"}}); !slices.Equal(
		got, []uint64{2}) {
		t.Errorf("words and a facet find %v", got)
	}
	if got, page := of(set, Query{RowQuery: query.RowQuery{Text: "x"}}); len(got) > 0 || page.Around != 0 {
		t.Errorf("a row that does not pass is found: %v", got)
	}
}

// A row is an object by itself, too.
func TestAppendObject(t *testing.T) {
	o := &Options{Demangle: strings.ToUpper, Quote: true}
	got := string(animals.AppendObject(nil, &zoo()[1], o))
	const want = `{"id":"0000000000000002","owner_fid":null,"owner":null,"weight":"9","food":"18446744073709551616","born":null,"share":0,"wild_count":0,"tame_count":0,"legs":null,"tame":true,"sound":"purr"}`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if !animals.HasWords() || Declare[kind](Declaration{}).HasWords() ||
		animals.Field("weight").How != "weights a weight" {
		t.Error("words, or the paragraph of the methods, are not as declared")
	}
}
