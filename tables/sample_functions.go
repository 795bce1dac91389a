package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/decode/sampleprof"
	"proflens/profiledb/sampledb"
)

// SampleFunction is a function of a sample profile with what its cells need.
type SampleFunction struct {
	*sampledb.Name
	named
	o     *sampledb.Overview
	total uint64 // of all functions
	rank  int
}

// NewSampleFunction makes a row of a function; rank is its place by total, 0 for none, and
// total that of all functions.
func NewSampleFunction(o *sampledb.Overview, n *sampledb.Name, rank int, total uint64,
	demangle func(linkage string) string) SampleFunction {
	return SampleFunction{n, namedSample(n.GUID, n.Linkage, demangle), o, total, rank}
}

// namedSample is a name of a sample profile, which has no path.
func namedSample(guid uint64, linkage []byte, demangle func(string) string) named {
	name := string(linkage)
	return named{ref: guid, name: name, linkage: name, demangle: demangle}
}

// SampleFunctionColumns are all columns of functions of sample profiles. What the profile,
// or a program beside it, does not say is null.
var SampleFunctionColumns = slices.Concat(
	nameColumns(func(f *SampleFunction) *named { return &f.named }),
	[]Column[SampleFunction]{
		{"name_given", 10, func(f *SampleFunction) Cell { return Bool(f.Given) }},
		{"rank", 8, func(f *SampleFunction) Cell { return known(uint32(f.rank)) }},
		{"total", 20, func(f *SampleFunction) Cell { return Count(f.Total) }},
		{"share", 8, func(f *SampleFunction) Cell { return Ratio(PartOf(f.Total, f.total)) }},
		{"head", 12, func(f *SampleFunction) Cell { return Count(f.Head) }},
		{"entry", 12, func(f *SampleFunction) Cell { return Count(f.Entry) }},
		{"body", 12, func(f *SampleFunction) Cell { return Count(f.Body) }},
		{"sum", 12, func(f *SampleFunction) Cell { return Count(f.Sum) }},
		{"max", 12, func(f *SampleFunction) Cell { return Count(f.Max) }},
		{"own", 12, func(f *SampleFunction) Cell { return Count(f.Own()) }},
		{"inlined", 12, func(f *SampleFunction) Cell { return Count(f.Inlined) }},
		{"inlined_at", 10, func(f *SampleFunction) Cell { return Int(uint64(f.InlinedAt)) }},
		{"inlinees", 8, func(f *SampleFunction) Cell { return Int(uint64(f.Inlinees)) }},
		{"calls", 12, func(f *SampleFunction) Cell { return Count(f.Calls) }},
		{"contexts", 8, func(f *SampleFunction) Cell { return Int(uint64(f.Entries)) }},
		{"places", 8, func(f *SampleFunction) Cell { return Int(uint64(f.Places)) }},
		{"checksum", 20, func(f *SampleFunction) Cell { return checksumCell(f.Checksum) }},
		{"attributes", 10, func(f *SampleFunction) Cell { return Int(uint64(f.Attributes)) }},
		{"heat", 6, func(f *SampleFunction) Cell {
			if f.Entries == 0 {
				return Null
			}
			return Text(string(f.o.HeatOf(f.Max)))
		}},
		{"fit", 6, func(f *SampleFunction) Cell { return fitCell(f.Fit) }},
		{"lost", 12, withProgram(func(f *SampleFunction) Cell { return Count(f.Lost.Lost()) })},
		{"lost_share", 10, withProgram(func(f *SampleFunction) Cell { return Ratio(PartOf(f.Lost.Lost(), f.Sum)) })},
		{"listed", 6, func(f *SampleFunction) Cell {
			if f.o.Symbols < 0 {
				return Null
			}
			return Bool(f.Listed)
		}},
		{"file", 0, func(f *SampleFunction) Cell { return textOrNull(f.File) }},
		{"line", 7, func(f *SampleFunction) Cell { return known(f.Line) }},
	})

// sampleFunctionText fits a terminal.
var sampleFunctionText = []string{"total", "share", "head", "body", "max", "heat", "demangled"}

