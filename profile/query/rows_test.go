package query

import (
	"slices"
	"strings"
	"testing"
)

// Words are sought in every name of a row, each in any of them; ranges and the order are
// those of the columns.
func TestPick(t *testing.T) {
	list := numbers{{5, 1}, {3, 0}, {4, 2}, {3, 9}}
	named := []string{"main app.c", "sort app.c", "sort lib.c", "free lib.c"}
	rows := Rows{
		Len: len(list),
		Names: func(i uint32, show func([]byte)) {
			for name := range strings.FieldsSeq(named[i]) {
				show([]byte(name))
			}
		},
		Value: list.value,
	}
	for _, test := range []struct {
		query RowQuery
		want  []uint32
	}{
		{RowQuery{}, []uint32{0, 1, 2, 3}},
		{RowQuery{Text: "sort"}, []uint32{1, 2}},
		{RowQuery{Text: "sort lib"}, []uint32{2}},
		{RowQuery{Text: "lib SORT"}, []uint32{2}},
		{RowQuery{Text: "nothing"}, nil},
		{RowQuery{Regexp: "^(main|free)$"}, []uint32{0, 3}},
		{RowQuery{Ranges: []Range{{"n", 3, 4}}}, []uint32{1, 2, 3}},
		{RowQuery{Ranges: []Range{{"n", 3, 4}, {"some", 0, 2}}}, []uint32{2}},
		{RowQuery{Text: "c", Sort: []Key{{"n", false}}}, []uint32{1, 3, 2, 0}},
		{RowQuery{Whole: true, Sort: []Key{{"n", true}, {"some", true}}}, []uint32{0, 2, 3, 1}},
	} {
		if got, err := test.query.Pick(t.Context(), rows); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v, want %v, %v", test.query, got, test.want, err)
		}
	}
	for _, q := range []RowQuery{{Ranges: []Range{{Column: "no"}}}, {Sort: []Key{{Column: "no"}}}, {Regexp: "("}} {
		if _, err := q.Pick(t.Context(), rows); err == nil {
			t.Errorf("%+v: no error", q)
		}
	}
}

func TestPlain(t *testing.T) {
	if !(&RowQuery{Offset: 3, Limit: 4}).Plain() {
		t.Error("a page of all rows is not plain")
	}
	keys := map[string]bool{(&RowQuery{}).Key(): true}
	for _, q := range []RowQuery{{Text: "a"}, {Regexp: "a"}, {Ranges: []Range{{Column: "a"}}},
		{Sort: []Key{{Column: "a"}}}} {
		if q.Plain() || keys[q.Key()] {
			t.Errorf("%+v: plain, or its key is that of another", q)
		}
		keys[q.Key()] = true
	}
}
