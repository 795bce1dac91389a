package tables

import (
	"context"
	"slices"
	"strconv"
	"sync/atomic"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// Function is a row of the function table with what its cells need.
type Function struct {
	*instrdb.Row
	named
	hasEntry bool
	matching float64 // total of the matching rows; 0 where all match
}

// NewFunction makes a row of a record of the profile with this overview.
func NewFunction(o *instrdb.Overview, row *instrdb.Row, demangle func(linkage string) string) Function {
	return Function{Row: row, named: newNamed(row.NameRef, row.Name, demangle), hasEntry: analyze.HasEntry(o.Info.Variant)}
}

func openFunctions(ctx context.Context, p *instrdb.Profile, o table.Options) (table.Table, error) {
	return Functions(ctx, p, instrdb.Query{}, o, true)
}

// Functions is the function table of a query, whose Offset and Limit do not
// count. A filter by name is waited for when whole is set; else a step can be
// unsettled.
func Functions(ctx context.Context, p *instrdb.Profile, q instrdb.Query, o table.Options,
	whole bool) (table.Table, error) {
	l := functionList(p.Overview, o, q.Filtered(), q.Merge,
		func(ctx context.Context, offset, limit int) (*instrdb.Page, error) {
			q := q
			q.Offset, q.Limit = offset, limit
			page, err := p.Functions(ctx, q)
			for whole && err == nil && !page.Complete && !p.Storing() {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				page, err = p.Functions(ctx, q)
			}
			return page, err
		})
	more := l.More
	l.More = func(b []byte, columns []table.Column[Function]) []byte {
		if b = more(b, columns); p.Storing() {
			b = append(b, `,"storing":true`...)
		}
		return b
	}
	return l, nil
}

// listFunctions is the whole function table of a profile that is not stored.
func listFunctions(ctx context.Context, p *format.Profile, o table.Options) (table.Table, error) {
	if !instrdb.CanList(p) {
		return nil, nil
	}
	all, err := instrdb.List(ctx, p)
	if err != nil {
		return nil, err
	}
	return functionList(all.Overview, o, false, false,
		func(ctx context.Context, offset, limit int) (*instrdb.Page, error) {
			return all.Page(offset, limit), ctx.Err()
		}), nil
}

// functionList is a function table, page by page.
func functionList(of *instrdb.Overview, o table.Options, filtered, merge bool,
	read func(ctx context.Context, offset, limit int) (*instrdb.Page, error)) *table.List[Function] {
	var last atomic.Pointer[instrdb.Page] // one of those that were read: they say the same of the whole
	text := functionText
	if merge {
		text = mergedText
	}
	return &table.List[Function]{
		Columns: FunctionColumns, Usual: functionColumns(filtered, merge), Text: text, Quote: o.Quote, Apart: true,
		Read: func(ctx context.Context, offset, limit int) (table.Step[Function], error) {
			page, err := read(ctx, offset, limit)
			if err != nil {
				return table.Step[Function]{}, err
			}
			last.Store(page)
			rows := make([]Function, len(page.Rows))
			for i := range page.Rows {
				rows[i] = NewFunction(of, &page.Rows[i], o.Demangle)
				if filtered {
					rows[i].matching = page.MatchingTotal.Float64()
				}
			}
			return table.Step[Function]{rows, page.Matching, !page.Complete}, nil
		},
		More: func(b []byte, _ []table.Column[Function]) []byte {
			page := last.Load()
			b = append(b, `,"all":`...)
			b = strconv.AppendInt(b, int64(page.All), 10)
			b = append(b, `,"matching_total":`...)
			b = table.AppendBig(b, page.MatchingTotal.String(), o.Quote)
			if merge {
				b = append(b, `,"records":`...)
				b = strconv.AppendInt(b, int64(page.Records), 10)
			}
			b = append(b, `,"complete":`...)
			b = strconv.AppendBool(b, page.Complete)
			if !page.Complete {
				b = append(b, `,"scanned":`...)
				b = strconv.AppendInt(b, int64(page.Scanned), 10)
			}
			return b
		},
	}
}

// FunctionColumns are all columns of the function table, in the order in which
// an object has them.
var FunctionColumns = slices.Concat(
	[]table.Column[Function]{{"rank", 8, func(f *Function) table.Cell { return table.Int(uint64(f.Rank)) }}},
	functionNames[:1],
	[]table.Column[Function]{{"func_hash", 16, ofOne(func(f *Function) table.Cell { return table.Hex(f.FuncHash) })}},
	functionNames[1:],
	[]table.Column[Function]{
		{"class", 5, func(f *Function) table.Cell {
			if f.Class == analyze.NoClass {
				return table.Null
			}
			return table.Text(string(f.Class))
		}},
		{"total", 20, func(f *Function) table.Cell { return table.SumCount(f.Total) }},
		{"share", 8, func(f *Function) table.Cell { return table.Ratio(f.Share) }},
		// Of the matching rows: a filtered answer has it unasked.
		{"share_matching", 14, func(f *Function) table.Cell {
			if f.matching == 0 {
				return table.Ratio(f.Share)
			}
			return table.Ratio(f.Total.Float64() / f.matching)
		}},
		{"cum", 8, func(f *Function) table.Cell { return table.Ratio(f.Cum) }},
		{"entry", 20, func(f *Function) table.Cell {
			if !f.hasEntry || f.Pseudo {
				return table.Null
			}
			return table.Count(f.Entry)
		}},
		{"max", 20, func(f *Function) table.Cell { return table.Count(f.Max) }},
		{"max_index", 9, ofOne(func(f *Function) table.Cell { return table.Int(uint64(f.MaxIndex)) })},
		{"counters", 8, func(f *Function) table.Cell { return table.Int(uint64(f.NumCounters)) }},
		{"zero", 8, func(f *Function) table.Cell { return table.Int(uint64(f.NumZero)) }},
		{"executed", 8, func(f *Function) table.Cell { return table.Bool(f.Executed()) }},
		{"value_sites", 11, func(f *Function) table.Cell { return table.Int(uint64(f.SiteCount)) }},
		{"ordinal", 8, ofOne(func(f *Function) table.Cell { return table.Int(f.Ordinal) })},
		{"context_sensitive", 17, func(f *Function) table.Cell { return table.Bool(f.CS) }},
		{"pseudo", 6, func(f *Function) table.Cell { return table.Bool(f.Pseudo) }},
		// Where it is declared, by the debug info or coverage mapping of a program; else null.
		{"file", 0, func(f *Function) table.Cell {
			if f.File == "" {
				return table.Null
			}
			return table.Text(f.File)
		}},
		{"line", 6, func(f *Function) table.Cell {
			if f.Line == 0 {
				return table.Null
			}
			return table.Int(uint64(f.Line))
		}},
		// For how many the row stands: an answer that merges has it unasked.
		{"records", 7, func(f *Function) table.Cell { return table.Int(uint64(f.Records)) }},
	})

// ofOne is a column of what belongs to one record, and not to several merged.
func ofOne(value func(*Function) table.Cell) func(*Function) table.Cell {
	return func(f *Function) table.Cell {
		if f.Records > 1 {
			return table.Null
		}
		return value(f)
	}
}

var functionNames = nameColumns(func(f *Function) *named { return &f.named })

// FunctionObject is the columns of a record that nobody filtered or merged.
var FunctionObject = functionColumns(false, false)

// functionColumns are the columns that are shown without being asked for. The
// share of the matching rows is that of all where nothing is filtered.
func functionColumns(filtered, merged bool) []string {
	return slices.DeleteFunc(table.ColumnNames(FunctionColumns), func(name string) bool {
		return name == "share_matching" && !filtered || name == "records" && !merged
	})
}

// FunctionNames are the columns that the records of a function have in common.
var FunctionNames = table.ColumnNames(functionNames)

// functionText are columns that fit a terminal.
var functionText = []string{"rank", "class", "total", "share", "cum", "max", "counters", "demangled"}

// mergedText is functionText for an answer that merges.
var mergedText = slices.Insert(slices.Clone(functionText), 7, "records")
