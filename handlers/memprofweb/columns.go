package memprofweb

import (
	"fmt"
	"strings"

	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// contextColumn is one column of the table of allocation contexts.
type contextColumn struct {
	site.Column
	write    func(float64) say.Number // nil for words
	needs    memprof.MIBField         // 0 for none
	optional bool                     // not among the default columns
}

func writeCount(v float64) say.Number { return say.BigCount(fmt.Sprintf("%.0f", v)) }
func writeBytes(v float64) say.Number { return say.Bytes(uint64(v)) }

// contextColumns are all columns in the order of the table.
var contextColumns = []contextColumn{
	{
		Column: site.Column{
			Key: memprofdb.ColName, Label: "Allocated in", Title: "function of the innermost frame", Sort: memprofdb.ColName,
			Ascending: true, How: page.HowMemProfContexts,
		},
	},
	{
		Column: site.Column{
			Key: memprofdb.ColClass, Label: "Class", Title: "how the compiler treats the context", Sort: memprofdb.ColClass,
			Ascending: true, How: page.HowMemProfClass,
		},
	},
	{
		Column: site.Column{Key: memprofdb.ColBytes, Label: "Bytes", Title: "requested, of all objects",
			Sort: memprofdb.ColBytes, Number: true}, write: writeBytes, needs: memprof.TotalSize,
	},
	{
		Column: site.Column{Key: memprofdb.ColCount, Label: "Objects", Title: "number of allocations",
			Sort: memprofdb.ColCount, Number: true}, write: writeCount, needs: memprof.AllocCount,
	},
	{
		Column: site.Column{Key: memprofdb.ColAvgSize, Label: "Mean size", Title: "bytes of an object",
			Sort: memprofdb.ColAvgSize, Number: true, How: page.HowMemProfAverages}, write: writeBytes, needs: memprof.TotalSize,
	},
	{
		Column: site.Column{Key: memprofdb.ColMinSize, Label: "Smallest", Title: "bytes of the smallest object",
			Sort: memprofdb.ColMinSize, Number: true}, write: writeBytes, needs: memprof.MinSize, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMaxSize, Label: "Largest", Title: "bytes of the largest object",
			Sort: memprofdb.ColMaxSize, Number: true}, write: writeBytes, needs: memprof.MaxSize, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColAccesses, Label: "Accesses", Title: "loads and stores, of all objects",
			Sort: memprofdb.ColAccesses, Number: true}, write: writeCount, needs: memprof.TotalAccessCount,
	},
	{
		Column: site.Column{Key: memprofdb.ColAvgAccesses, Label: "Accesses per object", Title: "mean",
			Sort: memprofdb.ColAvgAccesses, Number: true, How: page.HowMemProfAverages}, write: memprofview.Rate,
		needs: memprof.TotalAccessCount, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMinAccesses, Label: "Fewest accesses", Title: "of an object",
			Sort: memprofdb.ColMinAccesses, Number: true}, write: writeCount, needs: memprof.MinAccessCount, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMaxAccesses, Label: "Most accesses", Title: "of an object",
			Sort: memprofdb.ColMaxAccesses, Number: true}, write: writeCount, needs: memprof.MaxAccessCount, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColAvgLifetimeDensity, Label: "Density",
			Title: "accesses per byte and second of an object's life, mean: this decides the class",
			Sort:  memprofdb.ColAvgLifetimeDensity, Number: true, How: page.HowMemProfDensity}, write: memprofview.Rate,
		needs: memprof.TotalLifetimeAccessDensity,
	},
	{
		Column: site.Column{Key: memprofdb.ColMinLifetimeDensity, Label: "Lowest density",
			Title: "accesses per byte and second of an object", Sort: memprofdb.ColMinLifetimeDensity, Number: true},
		write: memprofview.Rate, needs: memprof.MinLifetimeAccessDensity, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMaxLifetimeDensity, Label: "Highest density",
			Title: "accesses per byte and second of an object", Sort: memprofdb.ColMaxLifetimeDensity, Number: true},
		write: memprofview.Rate, needs: memprof.MaxLifetimeAccessDensity, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColAvgDensity, Label: "Accesses per byte", Title: "of an object, mean",
			Sort: memprofdb.ColAvgDensity, Number: true, How: page.HowMemProfDensity}, write: memprofview.Rate,
		needs: memprof.TotalAccessDensity, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMinDensity, Label: "Fewest per byte", Title: "accesses per byte of an object",
			Sort: memprofdb.ColMinDensity, Number: true}, write: memprofview.Rate, needs: memprof.MinAccessDensity,
		optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMaxDensity, Label: "Most per byte", Title: "accesses per byte of an object",
			Sort: memprofdb.ColMaxDensity, Number: true}, write: memprofview.Rate, needs: memprof.MaxAccessDensity,
		optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColAvgLifetime, Label: "Lifetime", Title: "mean, of an object",
			Sort: memprofdb.ColAvgLifetime, Number: true, How: page.HowMemProfLifetime}, write: memprofview.Milliseconds,
		needs: memprof.TotalLifetime,
	},
	{
		Column: site.Column{Key: memprofdb.ColMinLifetime, Label: "Shortest", Title: "lifetime of an object",
			Sort: memprofdb.ColMinLifetime, Number: true}, write: memprofview.Milliseconds, needs: memprof.MinLifetime,
		optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMaxLifetime, Label: "Longest", Title: "lifetime of an object",
			Sort: memprofdb.ColMaxLifetime, Number: true}, write: memprofview.Milliseconds, needs: memprof.MaxLifetime,
		optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColTotalLifetime, Label: "Lifetimes", Title: "sum over all objects",
			Sort: memprofdb.ColTotalLifetime, Number: true}, write: memprofview.Milliseconds, needs: memprof.TotalLifetime,
		optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColMigrated, Label: "Migrated",
			Title: "objects freed on a different CPU from the one that allocated them", Sort: memprofdb.ColMigrated,
			Number: true}, write: writeCount, needs: memprof.NumMigratedCPU, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColOverlaps, Label: "Overlaps",
			Title: "objects allocated before the one before them was freed", Sort: memprofdb.ColOverlaps, Number: true},
		write: writeCount, needs: memprof.NumLifetimeOverlaps, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColSameAllocCPU, Label: "Same CPU",
			Title: "objects allocated on the CPU of the one before", Sort: memprofdb.ColSameAllocCPU, Number: true},
		write: writeCount, needs: memprof.NumSameAllocCPU, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColSameDeallocCPU, Label: "Same CPU freed",
			Title: "objects freed on the CPU of the one before", Sort: memprofdb.ColSameDeallocCPU, Number: true},
		write: writeCount, needs: memprof.NumSameDeallocCPU, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColAllocTime, Label: "Allocated at",
			Title: "of the last object, since the program began", Sort: memprofdb.ColAllocTime, Number: true},
		write: memprofview.Milliseconds, needs: memprof.AllocTimestamp, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColDeallocTime, Label: "Freed at",
			Title: "of the last object, since the program began", Sort: memprofdb.ColDeallocTime, Number: true},
		write: memprofview.Milliseconds, needs: memprof.DeallocTimestamp, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColAllocCPU, Label: "CPU", Title: "that allocated the last object",
			Sort: memprofdb.ColAllocCPU, Number: true}, write: writeCount, needs: memprof.AllocCPUID, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColDeallocCPU, Label: "CPU freed", Title: "that freed the last object",
			Sort: memprofdb.ColDeallocCPU, Number: true}, write: writeCount, needs: memprof.DeallocCPUID, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColDepth, Label: "Frames", Title: "of the call stack", Sort: memprofdb.ColDepth,
			Number: true}, write: writeCount, optional: true,
	},
	{
		Column: site.Column{Key: memprofdb.ColIndex, Label: "Ordinal",
			Title: "order in which stacks were first seen, from 0", Sort: memprofdb.ColIndex, Number: true}, write: writeCount,
		optional: true,
	},
}

