package tables

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"proflens/profiledb/mipdb"
)

// MIPFunction is a function of machine IR with what its cells need.
type MIPFunction struct {
	*mipdb.Row
	named
	counted bool // calls were
	timed   bool // it is known when functions first ran
}

// NewMIPFunction makes a row of a function of the profile with this overview.
func NewMIPFunction(o *mipdb.Overview, row *mipdb.Row, demangle func(linkage string) string) MIPFunction {
	f := MIPFunction{
		Row: row, named: newNamed(row.Signature, row.Linkage, demangle), counted: o.HasCalls(), timed: o.HasTimestamps(),
	}
	f.name = string(row.Name)
	return f
}

// openMIPFunctions opens the table of all functions, or of those that never ran
// in any run.
func openMIPFunctions(q mipdb.Query) func(context.Context, *mipdb.Profile, Options) (Table, error) {
	return func(ctx context.Context, p *mipdb.Profile, o Options) (Table, error) {
		return MIPFunctions(ctx, p, q, o, true)
	}
}

// Dead selects the functions that no run executed.
func Dead() mipdb.Query {
	no := false
	return mipdb.Query{Executed: &no}
}

// MIPFunctions is the functions of machine IR that a query selects; its Offset
// and Limit do not count. A filter by name is waited for when whole is set; else
// a step can be unsettled.
func MIPFunctions(ctx context.Context, p *mipdb.Profile, q mipdb.Query, o Options, whole bool) (Table, error) {
	var page *mipdb.Page
	var rows []MIPFunction
	l := &List[MIPFunction]{Columns: MIPFunctionColumns, Text: mipFunctionText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[MIPFunction], error) {
		q.Offset, q.Limit = offset, limit
		var err error
		if page, err = p.Functions(ctx, q); err != nil {
			return Step[MIPFunction]{}, err
		}
		for whole && !page.Complete {
			if err := ctx.Err(); err != nil {
				return Step[MIPFunction]{}, err
			}
			if page, err = p.Functions(ctx, q); err != nil {
				return Step[MIPFunction]{}, err
			}
		}
		rows = rows[:0]
		for i := range page.Rows {
			rows = append(rows, NewMIPFunction(p.Overview, &page.Rows[i], o.Demangle))
		}
		return Step[MIPFunction]{rows, page.Matching, !page.Complete}, nil
	}
	l.More = func(b []byte, _ []Column[MIPFunction]) []byte {
		t := &page.Totals
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		for _, sum := range []struct {
			name  string
			value uint64
		}{
			{"executed", t.Executed}, {"bytes", t.Bytes}, {"executed_bytes", t.ExecutedBytes}, {"covered_bytes", t.CoveredBytes},
			{"blocks", t.Blocks}, {"covered_blocks", t.CoveredBlocks},
		} {
			b = AppendCount(fmt.Appendf(b, `,"matching_%s":`, sum.name), sum.value, o.Quote)
		}
		b = append(b, `,"matching_calls":`...)
		if p.Overview.HasCalls() {
			b = appendBig(b, t.Calls.String(), o.Quote)
		} else {
			b = append(b, "null"...)
		}
		b = strconv.AppendBool(append(b, `,"complete":`...), page.Complete)
		if !page.Complete {
			b = strconv.AppendInt(append(b, `,"scanned":`...), int64(page.Scanned), 10)
		}
		return b
	}
	return l, nil
}

// MIPFunctionColumns are all columns of the functions of machine IR, in the
// order in which an object has them. What was not counted is null. The
// names are those of the export mip-json where it has them (mip.md §4).
var MIPFunctionColumns = slices.Concat(
	[]Column[MIPFunction]{
		{"index", 8, func(f *MIPFunction) Cell { return Int(uint64(f.Index)) }},
		{"fid", 16, func(f *MIPFunction) Cell { return Text(f.FID) }},
	},
	nameColumns(func(f *MIPFunction) *named { return &f.named })[1:],
	[]Column[MIPFunction]{
		{"name_source", 11, func(f *MIPFunction) Cell { return Text(string(f.NameSource)) }},
		{"executed", 8, func(f *MIPFunction) Cell { return Bool(f.Executed) }},
		{"size", 10, func(f *MIPFunction) Cell { return Count(uint64(f.Size)) }},
		{"covered_bytes", 13, func(f *MIPFunction) Cell { return Count(f.CoveredBytes) }},
		{
			"missed_bytes", 12, func(f *MIPFunction) Cell { return Count(uint64(f.Size) - min(f.CoveredBytes, uint64(f.Size))) },
		},
		{"covered_share", 13, func(f *MIPFunction) Cell { return Ratio(PartOf(f.CoveredBytes, uint64(f.Size))) }},
		{"blocks", 8, func(f *MIPFunction) Cell { return Int(uint64(f.Blocks)) }},
		{"covered_blocks", 14, func(f *MIPFunction) Cell { return Int(uint64(f.CoveredBlocks)) }},
		{"removed_blocks", 14, func(f *MIPFunction) Cell { return Int(uint64(f.RemovedBlocks)) }},
		{"merge_count", 11, func(f *MIPFunction) Cell { return Count(f.MergeCount) }},
		{"call_count", 20, counted(func(f *MIPFunction) Cell { return Count(f.Calls) })},
		{"saturated", 9, counted(func(f *MIPFunction) Cell { return Bool(f.Saturated) })},
		{"weight", 20, counted(func(f *MIPFunction) Cell { return SumCount(f.Weight()) })},
		{"avg_timestamp", 13, timed(func(f *MIPFunction) Cell {
			if f.MergeCount == 0 {
				return Null
			}
			return Ratio(f.First)
		})},
		{"timestamp_sum", 20, timed(func(f *MIPFunction) Cell { return Count(f.TimestampSum) })},
		{"address", 18, func(f *MIPFunction) Cell {
			if f.Address == nil {
				return Null
			}
			return Text(fmt.Sprintf("0x%x", *f.Address))
		}},
		{"function_offset", 15, func(f *MIPFunction) Cell { return BigCount(strconv.FormatInt(f.Offset, 10)) }},
		{"raw_offset", 10, func(f *MIPFunction) Cell { return Count(f.RawOffset) }},
		{"signature", 18, func(f *MIPFunction) Cell { return Text(fmt.Sprintf("0x%016x", f.Signature)) }},
		{"cfg_signature", 13, func(f *MIPFunction) Cell { return Text(fmt.Sprintf("0x%08x", f.CFGSignature)) }},
	})

// mipFunctionText fits a terminal.
var mipFunctionText = []string{
	"size", "covered_bytes", "blocks", "covered_blocks", "merge_count", "call_count", "demangled",
}

// counted is a column of what only call counts give.
func counted(value func(*MIPFunction) Cell) func(*MIPFunction) Cell {
	return func(f *MIPFunction) Cell {
		if !f.counted {
			return Null
		}
		return value(f)
	}
}

// timed is a column of what only timestamps give.
func timed(value func(*MIPFunction) Cell) func(*MIPFunction) Cell {
	return func(f *MIPFunction) Cell {
		if !f.timed {
			return Null
		}
		return value(f)
	}
}

// PartOf is a part of a whole, from 0 to 1; 0 of nothing.
func PartOf(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
