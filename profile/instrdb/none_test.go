package instrdb_test

import (
	"testing"

	"proflens/decode/format"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// A profile of another family has no function records, and every query says so.
func TestNoRecords(t *testing.T) {
	file := profiletest.Store(t, &format.Profile{})
	if _, err := instrdb.Of(file); err != stored.ErrNoPart {
		t.Errorf("%v", err)
	}
	p, err := instrdb.OfAny(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []instrdb.Query{
		{Limit: 10}, {Merge: true, Limit: 10}, {Names: query.Names{Text: "x"}, Limit: 10}, {Scope: "a"},
	} {
		if page, err := p.Functions(t.Context(), q); err != nil || page.Matching != 0 || len(page.Rows) != 0 ||
			!page.Complete {
			t.Errorf("%+v: %+v, %v", q, page, err)
		}
	}
	if _, _, err := p.Function(t.Context(), 1, nil); err != stored.ErrNoPart {
		t.Error(err)
	}
	if page := valuesOf(t, p, 0, 0, query.RowQuery{Limit: 1}); page.All != 0 {
		t.Error(page)
	}
	for _, by := range []query.TreeBy{query.ByPath, query.ByNamespace} {
		if tree, err := p.Tree(t.Context(), by, nil); err != nil || !tree.Complete || tree.Root().Functions != 0 {
			t.Error(tree, err)
		}
	}
	if traces, err := p.Traces(t.Context()); err != nil || len(traces) != 0 {
		t.Error(traces, err)
	}
}
