package mipdb_test

import (
	"testing"

	"proflens/profiledb/instrdb"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
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