// withProgram is a column of what only a program tells.
func withProgram(value func(*SampleFunction) Cell) func(*SampleFunction) Cell {
	return func(f *SampleFunction) Cell {
		if !f.o.Program.CanTell() {
			return Null
		}
		return value(f)
	}
}

// checksumCell is null for a function without one.
func checksumCell(checksum uint64) Cell {
	if checksum == 0 {
		return Null
	}
	return Count(checksum)
}

// fitCell is null where it cannot be told.
func fitCell(fit sampleprof.Fit) Cell {
	if fit == sampleprof.FitUnknown {
		return Null
	}
	return Text(sampledb.FitWords[fit])
}

func openSampleFunctions(ctx context.Context, p *sampledb.Profile, o Options) (Table, error) {
	return SampleFunctions(ctx, p, sampledb.Query{}, o)
}

// SampleFunctions is the functions that a query selects; its Offset and Limit do not count.
func SampleFunctions(ctx context.Context, p *sampledb.Profile, q sampledb.Query, o Options) (Table, error) {
	all, err := p.Find(ctx, sampledb.Query{})
	if err != nil {
		return nil, err
	}
	var page *sampledb.Page
	l := &List[SampleFunction]{Columns: SampleFunctionColumns, Text: sampleFunctionText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[SampleFunction], error) {
		q.Offset, q.Limit = offset, limit
		if page, err = p.Find(ctx, q); err != nil {
			return Step[SampleFunction]{}, err
		}
		rows := make([]SampleFunction, len(page.Rows))
		for i, n := range page.Rows {
			rank, _, _, err := p.Rank(ctx, n)
			if err != nil {
				return Step[SampleFunction]{}, err
			}
			rows[i] = NewSampleFunction(p.Overview, n, rank, all.Total, o.Demangle)
		}
		return Step[SampleFunction]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[SampleFunction]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		return AppendCount(append(b, `,"matching_total":`...), page.Total, o.Quote)
	}
	return l, nil
}

// sampleSymbol is a symbol with what its cells need.
type sampleSymbol struct {
	*sampledb.Symbol
	named
	samples float64 // of the profile
}

var sampleSymbolColumns = slices.Concat(
	nameColumns(func(s *sampleSymbol) *named { return &s.named }),
	[]Column[sampleSymbol]{
		{"own", 12, func(s *sampleSymbol) Cell { return Count(s.Own()) }},
		{"share", 8, func(s *sampleSymbol) Cell { return Ratio(part(float64(s.Own()), s.samples)) }},
		{"contexts", 8, func(s *sampleSymbol) Cell { return Int(uint64(s.entries())) }},
	})

var sampleSymbolText = []string{"own", "share", "demangled"}

// entries are the rows of the profile that a symbol has.
func (s *sampleSymbol) entries() int {
	if s.Symbol.Name == nil {
		return 0
	}
	return s.Symbol.Name.Entries
}

func openSampleSymbols(ctx context.Context, p *sampledb.Profile, o Options) (Table, error) {
	return SampleSymbols(p, sampledb.SymbolQuery{}, o), nil
}

// SampleSymbols is the symbols of the profiled program that a query selects, by the list in
// the profile; its Offset and Limit do not count.
func SampleSymbols(p *sampledb.Profile, q sampledb.SymbolQuery, o Options) Table {
	var page *sampledb.SymbolPage
	l := &List[sampleSymbol]{Columns: sampleSymbolColumns, Text: sampleSymbolText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[sampleSymbol], error) {
		q.Offset, q.Limit = offset, limit
		var err error
		if page, err = p.Symbols(ctx, q); err != nil {
			return Step[sampleSymbol]{}, err
		}
		rows := make([]sampleSymbol, len(page.Rows))
		for i := range page.Rows {
			s := &page.Rows[i]
			rows[i] = sampleSymbol{
				s, namedSample(sampleprof.Hash(string(s.Linkage)), s.Linkage, o.Demangle), p.Overview.Samples.Float64(),
			}
		}
		return Step[sampleSymbol]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[sampleSymbol]) []byte {
		return strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
	}
	return l
}
