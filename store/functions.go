package store

import (
	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
)

// Column names a column of the function table that can be sorted or filtered.
type Column string

// The columns. Share and cum follow total; they are not columns of their own.
const (
	ColTotal    Column = "total"
	ColMax      Column = "max"
	ColEntry    Column = "entry"
	ColCounters Column = "counters"
	ColZero     Column = "zero"
	ColSites    Column = "sites"
	ColName     Column = "name" // by name bytes
	ColHash     Column = "hash"
	ColOrdinal  Column = "ordinal" // the file's own order
	ColRank     Column = "rank"    // the default order: total descending, name bytes, FuncHash
)

// SortKey is one column of an order.
type SortKey struct {
	Column Column
	Desc   bool
}

// Range filters a numeric column, both ends inclusive.
type Range struct {
	Column   Column
	Min, Max uint64
}

// FunctionQuery selects, orders and pages function records. The zero value is
// the whole table in the default order. Ties always end in rank.
type FunctionQuery struct {
	Text    string            // substring of the mangled or demangled name, ASCII case ignored
	Regexp  string            // RE2 over the mangled or demangled name, case matters
	Path    string            // prefix of the file path with a ';' behind it, so that "a.c;" is that file alone and ";" no path
	Rewrite []analyze.Rewrite // for Path
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
	Ranges   []Range
	Sort     []SortKey // empty is the default order
	Offset   int       // position in the order
	Limit    int       // rows; 0 is none, for the counts alone
}

// FunctionRow is one function record as the table shows it.
type FunctionRow struct {
	Rank     int    // from 1, in the default order
	Ordinal  uint64 // from 0, in the file's order
	Name     []byte // the PGO name; empty when the file has none
	NameRef  uint64
	FuncHash uint64
	analyze.Stats
	Class analyze.Class
	// Share is of the whole profile's total; Cum adds shares up in the shown
	// order, from the first matching row to this one.
	Share, Cum float64
	SiteCount  uint32 // value sites of every kind
	// Records is how many records the row stands for. Where it is more than one,
	// figures are sums over them, Max the largest, and Class follows from that;
	// FuncHash, MaxIndex, Ordinal, NumSites and Shape mean nothing, and all else is
	// the record's with the largest total.
	Records int
	// Shape is the counters in order, squeezed into at most 24 buckets, each
	// the largest counter of its bucket.
	Shape []uint64
}

// FunctionPage is one page of a query.
type FunctionPage struct {
	Rows          []FunctionRow
	All           int         // records of the profile
	Matching      int         // rows that match; of those Scanned so far when not Complete
	Records       int         // records that match: more than rows where the query merges
	MatchingTotal analyze.Sum // their counts
	Scanned       int         // records a text filter has looked at
	Complete      bool        // false when a text filter used up its time; ask again to go on
}

// FunctionRecord is one record of a function, whole.
type FunctionRecord struct {
	FunctionRow
	Counters []uint64
	Bitmap   []byte
	Sites    [instrprof.NumValueKinds][]instrprof.ValueSite
}

// NameInfo is what the profile knows about a NameRef.
type NameInfo struct {
	Name      []byte
	HasRecord bool // a function record has this name, so there is a page for it
}
