package mipdb

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/profiledb/btree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// The columns of functions that can be sorted or filtered by.
const (
	ColIndex   query.Column = "index" // link order
	ColName    query.Column = "name"  // by name bytes; no filter
	ColSize    query.Column = "size"  // bytes
	ColCalls   query.Column = "calls"
	ColWeight  query.Column = "weight"  // calls × size, at most 2^64 - 1
	ColRuns    query.Column = "runs"    // in which the function ran: its merge count
	ColFirst   query.Column = "first"   // average first-call position; not known of functions that never ran
	ColAddress query.Column = "address" // link address; the filter is by offset from the lowest function
	ColBlocks  query.Column = "blocks"  // entries among them, removed ones not
	ColMissed  query.Column = "missed"  // bytes that are not covered
	ColCovered query.Column = "covered" // covered bytes
)

// Columns are all of them.
var Columns = []query.Column{
	ColIndex, ColName, ColSize, ColCalls, ColWeight, ColRuns, ColFirst, ColAddress, ColBlocks, ColMissed, ColCovered,
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

// Row is one function.
type Row struct {
	Index        int    // from 0, in link order
	FID          string // its address: the signature, with the raw offset behind it where others have the same
	Name         []byte // as in the object file; empty where the file has none
	Linkage      []byte // Name without the underscore of Mach-O
	NameSource   mip.NameSource
	Signature    uint64
	RawOffset    uint64
	Offset       int64   // its address minus that of the raw section, bytes
	Address      *uint64 // nil where no program was given
	Size         uint32  // bytes
	CFGSignature uint32

	Executed     bool
	MergeCount   uint64 // runs in which it ran
	Calls        uint64 // mean nothing where they were not counted
	Saturated    bool   // Calls are at least so many
	TimestampSum uint64
	First        float64 // average first-call position; 0 when it never ran, or without timestamps

	Blocks, CoveredBlocks int // the entry among them, removed ones not
	RemovedBlocks         int
	CoveredBytes          uint64
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
	rows := make([]Row, 0, len(indices))
	c := p.functions.Cursor()
	for n, i := range indices {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found, err := stored.Find(c, int(i)+1)
		if err != nil {
			return nil, err
		}
		row, err := p.row(found)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// row makes a row of a stored one.
func (p *Profile) row(row *btree.Row) (Row, error) {
	f := Row{
		Index: int(row.ID) - 1, Signature: row.Uint(colSignature), RawOffset: row.Uint(colRawOffset),
		Offset: row.Int(colOffset),
		Size:   uint32(row.Uint(colSize)), CFGSignature: uint32(row.Uint(colCFGSignature)),
		MergeCount: row.Uint(colMergeCount), Calls: row.Uint(colCallCount), TimestampSum: row.Uint(colTimestampSum),
		Saturated: row.Int(colSaturated) != 0,
		Blocks:    int(row.Int(colBlocks)), CoveredBlocks: int(row.Int(colCoveredBlocks)),
		RemovedBlocks: int(row.Int(colRemovedBlocks)),
		CoveredBytes:  row.Uint(colCoveredBytes),
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
	source, err := row.Bytes(colNameSource)
	if err != nil {
		return f, err
	}
	f.NameSource = mip.NameSource(source)
	name, err := row.Bytes(colName)
	f.Name = bytes.Clone(name)
	f.Linkage = p.linkage(f.Name)
	return f, err
}

// linkage is a name without the underscore of Mach-O.
func (p *Profile) linkage(name []byte) []byte { return withoutUnderscore(name, p.Overview.Underscore) }
