package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"proflens/profile/stored"
)

// Column names a column that can be sorted or filtered by.
type Column string

// Key is one column of an order.
type Key struct {
	Column Column
	Desc   bool
}

// Range filters a column of whole numbers, both ends inclusive. What is not known
// is in no range.
type Range struct {
	Column   Column
	Min, Max uint64
}

// RealRange filters a column in its unit, which may have fractions.
type RealRange struct {
	Column   Column
	Min, Max float64
}

// ColumnError is returned for a column that does not exist, or cannot be filtered
// by a range.
type ColumnError struct {
	Column Column
	Known  []Column // those that would be right
}

// Error names the column, and those that there are.
func (e *ColumnError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no column %q", string(e.Column))
	}
	known := make([]string, len(e.Known))
	for i, c := range e.Known {
		known[i] = string(c)
	}
	return fmt.Sprintf("cannot sort by %q; use %s, with - in front for descending order", string(e.Column),
		strings.Join(known, ", "))
}

// Value is a column in memory.
type Value struct {
	// At is a number for each row that orders as the column does.
	At func(i uint32) uint64
	// Known tells which rows have a value, nil for all; the others come last in
	// both directions.
	Known func(i uint32) bool
}

// Real is a column of numbers with fractions.
func Real(at func(i uint32) float64) Value {
	return Value{At: func(i uint32) uint64 { return Ordered(at(i)) }}
}

// Ordered maps doubles to whole numbers of the same order.
func Ordered(f float64) uint64 {
	if b := math.Float64bits(f); b>>63 == 0 {
		return b | 1<<63
	} else {
		return ^b
	}
}

// Ranked is a column of n rows that are told apart by comparing them: what it
// holds is the place of each among the others.
func Ranked(n int, compare func(a, b uint32) int) Value {
	order := All(n)
	slices.SortFunc(order, compare)
	ranks := make([]uint32, n)
	rank := uint32(0)
	for at, i := range order {
		if at > 0 && compare(order[at-1], i) != 0 {
			rank++
		}
		ranks[i] = rank
	}
	return Value{At: func(i uint32) uint64 { return uint64(ranks[i]) }}
}

// Words is a column of n words.
func Words(n int, word func(i uint32) string) Value {
	return Ranked(n, func(a, b uint32) int { return cmp.Compare(word(a), word(b)) })
}

// Test reports whether a row passes a filter.
type Test func(i uint32) bool

// In tests a column by a range.
func (v Value) In(low, high uint64) Test {
	return func(i uint32) bool {
		if v.Known != nil && !v.Known(i) {
			return false
		}
		n := v.At(i)
		return n >= low && n <= high
	}
}

// Wants tests a set by what is wanted of it: true for its rows, false for the
// others.
func (b Bitset) Wants(want bool) Test { return func(i uint32) bool { return b.Has(i) == want } }

// Select lists the rows below n that pass every test, rising. among, unless it is
// nil, has those that are looked at.
func Select(n int, among Bitset, tests []Test) []uint32 {
	ids := make([]uint32, 0, n) // pages that are not written cost nothing
rows:
	for i := range uint32(n) {
		if among != nil && !among.Has(i) {
			continue
		}
		for _, test := range tests {
			if !test(i) {
				continue rows
			}
		}
		ids = append(ids, i)
	}
	if len(ids) < n/2 {
		ids = slices.Clone(ids)
	}
	return ids
}

// Sort brings rows into the order of keys, the first of which counts most; rows
// that are alike in all stay as they stand. value gives the columns, or an error.
func Sort(ctx context.Context, ids []uint32, keys []Key, value func(Column) (Value, error)) error {
	for _, key := range slices.Backward(keys) {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, err := value(key.Column)
		if err != nil {
			return err
		}
		stored.Report(ctx, "Sorting", 0, 0)
		if len(ids) > 0 {
			v.sort(ids, key.Desc)
		}
	}
	return nil
}

// SortFirst is Sort for who wants only the first rows, at most so many: by one key that all rows
// have, no others are sorted.
func SortFirst(ctx context.Context, ids []uint32, most int, keys []Key, value func(Column) (Value, error)) (
	[]uint32, error) {
	if len(keys) == 1 && len(ids) > most {
		v, err := value(keys[0].Column)
		if err != nil {
			return nil, err
		}
		if v.Known == nil {
			flip := uint64(0)
			if keys[0].Desc {
				flip = 1<<64 - 1
			}
			return firstBy(ids, most, func(i uint32) uint64 { return v.At(i) ^ flip }), nil
		}
	}
	err := Sort(ctx, ids, keys, value)
	return ids[:min(most, len(ids))], err
}

func (v Value) sort(ids []uint32, desc bool) {
	flip := uint64(0)
	if desc {
		flip = 1<<64 - 1
	}
	unknown := 0
	SortBy(ids, func(i uint32) uint64 {
		if v.Known != nil && !v.Known(i) {
			unknown++
			return 1<<64 - 1
		}
		return v.At(i) ^ flip
	})
	if unknown > 0 {
		v.lastUnknown(ids)
	}
}

// lastUnknown puts rows without a value behind the rest, keeping both orders.
func (v Value) lastUnknown(ids []uint32) {
	var unknown []uint32
	known := ids[:0]
	for _, id := range ids {
		if v.Known(id) {
			known = append(known, id)
		} else {
			unknown = append(unknown, id)
		}
	}
	copy(ids[len(known):], unknown)
}

// Clamp is the part of n things that a page of limit from offset on holds.
func Clamp(offset, limit, n int) (from, to int) {
	from = min(max(offset, 0), n)
	return from, from + min(max(limit, 0), n-from)
}

// CacheKey joins what tells one computation from another; of pointers, what they
// point to.
func CacheKey(words ...any) string {
	var b strings.Builder
	for _, word := range words {
		if v := reflect.ValueOf(word); v.Kind() == reflect.Pointer && !v.IsNil() {
			word = v.Elem().Interface()
		}
		fmt.Fprintf(&b, "%#v ", word)
	}
	return b.String()
}
