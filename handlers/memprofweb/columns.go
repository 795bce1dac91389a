package memprofweb

import (
	"fmt"
	"slices"
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
	key          query.Column
	label, title string
	write        func(float64) say.Number // nil for words
	needs        memprof.MIBField         // 0 for none
	optional     bool                     // not among the default columns
	how          page.How
}

func writeCount(v float64) say.Number { return say.BigCount(fmt.Sprintf("%.0f", v)) }
func writeBytes(v float64) say.Number { return say.Bytes(uint64(v)) }

// contextColumns are all columns in the order of the table.
var contextColumns = []contextColumn{
	{key: memprofdb.ColName, label: "Allocated in", title: "function of the innermost frame", how: page.HowMemProfContexts},
	{key: memprofdb.ColClass, label: "Class", title: "how the compiler treats the context", how: page.HowMemProfClass},
	{key: memprofdb.ColBytes, label: "Bytes", title: "requested, of all objects", write: writeBytes, needs: memprof.TotalSize},
	{key: memprofdb.ColCount, label: "Objects", title: "number of allocations", write: writeCount, needs: memprof.AllocCount},
	{key: memprofdb.ColAvgSize, label: "Mean size", title: "bytes of an object", write: writeBytes, needs: memprof.TotalSize, how: page.HowMemProfAverages},
	{key: memprofdb.ColMinSize, label: "Smallest", title: "bytes of the smallest object", write: writeBytes, needs: memprof.MinSize, optional: true},
	{key: memprofdb.ColMaxSize, label: "Largest", title: "bytes of the largest object", write: writeBytes, needs: memprof.MaxSize, optional: true},
	{key: memprofdb.ColAccesses, label: "Accesses", title: "loads and stores, of all objects", write: writeCount, needs: memprof.TotalAccessCount},
	{key: memprofdb.ColAvgAccesses, label: "Accesses per object", title: "mean", write: memprofview.Rate, needs: memprof.TotalAccessCount, optional: true, how: page.HowMemProfAverages},
	{key: memprofdb.ColMinAccesses, label: "Fewest accesses", title: "of an object", write: writeCount, needs: memprof.MinAccessCount, optional: true},
	{key: memprofdb.ColMaxAccesses, label: "Most accesses", title: "of an object", write: writeCount, needs: memprof.MaxAccessCount, optional: true},
	{key: memprofdb.ColAvgLifetimeDensity, label: "Density", title: "accesses per byte and second of an object's life, mean: what the class goes by", write: memprofview.Rate, needs: memprof.TotalLifetimeAccessDensity, how: page.HowMemProfDensity},
	{key: memprofdb.ColMinLifetimeDensity, label: "Lowest density", title: "accesses per byte and second of an object", write: memprofview.Rate, needs: memprof.MinLifetimeAccessDensity, optional: true},
	{key: memprofdb.ColMaxLifetimeDensity, label: "Highest density", title: "accesses per byte and second of an object", write: memprofview.Rate, needs: memprof.MaxLifetimeAccessDensity, optional: true},
	{key: memprofdb.ColAvgDensity, label: "Accesses per byte", title: "of an object, mean", write: memprofview.Rate, needs: memprof.TotalAccessDensity, optional: true, how: page.HowMemProfDensity},
	{key: memprofdb.ColMinDensity, label: "Fewest per byte", title: "accesses per byte of an object", write: memprofview.Rate, needs: memprof.MinAccessDensity, optional: true},
	{key: memprofdb.ColMaxDensity, label: "Most per byte", title: "accesses per byte of an object", write: memprofview.Rate, needs: memprof.MaxAccessDensity, optional: true},
	{key: memprofdb.ColAvgLifetime, label: "Lifetime", title: "mean, of an object", write: memprofview.Milliseconds, needs: memprof.TotalLifetime, how: page.HowMemProfLifetime},
	{key: memprofdb.ColMinLifetime, label: "Shortest", title: "lifetime of an object", write: memprofview.Milliseconds, needs: memprof.MinLifetime, optional: true},
	{key: memprofdb.ColMaxLifetime, label: "Longest", title: "lifetime of an object", write: memprofview.Milliseconds, needs: memprof.MaxLifetime, optional: true},
	{key: memprofdb.ColTotalLifetime, label: "Lifetimes", title: "sum over all objects", write: memprofview.Milliseconds, needs: memprof.TotalLifetime, optional: true},
	{key: memprofdb.ColMigrated, label: "Migrated", title: "objects freed on a different CPU from the one that allocated them", write: writeCount, needs: memprof.NumMigratedCPU, optional: true},
	{key: memprofdb.ColOverlaps, label: "Overlaps", title: "objects allocated before the one before them was freed", write: writeCount, needs: memprof.NumLifetimeOverlaps, optional: true},
	{key: memprofdb.ColSameAllocCPU, label: "Same CPU", title: "objects allocated on the CPU of the one before", write: writeCount, needs: memprof.NumSameAllocCPU, optional: true},
	{key: memprofdb.ColSameDeallocCPU, label: "Same CPU freed", title: "objects freed on the CPU of the one before", write: writeCount, needs: memprof.NumSameDeallocCPU, optional: true},
	{key: memprofdb.ColAllocTime, label: "Allocated at", title: "of the last object, since the program began", write: memprofview.Milliseconds, needs: memprof.AllocTimestamp, optional: true},
	{key: memprofdb.ColDeallocTime, label: "Freed at", title: "of the last object, since the program began", write: memprofview.Milliseconds, needs: memprof.DeallocTimestamp, optional: true},
	{key: memprofdb.ColAllocCPU, label: "CPU", title: "that allocated the last object", write: writeCount, needs: memprof.AllocCPUID, optional: true},
	{key: memprofdb.ColDeallocCPU, label: "CPU freed", title: "that freed the last object", write: writeCount, needs: memprof.DeallocCPUID, optional: true},
	{key: memprofdb.ColDepth, label: "Frames", title: "of the call stack", write: writeCount, optional: true},
	{key: memprofdb.ColIndex, label: "Ordinal", title: "order in which the stacks were first seen, from 0", write: writeCount, optional: true},
}

