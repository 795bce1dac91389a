package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/profiledb/memprofdb"
)

// call is a call that leads to allocations with what its cells need.
type call struct {
	*memprofdb.Call
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

func (c *call) of(f *memprofdb.Function) memprofFunction {
	return memprofFunction{f, c.modules, c.demangle}
}

// callSide are the columns of a caller or a callee: those of functions, with the side in front.
func callSide(side string, of func(c *call) *memprofdb.Function) []Column[call] {
	list := slices.Clone(memprofFunctionColumns(func(c *call) memprofFunction { return c.of(of(c)) })[:3])
	list[0].Name, list[1].Name, list[2].Name = side+"_fid", side, side+"_linkage_name"
	return list
}

var callColumns = slices.Concat(
	[]Column[call]{{"call", 16, func(c *call) Cell { return Hex(c.ID) }}},
	callSide("caller", func(c *call) *memprofdb.Function { return c.Caller }),
	[]Column[call]{
		{"file", 0, func(c *call) Cell { return textOrNull(analyze.ResolvePath(c.File)) }},
		{"line", 8, func(c *call) Cell { return known(c.Line) }},
		{"line_offset", 8, func(c *call) Cell { return Int(uint64(c.LineOffset)) }},
		{"column", 8, func(c *call) Cell { return Int(uint64(c.Column)) }},
		{"inlined", 0, func(c *call) Cell {
			b := []byte{'['}
			for i, f := range c.Inlined {
				if i > 0 {
					b = append(b, ',')
				}
				function := c.of(f)
				b = AppendString(b, function.label())
			}
			return JSON(append(b, ']'))
		}},
	},
	callSide("callee", func(c *call) *memprofdb.Function { return c.Callee }),
	memprofSums(func(c *call) *memprofdb.SiteTotals { return &c.SiteTotals }))

var callText = []string{"bytes", "contexts", "sites", "cold_bytes", "hot_bytes", "line", "caller", "callee"}

// Calls is the calls that lead to allocations, as a query asks for; its Offset and
// Limit do not count.
func Calls(ctx context.Context, p *memprofdb.Profile, q memprofdb.CallQuery, o Options) (Table, error) {
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	var page *memprofdb.CallPage
	l := &List[call]{Columns: callColumns, Text: callText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[call], error) {
		q.Offset, q.Limit = offset, limit
		if page, err = p.Calls(ctx, q); err != nil {
			return Step[call]{}, err
		}
		rows := make([]call, len(page.Rows))
		for i := range page.Rows {
			rows[i] = call{&page.Rows[i], modules, o.Demangle}
		}
		return Step[call]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[call]) []byte {
		for _, n := range []struct {
			name  string
			value int
		}{{"all", page.All}, {"folded", page.Folded}, {"mixes", page.Mixes}, {"clones", page.Clones}} {
			b = strconv.AppendInt(append(b, `,"`+n.name+`":`...), int64(n.value), 10)
		}
		return b
	}
	return l, nil
}

func openCalls(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return Calls(ctx, p, memprofdb.CallQuery{}, o)
}