// shownColumns are the columns that cols= asks for, or the default ones that the
// profile has.
func shownColumns(cols []string, schema memprof.MIBSchema) ([]contextColumn, error) {
	return site.ShownColumns(contextColumns, memprofdb.ColName, cols, func(c contextColumn) bool {
		return !c.optional && c.in(schema)
	})
}

// in reports whether contexts of a schema have the column.
func (c *contextColumn) in(schema memprof.MIBSchema) bool { return c.needs == 0 || schema.Has(c.needs) }

// orderOf is how contexts and sites are sorted: by bytes where nothing else is
// asked for.
func orderOf(keys []query.Key, a site.Address) site.Order {
	return site.OrderOf(keys, query.Key{Column: memprofdb.ColBytes, Desc: true}, a, "-bytes")
}

// classTag shows a class as a word on its colour.
func classTag(row *memprofdb.Row) page.Tag { return tag(string(row.Class)) }

func tag(class string) page.Tag {
	switch class {
	case "cold":
		return page.Tag{Text: class, Tone: "cold", Title: "rarely accessed and long-lived"}
	case "hot":
		return page.Tag{
			Text: class, Tone: "hot", Title: "needs hot hints: without -memprof-use-hot-hints the compiler treats it as not " +
				"cold",
		}
	case "unknown":
		return page.Tag{Text: class, Tone: page.Neutral, Title: "the context lacks the fields that decide the class"}
	}
	return page.Tag{Text: class, Tone: page.Neutral, Title: "neither cold nor hot"}
}

// contextRow makes a row of the table.
func contextRow(base string, row *memprofdb.Row, columns []contextColumn, n frameNames,
	keep string) memprofview.ContextRow {
	r := memprofview.ContextRow{
		URL: base + "/sites/" + site.FID(row.Context) + keep, Class: classTag(row), Mixed: row.Mixed,
		Name: say.Name{Base: "no frames", Full: "a stack without frames", Missing: true},
	}
	if len(row.Stack) > 0 {
		r.Name, r.Place = n.function(row.Stack[0].Function), place(&row.Stack[0])
		r.PlaceURL = n.lineURL(row.Stack[0].File, row.Stack[0].Line)
	}
	r.Stack = stackTitle(row, n)
	for _, c := range columns {
		cell := say.Number{}
		if c.write != nil {
			cell = say.Number{Text: "–", Exact: "not known"}
			if v, known := row.Value(c.Key); known {
				cell = c.write(v)
			}
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// stackTitle is the first frames of a stack, a line each.
func stackTitle(row *memprofdb.Row, n frameNames) string {
	const shown = 12
	var b strings.Builder
	for i := range row.Stack[:min(len(row.Stack), shown)] {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(n.function(row.Stack[i].Function).Whole())
	}
	if row.Depth > shown {
		b.WriteString("\n… " + say.Int(row.Depth-shown) + " more")
	}
	return b.String()
}