// shownColumns are the columns that cols= asks for, or the default ones
// that the profile has. The function is always among them.
func shownColumns(cols []string, schema memprof.MIBSchema) ([]contextColumn, error) {
	for _, key := range cols {
		if !slices.ContainsFunc(contextColumns, func(c contextColumn) bool { return string(c.key) == key }) {
			keys := make([]string, len(contextColumns))
			for i, c := range contextColumns {
				keys[i] = string(c.key)
			}
			return nil, &site.ParamError{Param: "cols", Msg: fmt.Sprintf("there is no column %q; the columns are %s", key, strings.Join(keys, ", "))}
		}
	}
	return slices.DeleteFunc(slices.Clone(contextColumns), func(c contextColumn) bool {
		if len(cols) == 0 {
			return c.optional || c.needs != 0 && !schema.Has(c.needs)
		}
		return c.key != memprofdb.ColName && !slices.Contains(cols, string(c.key))
	}), nil
}

// contextHeads are the column heads, each with the link that sorts by it.
func contextHeads(columns []contextColumn, sort []query.Key, a site.Address) []page.Head {
	current := query.Key{Column: memprofdb.ColBytes, Desc: true}
	if len(sort) > 0 {
		current = sort[0]
	}
	list := make([]page.Head, len(columns))
	for i, c := range columns {
		h := page.Head{Column: string(c.key), Label: c.label, Title: c.title, Number: c.write != nil, How: c.how}
		desc := c.write != nil
		if current.Column == c.key {
			h.Sort = map[bool]string{true: "descending", false: "ascending"}[current.Desc]
			desc = !current.Desc
		}
		value := string(c.key)
		if desc {
			value = "-" + value
		}
		if value == "-bytes" {
			value = ""
		}
		h.URL = a.Without("page", "cursor").With("sort", value).String()
		list[i] = h
	}
	return list
}

// columnMenu is the form that chooses columns, of those that the profile has.
func columnMenu(shown []contextColumn, schema memprof.MIBSchema, a site.Address) *page.ColumnMenu {
	m := &page.ColumnMenu{Default: a.Without("cols").String(), Keep: site.Keep(a.Without("cols", "page", "cursor"))}
	for _, c := range contextColumns {
		if c.key == memprofdb.ColName || c.needs != 0 && !schema.Has(c.needs) {
			continue
		}
		m.Columns = append(m.Columns, page.Check{
			Name: "cols", Value: string(c.key), Label: c.label,
			Checked: slices.ContainsFunc(shown, func(s contextColumn) bool { return s.key == c.key }),
		})
	}
	return m
}

// classTag shows a class as a word on its colour.
func classTag(row *memprofdb.Row) page.Tag { return tag(string(row.Class)) }

func tag(class string) page.Tag {
	switch class {
	case "cold":
		return page.Tag{Text: class, Tone: "cold", Title: "hardly accessed and long-lived"}
	case "hot":
		return page.Tag{Text: class, Tone: "hot", Title: "needs hot hints: without -memprof-use-hot-hints the compiler treats it as not cold"}
	case "unknown":
		return page.Tag{Text: class, Tone: page.Neutral, Title: "the context lacks the fields that decide it"}
	}
	return page.Tag{Text: class, Tone: page.Neutral, Title: "neither cold nor hot"}
}

// contextRow makes a row of the table.
func contextRow(base string, row *memprofdb.Row, columns []contextColumn, n frameNames, keep string) memprofview.ContextRow {
	r := memprofview.ContextRow{
		URL: base + "/sites/" + site.FID(row.Context) + keep, Class: classTag(row), Mixed: row.Mixed, Name: say.Name{Base: "no frames", Full: "a stack without frames", Missing: true},
	}
	if len(row.Stack) > 0 {
		r.Name, r.Place = n.function(row.Stack[0].Function), place(&row.Stack[0])
	}
	r.Stack = stackTitle(row, n)
	for _, c := range columns {
		cell := say.Number{}
		if c.write != nil {
			cell = say.Number{Text: "–", Exact: "not known"}
			if v, known := row.Value(c.key); known {
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
		b.WriteString(wholeName(n.function(row.Stack[i].Function)))
	}
	if row.Depth > shown {
		b.WriteString("\n… " + say.Int(row.Depth-shown) + " more")
	}
	return b.String()
}
