package analyze

import (
	"cmp"
	"slices"

	"proflens/decode/mip"
)

// MIPSpan is the bytes of a function that one block takes: from its offset to
// the next block's, or to the function's end.
type MIPSpan struct {
	From, To uint32 // bytes from the function's start
	Block    int    // index among the function's blocks; -1 is the entry
	Covered  bool
}

// MIPBlocks is what the blocks of a function come to. Removed blocks are in no
// figure but their own.
type MIPBlocks struct {
	Blocks, Covered int // the entry among them
	Removed         int
	CoveredBytes    uint64
}

// MIPSpans lays the blocks of a function on its bytes, in order; removed ones
// have none. Of blocks at one offset the last has the bytes, and it is covered
// when one of them is. Without block coverage a function is one span. dst is
// used again.
func MIPSpans(f *mip.Function, blockCoverage bool, dst []MIPSpan) []MIPSpan {
	dst = append(dst[:0], MIPSpan{Block: -1, To: f.Size, Covered: f.Executed()})
	if !blockCoverage {
		return dst
	}
	for i, b := range f.Blocks {
		if !b.Removed() {
			dst = append(dst, MIPSpan{From: min(b.Offset, f.Size), To: f.Size, Block: i, Covered: b.Covered})
		}
	}
	slices.SortStableFunc(dst, func(a, b MIPSpan) int { return cmp.Compare(a.From, b.From) })
	for i := range len(dst) - 1 {
		dst[i].To = dst[i+1].From
		if dst[i].To == dst[i].From && dst[i].Covered && dst[i].Block >= 0 {
			dst[i+1].Covered = true
		}
	}
	return dst
}

// MIPBlocksOf adds the blocks of a function up; spans are its own.
func MIPBlocksOf(f *mip.Function, spans []MIPSpan) MIPBlocks {
	n := MIPBlocks{Blocks: 1}
	if f.Executed() {
		n.Covered++
	}
	for _, b := range f.Blocks {
		switch {
		case b.Removed():
			n.Removed++
			continue
		case b.Covered:
			n.Covered++
		}
		n.Blocks++
	}
	for _, s := range spans {
		if s.Covered {
			n.CoveredBytes += uint64(s.To - s.From)
		}
	}
	return n
}

// MIPTotals adds functions up.
type MIPTotals struct {
	Functions     uint64 `api:"functions"`
	Executed      uint64 `api:"executed"`
	Bytes         uint64 `api:"bytes,exact"`
	ExecutedBytes uint64 `api:"executed_bytes,exact"` // of functions that ran
	CoveredBytes  uint64 `api:"covered_bytes,exact"`  // of covered blocks
	Blocks        uint64 `api:"blocks,exact"`         // entries among them, removed ones not
	CoveredBlocks uint64 `api:"covered_blocks,exact"`
	Calls         Sum    `api:"call_count,optional"` // 0 where they were not counted
}

// AddFunction adds a function with its blocks. counted says that calls were.
func (t *MIPTotals) AddFunction(f *mip.Function, b *MIPBlocks, counted bool) {
	t.Functions++
	t.Bytes += uint64(f.Size)
	if f.Executed() {
		t.Executed++
		t.ExecutedBytes += uint64(f.Size)
	}
	t.CoveredBytes += b.CoveredBytes
	t.Blocks += uint64(b.Blocks)
	t.CoveredBlocks += uint64(b.Covered)
	if counted {
		t.Calls.Add(f.CallCount)
	}
}

// Add adds other totals.
func (t *MIPTotals) Add(o *MIPTotals) {
	t.Functions += o.Functions
	t.Executed += o.Executed
	t.Bytes += o.Bytes
	t.ExecutedBytes += o.ExecutedBytes
	t.CoveredBytes += o.CoveredBytes
	t.Blocks += o.Blocks
	t.CoveredBlocks += o.CoveredBlocks
	t.Calls.AddSum(o.Calls)
}

// Sub takes the totals of a part away.
func (t *MIPTotals) Sub(part *MIPTotals) {
	t.Functions -= part.Functions
	t.Executed -= part.Executed
	t.Bytes -= part.Bytes
	t.ExecutedBytes -= part.ExecutedBytes
	t.CoveredBytes -= part.CoveredBytes
	t.Blocks -= part.Blocks
	t.CoveredBlocks -= part.CoveredBlocks
	t.Calls.Sub(part.Calls)
}

// MIPUnderscored reports whether the names of a profile have the underscore
// that Mach-O puts before each: all begin with one, and some name would not
// without.
func MIPUnderscored(functions []mip.Function) bool {
	sure := false
	for i := range functions {
		name := functions[i].Name
		if len(name) == 0 {
			continue
		}
		if name[0] != '_' {
			return false
		}
		sure = sure || len(name) > 2 &&
			(string(name[:3]) == "__Z" || string(name[:3]) == "__R" || string(name[:3]) == "_$s" || string(name) == "_main")
	}
	return sure
}
