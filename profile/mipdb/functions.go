package mipdb

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"strconv"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// The columns of functions that can be sorted or filtered by.
const (
	ColIndex   query.Column = "index" // link order
	ColName    query.Column = "name"  // by name bytes; no filter
	ColSize    query.Column = "size"  // bytes
	ColCalls   query.Column = "call_count"
	ColWeight  query.Column = "weight"        // calls × size, at most 2^64 - 1
	ColRuns    query.Column = "merge_count"   // in which the function ran: its merge count
	ColFirst   query.Column = "avg_timestamp" // average first-call position; not known of functions that never ran
	ColAddress query.Column = "address"       // link address; the filter is by offset from the lowest function
	ColBlocks  query.Column = "blocks"        // entries among them, removed ones not
	ColMissed  query.Column = "missed_bytes"  // bytes that are not covered
	ColCovered query.Column = "covered_bytes" // covered bytes
	ColShare   query.Column = "covered_share" // of the bytes
)

// column is the type of a blank field: the struct's method Cell makes its column, or its tag goes on with
// that of the field before it.
type column = table.Computed

// Columns are all of them.
var Columns = []query.Column{
	ColIndex, ColName, ColSize, ColCalls, ColWeight, ColRuns, ColFirst, ColAddress, ColBlocks, ColMissed, ColCovered,
	ColShare,
}

// Query selects, orders and pages the functions of machine IR. The zero
// value is all of them, the largest first. Ties end in link order.
type Query struct {
	query.Names        // over the name; there are no rules for paths
	Scope       string // a namespace and all below; with "::" behind it that alone
	Executed    *bool
	Saturated   *bool
	Run         int     // executed in this run, from 1; 0 is any
	OnlyRun     int     // executed in this run and in no other
	MinRuns     int     // executed in at least so many runs
	Odd         Quality // functions that are odd in any of these ways; 0 is all
	Ranges      []query.Range
	Sort        []query.Key // empty is size, descending
	Offset      int         // position in the order
	Limit       int         // rows; 0 is none, for the sums alone
}

// Quality is what is odd about a function: a set.
type Quality uint8

const (
	NoName       Quality = 1 << iota // the files have no name for it
	BlocksDiffer                     // the files disagree about its blocks, which are dropped
)

// FunctionName is a function's name: one column of pages, five of scripts.
type FunctionName struct {
	_       column `col:"name" is:"sort,up" help:"as in the object file; none where the file has none"`
	_       column `col:"name_hex" help:"there only where name had to replace bytes that are no UTF-8" as:"string"`
	_       column `col:"linkage_name"`
	_       column `col:"demangled"`
	_       column `col:"path" help:"the source file in the name" as:"string"`
	Name    []byte // as in the object file; empty where the file has none
	Linkage []byte // Name without the underscore of Mach-O
	// Signature is what stands for a name that there is not.
	Signature uint64
}

// Cell implements [table.Celler].
func (n *FunctionName) Cell(column string, o *table.Options) table.Cell {
	if column == "name" && len(n.Name) > 0 {
		return table.Text(string(n.Name))
	}
	of := table.Name{PGO: string(n.Linkage)}
	if column == "name_hex" {
		of.PGO = string(n.Name)
	}
	return of.Cell(column, o)
}

// Named implements [table.Named].
func (n *FunctionName) Named() (linkage []byte, ref uint64, other string) {
	return n.Linkage, n.Signature, ""
}

