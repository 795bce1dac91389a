package instrdb

import (
	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profile/query"
)

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

// Row is one function record as the table shows it.
type Row struct {
	Rank     int    // from 1, in the default order
	Ordinal  uint64 // from 0, in the file's order
	Name     []byte // the PGO name; empty when the file has none
	NameRef  uint64
	FuncHash uint64
	// Repeats is how many records of the same name and FuncHash stood behind it in
	// the only file, and were added to it.
	Repeats uint64
	// File and Line are where it is declared, by the debug info or the coverage mapping of
	// a program; empty and 0 where that is not known.
	File string
	Line uint32
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

// Page is one page of a query.
type Page struct {
	Rows          []Row
	All           int         // records of the profile
	Matching      int         // rows that match; of those Scanned so far when not Complete
	Records       int         // records that match: more than rows where the query merges
	MatchingTotal analyze.Sum // their counts
	Scanned       int         // records a text filter has looked at
	Complete      bool        // false when a text filter used up its time; ask again to go on
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
