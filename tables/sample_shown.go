package tables

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"proflens/decode/sampleprof"
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
		return Text(string(appendFrames(nil, e.Frames(), e.names)))
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

var sampleSummaryColumns = []Column[sampleprof.SummaryEntry]{
	{"cutoff", 8, func(e *sampleprof.SummaryEntry) Cell { return Int(e.Cutoff) }},
	{"min_count", 20, func(e *sampleprof.SummaryEntry) Cell { return Count(e.MinCount) }},
	{"counts", 12, func(e *sampleprof.SummaryEntry) Cell { return Count(e.Counts) }},
}

func openSampleSummary(_ context.Context, p *sampledb.Profile, o Options) (Table, error) {
	return SampleSummary(p, o), nil
}

// SampleSummary is the detailed summary: the counts that make up each share of all samples.
func SampleSummary(p *sampledb.Profile, o Options) Table {
	s := &p.Overview.Summary
	l := fixedList(sampleSummaryColumns, s.Entries, o)
	l.More = func(b []byte, _ []Column[sampleprof.SummaryEntry]) []byte {
		for _, n := range []struct {
			name  string
			value uint64
		}{
			{"functions", s.Functions}, {"max_function", s.MaxFunction}, {"max_count", s.MaxCount}, {"num_counts", s.Counts},
			{"total_count", s.Total},
		} {
			b = AppendCount(fmt.Appendf(b, `,"%s":`, n.name), n.value, o.Quote)
		}
		return strconv.AppendBool(append(b, `,"in_file":`...), p.Overview.OwnSummary)
	}
	return l
}

var sampleSectionColumns = []Column[sampledb.Section]{
	{"type", 6, func(s *sampledb.Section) Cell { return Count(s.Type) }},
	{"offset", 10, func(s *sampledb.Section) Cell { return Count(s.Offset) }},
	{"size", 10, func(s *sampledb.Section) Cell { return Count(s.Size) }},
	{"flags", 24, func(s *sampledb.Section) Cell { return Text(s.Flags) }},
	{"name", 0, func(s *sampledb.Section) Cell { return Text(s.Name) }},
}

func openSampleSections(_ context.Context, p *sampledb.Profile, o Options) (Table, error) {
	return SampleSections(p, o), nil
}

// SampleSections is the sections of an extensible file in the order of its table.
func SampleSections(p *sampledb.Profile, o Options) Table {
	return fixedList(sampleSectionColumns, p.Overview.Sections, o)
}

// fixedList is a table of rows that are all there.
func fixedList[T any](columns []Column[T], rows []T, o Options) *List[T] {
	return &List[T]{Columns: columns, Quote: o.Quote, Read: func(ctx context.Context, offset, limit int) (Step[T], error) {
		from := min(offset, len(rows))
		return Step[T]{Rows: rows[from:min(len(rows), from+limit)], Total: len(rows)}, ctx.Err()
	}}
}
