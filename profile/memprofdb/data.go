package memprofdb

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"proflens/decode/memprof"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Datum is static data, or a string literal, with its accesses.
type Datum struct {
	Literal   DataKind      `col:"kind" width:"14" is:"sort,up" as:"symbol|string-literal"`
	Cold      bool          `col:"cold" width:"5" is:"script" help:"known to be untouched: no accesses were counted"`
	_         column        `col:"class" is:"page,sort,up" help:"cold is known to be untouched"`
	Accesses  uint64        `col:"access_count" head:"Accesses" is:"page,sort,range,bar,share"`
	_         column        `col:"access_count" width:"20" is:"script,number" help:"none of cold data"`
	Hash      uint64        // of the contents of a literal
	_         column        `col:"hash" width:"20" is:"script,number" help:"of the contents of a literal"`
	_         column        `col:"symbol" head:"Data" is:"page,sort,up,words"`
	_         column        `help:"symbol, or the hash of a literal's contents"`
	Symbol    string        `col:"symbol" is:"script,omitzero"`
	_         column        `col:"demangled" is:"script"`
	Locations DataLocations `col:"locations" head:"Declared at" is:"sort,words" help:"sorted by the number of places"`
}

// Cell implements [table.Celler].
func (d *Datum) Cell(column string, o *table.Options) table.Cell {
	switch {
	case column == "class" && d.Cold:
		return table.Text("cold")
	case column == "access_count" && !d.Cold:
		return table.Count(d.Accesses)
	case column == "hash" && bool(d.Literal):
		return table.Count(d.Hash)
	case column == "symbol" && bool(d.Literal):
		return table.Text(fmt.Sprintf("0x%016x", d.Hash))
	case column == "symbol":
		return table.Text(d.Symbol)
	case column == "demangled" && !bool(d.Literal):
		return table.Text(o.Demangle(d.Symbol))
	}
	return table.Null
}

// DataKind is set of string literals.
type DataKind bool

// Cell implements [table.Celler].
func (k *DataKind) Cell(string, *table.Options) table.Cell {
	return table.Text(map[DataKind]string{false: "symbol", true: "string-literal"}[*k])
}

// DataLocation is where data is declared.
type DataLocation memprof.DataLocation

// At implements [table.Located].
func (l *DataLocation) At() (file string, line uint32, other string) { return l.File, l.Line, "" }

// DataLocations are the places in the source that declare data.
type DataLocations []DataLocation

// Words implements [table.Sought].
func (l *DataLocations) Words(show func([]byte)) {
	for _, at := range *l {
		show(fmt.Appendf(nil, "%s:%d", at.File, at.Line))
	}
}

// DataAccess is the table of static data.
var DataAccess = table.Declare[Datum](table.Declaration{
	Noun: "symbol or literal", Nouns: "symbols and literals", Usual: "-access_count", Sought: "symbol or file",
	Least: "access_count",
	Show:  "symbol kind class access_count locations",
})

// Data is the data access profile, the most accessed data first and cold data in
// order; none where there is no such profile. It is shared: do not change it. The error
// is the context's, or about the file.
func (p *Profile) Data(ctx context.Context) ([]Datum, error) {
	if !p.Overview.DataAccess {
		return nil, nil
	}
	return stored.Cached(ctx, p.Profile, "memprof data", func() ([]Datum, int64, error) {
		var list []Datum
		records := map[int64]int{}
		size := int64(0)
		err := p.Walk("data_access", func(row *stored.Row) {
			var d Datum
			row.Fill(&d.Cold, &d.Literal, &d.Symbol, &d.Hash, &d.Accesses)
			size += int64(len(d.Symbol)) + 88
			records[row.ID] = len(list)
			list = append(list, d)
		})
		if err != nil {
			return nil, 0, err
		}
		err = p.Walk("data_location", func(row *stored.Row) {
			if i, ok := records[row.Int(1)]; ok {
				l := DataLocation{File: row.String(2), Line: uint32(row.Uint(3))}
				size += int64(len(l.File)) + 24
				list[i].Locations = append(list[i].Locations, l)
			}
		})
		slices.SortStableFunc(list, func(a, b Datum) int {
			if !a.Cold && !b.Cold {
				return cmp.Compare(b.Accesses, a.Accesses)
			}
			first := map[bool]int{true: 1}
			return cmp.Or(first[a.Cold]-first[b.Cold], first[bool(a.Literal)]-first[bool(b.Literal)],
				cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Hash, b.Hash))
		})
		return list, size, err
	})
}

// FindData finds static data.
func (p *Profile) FindData(ctx context.Context) (table.Find, error) {
	list, err := p.Data(ctx)
	whole := 0.0
	for i := range list {
		whole += float64(list[i].Accesses)
	}
	return DataAccess.Within(table.Set{Rows: list, Whole: map[string]float64{"access_count": whole}}), err
}
