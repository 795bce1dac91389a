package tables

import (
	"context"
	"fmt"
	"slices"

	"proflens/analyze"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
)

// prunedSite is a site that needs cloning with what its cells need.
type prunedSite struct {
	*memprofdb.PrunedSite
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

func (s *prunedSite) function() memprofFunction {
	return memprofFunction{s.Function, s.modules, s.demangle}
}

// prunedPlace are the columns of a site's place.
func prunedPlace[T any](item func(*T) *memprofdb.PrunedSite) []Column[T] {
	return []Column[T]{
		{"file", 0, func(row *T) Cell { return textOrNull(item(row).File) }},
		{"line", 8, func(row *T) Cell { return known(item(row).Line) }},
		{"line_offset", 8, func(row *T) Cell { return Int(uint64(item(row).LineOffset)) }},
		{"column", 8, func(row *T) Cell { return Int(uint64(item(row).Column)) }},
	}
}

func bigOf(sum analyze.Sum) Cell { return SumCount(sum) }

var cloningColumns = slices.Concat(
	[]Column[prunedSite]{{"site", 16, func(s *prunedSite) Cell { return Hex(s.ID) }}},
	memprofFunctionColumns((*prunedSite).function),
	prunedPlace(func(s *prunedSite) *memprofdb.PrunedSite { return s.PrunedSite }),
	[]Column[prunedSite]{
		{"contexts", 9, func(s *prunedSite) Cell { return Count(s.Contexts) }},
		{"bytes", 14, func(s *prunedSite) Cell { return bigOf(s.PrunedSite.Bytes) }},
		{"cold_bytes", 14, func(s *prunedSite) Cell { return bigOf(s.ColdBytes) }},
		{"separated_bytes", 14, func(s *prunedSite) Cell { return bigOf(s.HintBytes) }},
		{"mibs", 8, func(s *prunedSite) Cell { return Int(uint64(s.Kept())) }},
		{"clones", 8, func(s *prunedSite) Cell { return Int(uint64(len(s.Clones))) }},
		{"cloned_functions", 8, func(s *prunedSite) Cell { return Int(uint64(s.Functions)) }},
		{"cut", 5, func(s *prunedSite) Cell { return Bool(s.Cut) }},
	})

var cloningText = []string{
	"cold_bytes", "separated_bytes", "contexts", "mibs", "clones", "site", "file", "line", "function",
}

func openCloning(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return Cloning(ctx, p, memprofdb.CloningQuery{}, o)
}

// Cloning is the sites that need cloning as a query asks for; its Offset and
// Limit do not count.
func Cloning(ctx context.Context, p *memprofdb.Profile, q memprofdb.CloningQuery, o Options) (Table, error) {
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	var page *memprofdb.CloningPage
	l := &List[prunedSite]{Columns: cloningColumns, Text: cloningText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[prunedSite], error) {
		q.Offset, q.Limit = offset, limit
		if page, err = p.Cloning(ctx, q); err != nil {
			return Step[prunedSite]{}, err
		}
		rows := make([]prunedSite, len(page.Rows))
		for i := range page.Rows {
			rows[i] = prunedSite{&page.Rows[i], modules, o.Demangle}
		}
		return Step[prunedSite]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[prunedSite]) []byte {
		b = fmt.Appendf(b, `,"sites":%d,"mibs":%d,"kept_mibs":%d,"clones":%d,"cloned_functions":%d`, page.Sites, page.MIBs,
			page.Kept, page.Clones, page.Functions)
		for _, sum := range []struct {
			name  string
			value analyze.Sum
		}{
			{"attribute_cold_bytes", page.Attributes}, {"separated_cold_bytes", page.Separated}, {"lost_cold_bytes", page.Lost},
		} {
			b = appendBig(fmt.Appendf(b, `,"%s":`, sum.name), sum.value.String(), o.Quote)
		}
		return fmt.Appendf(b, `,"cut":%t`, page.Cut)
	}
	return l, nil
}

// prunedMIB is a MIB after pruning with what its cells need.
type prunedMIB struct {
	*memprofdb.PrunedMIB
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

func (m *prunedMIB) function() memprofFunction {
	return memprofFunction{m.Site.Function, m.modules, m.demangle}
}

var mibColumns = slices.Concat(
	[]Column[prunedMIB]{{"site", 16, func(m *prunedMIB) Cell { return Hex(m.Site.ID) }}},
	memprofFunctionColumns((*prunedMIB).function),
	prunedPlace(func(m *prunedMIB) *memprofdb.PrunedSite { return m.Site }),
	[]Column[prunedMIB]{
		{"as", 9, func(m *prunedMIB) Cell {
			switch {
			case m.Site.Attribute != "":
				return Text("attribute")
			case m.LeftOut:
				return Text("left out")
			}
			return Text("metadata")
		}},
		{"class", 7, func(m *prunedMIB) Cell { return Text(MemProfClassWord(m.Class)) }},
		{"ambiguous", 5, func(m *prunedMIB) Cell { return Bool(m.Ambiguous) }},
		{"contexts", 9, func(m *prunedMIB) Cell { return Int(uint64(len(m.Contexts))) }},
		{"bytes", 14, func(m *prunedMIB) Cell { return bigOf(m.Bytes) }},
		{"cold_bytes", 14, func(m *prunedMIB) Cell { return bigOf(m.ColdBytes) }},
		{"depth", 6, func(m *prunedMIB) Cell { return Int(uint64(m.Depth)) }},
		{"stack_ids", 0, func(m *prunedMIB) Cell {
			b := []byte{'['}
			for i, id := range m.StackIDs {
				if i > 0 {
					b = append(b, ',')
				}
				b = AppendString(b, FID(id))
			}
			return JSON(append(b, ']'))
		}},
		{"stack", 0, func(m *prunedMIB) Cell { return JSON(appendStack(nil, m.Stack, m.modules, m.demangle)) }},
	})

var mibText = []string{"bytes", "cold_bytes", "contexts", "as", "class", "depth", "site", "function"}

func openPruned(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return PrunedContexts(ctx, p, analyze.MemProfThresholds{}, nil, query.RowQuery{}, o)
}

// PrunedContexts is the MIBs after pruning by thresholds, of one site or of all, that a
// query selects; its Offset and Limit do not count.
func PrunedContexts(ctx context.Context, p *memprofdb.Profile, t analyze.MemProfThresholds, site *uint64,
	q query.RowQuery, o Options) (Table, error) {
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	return &List[prunedMIB]{Columns: mibColumns, Text: mibText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[prunedMIB], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.MIBs(ctx, t, site, q)
			if err != nil {
				return Step[prunedMIB]{}, err
			}
			rows := make([]prunedMIB, len(page.Rows))
			for i := range page.Rows {
				rows[i] = prunedMIB{&page.Rows[i], modules, o.Demangle}
			}
			return Step[prunedMIB]{Rows: rows, Total: page.Matching}, nil
		}}, nil
}
