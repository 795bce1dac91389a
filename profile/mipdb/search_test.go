package mipdb_test

import (
	"math"
	"slices"
	"testing"

	"proflens/profile/instrdb"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// A page of counters may be asked for with the same words: it has no rows here, and what
// it finds is not what this table finds.
func TestAnotherTablesSearch(t *testing.T) {
	p, _ := openMIP(t, mipSets["twins"]...)
	names := query.Names{Regexp: "."}
	counts, err := instrdb.OfAny(p.Profile)
	if err != nil {
		t.Fatal(err)
	}
	if page, err := counts.Functions(t.Context(), instrdb.Query{Names: names, Limit: 1}); err != nil ||
		page.Matching != 0 {
		t.Errorf("%+v, %v", page, err)
	}
	page, err := p.Functions(t.Context(), mipdb.Query{Names: names, Limit: 1})
	if err != nil || page.Matching == 0 {
		t.Errorf("%+v, %v", page, err)
	}
}

// The table of functions, and that of their order, are sorted both ways by all that they
// say, and a range leaves functions out.
func TestTablesAreSortedAndRanged(t *testing.T) {
	p, _ := openMIP(t, mipSets["counts"]...)
	order, err := p.FindOrder(t.Context(), mipdb.StartupQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		d    *table.Declaration
		find table.Find
		all  int
	}{{mipdb.Functions, p.Find(mipdb.Query{}), 25}, {mipdb.Order, order, 21}} {
		ask := func(q query.RowQuery) (texts []string) {
			q.Limit = 100
			page, err := of.find(t.Context(), table.Query{RowQuery: q})
			if err != nil {
				t.Fatal(q, err)
			}
			for i := range page.Len() {
				texts = append(texts, of.d.Field("fid").Text(page.Row(i)))
			}
			return texts
		}
		for _, column := range of.d.Sorts() {
			up := ask(query.RowQuery{Sort: []query.Key{{Column: column}}})
			down := ask(query.RowQuery{Sort: []query.Key{{Column: column, Desc: true}}})
			if len(up) != of.all || slices.Equal(up, down) {
				t.Errorf("by %s there are %d of %d, the same both ways: %v", column, len(up), of.all, slices.Equal(up, down))
			}
		}
		for _, column := range of.d.Ranges() {
			most := uint64(1 << 40)
			if of.d.Field(string(column)).Unit == table.Part {
				most = query.Ordered(1.01)
			}
			if few := ask(query.RowQuery{Ranges: []query.Range{{Column: column, Min: most,
				Max: math.MaxUint64}}}); len(few) > 0 {
				t.Errorf("%d functions have such a %s", len(few), column)
			}
		}
	}
}
