package tables

import (
	"context"
	"fmt"
	"slices"

	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
)

var moduleColumns = []Column[memprofdb.ModuleRow]{
	{"index", 5, func(m *memprofdb.ModuleRow) Cell { return Int(uint64(m.Index)) }},
	{"start", 18, func(m *memprofdb.ModuleRow) Cell { return Text(fmt.Sprintf("0x%x", m.Start)) }},
	{"end", 18, func(m *memprofdb.ModuleRow) Cell { return Text(fmt.Sprintf("0x%x", m.End)) }},
	{"offset", 18, func(m *memprofdb.ModuleRow) Cell { return Text(fmt.Sprintf("0x%x", m.Offset)) }},
	{"build_id", 40, func(m *memprofdb.ModuleRow) Cell {
		if len(m.BuildID) == 0 {
			return Null
		}
		return Text(fmt.Sprintf("%x", m.BuildID))
	}},
	{"frames", 8, func(m *memprofdb.ModuleRow) Cell { return Int(uint64(m.Frames)) }},
	{"contexts", 8, func(m *memprofdb.ModuleRow) Cell { return Int(uint64(m.Contexts)) }},
	{"wanted", 6, func(m *memprofdb.ModuleRow) Cell { return Bool(m.Wanted()) }},
	{"path", 0, func(m *memprofdb.ModuleRow) Cell { return textOrNull(m.Path) }},
	{"file", 0, func(m *memprofdb.ModuleRow) Cell { return textOrNull(m.File) }},
}

func textOrNull(s string) Cell {
	if s == "" {
		return Null
	}
	return Text(s)
}

func openModules(_ context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return Modules(p, query.RowQuery{}, o), nil
}

// Modules is the segments of raw heap profiles that a query selects, with those whose
// binary is wanted; its Offset and Limit do not count.
func Modules(p *memprofdb.Profile, q query.RowQuery, o Options) Table {
	return &List[memprofdb.ModuleRow]{Columns: moduleColumns, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[memprofdb.ModuleRow], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.FindModules(ctx, q)
			if err != nil {
				return Step[memprofdb.ModuleRow]{}, err
			}
			return Step[memprofdb.ModuleRow]{Rows: page.Rows, Total: page.Matching}, nil
		}}
}

// callSite is a call on the way to an allocation with what its cells need.
type callSite struct {
	*memprofdb.CallSite
	Options
}

func (c *callSite) function() memprofFunction { return memprofFunction{c.Function, nil, c.Demangle} }

var callSiteColumns = slices.Concat(
	[]Column[callSite]{{"index", 8, func(c *callSite) Cell { return Int(uint64(c.Index)) }}},
	memprofFunctionColumns((*callSite).function)[:4],
	[]Column[callSite]{
		{"stack", 0, func(c *callSite) Cell { return JSON(appendStack(nil, c.Stack, nil, c.Demangle)) }},
		{"callees", 0, func(c *callSite) Cell {
			b := []byte{'['}
			for i, f := range c.Callees {
				if i > 0 {
					b = append(b, ',')
				}
				callee := memprofFunction{f, nil, c.Demangle}
				b = AppendString(fmt.Appendf(b, `{"fid":"%s","function":`, FID(f.FID)), callee.label())
				b = append(b, '}')
			}
			return JSON(append(b, ']'))
		}},
	})

func openCallSites(_ context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return CallSites(p, query.RowQuery{}, o), nil
}

// CallSites is the calls on the way to allocations that a query selects, in its order
// or the file's; its Offset and Limit do not count.
func CallSites(p *memprofdb.Profile, q query.RowQuery, o Options) Table {
	return &List[callSite]{Columns: callSiteColumns, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[callSite], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.CallSites(ctx, q)
			if err != nil {
				return Step[callSite]{}, err
			}
			rows := make([]callSite, len(page.Rows))
			for i := range page.Rows {
				rows[i] = callSite{&page.Rows[i], o}
			}
			return Step[callSite]{Rows: rows, Total: page.Matching}, nil
		}}
}

// datum is static data of a data access profile.
type datum struct {
	memprofdb.Datum
	demangle func(linkage string) string
}

var dataColumns = []Column[datum]{
	{"kind", 14, func(d *datum) Cell {
		if d.IsString {
			return Text("string-literal")
		}
		return Text("symbol")
	}},
	{"cold", 5, func(d *datum) Cell { return Bool(d.Cold) }},
	{"access_count", 20, func(d *datum) Cell {
		if d.Cold {
			return Null
		}
		return Count(d.AccessCount)
	}},
	{"hash", 20, func(d *datum) Cell {
		if !d.IsString {
			return Null
		}
		return Count(d.Hash)
	}},
	{"symbol", 0, func(d *datum) Cell {
		if d.IsString {
			return Null
		}
		return Text(d.Symbol)
	}},
	{"demangled", 0, func(d *datum) Cell {
		if d.IsString {
			return Null
		}
		return Text(d.demangle(d.Symbol))
	}},
	{"locations", 0, func(d *datum) Cell {
		b := []byte{'['}
		for i, l := range d.Locations {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendString(append(b, `{"file":`...), l.File)
			b = fmt.Appendf(b, `,"line":%d}`, l.Line)
		}
		return JSON(append(b, ']'))
	}},
}

func openDataAccess(_ context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return DataAccess(p, query.RowQuery{}, o), nil
}

// DataAccess is the static data of a data access profile that a query selects: unless
// it says otherwise the most accessed first, then what is known to be cold. Its Offset
// and Limit do not count.
func DataAccess(p *memprofdb.Profile, q query.RowQuery, o Options) Table {
	return &List[datum]{Columns: dataColumns, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[datum], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.FindData(ctx, q)
			if err != nil {
				return Step[datum]{}, err
			}
			rows := make([]datum, len(page.Rows))
			for i := range page.Rows {
				rows[i] = datum{page.Rows[i], o.Demangle}
			}
			return Step[datum]{Rows: rows, Total: page.Matching}, nil
		}}
}
