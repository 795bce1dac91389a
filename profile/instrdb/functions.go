package instrdb

import (
	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/table"
)

// column is the type of a blank field: the struct's method Cell makes its column, or its tag goes on with
// that of the field before it.
type column = table.Computed

// The columns of functions that can be sorted or filtered by. Share and cum
// follow total; they are not columns of their own.
const (
	ColTotal    query.Column = "total"
	ColMax      query.Column = "max"
	ColEntry    query.Column = "entry"
	ColCounters query.Column = "counters"
	ColZero     query.Column = "zero"
	ColSites    query.Column = "sites"
	ColName     query.Column = "name" // by name bytes; no filter
	ColHash     query.Column = "hash"
	ColOrdinal  query.Column = "ordinal" // the file's own order
	ColFile     query.Column = "file"    // by the file it is declared in, then by line; no filter
	ColRank     query.Column = "rank"    // the default order: total descending, name bytes, FuncHash
)

// Query selects, orders and pages function records. The zero value is
// the whole table in the default order. Ties always end in rank.
type Query struct {
	query.Names
	// Scope selects functions in a namespace and all below, as names.Scope writes
	// it. With "::" behind it those directly in it; "::" is in none.
	Scope string
	// Named selects functions whose name reads so in Mode; empty is any.
	Named    string
	Mode     names.Mode      // for Named and Merge
	Merge    bool            // make one row of the matching records whose names read the same in Mode
	Classes  []analyze.Class // any of these
	Executed *bool
	CS       *bool     // context-sensitive records only, or plain ones only
	Quality  []Quality // any of these
	Ranges   []query.Range
	Sort     []query.Key // empty is the default order
	Offset   int         // position in the order
	Limit    int         // rows; 0 is none, for the counts alone
}

// Row is one function record.
type Row struct {
	Rank int    `col:"rank" width:"8" head:"#" is:"sort,up" help:"rank by total, hottest first"` // from 1
	_    column `col:"fid" width:"16" is:"script" as:"fid"`
	_    column `col:"func_hash" width:"16" head:"Hash" is:"up" by:"hash" as:"fid null"`
	_    column `help:"FuncHash, the hash of the control-flow graph"`

	table.Name `col:"demangled" parts:"name,name_hex,linkage_name,demangled,path" head:"Function" is:"up" by:"name"`
	_          column `help:"name" how:"names a name"`

	Class analyze.Class
	_     column `col:"class" width:"5" as:"hot|warm|cold|never null" how:"class the class"`
	_     column `help:"how the compiler treats it, going by its maximum counter"`
	analyze.Stats
	_ column `col:"total" width:"20" is:"number,sort" help:"sum of all its counters" how:"total the total"`
	_ column `as:"Count"`
	// Share is of the whole profile's total; Cum adds shares up in the shown
	// order, from the first matching row to this one.
	Share float64
	_     column  `col:"share" width:"8" help:"of the total of the whole profile" how:"share the share"`
	_     column  `as:"number"`
	_     column  `col:"share_matching" width:"14" is:"script,extra" as:"number"`
	Cum   float64 `col:"cum" width:"8" head:"Sum" is:"part" how:"cum the sum"`
	_     column  `help:"running total of the shares, in this order" as:"number"`
	_     column  `col:"entry" width:"20" is:"number,sort" help:"entry count" how:"entry the entry count"`
	_     column  `col:"max" width:"20" head:"Maximum" is:"number,sort" how:"max the maximum"`
	_     column  `help:"largest counter" as:"Count"`
	_     column  `col:"max_index" width:"9" is:"script" as:"integer 0.. null"`
	_     column  `col:"counters" width:"8" is:"number,sort" help:"number of counters" as:"integer 0.."`
	_     column  `col:"zero" width:"8" is:"number,sort" help:"number of counters that are 0" as:"integer 0.."`
	_     column  `col:"executed" width:"8" is:"script" as:"boolean"`
	// Shape is the counters in order, squeezed into at most 24 buckets, each
	// the largest counter of its bucket.
	Shape     []uint64 `col:"shape" is:"page" help:"the counters in order, log scale" how:"shape the shape"`
	SiteCount uint32   `col:"value_sites" width:"11" by:"sites" how:"values a value site's share"`
	_         column   `help:"number of value sites of every kind"`
	Ordinal   uint64   // from 0, in the file's order
	_         column   `col:"ordinal" width:"8" is:"number,sort,up" help:"position in the file, from 0"`
	_         column   `as:"integer 0.. null"`
	_         column   `col:"context_sensitive" width:"17" head:"Records" as:"boolean"`
	_         column   `help:"plain or context-sensitive (counted again after inlining)"`
	_         column   `col:"pseudo" width:"6" is:"script" as:"boolean"`
	// File and Line are where it is declared, by the debug info or the coverage mapping of
	// a program; empty and 0 where that is not known.
	File string `col:"file" head:"Source" is:"sort,up,omitzero" help:"the file and line that it is declared on"`
	Line uint32 `col:"line" width:"6" is:"script,omitzero" as:"integer 1.. null"`
	// Records is how many records the row stands for. Where it is more than one,
	// figures are sums over them, Max the largest, and Class follows from that;
	// FuncHash, MaxIndex, Ordinal, NumSites and Shape mean nothing, and all else is
	// the record's with the largest total.
	Records int    `col:"records" width:"7" is:"script,extra" as:"integer 1.."`
	_       column `col:"path" head:"File path" is:"page"`
	_       column `help:"the source file, recorded in the names of static functions"`

	FuncHash uint64
	// Repeats is how many records of the same name and FuncHash stood behind it in
	// the only file, and were added to it.
	Repeats uint64
	Entered bool // Entry is an entry count
	// Matching is what the matching rows come to; 0 where all match.
	Matching float64
}

