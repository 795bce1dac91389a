package memprofdb

import (
	"strconv"
	"strings"
	"sync"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/query"
	"proflens/profile/table"
)

// column is the type of a blank field: the struct's method Cell makes its column, or its tag goes on with
// that of the field before it.
type column = table.Computed

// The columns of allocation contexts that can be sorted or filtered by; some are
// of sites too. Times are in milliseconds, sizes in bytes. Averages are of the
// context's objects. Densities are accesses per byte, lifetime densities that
// per second of an object's life.
const (
	ColIndex              query.Column = "index" // order in which stacks were first seen
	ColName               query.Column = "name"  // of the function that allocates, of sites then file and line; no range
	ColClass              query.Column = "class" // cold, not cold, hot, unknown; no range
	ColBytes              query.Column = "bytes"
	ColCount              query.Column = "count" // objects
	ColMinSize            query.Column = "min_size"
	ColAvgSize            query.Column = "avg_size"
	ColMaxSize            query.Column = "max_size"
	ColAccesses           query.Column = "accesses"
	ColMinAccesses        query.Column = "min_accesses"
	ColMaxAccesses        query.Column = "max_accesses"
	ColAvgDensity         query.Column = "density"
	ColMinLifetimeDensity query.Column = "min_lifetime_density"
	ColAvgLifetimeDensity query.Column = "lifetime_density" // what classes go by
	ColMaxLifetimeDensity query.Column = "max_lifetime_density"
	ColMinLifetime        query.Column = "min_lifetime"
	ColAvgLifetime        query.Column = "lifetime" // what classes go by
	ColMaxLifetime        query.Column = "max_lifetime"
	ColByteMS             query.Column = "byte_ms" // bytes times milliseconds
	ColOverlaps           query.Column = "lifetime_overlaps"
	ColDepth              query.Column = "stack_depth" // frames
)

// Columns of sites beside those that contexts have.
const (
	ColContexts query.Column = "contexts"
	ColCold     query.Column = "cold_bytes"
	ColSites    query.Column = "sites" // calls
	ColMixed    query.Column = "mixed"
)

// quantity is how a column of numbers is worked out: a field as it is or, with a
// divisor, over that, and over the number of objects.
type quantity struct {
	field memprof.MIBField
	by    float64 // 0: the field as it is
	each  bool
}

// What columns have beside the fields of a context's block.
const (
	fieldIndex memprof.MIBField = memprof.NumMIBFields + 1 + iota
	fieldDepth
	fieldByteMS // worked out of others
)

// figures are the columns of numbers, by what their tags say that they are from: a field, a divisor, and
// "each" of those over the number of objects.
var figures = sync.OnceValue(func() map[query.Column]quantity {
	list := map[query.Column]quantity{
		ColIndex: {field: fieldIndex}, ColDepth: {field: fieldDepth}, ColByteMS: {field: fieldByteMS},
	}
	for _, f := range Allocations.Fields() {
		if words := append(strings.Fields(f.From), "0", ""); f.From != "" {
			field, _ := memprof.MIBFieldOf(words[0])
			by, _ := strconv.ParseFloat(words[1], 64)
			list[query.Column(f.Name)] = quantity{field, by, words[2] == "each"}
		}
	}
	return list
})

// Needs is the field that contexts must have for a column, 0 for none; real is set where
// its numbers have fractions.
func Needs(c query.Column) (field memprof.MIBField, real bool) {
	f := figures()[c]
	if f.field > memprof.NumMIBFields {
		return 0, false
	}
	return f.field, f.by != 0
}

// Field is the field of the block that a column is, false where it is worked
// out or is none.
func Field(c query.Column) (memprof.MIBField, bool) {
	f, ok := figures()[c]
	return f.field, ok && f.by == 0 && f.field <= memprof.NumMIBFields
}

// fields gives those of a context, false where they are not known.
type fields func(memprof.MIBField) (uint64, bool)

// whole is the field that the figure is made of.
func (f quantity) whole(get fields) (uint64, bool) {
	if f.field != fieldByteMS {
		return get(f.field)
	}
	size, ok1 := get(memprof.TotalSize)
	lifetime, ok2 := get(memprof.TotalLifetime)
	count, ok3 := get(memprof.AllocCount)
	return analyze.ByteMilliseconds(size, lifetime, count), ok1 && ok2 && ok3
}

// number is the figure in its unit.
func (f quantity) number(get fields) (v float64, known bool) {
	whole, known := f.whole(get)
	by := f.by
	if f.each {
		count, _ := get(memprof.AllocCount)
		by, known = by*float64(count), known && count > 0
	}
	switch {
	case !known:
		return 0, false
	case f.by == 0:
		return float64(whole), true
	}
	return float64(whole) / by, true
}

// fields are those of a context.
func (x *index) fields(i uint32) fields {
	return func(field memprof.MIBField) (uint64, bool) {
		switch field {
		case fieldIndex:
			return uint64(i), true
		case fieldDepth:
			return uint64(x.stackDepth(i)), true
		}
		return x.contexts.value(i, field)
	}
}

// value is a column for sorting.
func (x *index) value(c query.Column, classes []uint8) (query.Value, error) {
	f, ok := figures()[c]
	switch {
	case c == ColClass:
		return query.Value{At: func(i uint32) uint64 { return uint64(classes[i]) }}, nil
	case c == ColName:
		names := query.Ranked(len(x.functions), func(a, b uint32) int { return x.functions[a].compare(&x.functions[b]) })
		return query.Value{
			At:    func(i uint32) uint64 { return names.At(x.function[x.frame[x.contexts.stack[i]]]) },
			Known: func(i uint32) bool { return x.contexts.stack[i] >= 0 },
		}, nil
	case !ok:
		return query.Value{}, &query.ColumnError{Column: c}
	}
	v := query.Value{At: func(i uint32) uint64 {
		whole, _ := f.whole(x.fields(i))
		return whole
	}}
	if f.by != 0 {
		v = query.Real(func(i uint32) float64 {
			number, _ := f.number(x.fields(i))
			return number
		})
	}
	v.Known = func(i uint32) bool {
		_, known := f.number(x.fields(i))
		return known
	}
	return v, nil
}
