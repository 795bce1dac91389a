package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/profiledb/instrdb"
)

// vtable is a virtual table with what its cells need.
type vtable struct {
	*instrdb.VTable
	named
}

// NoVTable is the fid of the row of the addresses that are in no vtable.
var NoVTable = FID(0)

// classOf is the class of a vtable, null where the name says none.
func (n *named) classOf() Cell {
	if class := VTableClass(n.demangle(n.linkage)); len(n.name) > 0 && class != "" {
		return Text(class)
	}
	return Null
}

// VTableClass is the class that a vtable's demangled name says it is of, empty
// where it says none.
func VTableClass(demangled string) string {
	class, ok := strings.CutPrefix(demangled, "vtable for ")
	if !ok {
		return ""
	}
	return class
}

var vtableColumns = slices.Concat(
	nameColumns(func(v *vtable) *named { return &v.named }),
	[]Column[vtable]{
		{"class", 0, func(v *vtable) Cell { return v.classOf() }},
		{"address", 18, (*vtable).address},
		{"size", 8, (*vtable).size},
		{"ranges", 0, (*vtable).ranges},
		{"sites", 8, func(v *vtable) Cell { return Int(uint64(v.Sites)) }},
		{"functions", 8, func(v *vtable) Cell { return Int(uint64(v.Functions)) }},
		{"count", 20, func(v *vtable) Cell { return SumCount(v.Count) }},
		{"share", 8, func(v *vtable) Cell { return Ratio(v.Share) }},
	})

var vtableText = []string{"count", "share", "sites", "address", "size", "demangled"}

func hexAddress(a uint64) string { return fmt.Sprintf("0x%x", a) }

// address is where the vtable stood, the lowest of several.
func (v *vtable) address() Cell {
	if len(v.Ranges) == 0 {
		return Null
	}
	return Text(hexAddress(v.Ranges[0].Address))
}

func (v *vtable) size() Cell {
	if len(v.Ranges) == 0 {
		return Null
	}
	return Int(v.Ranges[0].Size)
}

func (v *vtable) ranges() Cell {
	b := []byte{'['}
	for i, r := range v.Ranges {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"address":"%s","size":%d}`, hexAddress(r.Address), r.Size)
	}
	return JSON(append(b, ']'))
}

func openVTables(_ context.Context, p *instrdb.Profile, o Options) (Table, error) {
	return VTables(p, instrdb.VTableQuery{}, o), nil
}

// VTables is the vtables that a query selects, in its order (instrprof.md §2.6).
func VTables(p *instrdb.Profile, q instrdb.VTableQuery, o Options) Table {
	return &List[vtable]{Columns: vtableColumns, Text: vtableText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[vtable], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.VTables(ctx, q)
			if err != nil {
				return Step[vtable]{}, err
			}
			rows := make([]vtable, len(page.Rows))
			for i := range page.Rows {
				row := &page.Rows[i]
				rows[i] = vtable{row, newNamed(row.NameRef, row.Name, o.Demangle)}
			}
			return Step[vtable]{Rows: rows, Total: page.Matching}, nil
		}}
}