// Cell implements [table.Celler].
func (r *Row) Cell(column string, o *table.Options) table.Cell { return r.Bind(column, o)() }

// Bind implements [table.Binder].
func (r *Row) Bind(column string, o *table.Options) func() table.Cell {
	switch column {
	case "func_hash":
		return func() table.Cell { return r.ofOne(table.Hex(r.FuncHash)) }
	case "max_index":
		return func() table.Cell { return r.ofOne(table.Int(r.MaxIndex)) }
	case "ordinal":
		return func() table.Cell { return r.ofOne(table.Int(r.Ordinal)) }
	case "fid":
		return func() table.Cell { return table.Hex(r.Ref) }
	case "class":
		return func() table.Cell {
			if r.Class == analyze.NoClass {
				return table.Null
			}
			return table.Text(string(r.Class))
		}
	case "total":
		return func() table.Cell { return table.SumCount(r.Total) }
	case "share":
		return func() table.Cell { return table.Ratio(r.Share) }
	case "share_matching":
		return func() table.Cell {
			if r.Matching == 0 {
				return table.Ratio(r.Share)
			}
			return table.Ratio(r.Total.Float64() / r.Matching)
		}
	case "entry":
		return func() table.Cell {
			if r.Entered {
				return table.Count(r.Entry)
			}
			return table.Null
		}
	case "max":
		return func() table.Cell { return table.Count(r.Max) }
	case "counters":
		return func() table.Cell { return table.Int(r.NumCounters) }
	case "zero":
		return func() table.Cell { return table.Int(r.NumZero) }
	case "executed":
		return func() table.Cell { return table.Bool(r.Executed()) }
	case "context_sensitive":
		return func() table.Cell { return table.Bool(r.CS) }
	case "pseudo":
		return func() table.Cell { return table.Bool(r.Pseudo) }
	}
	return table.BindName(&r.Name, column, o)
}

// ofOne is a cell that belongs to one record: null for several.
func (r *Row) ofOne(c table.Cell) table.Cell {
	if r.Records > 1 {
		return table.Null
	}
	return c
}

// entered reports whether a record's Entry is an entry count.
func (o *Overview) entered(s *analyze.Stats) bool {
	return !s.Pseudo && analyze.HasEntry(o.Info.Variant)
}

// Functions is the table of function records.
var Functions = table.Declare[Row](table.Declaration{
	Around: (*Page)(nil), Apart: true,
	About: "A function record. With cols, only the columns asked for.", Noun: "function",
	Show: "rank demangled class total share cum entry max counters zero shape file",
	Text: "rank class total share cum max counters records demangled",
})

// Table is the declaration of a query's table.
func (q *Query) Table() *table.Declaration {
	var more []string
	if q.Filtered() {
		more = append(more, "share_matching")
	}
	if q.Merge {
		more = append(more, "records")
	}
	return Functions.And(more...)
}

// Page is one page of a query.
type Page struct {
	Rows          []Row
	All           int         `col:"all"` // records of the profile
	Matching      int         // rows that match; of those Scanned so far when not Complete
	Records       int         // records that match: more than rows where the query merges
	MatchingTotal analyze.Sum `col:"matching_total"` // their counts
	_             column      `col:"records" as:"integer 0.."`
	// Complete is unset when a text filter used up its time; ask again to go on.
	Complete bool   `col:"complete"`
	Scanned  int    // records a text filter has looked at
	_        column `col:"scanned" as:"integer 0.."`
	_        column `col:"storing" as:"boolean"`

	merged, storing bool
}

// Cell implements [table.Celler].
func (p *Page) Cell(column string, _ *table.Options) table.Cell {
	switch {
	case column == "records" && p.merged:
		return table.Int(p.Records)
	case column == "scanned" && !p.Complete:
		return table.Int(p.Scanned)
	case column == "storing" && p.storing:
		return table.Bool(true)
	}
	return table.Absent
}

// found is the page as a table wants it. Where a query selects rows, they know what these come to.
func (p *Page) found(filtered bool) table.Page {
	for i := range p.Rows {
		if filtered {
			p.Rows[i].Matching = p.MatchingTotal.Float64()
		}
	}
	page := table.Page{Set: table.Set{Rows: p.Rows, Around: p}, All: p.All, Matching: p.Matching}
	if !p.Complete {
		page.Searched = &table.Progress{Done: p.Scanned, Of: p.All, Storing: p.storing}
	}
	return page
}

// Record is one record of a function, whole.
type Record struct {
	Row
	Counters []uint64
	Bitmap   []byte
	Sites    [instrprof.NumValueKinds][]instrprof.ValueSite
}

// NameInfo is what the profile knows about a NameRef.
type NameInfo struct {
	Name      []byte
	HasRecord bool // a function record has this name, so there is a page for it
}
