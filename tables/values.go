package tables

import (
	"context"
	"fmt"
	"slices"

	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profiledb/instrdb"
	"proflens/say"
)

// value is a value site with what its cells need.
type value struct {
	*instrdb.ValueRow
	named
	kind   instrprof.ValueKind
	total  float64 // of the kind
	object *ValueObject
}

func openValues(kind instrprof.ValueKind) func(context.Context, *instrdb.Profile, Options) (Table, error) {
	return func(_ context.Context, p *instrdb.Profile, o Options) (Table, error) {
		return Values(p, instrdb.ValueQuery{Kind: kind}, o), nil
	}
}

// Values is the value sites that a query selects, in its order; its Offset and Limit
// do not count.
func Values(p *instrdb.Profile, q instrdb.ValueQuery, o Options) Table {
	l := &List[value]{Columns: valueColumns, Text: valueText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[value], error) {
		q.Offset, q.Limit = offset, limit
		page, err := p.Values(ctx, q)
		if err != nil {
			return Step[value]{}, err
		}
		object := &ValueObject{Options: o}
		if object.Targets, err = p.NamesOf(ctx, valueRefs(q.Kind, page.Rows)); err != nil {
			return Step[value]{}, err
		}
		rows := make([]value, len(page.Rows))
		for i := range page.Rows {
			row := &page.Rows[i]
			rows[i] = value{row, newNamed(row.NameRef, row.Name, o.Demangle), q.Kind, page.Total.Float64(), object}
		}
		return Step[value]{Rows: rows, Total: page.Matching, Unsettled: !page.Complete && !p.Storing()}, nil
	}
	return l
}

// valueRefs are the NameRefs among the values of sites.
func valueRefs(kind instrprof.ValueKind, rows []instrdb.ValueRow) []uint64 {
	if kind == instrprof.MemOPSize {
		return nil
	}
	var refs []uint64
	for i := range rows {
		for _, v := range rows[i].Values {
			if v.Value != 0 {
				refs = append(refs, v.Value)
			}
		}
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

var valueColumns = slices.Concat(
	[]Column[value]{{"kind", 23, func(v *value) Cell { return Text(v.kind.String()) }}},
	nameColumns(func(v *value) *named { return &v.named }),
	[]Column[value]{
		{"func_hash", 16, func(v *value) Cell { return Hex(v.FuncHash) }},
		{"rank", 8, func(v *value) Cell { return Int(uint64(v.Rank)) }},
		{"context_sensitive", 17, func(v *value) Cell { return Bool(v.CS) }},
		{"index", 5, func(v *value) Cell { return Int(uint64(v.Index)) }},
		{"sum", 20, func(v *value) Cell { return SumCount(v.Sum) }},
		{"share", 8, func(v *value) Cell { return Ratio(part(v.Sum.Float64(), v.total)) }},
		{"distinct", 8, func(v *value) Cell { return Int(uint64(len(v.Values))) }},
		{"top_count", 20, func(v *value) Cell { return Count(v.top().Count) }},
		{"top_share", 9, func(v *value) Cell { return Ratio(part(float64(v.top().Count), v.Sum.Float64())) }},
		{"top", 0, (*value).topName},
		{"values", 0, (*value).values},
	})

var valueText = []string{"sum", "share", "top_count", "top_share", "index", "demangled", "top"}

// top is the most frequent value.
func (v *value) top() instrprof.Value {
	if len(v.Values) == 0 {
		return instrprof.Value{}
	}
	return v.Values[0]
}

// topName is the most frequent value in words: a function, a vtable, sizes.
func (v *value) topName() Cell {
	if len(v.Values) == 0 {
		return Null
	}
	top := v.Values[0].Value
	if v.kind == instrprof.MemOPSize {
		return Text(say.MemOPSize(top))
	}
	if name := v.object.Targets[top].Name; len(name) > 0 {
		_, linkage := names.Split(name)
		return Text(v.demangle(linkage))
	}
	return Null
}

// values is every value as the object of a function has it.
func (v *value) values() Cell {
	b := []byte{'['}
	for i, one := range v.Values {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.object.Append(b, v.kind, one)
	}
	return JSON(append(b, ']'))
}

// part is a share, 0 of nothing.
func part(of, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return of / whole
}

// ValueObject writes the values of value sites as JSON objects.
type ValueObject struct {
	Options
	Targets map[uint64]instrdb.NameInfo // names of targets, by NameRef
}

// Append appends a value with its count. A target has its NameRef as fid and,
// where the profile knows it, its name; it has a page if it has a record.
func (o *ValueObject) Append(b []byte, kind instrprof.ValueKind, v instrprof.Value) []byte {
	b = AppendCount(append(b, `{"value":`...), v.Value, o.Quote)
	b = AppendCount(append(b, `,"count":`...), v.Count, o.Quote)
	if kind != instrprof.MemOPSize {
		b = o.target(append(b, `,"target":`...), v.Value)
	}
	return append(b, '}')
}

func (o *ValueObject) target(b []byte, ref uint64) []byte {
	if ref == 0 { // the runtime saw an address that is no instrumented function's
		return append(b, "null"...)
	}
	info := o.Targets[ref]
	b = fmt.Appendf(b, `{"fid":"%s","has_record":%t`, FID(ref), info.HasRecord)
	if len(info.Name) > 0 {
		_, linkage := names.Split(info.Name)
		b = AppendString(append(b, `,"name":`...), string(info.Name))
		b = AppendString(append(b, `,"linkage_name":`...), linkage)
		b = AppendString(append(b, `,"demangled":`...), o.Demangle(linkage))
	}
	return append(b, '}')
}
