package store

import (
	"context"
	"fmt"
	"math"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
)

// HeapFilter selects allocation contexts. The zero value is all of them.
type HeapFilter struct {
	// Text and Regexp are over the function of any frame, linkage and demangled
	// name, and over its source file, as in FunctionQuery.
	Text, Regexp string
	// Focus and Ignore are regular expressions over the same: contexts with a
	// frame that Focus matches, without one that Ignore does.
	Focus, Ignore string
	Path          string  // of the source file of the frame that allocates: a prefix, or with ';' behind it the whole
	Owner         *uint64 // FID of the function that allocates
	Function      *uint64 // FID of the function of any frame
	Site          *uint64 // ID of a HeapSite by line
	Classes       []analyze.HeapClass
	Mixed         *bool // of sites that need cloning
	Ranges        []HeapRange
	// Thresholds of the classes; zero is the compiler's defaults.
	Thresholds analyze.HeapThresholds
}

// HeapQuery selects, orders and pages allocation contexts. The zero value is all
// of them, those of the most bytes first. Ties end in the recorded order.
type HeapQuery struct {
	HeapFilter
	Sort   []HeapSortKey // empty is bytes, descending
	Offset int           // position in the order
	Limit  int           // rows; 0 is none, for the totals alone
}

// HeapSortKey is one column of an order. What is not known comes last in both
// directions.
type HeapSortKey struct {
	Column HeapColumn
	Desc   bool
}

// HeapRange filters a column, both ends inclusive, in the column's unit. What
// is not known is in no range.
type HeapRange struct {
	Column   HeapColumn
	Min, Max float64
}

// HeapRow is one allocation context.
type HeapRow struct {
	Index   int         // from 0, in the order in which each stack was first seen
	Context uint64      // its address in pages
	StackID uint64      // number in a raw profile or a report; 0 elsewhere
	Stack   []HeapFrame // leaf first, at most MaxRowFrames
	Depth   int         // frames of the stack
	Site    uint64      // ID of its HeapSite by line; 0 without frames
	Class   analyze.HeapClass
	Mixed   bool // its site has cold contexts and others: it needs cloning
	MIB     memprof.MIB
}

// MaxRowFrames is how many frames of a stack a row has. Real stacks have some
// tens.
const MaxRowFrames = 512

// Value is a column of the row, in its unit; known is false where the profile
// lacks it, and for words.
func (r *HeapRow) Value(c HeapColumn) (v float64, known bool) {
	return c.of(heapFields{get: r.MIB.Value, index: uint64(r.Index), depth: uint64(r.Depth)}).number()
}

// HeapPage is one page of a query.
type HeapPage struct {
	Rows     []HeapRow
	All      int // contexts of the profile
	Matching int // that match
	Totals   analyze.HeapTotals
	// Classes of those that match, by the thresholds of the query, in the order of
	// analyze.HeapClasses.
	Classes    [len(analyze.HeapClasses)]HeapClassTotals
	Thresholds analyze.HeapThresholds // in force
}

// Allocations returns one page of the allocation contexts of a heap profile.
//
// Errors are ErrNotFound for a profile without one, a HeapColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) Allocations(ctx context.Context, q HeapQuery) (*HeapPage, error) {
	h, err := p.heapIndex(ctx)
	if err != nil {
		return nil, err
	}
	o, err := p.heapOrder(ctx, h, &q)
	if err != nil {
		return nil, err
	}
	page := &HeapPage{All: len(h.contexts.stack), Matching: len(o.ids), Totals: o.totals, Classes: o.classTotals, Thresholds: q.thresholds()}
	from, to := clamp(q.Offset, q.Limit, len(o.ids))
	for n, i := range o.ids[from:to] {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		page.Rows = append(page.Rows, h.row(i, o.classes, o.mixed, MaxRowFrames))
	}
	return page, nil
}

// row makes the row of a context.
func (h *heapIndex) row(i uint32, classes []uint8, mixed bitset, frames int) HeapRow {
	r := HeapRow{
		Index: int(i), Context: h.contexts.address[i], StackID: h.contexts.id[i], Stack: h.frames(h.contexts.stack[i], frames),
		Class: analyze.HeapClasses[classes[i]], Mixed: mixed.has(i), MIB: h.contexts.mib(i),
	}
	if stack := h.contexts.stack[i]; stack >= 0 {
		r.Depth = int(h.depth[stack])
	}
	if site, ok := h.site(i); ok {
		r.Site = h.siteAddress(site)
	}
	return r
}

// thresholds are those in force.
func (f *HeapFilter) thresholds() analyze.HeapThresholds {
	if f.Thresholds == (analyze.HeapThresholds{}) {
		return analyze.DefaultHeapThresholds
	}
	return f.Thresholds
}

