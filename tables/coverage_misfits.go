package tables

import (
	"context"
	"slices"

	"proflens/decode/instrprof"
	"proflens/profiledb/covdb"
)

// misfit is a function that mapping and profile do not agree on.
type misfit struct {
	*covdb.Misfit
	named
	object string
}

var misfitColumns = slices.Concat(
	[]Column[misfit]{
		{"kind", 10, func(m *misfit) Cell { return Text(string(m.Kind)) }},
		{"object", 24, func(m *misfit) Cell {
			if m.Object < 0 {
				return Null
			}
			return Text(m.object)
		}},
		{"func_hash", 16, func(m *misfit) Cell { return Hex(m.Hash) }},
		{"found_hashes", 0, func(m *misfit) Cell {
			list := make([]string, len(m.Found))
			for i, hash := range m.Found {
				list[i] = FID(hash)
			}
			return marshalled(list)
		}},
		{"ran", 5, func(m *misfit) Cell { return Bool(m.Ran) }},
	},
	nameColumns(func(m *misfit) *named { return &m.named }),
)

var misfitText = []string{"kind", "func_hash", "demangled"}

func openMisfits(_ context.Context, p *covdb.Profile, o Options) (Table, error) {
	return Misfits(p, "", o), nil
}

// Misfits is the functions that mapping and profile do not agree on, of a kind, or all
// with an empty one.
func Misfits(p *covdb.Profile, kind covdb.MisfitKind, o Options) Table {
	return &List[misfit]{Columns: misfitColumns, Text: misfitText, Quote: o.Quote,
		Read: func(_ context.Context, offset, limit int) (Step[misfit], error) {
			page, err := p.Misfits(kind, offset, limit)
			if err != nil {
				return Step[misfit]{}, err
			}
			rows := make([]misfit, len(page.Rows))
			for i := range page.Rows {
				m := &page.Rows[i]
				rows[i] = misfit{Misfit: m, named: newNamed(instrprof.NameRef([]byte(m.Linkage)), []byte(m.Linkage), o.Demangle)}
				if m.Object >= 0 {
					rows[i].object = p.Overview.Objects[m.Object].Name
				}
			}
			return Step[misfit]{Rows: rows, Total: page.Matching}, nil
		}}
}
