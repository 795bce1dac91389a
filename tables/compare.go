package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/table"
	"proflens/profiledb/instrdb"
)

// Pair is a row of a comparison with what its cells need.
type Pair struct {
	*instrdb.PairRow
	named
	baseEntry, testEntry bool // counter 0 is an entry count
	b                    []byte
}

// Compare is the table of the pairs of two profiles that a query selects; its
// Offset and Limit do not count. members are further members of the envelope of
// JSON, each after a comma.
func Compare(ctx context.Context, c *instrdb.Comparison, q instrdb.CompareQuery, o table.Options,
	members []byte) (table.Table, error) {
	hasEntry := [2]bool{analyze.HasEntry(c.Base.Overview.Info.Variant), analyze.HasEntry(c.Test.Overview.Info.Variant)}
	var page *instrdb.ComparePage
	var rows []Pair
	l := &table.List[Pair]{Columns: PairColumns, Text: pairText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (table.Step[Pair], error) {
		q.Offset, q.Limit = offset, limit
		var err error
		if page, err = c.Pairs(ctx, q); err != nil {
			return table.Step[Pair]{}, err
		}
		rows = rows[:0]
		for i := range page.Rows {
			rows = append(rows, newPair(&page.Rows[i], hasEntry, o.Demangle))
		}
		return table.Step[Pair]{rows, page.Matching, false}, nil
	}
	l.More = func(b []byte, _ []table.Column[Pair]) []byte {
		b = append(b, `,"all":`...)
		b = strconv.AppendInt(b, int64(page.All), 10)
		b = append(b, `,"matching_base_total":`...)
		b = table.AppendBig(b, page.BaseTotal.String(), o.Quote)
		b = append(b, `,"matching_test_total":`...)
		return append(table.AppendBig(b, page.TestTotal.String(), o.Quote), members...)
	}
	return l, nil
}

func newPair(row *instrdb.PairRow, hasEntry [2]bool, demangle func(string) string) Pair {
	f := row.Record()
	return Pair{PairRow: row, named: newNamed(f.NameRef, f.Name, demangle), baseEntry: hasEntry[0], testEntry: hasEntry[1]}
}

// PairColumns are all columns of a comparison, in the order in which an object
// has them. What a profile does not have is null.
var PairColumns = slices.Concat(
	[]table.Column[Pair]{{"state", 9, func(p *Pair) table.Cell { return table.Text(string(p.State)) }}},
	nameColumns(func(p *Pair) *named { return &p.named }),
	[]table.Column[Pair]{
		{"change", 9, func(p *Pair) table.Cell { return table.Change(p.Change) }},
		{"overlap", 8, func(p *Pair) table.Cell {
			if p.Overlap == nil || !p.Overlap.Scored {
				return table.Null
			}
			return table.Ratio(p.Overlap.Overlap.Edge)
		}},
	},
	sideColumns("base_", func(p *Pair) (*instrdb.Row, bool) { return p.Base, p.baseEntry }),
	sideColumns("test_", func(p *Pair) (*instrdb.Row, bool) { return p.Test, p.testEntry }),
	[]table.Column[Pair]{
		{"value_overlap", 0, (*Pair).valueOverlap},
		{"context_sensitive", 17, func(p *Pair) table.Cell { return table.Bool(p.Record().CS) }},
	})

// pairText are columns that fit a terminal.
var pairText = []string{
	"change", "base_share", "test_share", "base_total", "test_total", "overlap", "state", "demangled",
}

// sideColumns are the columns of one profile's record.
func sideColumns(prefix string, side func(p *Pair) (f *instrdb.Row, hasEntry bool)) []table.Column[Pair] {
	has := func(value func(f *instrdb.Row) table.Cell) func(*Pair) table.Cell {
		return func(p *Pair) table.Cell {
			f, _ := side(p)
			if f == nil {
				return table.Null
			}
			return value(f)
		}
	}
	return []table.Column[Pair]{
		{prefix + "rank", 9, has(func(f *instrdb.Row) table.Cell { return table.Int(uint64(f.Rank)) })},
		{prefix + "hash", 16, has(func(f *instrdb.Row) table.Cell { return table.Hex(f.FuncHash) })},
		{prefix + "class", 10, has(func(f *instrdb.Row) table.Cell {
			if f.Class == analyze.NoClass {
				return table.Null
			}
			return table.Text(string(f.Class))
		})},
		{prefix + "total", 20, has(func(f *instrdb.Row) table.Cell { return table.SumCount(f.Total) })},
		{prefix + "share", 10, has(func(f *instrdb.Row) table.Cell { return table.Ratio(f.Share) })},
		{prefix + "max", 20, has(func(f *instrdb.Row) table.Cell { return table.Count(f.Max) })},
		{prefix + "entry", 20, func(p *Pair) table.Cell {
			f, hasEntry := side(p)
			if f == nil || !hasEntry || f.Pseudo {
				return table.Null
			}
			return table.Count(f.Entry)
		}},
		{prefix + "counters", 13, has(func(f *instrdb.Row) table.Cell { return table.Int(uint64(f.NumCounters)) })},
	}
}

// valueOverlap is an object with the score and both sums of every kind of value
// sites that the pair has counts of.
func (p *Pair) valueOverlap() table.Cell {
	if p.Overlap == nil || !p.Overlap.Scored {
		return table.Null
	}
	o := p.Overlap
	b := append(p.b[:0], '{')
	for kind := range o.Overlap.Values {
		if o.Base.Values[kind] < 1 && o.Test.Values[kind] < 1 {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, instrprof.ValueKind(kind).String()...)
		b = append(b, `":{"overlap":`...)
		b = strconv.AppendFloat(b, o.Overlap.Values[kind], 'g', -1, 64)
		b = append(b, `,"base":`...)
		b = strconv.AppendFloat(b, o.Base.Values[kind], 'f', 0, 64)
		b = append(b, `,"test":`...)
		b = strconv.AppendFloat(b, o.Test.Values[kind], 'f', 0, 64)
		b = append(b, '}')
	}
	p.b = append(b, '}')
	return table.JSON(p.b)
}
