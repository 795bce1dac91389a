package tables

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"proflens/profiledb/sampledb"
)

// sampleEntry is a row of a sample profile with what its cells need.
type sampleEntry struct {
	*sampledb.Entry
	named
	names []sampledb.Name
	o     *sampledb.Overview
	total uint64 // of all rows, as llvm-profdata adds them
}

var sampleEntryColumns = slices.Concat(
	[]Column[sampleEntry]{
		{"index", 8, func(e *sampleEntry) Cell { return Int(uint64(e.ID)) }},
		{"total", 20, func(e *sampleEntry) Cell { return Count(e.Total) }},
		{"share", 8, func(e *sampleEntry) Cell { return Ratio(PartOf(e.Total, e.total)) }},
		{"head", 12, func(e *sampleEntry) Cell { return Count(e.Head) }},
		{"entry", 12, func(e *sampleEntry) Cell { return Count(e.Entered) }},
		{"sum", 12, func(e *sampleEntry) Cell { return Count(e.Sum) }},
		{"max", 12, func(e *sampleEntry) Cell { return Count(e.Max) }},
		{"heat", 6, func(e *sampleEntry) Cell { return Text(string(e.o.HeatOf(e.Max))) }},
		{"checksum", 20, func(e *sampleEntry) Cell { return checksumCell(e.Checksum) }},
		{"attributes", 10, func(e *sampleEntry) Cell { return Int(uint64(e.Attributes)) }},
		{"depth", 5, func(e *sampleEntry) Cell { return Int(uint64(len(e.Context))) }},
	},
	nameColumns(func(e *sampleEntry) *named { return &e.named }),
	[]Column[sampleEntry]{{"context", 0, func(e *sampleEntry) Cell {
		return e.Path(e.names)
	}}})

// sampleEntryText are the columns of show --hot-func-list.
var sampleEntryText = []string{"total", "share", "max", "entry", "context"}

// openSampleEntries opens the rows of the profile: all, or those that are hot.
func openSampleEntries(hot bool) func(context.Context, *sampledb.Profile, Options) (Table, error) {
	return func(ctx context.Context, p *sampledb.Profile, o Options) (Table, error) {
		return SampleEntries(ctx, p, sampledb.EntryQuery{Hot: hot}, o)
	}
}

// SampleEntries is the rows of the profile that a query selects: functions or, with calling
// contexts, each context of one. The query's Offset and Limit do not count.
func SampleEntries(ctx context.Context, p *sampledb.Profile, q sampledb.EntryQuery, o Options) (Table, error) {
	names, err := p.Names(ctx)
	if err != nil {
		return nil, err
	}
	var page *sampledb.EntryPage
	l := &List[sampleEntry]{Columns: sampleEntryColumns, Text: sampleEntryText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[sampleEntry], error) {
		q.Offset, q.Limit = offset, limit
		if page, err = p.FindEntries(ctx, q); err != nil {
			return Step[sampleEntry]{}, err
		}
		rows := make([]sampleEntry, len(page.Rows))
		for i := range page.Rows {
			e := &page.Rows[i]
			n := &names[e.Name]
			rows[i] = sampleEntry{e, namedSample(n.GUID, n.Linkage, o.Demangle), names, p.Overview, page.AllTotal}
		}
		return Step[sampleEntry]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[sampleEntry]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		for _, n := range []struct {
			name  string
			value uint64
		}{{"all_total", page.AllTotal}, {"matching_total", page.Total}, {"hot_count", p.Overview.HotCount}} {
			b = AppendCount(fmt.Appendf(b, `,"%s":`, n.name), n.value, o.Quote)
		}
		return b
	}
	return l, nil
}
