package instrdb

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// ValueRow is one value site with the function that it is in.
type ValueRow struct {
	Kind     instrprof.ValueKind `col:"kind" width:"23" is:"script"`
	_        column              `as:"IPVK_IndirectCallTarget|IPVK_MemOPSize|IPVK_VTableTarget"`
	Function table.Name          `col:"name" head:"Function" is:"sort,up,words"`
	FuncHash uint64              `col:"func_hash" width:"16" head:"FuncHash" is:"hex,key"`
	Rank     int                 `col:"rank" width:"8" is:"sort" help:"of the function record"`
	CS       bool                `col:"context_sensitive" width:"17" head:"CS" help:"counted after inlining"`
	Index    int                 `col:"index" width:"5" head:"Site" is:"sort,up,range,key"`
	_        column              `help:"index of the site among those of its kind in the function"`
	Sum      analyze.Sum         `col:"sum" width:"20" is:"sort,range" help:"of the site's counts"`
	Share    float64             `col:"share" width:"8" is:"part,bar"`
	_        column              `help:"of all counts of this kind" how:"values a value site's share"`
	Distinct int                 `col:"distinct" width:"8" head:"Values" is:"sort,range"`
	_        column              `help:"number of distinct values recorded"`
	Top      uint64              `col:"top_count" width:"20" head:"Top count" is:"sort,range"`
	_        column              `help:"count of the most frequent value"`
	TopShare float64             `col:"top_share" width:"9" head:"Top share" is:"part,sort,range"`
	_        column              `help:"share of the most frequent value in the site's sum"`
	_        column              `col:"top" head:"Most frequent value"`
	_        column              `col:"values" as:"list Value" is:"script"`
	// Values are most frequent first, in the file's order among equals. Targets are what
	// the profile knows of them.
	Values  instrprof.ValueSite
	Targets map[uint64]NameInfo
}

// ValueSites is the table of value sites of a kind. Those whose most frequent value was seen
// most often come first, which for indirect calls are the candidates for promotion to direct
// ones; ties are in the order of the function table.
var ValueSites = table.Declare[ValueRow](table.Declaration{
	About: "A value site and its function. With cols, only the columns asked for.",
	Noun:  "site", Usual: "-top_count", Sought: "function",
	Show: "name index sum share distinct top_count top_share top",
	Text: "sum share top_count top_share index demangled top",
})

// Cell implements [table.Celler].
func (v *ValueRow) Cell(column string, o *table.Options) table.Cell {
	if column == "values" {
		b := []byte{'['}
		for i, one := range v.Values {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendValue(b, v.Kind, one, v.Targets, o)
		}
		return table.JSON(append(b, ']'))
	}
	if len(v.Values) == 0 {
		return table.Null
	}
	if v.Kind == instrprof.MemOPSize {
		return table.Text(humanize.MemOPSize(v.Values[0].Value))
	}
	if name := v.Targets[v.Values[0].Value].Name; len(name) > 0 {
		_, linkage := names.Split(name)
		return table.Text(o.Demangle(linkage))
	}
	return table.Null
}

