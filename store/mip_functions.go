package store

import (
	"bytes"
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/store/btree"
)

// MIPColumn names a column of the functions of machine IR that can be sorted or
// filtered.
type MIPColumn string

// The columns.
const (
	MIPColIndex   MIPColumn = "index" // link order
	MIPColName    MIPColumn = "name"  // by name bytes; no filter
	MIPColSize    MIPColumn = "size"  // bytes
	MIPColCalls   MIPColumn = "calls"
	MIPColWeight  MIPColumn = "weight"  // calls × size, at most 2^64 - 1
	MIPColRuns    MIPColumn = "runs"    // in which the function ran: its merge count
	MIPColFirst   MIPColumn = "first"   // average first-call position; functions that never ran come last, in both directions
	MIPColAddress MIPColumn = "address" // link address; the filter is by offset from the lowest function
	MIPColBlocks  MIPColumn = "blocks"  // entries among them, removed ones not
	MIPColMissed  MIPColumn = "missed"  // bytes that are not covered
	MIPColCovered MIPColumn = "covered" // covered bytes
)

// MIPColumns are all of them.
var MIPColumns = []MIPColumn{
	MIPColIndex, MIPColName, MIPColSize, MIPColCalls, MIPColWeight, MIPColRuns, MIPColFirst, MIPColAddress, MIPColBlocks, MIPColMissed, MIPColCovered,
}

// MIPSortKey is one column of an order.
type MIPSortKey struct {
	Column MIPColumn
	Desc   bool
}

// MIPRange filters a numeric column, both ends inclusive.
type MIPRange struct {
	Column   MIPColumn
	Min, Max uint64
}

// MIPQuery selects, orders and pages the functions of machine IR. The zero
// value is all of them, the largest first. Ties end in link order.
type MIPQuery struct {
	Text, Regexp string // over the name and the demangled name, as in FunctionQuery
	Path, Scope  string // as in FunctionQuery: a prefix of the path in a name, and a namespace
	Executed     *bool
	Saturated    *bool
	Run          int // executed in this run, from 1; 0 is any
	OnlyRun      int // executed in this run and in no other
	MinRuns      int // executed in at least so many runs
	Ranges       []MIPRange
	Sort         []MIPSortKey // empty is size, descending
	Offset       int          // position in the order
	Limit        int          // rows; 0 is none, for the sums alone
}

// MIPRow is one function.
type MIPRow struct {
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
	Calls        uint64 // means nothing in coverage mode
	Saturated    bool   // Calls are at least so many
	TimestampSum uint64
	First        float64 // average first-call position; 0 when it never ran, or without timestamps

	Blocks, CoveredBlocks int // the entry among them, removed ones not
	RemovedBlocks         int
	CoveredBytes          uint64
}

// MIPPage is one page of a query.
type MIPPage struct {
	Rows     []MIPRow
	All      int               // functions of the profile
	Matching int               // that match; of those Scanned so far when not Complete
	Totals   analyze.MIPTotals // of those that match
	Scanned  int               // functions that a text filter has looked at
	Complete bool              // false when a text filter used up its time; ask again to go on
}

// MIPColumnError is returned for a column that does not exist, or cannot be
// filtered by a range.
type MIPColumnError struct{ Column MIPColumn }

// Error names the column.
func (e *MIPColumnError) Error() string { return fmt.Sprintf("no column %q", string(e.Column)) }

// MIPFunctions returns one page of the functions of a Machine IR Profile. A page
// of an order that was asked for before costs the same wherever it is.
//
// Errors are ErrNotFound for a profile of another family, or a run that it does
// not have, a MIPColumnError, that of names.NewMatcher for a pattern, the
// context's, or about the file.
func (p *Profile) MIPFunctions(ctx context.Context, q MIPQuery) (*MIPPage, error) {
	_, overview, err := p.mipTable(ctx)
	if err != nil {
		return nil, err
	}
	page := &MIPPage{All: int(overview.Functions), Scanned: int(overview.Functions), Complete: true}
	o, err := p.mipOrder(ctx, &q, page)
	if err != nil {
		return nil, err
	}
	page.Matching, page.Totals = len(o.ids), o.totals
	from, to := clamp(q.Offset, q.Limit, len(o.ids))
	page.Rows, err = p.MIPRows(ctx, o.ids[from:to])
	return page, err
}

// MIPRows reads functions by their indices.
func (p *Profile) MIPRows(ctx context.Context, indices []uint32) ([]MIPRow, error) {
	table, o, err := p.mipTable(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]MIPRow, 0, len(indices))
	c := table.Cursor()
	for n, i := range indices {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		stored, err := find(c, int(i)+1)
		if err != nil {
			return nil, err
		}
		row, err := mipRow(stored, o)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// mipRow makes a row of a stored one.
func mipRow(row *btree.Row, o *MIPOverview) (MIPRow, error) {
	f := MIPRow{
		Index: int(row.ID) - 1, Signature: row.Uint(mfSignature), RawOffset: row.Uint(mfRawOffset), Offset: row.Int(mfOffset),
		Size: uint32(row.Uint(mfSize)), CFGSignature: uint32(row.Uint(mfCFGSignature)),
		MergeCount: row.Uint(mfMergeCount), Calls: row.Uint(mfCallCount), TimestampSum: row.Uint(mfTimestampSum), Saturated: row.Int(mfSaturated) != 0,
		Blocks: int(row.Int(mfBlocks)), CoveredBlocks: int(row.Int(mfCoveredBlocks)), RemovedBlocks: int(row.Int(mfRemovedBlocks)),
		CoveredBytes: row.Uint(mfCoveredBytes),
	}
	f.Executed = f.MergeCount > 0 || f.Calls > 0
	if o.HasTimestamps() && f.MergeCount > 0 {
		f.First = float64(f.TimestampSum) / float64(f.MergeCount)
	}
	f.FID = fmt.Sprintf("%016x", f.Signature)
	if row.Int(mfTwin) != 0 {
		f.FID += fmt.Sprintf("-%x", f.RawOffset)
	}
	if o.RawAddress != nil {
		address := *o.RawAddress + uint64(f.Offset)
		f.Address = &address
	}
	source, err := row.Bytes(mfNameSource)
	if err != nil {
		return f, err
	}
	f.NameSource = mip.NameSource(source)
	name, err := row.Bytes(mfName)
	f.Name = bytes.Clone(name)
	f.Linkage = linkageOfMIP(f.Name, o.Underscore)
	return f, err
}