// Row is one function.
type Row struct {
	Index        int    `col:"index" width:"8" head:"#" is:"sort,up,range" help:"position in link order, from 0"`
	FID          string `col:"fid" width:"16" is:"key,script" as:"/^[0-9a-f]{16}(-[0-9a-f]+)?$/"`
	_            column `help:"its address: the signature, with the raw offset behind it where others have the same"`
	FunctionName `col:"demangled" head:"Function" is:"sort,up,words" help:"name" how:"names a name"`

	NameSource    mip.NameSource `col:"name_source" width:"11" head:"Name from" as:"md5|positional|none"`
	Executed      bool           `col:"executed" width:"8"`
	_             column         `help:"whether some run executed it" how:"mip-executed the number executed"`
	Size          uint32         // bytes
	_             column         `col:"size" width:"10" head:"Bytes" is:"number,sort,range"`
	_             column         `help:"size of the function" as:"Count"`
	CoveredBytes  uint64         `col:"covered_bytes" width:"13" is:"sort,range" help:"bytes in blocks that ran"`
	_             column         `col:"missed_bytes" width:"12" is:"number,sort,range"`
	_             column         `help:"bytes in blocks that did not run" as:"Count"`
	_             column         `col:"covered_share" width:"13" head:"Covered" is:"number,sort,range,part"`
	_             column         `help:"share of its bytes in blocks that ran"`
	_             column         `how:"mip-coverage coverage in bytes" as:"number 0..1"`
	Blocks        int            `col:"blocks" width:"8" is:"sort,range"`
	_             column         `help:"covered of all, without removed blocks" how:"mip-blocks a block's state"`
	CoveredBlocks int            `col:"covered_blocks" width:"14"` // the entry among them, as among all
	RemovedBlocks int            `col:"removed_blocks" width:"14" head:"Removed" help:"blocks missing from the program"`
	MergeCount    uint64         `col:"merge_count" width:"11" head:"Runs" is:"sort,range"`
	_             column         `help:"merge count: runs in which it ran"`
	Calls         uint64         // mean nothing where they were not counted
	_             column         `col:"call_count" width:"20" head:"Calls" is:"number,sort,range"`
	_             column         `help:"call counts of all runs added up" how:"mip-calls a call count"`
	Saturated     bool           // Calls are at least so many
	_             column         `col:"saturated" width:"9" is:"script" as:"boolean null"`
	_             column         `col:"weight" width:"20" head:"Calls × size" is:"number,sort,range"`
	_             column         `help:"call count times bytes"`
	First         float64        // average first-call position; 0 when it never ran, or without timestamps
	_             column         `col:"avg_timestamp" width:"13" head:"First position" is:"number,sort,up,range"`
	_             column         `help:"average of its positions at first run" how:"mip-order the order" as:"number null"`
	TimestampSum  uint64
	_             column  `col:"timestamp_sum" width:"20" is:"number,script"`
	Address       *uint64 `col:"address" width:"18" is:"address,sort,up"`
	_             column  `help:"at link time, or relative to the raw section if the program is not given"`
	Offset        int64   // its address minus that of the raw section, bytes
	_             column  `col:"function_offset" width:"15" is:"number,script" as:"integer or /^-?[0-9]+$/"`
	RawOffset     uint64  `col:"raw_offset" width:"10" is:"script"`
	_             column  `col:"signature" width:"18" help:"first eight bytes of the name's MD5" as:"/^0x[0-9a-f]{16}$/"`
	CFGSignature  uint32
	_             column `col:"cfg_signature" width:"13" head:"CFG signature"`
	_             column `help:"changes with the shape of the function" as:"/^0x[0-9a-f]{8}$/"`
	_             column `col:"path" head:"File path" is:"page" help:"the source file in the name"`

	of *Overview
}

// Cell implements [table.Celler]. What was not measured is null.
func (r *Row) Cell(column string, o *table.Options) table.Cell {
	switch column {
	case "index":
		return table.Int(r.Index)
	case "size":
		return table.Count(uint64(r.Size))
	case "covered_bytes":
		return table.Count(r.CoveredBytes)
	case "blocks":
		return table.Int(r.Blocks)
	case "merge_count":
		return table.Count(r.MergeCount)
	case "missed_bytes":
		return table.Count(uint64(r.Size) - min(r.CoveredBytes, uint64(r.Size)))
	case "covered_share":
		if r.Size == 0 {
			return table.Ratio(0)
		}
		return table.Ratio(float64(r.CoveredBytes) / float64(r.Size))
	case "function_offset":
		return table.BigCount(strconv.FormatInt(r.Offset, 10))
	case "signature":
		return table.Text(fmt.Sprintf("0x%016x", r.Signature))
	case "cfg_signature":
		return table.Text(fmt.Sprintf("0x%08x", r.CFGSignature))
	case "path":
		return r.FunctionName.Cell(column, o)
	}
	switch {
	case column == "avg_timestamp" && r.of.HasTimestamps() && r.MergeCount > 0:
		return table.Ratio(r.First)
	case column == "timestamp_sum" && r.of.HasTimestamps():
		return table.Count(r.TimestampSum)
	case column == "call_count" && r.of.HasCalls():
		return table.Count(r.Calls)
	case column == "saturated" && r.of.HasCalls():
		return table.Bool(r.Saturated)
	case column == "weight" && r.of.HasCalls():
		return table.SumCount(r.Weight())
	}
	return table.Null
}

// Functions is the table of functions. The names are those of the export mip-json where it
// has them (mip.md §4).
var Functions = table.Declare[Row](table.Declaration{
	Around: (*Around)(nil),
	About:  "A function of a Machine IR Profile. Removed blocks count only in removed_blocks.",
	Noun:   "function", All: true, Usual: "-size", Sought: "part of a name",
	Show: "demangled size covered_share blocks merge_count call_count avg_timestamp",
	Text: "size covered_bytes blocks covered_blocks merge_count call_count demangled",
})

// Around is what functions that match come to.
type Around struct {
	analyze.MIPTotals
	Executed      uint64 `col:"matching_executed"`
	Bytes         uint64 `col:"matching_bytes"`
	ExecutedBytes uint64 `col:"matching_executed_bytes"`
	CoveredBytes  uint64 `col:"matching_covered_bytes"`
	Blocks        uint64 `col:"matching_blocks"`
	CoveredBlocks uint64 `col:"matching_covered_blocks"`
	_             column `col:"matching_calls" as:"Count null"`
	Complete      bool   `col:"complete"`
	_             column `col:"scanned" as:"integer 0.."`
	scanned       int
	counted       bool
}

// Cell implements [table.Celler].
func (a *Around) Cell(column string, _ *table.Options) table.Cell {
	switch {
	case column == "scanned" && a.Complete:
		return table.Absent
	case column == "scanned":
		return table.Int(a.scanned)
	case !a.counted:
		return table.Null
	}
	return table.SumCount(a.Calls)
}