// Filtered reports whether anything is left out.
func (f *HeapFilter) Filtered() bool {
	return f.Text != "" || f.Regexp != "" || f.Focus != "" || f.Ignore != "" || f.Path != "" || f.Owner != nil || f.Function != nil || f.Site != nil ||
		len(f.Classes) > 0 || f.Mixed != nil || len(f.Ranges) > 0
}

// key tells filters apart in the cache.
func (f *HeapFilter) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q %q %q %v", f.Text, f.Regexp, f.Focus, f.Ignore, f.Path, f.thresholds())
	for _, fid := range []*uint64{f.Owner, f.Function, f.Site} {
		if fid == nil {
			b.WriteString(" any")
		} else {
			fmt.Fprintf(&b, " %x", *fid)
		}
	}
	if f.Mixed != nil {
		fmt.Fprintf(&b, " mixed %t", *f.Mixed)
	}
	fmt.Fprintf(&b, " %q %v", f.Classes, f.Ranges)
	return b.String()
}

// HeapColumn names a column of allocation contexts that can be sorted or
// filtered by.
type HeapColumn string

// The columns. Times are in milliseconds, sizes in bytes. Averages are of the
// context's objects. Densities are accesses per byte, lifetime densities that
// per second of an object's life.
const (
	HeapIndex              HeapColumn = "index" // order in which stacks were first seen
	HeapFunctionName       HeapColumn = "name"  // of the function that allocates; no range
	HeapClassColumn        HeapColumn = "class" // cold, not cold, hot, unknown; no range
	HeapBytes              HeapColumn = "bytes"
	HeapCount              HeapColumn = "count" // objects
	HeapMinSize            HeapColumn = "min_size"
	HeapAvgSize            HeapColumn = "avg_size"
	HeapMaxSize            HeapColumn = "max_size"
	HeapAccesses           HeapColumn = "accesses"
	HeapMinAccesses        HeapColumn = "min_accesses"
	HeapAvgAccesses        HeapColumn = "avg_accesses"
	HeapMaxAccesses        HeapColumn = "max_accesses"
	HeapMinDensity         HeapColumn = "min_density"
	HeapAvgDensity         HeapColumn = "density"
	HeapMaxDensity         HeapColumn = "max_density"
	HeapMinLifetimeDensity HeapColumn = "min_lifetime_density"
	HeapAvgLifetimeDensity HeapColumn = "lifetime_density" // what classes go by
	HeapMaxLifetimeDensity HeapColumn = "max_lifetime_density"
	HeapTotalLifetime      HeapColumn = "total_lifetime"
	HeapMinLifetime        HeapColumn = "min_lifetime"
	HeapAvgLifetime        HeapColumn = "lifetime" // what classes go by
	HeapMaxLifetime        HeapColumn = "max_lifetime"
	HeapByteMS             HeapColumn = "byte_ms" // bytes times milliseconds
	HeapAllocTime          HeapColumn = "alloc_time"
	HeapDeallocTime        HeapColumn = "dealloc_time"
	HeapAllocCPU           HeapColumn = "alloc_cpu"
	HeapDeallocCPU         HeapColumn = "dealloc_cpu"
	HeapMigrated           HeapColumn = "migrated_cpu"
	HeapOverlaps           HeapColumn = "lifetime_overlaps"
	HeapSameAllocCPU       HeapColumn = "same_alloc_cpu"
	HeapSameDeallocCPU     HeapColumn = "same_dealloc_cpu"
	HeapHistogramSize      HeapColumn = "histogram_size" // eight-byte pieces with a count of their own
	HeapDepth              HeapColumn = "stack_depth"    // frames
)

// HeapColumns are all of them.
var HeapColumns = []HeapColumn{
	HeapIndex, HeapFunctionName, HeapClassColumn, HeapBytes, HeapCount, HeapMinSize, HeapAvgSize, HeapMaxSize,
	HeapAccesses, HeapMinAccesses, HeapAvgAccesses, HeapMaxAccesses, HeapMinDensity, HeapAvgDensity, HeapMaxDensity,
	HeapMinLifetimeDensity, HeapAvgLifetimeDensity, HeapMaxLifetimeDensity, HeapTotalLifetime, HeapMinLifetime, HeapAvgLifetime, HeapMaxLifetime,
	HeapByteMS, HeapAllocTime, HeapDeallocTime, HeapAllocCPU, HeapDeallocCPU, HeapMigrated, HeapOverlaps, HeapSameAllocCPU, HeapSameDeallocCPU,
	HeapHistogramSize, HeapDepth,
}

// HasRange reports whether the column's values are numbers.
func (c HeapColumn) HasRange() bool { return c != HeapFunctionName && c != HeapClassColumn }