// AppendValue appends a value with its count as a JSON object. A target has its NameRef as
// fid and, where the profile knows it, its name; it has a page if it has a record.
func AppendValue(b []byte, kind instrprof.ValueKind, v instrprof.Value, targets map[uint64]NameInfo,
	o *table.Options) []byte {
	b = table.AppendCount(append(b, `{"value":`...), v.Value, o.Quote)
	b = table.AppendCount(append(b, `,"count":`...), v.Count, o.Quote)
	switch info := targets[v.Value]; {
	case kind == instrprof.MemOPSize:
	case v.Value == 0: // the runtime saw an address that is no instrumented function's
		b = append(b, `,"target":null`...)
	default:
		b = fmt.Appendf(b, `,"target":{"fid":"%016x","has_record":%t`, v.Value, info.HasRecord)
		if len(info.Name) > 0 {
			_, linkage := names.Split(info.Name)
			b = table.AppendString(append(b, `,"name":`...), string(info.Name))
			b = table.AppendString(append(b, `,"linkage_name":`...), linkage)
			b = table.AppendString(append(b, `,"demangled":`...), o.Demangle(linkage))
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// ValueSums is what stands around value sites.
type ValueSums struct {
	Observed int         // sites that recorded something
	Total    analyze.Sum // of all counts of the kind
	// Sizes is how often sizes were seen over all sites, by the ranges of the
	// runtime, smallest first; of memory operations only.
	Sizes []SizeCount
}

// SizeCount is how often a size of memory operations was seen. Value stands for
// a range as in the files (instrprof.md §2.6).
type SizeCount struct {
	Value uint64
	Sites int // that saw it
	Count analyze.Sum
}

// valueSites are the sites of one kind, by how often the most frequent value of each
// was seen.
type valueSites struct {
	list     []valueSite
	observed int
	total    analyze.Sum
	sizes    []SizeCount
}

type valueSite struct {
	id              uint32 // in the table
	function        uint32 // rank - 1
	index, distinct uint32
	top             uint64
	sum             analyze.Sum
	marks           analyze.SiteMark
}

// allSites are those of all kinds: one scan of the table makes them.
type allSites [instrprof.NumValueKinds]valueSites

// FindValues finds the value sites of a kind: those with any of some marks, of which 0 is all,
// and those that saw what has the words of target in its name, or in its number where it has
// none. The first call scans all sites; a page then costs the same wherever it is. Errors are
// the context's, or about the file.
func (p *Profile) FindValues(ctx context.Context, kind instrprof.ValueKind, marks analyze.SiteMark,
	target string) (table.Find, error) {
	all, err := stored.Cached(ctx, p.Profile, "value sites", func() (*allSites, int64, error) {
		all, err := p.scanSites(ctx)
		if err != nil {
			return nil, 0, err
		}
		size := int64(0)
		for i := range all {
			size += int64(cap(all[i].list))*int64(unsafe.Sizeof(valueSite{})) + int64(len(all[i].sizes))*32
		}
		return all, size, nil
	})
	if err != nil {
		return nil, err
	}
	s := &all[kind]
	var tests []query.Test
	if marks != 0 {
		tests = append(tests, func(i uint32) bool { return s.list[i].marks&marks != 0 })
	}
	if target != "" {
		saw, err := p.sitesWith(ctx, kind, target)
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool { return saw[s.list[i].id] })
	}
	sites, total := p.valueSite.Cursor(), s.total.Float64()
	find := among(p, fmt.Sprintf("value sites %d %d %q", kind, marks, target),
		table.Set{Around: &ValueSums{s.observed, s.total, s.sizes}}, len(s.list),
		func(i uint32) int { return int(s.list[i].function) + 1 }, s.value,
		func(i uint32, function *btree.Row) (ValueRow, error) {
			v := ValueRow{
				Kind: kind, Rank: int(s.list[i].function) + 1, FuncHash: function.Uint(fnFuncHash), CS: function.Int(fnCS) != 0,
			}
			site, err := stored.Find(sites, int(s.list[i].id))
			if err != nil {
				return v, err
			}
			if site.Int(vsKind) != int64(kind) {
				return v, stored.Damaged("value site %d is not of kind %v", s.list[i].id, kind)
			}
			v.Values = readSite(site)
			v.Index, v.Distinct = int(site.Int(vsSite)), len(v.Values)
			for _, one := range v.Values {
				v.Sum.Add(one.Count)
			}
			slices.SortStableFunc(v.Values, func(a, b instrprof.Value) int { return cmp.Compare(b.Count, a.Count) })
			if sum := v.Sum.Float64(); sum > 0 {
				v.Top = v.Values[0].Count
				v.Share, v.TopShare = sum/total, float64(v.Top)/sum
			}
			v.Function = nameOf(function)
			return v, site.Err()
		}, tests...)
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		page, err := find(ctx, q)
		if err != nil || kind == instrprof.MemOPSize {
			return page, err
		}
		rows := page.Rows.([]ValueRow)
		var refs []uint64
		for i := range rows {
			for _, v := range rows[i].Values {
				if v.Value != 0 {
					refs = append(refs, v.Value)
				}
			}
		}
		slices.Sort(refs)
		targets, err := p.NamesOf(ctx, slices.Compact(refs))
		for i := range rows {
			rows[i].Targets = targets
		}
		return page, err
	}, nil
}

// value is a column of sites.
func (s *valueSites) value(c query.Column) (query.Value, error) {
	of := func(number func(*valueSite) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(&s.list[i]) }}, nil
	}
	switch c {
	case "top_count":
		return of(func(v *valueSite) uint64 { return v.top })
	case "top_share":
		return query.Value{
			At:    func(i uint32) uint64 { return query.Ordered(float64(s.list[i].top) / s.list[i].sum.Float64()) },
			Known: func(i uint32) bool { return !s.list[i].sum.IsZero() },
		}, nil
	case "sum":
		return of(func(v *valueSite) uint64 { return v.sum.Saturated() })
	case "distinct":
		return of(func(v *valueSite) uint64 { return uint64(v.distinct) })
	case "index":
		return of(func(v *valueSite) uint64 { return uint64(v.index) })
	case ColRank:
		return of(func(v *valueSite) uint64 { return uint64(v.function) + 1 })
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: ValueSites.Sorts()}
}

