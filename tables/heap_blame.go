package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/profiledb/memprofdb"
)

// blameSite is a site by blame with what its cells need.
type blameSite struct {
	*memprofdb.BlameSite
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

func (s *blameSite) function() memprofFunction {
	return memprofFunction{s.Function, s.modules, s.demangle}
}

// lifetimeNames are the columns of bytes by mean lifetime; see memprofdb.LifetimeSteps.
var lifetimeNames = [...]string{
	"lived_below_100us", "lived_below_1ms", "lived_below_10ms", "lived_below_100ms", "lived_below_1s", "lived_1s_or_more",
}

// blameFigures are the columns of what contexts of one blame come to.
func blameFigures[T any](item func(*T) *memprofdb.BlameSite) []Column[T] {
	list := []Column[T]{
		{"type", 0, func(row *T) Cell { return textOrNull(item(row).Type) }},
		{"types", 6, func(row *T) Cell { return Int(uint64(item(row).Types)) }},
	}
	for _, mean := range []struct {
		name string
		sum  func(s *memprofdb.BlameSite) analyze.Sum
		by   float64
	}{
		{"avg_size", func(s *memprofdb.BlameSite) analyze.Sum { return s.Bytes }, 1},
		{"lifetime", func(s *memprofdb.BlameSite) analyze.Sum { return s.Lifetime }, 1},
		{"density", func(s *memprofdb.BlameSite) analyze.Sum { return s.Touched }, 100},
	} {
		list = append(list, Column[T]{mean.name, 10, func(row *T) Cell {
			s := item(row)
			if s.Allocations.IsZero() {
				return Null
			}
			return Number(mean.sum(s).Float64() / s.Allocations.Float64() / mean.by)
		}})
	}
	list = append(list, memprofSums(func(row *T) *memprofdb.SiteTotals { return &item(row).SiteTotals })...)
	for i, name := range lifetimeNames {
		list = append(list, Column[T]{name, 14, func(row *T) Cell { return SumCount(item(row).Lifetimes[i]) }})
	}
	return list
}

var blameColumns = slices.Concat(
	memprofFunctionColumns((*blameSite).function),
	[]Column[blameSite]{
		{"file", 0, func(s *blameSite) Cell { return textOrNull(analyze.ResolvePath(s.File)) }},
		{"line", 8, func(s *blameSite) Cell { return known(s.Line) }},
		{"library_frames", 8, func(s *blameSite) Cell { return Int(uint64(s.Folded)) }},
	},
	blameFigures(func(s *blameSite) *memprofdb.BlameSite { return s.BlameSite }))

var blameText = []string{"bytes", "count", "avg_size", "lifetime", "type", "function"}

// Blame is allocation contexts added up by blame frame or by type, as a query asks
// for; its Offset and Limit do not count.
func Blame(ctx context.Context, p *memprofdb.Profile, q memprofdb.BlameQuery, o Options) (Table, error) {
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	var page *memprofdb.BlamePage
	l := &List[blameSite]{Columns: blameColumns, Text: blameText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[blameSite], error) {
		q.Offset, q.Limit = offset, limit
		if page, err = p.Blame(ctx, q); err != nil {
			return Step[blameSite]{}, err
		}
		rows := make([]blameSite, len(page.Rows))
		for i := range page.Rows {
			rows[i] = blameSite{&page.Rows[i], modules, o.Demangle}
		}
		return Step[blameSite]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[blameSite]) []byte {
		b = append(appendMemProfTotals(append(b, `,"matching":{`...), &page.Totals, o.Quote), '}')
		return appendBig(append(b, `,"library_bytes":`...), page.InFrames.String(), o.Quote)
	}
	return l, nil
}

func openBlame(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	library, err := analyze.ParseLibrary("")
	if err != nil {
		return nil, err
	}
	return Blame(ctx, p, memprofdb.BlameQuery{Library: library}, o)
}

// blameCaller is a node of the callers of a blame frame.
type blameCaller struct {
	*memprofdb.BlameNode
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

var blameCallerColumns = slices.Concat(
	[]Column[blameCaller]{
		{"depth", 5, func(c *blameCaller) Cell { return Int(uint64(c.Depth)) }},
		{"parent", 6, func(c *blameCaller) Cell {
			if c.Parent < 0 {
				return Null
			}
			return Int(uint64(c.Parent))
		}},
		{"callers", 0, func(c *blameCaller) Cell {
			b := []byte{'['}
			for i, f := range c.Callers {
				if i > 0 {
					b = append(b, ',')
				}
				function := memprofFunction{f, c.modules, c.demangle}
				b = AppendString(append(b, `{"fid":"`+FID(f.FID)+`","function":`...), function.label())
				b = append(b, '}')
			}
			return JSON(append(b, ']'))
		}},
		{"caller", 0, func(c *blameCaller) Cell {
			if len(c.Callers) == 0 {
				return Null
			}
			function := memprofFunction{c.Callers[0], c.modules, c.demangle}
			return Text(function.label())
		}},
		{"context", 16, func(c *blameCaller) Cell {
			if c.Context == 0 {
				return Null
			}
			return Hex(c.Context)
		}},
	},
	blameFigures(func(c *blameCaller) *memprofdb.BlameSite { return &c.BlameSite }))

var blameCallerText = []string{"bytes", "count", "contexts", "depth", "caller"}

// BlameCallers is the contexts of a blame frame as a tree of their callers.
func BlameCallers(ctx context.Context, p *memprofdb.Profile, f memprofdb.Filter, fold memprofdb.Fold, nodes int,
	o Options) (Table, error) {
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	tree, err := p.BlameTree(ctx, f, fold, nodes)
	if err != nil {
		return nil, err
	}
	l := &List[blameCaller]{Columns: blameCallerColumns, Text: blameCallerText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[blameCaller], error) {
		var rows []blameCaller
		for i := min(offset, len(tree.Nodes)); i < min(len(tree.Nodes), offset+limit); i++ {
			rows = append(rows, blameCaller{&tree.Nodes[i], modules, o.Demangle})
		}
		return Step[blameCaller]{Rows: rows, Total: len(tree.Nodes)}, ctx.Err()
	}
	l.More = func(b []byte, _ []Column[blameCaller]) []byte {
		return strconv.AppendInt(append(b, `,"contexts_left_out":`...), int64(tree.Cut), 10)
	}
	return l, nil
}