// Field is the field of the block that the column is, false where it is worked
// out or is none.
func (c HeapColumn) Field() (memprof.MIBField, bool) {
	field, ok := heapFieldColumns[c]
	return field, ok
}

// heapFieldColumns are the columns that are a field of the block as it is.
var heapFieldColumns = map[HeapColumn]memprof.MIBField{
	HeapBytes: memprof.TotalSize, HeapCount: memprof.AllocCount, HeapMinSize: memprof.MinSize, HeapMaxSize: memprof.MaxSize,
	HeapAccesses: memprof.TotalAccessCount, HeapMinAccesses: memprof.MinAccessCount, HeapMaxAccesses: memprof.MaxAccessCount,
	HeapTotalLifetime: memprof.TotalLifetime, HeapMinLifetime: memprof.MinLifetime, HeapMaxLifetime: memprof.MaxLifetime,
	HeapAllocTime: memprof.AllocTimestamp, HeapDeallocTime: memprof.DeallocTimestamp, HeapAllocCPU: memprof.AllocCPUID, HeapDeallocCPU: memprof.DeallocCPUID,
	HeapMigrated: memprof.NumMigratedCPU, HeapOverlaps: memprof.NumLifetimeOverlaps, HeapSameAllocCPU: memprof.NumSameAllocCPU,
	HeapSameDeallocCPU: memprof.NumSameDeallocCPU, HeapHistogramSize: memprof.AccessHistogramSize,
}

// heapRatioColumns are a field over another number: objects, or 100 of them.
var heapRatioColumns = map[HeapColumn]struct {
	field  memprof.MIBField
	each   bool    // by the number of objects
	divide float64 // and by this
}{
	HeapAvgSize: {memprof.TotalSize, true, 1}, HeapAvgAccesses: {memprof.TotalAccessCount, true, 1}, HeapAvgLifetime: {memprof.TotalLifetime, true, 1},
	HeapMinDensity: {memprof.MinAccessDensity, false, 100}, HeapAvgDensity: {memprof.TotalAccessDensity, true, 100}, HeapMaxDensity: {memprof.MaxAccessDensity, false, 100},
	HeapMinLifetimeDensity: {memprof.MinLifetimeAccessDensity, false, 100}, HeapAvgLifetimeDensity: {memprof.TotalLifetimeAccessDensity, true, 100},
	HeapMaxLifetimeDensity: {memprof.MaxLifetimeAccessDensity, false, 100},
}

// heapFields is a context as columns read it.
type heapFields struct {
	get          func(memprof.MIBField) (uint64, bool)
	index, depth uint64
}

// heapValue is a value of a column.
type heapValue struct {
	whole uint64
	ratio float64
	is    uint8 // unknownValue, wholeValue, ratioValue
}

const (
	unknownValue = iota
	wholeValue
	ratioValue
)

// of is the column's value.
func (c HeapColumn) of(f heapFields) heapValue {
	switch c {
	case HeapIndex:
		return heapValue{whole: f.index, is: wholeValue}
	case HeapDepth:
		return heapValue{whole: f.depth, is: wholeValue}
	case HeapByteMS:
		size, ok1 := f.get(memprof.TotalSize)
		lifetime, ok2 := f.get(memprof.TotalLifetime)
		count, ok3 := f.get(memprof.AllocCount)
		if !ok1 || !ok2 || !ok3 {
			return heapValue{}
		}
		return heapValue{whole: analyze.ByteMilliseconds(size, lifetime, count), is: wholeValue}
	}
	if field, ok := heapFieldColumns[c]; ok {
		v, known := f.get(field)
		if !known {
			return heapValue{}
		}
		return heapValue{whole: v, is: wholeValue}
	}
	r, ok := heapRatioColumns[c]
	if !ok {
		return heapValue{}
	}
	v, known := f.get(r.field)
	by := r.divide
	if r.each {
		count, counted := f.get(memprof.AllocCount)
		if !counted || count == 0 {
			return heapValue{}
		}
		by *= float64(count)
	}
	if !known {
		return heapValue{}
	}
	return heapValue{ratio: float64(v) / by, is: ratioValue}
}

// number is the value in floating point.
func (v heapValue) number() (float64, bool) {
	if v.is == wholeValue {
		return float64(v.whole), true
	}
	return v.ratio, v.is == ratioValue
}

// key is a number that orders as the values of one column do.
func (v heapValue) key() uint64 {
	if v.is == ratioValue {
		return math.Float64bits(v.ratio) // no ratio is negative
	}
	return v.whole
}

// HeapColumnError is returned for a column that does not exist, or cannot be
// filtered by a range.
type HeapColumnError struct{ Column HeapColumn }

// Error names the column.
func (e *HeapColumnError) Error() string { return fmt.Sprintf("no column %q", string(e.Column)) }
