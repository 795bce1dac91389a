package table

import (
	"math"
	"reflect"

	"proflens/analyze"
	"proflens/profile/query"
)

// Ordered is a field with an order of its own, and other a field of its column.
type Ordered interface{ Compare(other any) int }

// Missing is such a field that may have nothing: then it comes last in both directions.
type Missing interface{ Missing() bool }

var orderedType = reflect.TypeFor[Ordered]()

// Values are the columns of rows, which are a slice, for sorting and ranges. The error is a
// *query.ColumnError.
func (d *Declaration) Values(rows any) func(query.Column) (query.Value, error) {
	all := reflect.ValueOf(rows)
	return func(c query.Column) (query.Value, error) { return d.value(all, c) }
}

// value is a column for sorting and ranges: what rows have is read once, into an array.
func (d *Declaration) value(all reflect.Value, column query.Column) (query.Value, error) {
	f := d.Field(string(column))
	if f == nil || !f.Sort && !f.Range {
		return query.Value{}, &query.ColumnError{Column: column, Known: d.Sorts()}
	}
	n := all.Len()
	if f.order != nil {
		return query.Ranked(n, func(a, b uint32) int {
			return f.order(rowAt(all, int(a)).Addr().Interface(), rowAt(all, int(b)).Addr().Interface())
		}), nil
	}
	if f.typ.Implements(orderedType) || reflect.PointerTo(f.typ).Implements(orderedType) {
		v := query.Ranked(n, func(a, b uint32) int { return f.compare(rowAt(all, int(a)), rowAt(all, int(b))) })
		if _, pair := reflect.New(d.rows).Interface().(Pair); pair { // in which what has no name is a name like others
			return v, nil
		}
		v.Known = func(i uint32) bool {
			m, ok := f.Value(rowAt(all, int(i))).(Missing)
			return !ok || !m.Missing()
		}
		return v, nil
	}
	keys, known := make([]uint64, n), query.NewBitset(n)
	var words []string // of the rows, of a column of words
	var sums []analyze.Sum
	for i := range n {
		v := follow(rowAt(all, i), f.path)
		if v.IsValid() && v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if !v.IsValid() {
			continue
		}
		if f.IsPart() {
			if share, ok := shareOf(v.Addr().Interface().(Parted)); ok {
				keys[i] = query.Ordered(share)
				known.Set(uint32(i))
			}
			continue
		}
		if f.numeric {
			c := f.cell(v, &Options{})
			if c == Null {
				continue
			}
			if keys[i] = c.n; c.kind != countCell && c.kind != intCell {
				keys[i] = query.Ordered(c.float())
			}
		}
		known.Set(uint32(i))
		switch {
		case f.number != nil:
			if n := f.number(v); f.size {
				keys[i] = query.Ordered(math.Abs(n))
			} else {
				keys[i] = query.Ordered(n)
			}
		case f.numeric:
		case f.typ == sumType:
			if sums == nil {
				sums = make([]analyze.Sum, n)
			}
			sums[i] = *v.Addr().Interface().(*analyze.Sum)
		case v.CanUint():
			keys[i] = v.Uint()
		case v.CanInt():
			keys[i] = uint64(v.Int())
		case v.CanFloat():
			keys[i] = query.Ordered(v.Float())
		case v.Kind() == reflect.Bool:
			if v.Bool() {
				keys[i] = 1
			}
		case v.Kind() == reflect.Slice && f.typ != bytesType:
			keys[i] = uint64(v.Len())
		default:
			if words == nil {
				words = make([]string, n)
			}
			words[i] = f.Text(rowAt(all, i))
		}
	}
	value := query.Value{At: func(i uint32) uint64 { return keys[i] }, Known: known.Has}
	switch {
	case words != nil:
		value.At = query.Words(n, func(i uint32) string { return words[i] }).At
	case sums != nil && f.Range:
		value.At = func(i uint32) uint64 {
			if sums[i].Hi > 0 {
				return math.MaxUint64
			}
			return sums[i].Lo
		}
	case sums != nil:
		value.At = query.Ranked(n, func(a, b uint32) int { return sums[a].Compare(sums[b]) }).At
	}
	return value, nil
}

// compare orders two rows by a field that has an order; none is before all.
func (f *Field) compare(a, b reflect.Value) int {
	x, y := f.Value(a), f.Value(b)
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return -1
	case y == nil:
		return 1
	}
	return x.(Ordered).Compare(y)
}
