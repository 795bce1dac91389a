package table

import (
	"testing"

	"proflens/analyze"
)

// BenchmarkCSV writes rows of a declared table, as an export of functions does.
func BenchmarkCSV(b *testing.B) {
	rows := make([]animal, 10_000)
	for i := range rows {
		rows[i] = animal{
			ID: uint64(i), Name: &person{FID: uint64(i), text: "ann"}, Weight: uint64(i), Food: analyze.Sum{Lo: uint64(i)},
			Born: 2001, Share: 0.5, Kinds: [2]kind{{1}, {2}}, Legs: []byte{4},
		}
	}
	o := Options{Demangle: func(s string) string { return s }}
	columns := animals.Columns()
	names := ColumnNames(columns)
	b.ReportAllocs()
	for b.Loop() {
		add, out := newCSV(Head{Names: names}).rows(), []byte(nil)
		page := Page{Set: Set{Rows: rows}}
		step := Step{Row: page.inOnePlace()}
		cells := step.cells(columns, o)
		for i := range rows {
			out = add(out, cells(i), i == 0)
		}
	}
}