// The columns of the value_site table, in the schema's order.
const (
	vsFunction = 1 + iota
	vsKind
	vsSite
	vsTargets
)

// readSite decodes the values of a row, in the file's order.
func readSite(row *btree.Row) instrprof.ValueSite {
	numbers := stored.Vector(nil, row, vsTargets)
	site := make(instrprof.ValueSite, 0, len(numbers)/2)
	for i := 0; i+1 < len(numbers); i += 2 {
		site = append(site, instrprof.Value{Value: numbers[i], Count: numbers[i+1]})
	}
	return site
}

// eachSite visits the value sites, each with its values and their counts in turn.
func (p *Profile) eachSite(ctx context.Context, visit func(row *btree.Row, numbers []uint64) error) error {
	var numbers []uint64
	return p.EachRow(ctx, "value_site", func(row *btree.Row) error {
		numbers = stored.Vector(numbers[:0], row, vsTargets)
		return visit(row, numbers)
	})
}

// scanSites reads the table of value sites.
func (p *Profile) scanSites(ctx context.Context) (*allSites, error) {
	columns, err := p.columns(ctx, countersColumn, totalColumn, totalHighColumn)
	if err != nil {
		return nil, err
	}
	t := totals{low: columns[totalColumn], high: columns[totalHighColumn]}
	var sizes sizeCounts
	all := &allSites{}
	err = p.eachSite(ctx, func(row *btree.Row, numbers []uint64) error {
		kind, function := row.Uint(vsKind), row.Uint(vsFunction)-1
		if kind >= instrprof.NumValueKinds || row.ID < 0 || row.ID > math.MaxUint32 || function >= uint64(p.rows) {
			return stored.Damaged("value site %d is of kind %d and function %d of %d", row.ID, kind, function+1, p.rows)
		}
		of := &all[kind]
		v := valueSite{
			id: uint32(row.ID), function: uint32(function), index: uint32(min(row.Uint(vsSite), math.MaxUint32)),
			distinct: uint32(len(numbers) / 2),
		}
		for i := 1; i < len(numbers); i += 2 {
			v.top = max(v.top, numbers[i])
			v.sum.Add(numbers[i])
		}
		of.total.AddSum(v.sum)
		v.marks = analyze.SiteMarksOf(len(numbers)/2, p.siteLimit, v.sum, uint32(columns[countersColumn].at(v.function)),
			t.at(v.function))
		if v.top > 0 {
			of.observed++
		}
		if kind == uint64(instrprof.MemOPSize) {
			sizes.add(numbers)
		}
		of.list = append(of.list, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for kind := range all {
		slices.SortStableFunc(all[kind].list, func(a, b valueSite) int { return cmp.Compare(b.top, a.top) })
	}
	all[instrprof.MemOPSize].sizes = sizes.list()
	return all, nil
}
