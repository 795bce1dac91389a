package tables

import (
	"context"
	"fmt"
	"slices"

	"proflens/decode/memprof"
	"proflens/profiledb/memprofdb"
)

// module is a segment with its number, from 0.
type module struct {
	*memprofdb.Module
	index int
}

var moduleColumns = []Column[module]{
	{"index", 5, func(m *module) Cell { return Int(uint64(m.index)) }},
	{"start", 18, func(m *module) Cell { return Text(fmt.Sprintf("0x%x", m.Start)) }},
	{"end", 18, func(m *module) Cell { return Text(fmt.Sprintf("0x%x", m.End)) }},
	{"offset", 18, func(m *module) Cell { return Text(fmt.Sprintf("0x%x", m.Offset)) }},
	{"build_id", 40, func(m *module) Cell {
		if len(m.BuildID) == 0 {
			return Null
		}
		return Text(fmt.Sprintf("%x", m.BuildID))
	}},
	{"frames", 8, func(m *module) Cell { return Int(uint64(m.Frames)) }},
	{"contexts", 8, func(m *module) Cell { return Int(uint64(m.Contexts)) }},
	{"wanted", 6, func(m *module) Cell { return Bool(m.Wanted()) }},
	{"path", 0, func(m *module) Cell { return textOrNull(m.Path) }},
	{"file", 0, func(m *module) Cell { return textOrNull(m.File) }},
}

func textOrNull(s string) Cell {
	if s == "" {
		return Null
	}
	return Text(s)
}

// Modules is the segments of raw heap profiles, with those whose binary is wanted.
func Modules(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	return &List[module]{Columns: moduleColumns, Quote: o.Quote, Read: func(ctx context.Context, offset, limit int) (Step[module], error) {
		from := min(offset, len(modules))
		var rows []module
		for i := from; i < min(len(modules), from+limit); i++ {
			rows = append(rows, module{&modules[i], i})
		}
		return Step[module]{Rows: rows, Total: len(modules)}, ctx.Err()
	}}, nil
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

// CallSites is the calls on the way to allocations, in the file's order.
func CallSites(_ context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return &List[callSite]{Columns: callSiteColumns, Quote: o.Quote, Read: func(ctx context.Context, offset, limit int) (Step[callSite], error) {
		sites, err := p.CallSites(ctx, offset, limit)
		if err != nil {
			return Step[callSite]{}, err
		}
		rows := make([]callSite, len(sites))
		for i := range sites {
			rows[i] = callSite{&sites[i], o}
		}
		return Step[callSite]{Rows: rows, Total: p.Overview.CallSites}, nil
	}}, nil
}

// datum is static data of a data access profile.
type datum struct {
	memprof.DataAccessRecord
	cold     bool
	demangle func(linkage string) string
}

var dataColumns = []Column[datum]{
	{"kind", 14, func(d *datum) Cell {
		if d.IsString {
			return Text("string-literal")
		}
		return Text("symbol")
	}},
	{"cold", 5, func(d *datum) Cell { return Bool(d.cold) }},
	{"access_count", 20, func(d *datum) Cell {
		if d.cold {
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

// DataAccess is the static data of a data access profile: the most accessed
// first, then what is known to be cold.
func DataAccess(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	data, err := p.Data(ctx)
	if err != nil {
		return nil, err
	}
	if data == nil {
		data = &memprof.DataAccess{}
	}
	at := func(i int) datum {
		d := datum{demangle: o.Demangle}
		symbols := len(data.Records) + len(data.ColdSymbols)
		switch {
		case i < len(data.Records):
			d.DataAccessRecord = data.Records[i]
		case i < symbols:
			d.cold, d.Symbol = true, data.ColdSymbols[i-len(data.Records)]
		default:
			d.cold, d.IsString, d.Hash = true, true, data.ColdHashes[i-symbols]
		}
		return d
	}
	total := len(data.Records) + len(data.ColdSymbols) + len(data.ColdHashes)
	return &List[datum]{Columns: dataColumns, Quote: o.Quote, Read: func(ctx context.Context, offset, limit int) (Step[datum], error) {
		var rows []datum
		for i := min(offset, total); i < min(total, offset+limit); i++ {
			rows = append(rows, at(i))
		}
		return Step[datum]{Rows: rows, Total: total}, ctx.Err()
	}}, nil
}