// Dead selects the functions that no run executed.
func Dead() Query {
	no := false
	return Query{Executed: &no}
}

// Find finds functions among those that a query selects, whose own words, ranges, order and
// page do not count. There can be a million of them: those of a page alone are read.
func (p *Profile) Find(q Query) table.Find {
	return func(ctx context.Context, t table.Query) (table.Page, error) {
		q.Text, q.Regexp, q.Ranges, q.Sort, q.Offset, q.Limit = t.Text, t.Regexp, t.Ranges, t.Sort, t.Offset, t.Limit
		found, err := p.Functions(ctx, q)
		if err != nil {
			return table.Page{}, err
		}
		sums := &found.Totals
		page := table.Page{All: found.All, Matching: found.Matching, Set: table.Set{Rows: found.Rows, Around: &Around{
			MIPTotals: *sums, Executed: sums.Executed, Bytes: sums.Bytes, ExecutedBytes: sums.ExecutedBytes,
			CoveredBytes: sums.CoveredBytes,
			Blocks:       sums.Blocks, CoveredBlocks: sums.CoveredBlocks, Complete: found.Complete, scanned: found.Scanned,
			counted: p.Overview.HasCalls(),
		}}}
		if !found.Complete {
			page.Searched = &table.Progress{Done: found.Scanned, Of: found.All}
		}
		return page, nil
	}
}

// Page is one page of a query.
type Page struct {
	Rows     []Row
	All      int               // functions of the profile
	Matching int               // that match; of those Scanned so far when not Complete
	Totals   analyze.MIPTotals // of those that match
	Scanned  int               // functions that a text filter has looked at
	Complete bool              // false when a text filter used up its time; ask again to go on
}

// Weight is calls × size, exactly: the bytes of machine code that ran had every
// call run all of the function.
func (r *Row) Weight() analyze.Sum {
	high, low := bits.Mul64(r.Calls, uint64(r.Size))
	return analyze.Sum{Lo: low, Hi: high}
}

// Functions returns one page of the functions. A page of an order that was asked
// for before costs the same wherever it is.
//
// Errors are stored.ErrNoPart for a run that the profile does not have, a
// *query.ColumnError, that of names.NewMatcher for a pattern, the context's, or
// about the file.
func (p *Profile) Functions(ctx context.Context, q Query) (*Page, error) {
	o, scanned, err := p.order(ctx, &q)
	if err != nil {
		return nil, err
	}
	page := &Page{All: p.n, Matching: len(o.ids), Totals: o.totals, Scanned: scanned, Complete: scanned == p.n}
	from, to := query.Clamp(q.Offset, q.Limit, len(o.ids))
	page.Rows, err = p.Rows(ctx, o.ids[from:to])
	return page, err
}

// Rows reads functions by their indices.
func (p *Profile) Rows(ctx context.Context, indices []uint32) ([]Row, error) {
	rows := make([]Row, len(indices))
	err := stored.Pick(ctx, p.functions, len(indices), func(n int) int { return int(indices[n]) + 1 },
		func(n int, row *btree.Row) error {
			rows[n] = p.row(row)
			return nil
		})
	return rows, err
}

// row makes a row of a stored one.
func (p *Profile) row(row *btree.Row) Row {
	f := Row{
		of: p.Overview, Index: int(row.ID) - 1, FunctionName: FunctionName{Signature: row.Uint(colSignature)},
		RawOffset: row.Uint(colRawOffset), Offset: row.Int(colOffset),
		Size: uint32(row.Uint(colSize)), CFGSignature: uint32(row.Uint(colCFGSignature)),
		MergeCount: row.Uint(colMergeCount), Calls: row.Uint(colCallCount), TimestampSum: row.Uint(colTimestampSum),
		Saturated: row.Int(colSaturated) != 0,
		Blocks:    int(row.Int(colBlocks)), CoveredBlocks: int(row.Int(colCoveredBlocks)),
		RemovedBlocks: int(row.Int(colRemovedBlocks)),
		CoveredBytes:  row.Uint(colCoveredBytes), NameSource: mip.NameSource(row.Bytes(colNameSource)),
	}
	f.Executed = f.MergeCount > 0 || f.Calls > 0
	if p.Overview.HasTimestamps() && f.MergeCount > 0 {
		f.First = float64(f.TimestampSum) / float64(f.MergeCount)
	}
	f.FID = fmt.Sprintf("%016x", f.Signature)
	if row.Int(colTwin) != 0 {
		f.FID += fmt.Sprintf("-%x", f.RawOffset)
	}
	if p.Overview.RawAddress != nil {
		f.Address = new(*p.Overview.RawAddress + uint64(f.Offset))
	}
	f.Name = bytes.Clone(row.Bytes(colName))
	f.Linkage = p.linkage(f.Name)
	return f
}

// linkage is a name without the underscore of Mach-O.
func (p *Profile) linkage(name []byte) []byte { return withoutUnderscore(name, p.Overview.Underscore) }
