package sampledb

import (
	"context"

	"proflens/profiledb/btree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Symbol is a symbol of the profiled program, by the list in the profile.
type Symbol struct {
	Linkage []byte
	Name    *Name // what the profile has of it; nil for nothing
}

// Own is how many counts of its own it has.
func (s *Symbol) Own() uint64 {
	if s.Name == nil {
		return 0
	}
	return s.Name.Own()
}

// ColSymbol orders symbols by their names.
const ColSymbol query.Column = "symbol"

// SymbolColumns are those that symbols can be sorted or filtered by.
var SymbolColumns = []query.Column{ColSymbol, ColOwn}

// SymbolQuery selects, orders and pages symbols. The zero value is all in the order of
// their names.
type SymbolQuery struct {
	query.RowQuery
	Never bool // those without any count
}

// SymbolPage is one page of symbols.
type SymbolPage struct {
	Rows          []Symbol
	All, Matching int
}

// Symbols returns one page of the list of symbols; nothing where the file has none. Errors
// are a *query.ColumnError, that of names.NewMatcher for a pattern, the context's, or about
// the file.
func (p *Profile) Symbols(ctx context.Context, q SymbolQuery) (*SymbolPage, error) {
	all, err := p.symbols(ctx)
	if err != nil {
		return nil, err
	}
	among := all
	if q.Never {
		among = nil
		for _, s := range all {
			if s.Own() == 0 {
				among = append(among, s)
			}
		}
	}
	ids, err := q.Pick(ctx, query.Rows{
		Len:   len(among),
		Names: func(i uint32, show func([]byte)) { show(among[i].Linkage) },
		Value: func(c query.Column) (query.Value, error) {
			switch c {
			case ColSymbol:
				return query.Words(len(among), func(i uint32) string { return string(among[i].Linkage) }), nil
			case ColOwn:
				return query.Value{At: func(i uint32) uint64 { return among[i].Own() }}, nil
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: SymbolColumns}
		},
	})
	if err != nil {
		return nil, err
	}
	page := &SymbolPage{All: len(all), Matching: len(ids)}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, among[i])
	}
	return page, nil
}

func (p *Profile) symbols(ctx context.Context) ([]Symbol, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, "sample symbols", func() ([]Symbol, int64, error) {
		var list []Symbol
		size := int64(0)
		err := p.EachRow("sample_symbol", func(row *btree.Row) error {
			text, err := row.Bytes(1)
			s := Symbol{Linkage: append([]byte(nil), text...)}
			if id := row.Uint(2); id > 0 && id <= uint64(len(x.names)) {
				s.Name = &x.names[id-1]
			}
			list, size = append(list, s), size+int64(len(text))+40
			return err
		})
		return list, size, err
	})
}
