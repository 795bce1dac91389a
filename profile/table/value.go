package table

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"proflens/analyze"
)

var (
	bytesType    = reflect.TypeFor[[]byte]()
	sumType      = reflect.TypeFor[analyze.Sum]()
	computedType = reflect.TypeFor[Computed]()
	shareType    = reflect.TypeFor[struct{}]()
	partedType   = reflect.TypeFor[Parted]()
	cellerType   = reflect.TypeFor[Celler]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
)

// Value is what a row has in the column, as a page draws it: a pointer to the field, or the
// field where that is a pointer; nil where there is none.
func (f *Field) Value(row reflect.Value) any {
	v := follow(row, f.path)
	switch {
	case !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil():
		return nil
	case v.Kind() == reflect.Pointer:
		return v.Interface()
	case f.typ == computedType || f.typ == shareType:
		return Computed{}
	}
	return v.Addr().Interface()
}

// Cell is the row's cell of the column.
func (f *Field) Cell(row reflect.Value, o *Options) Cell {
	v := follow(row, f.path)
	if v.IsValid() && v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() || f.omitZero && v.IsZero() {
		return Null
	}
	return f.cell(v, o)
}

// inOnePlace gives rows of a page one after the other, each in the place of the one before.
func (p *Page) inOnePlace() func(i int) reflect.Value {
	if rows, already := p.Rows.(OneByOne); already {
		return func(i int) reflect.Value { return reflect.ValueOf(rows.Row(i)).Elem() }
	}
	var row reflect.Value
	return func(i int) reflect.Value {
		next := p.Row(i)
		if !row.IsValid() {
			row = reflect.New(next.Type()).Elem()
		}
		row.Set(next)
		return row
	}
}

// inPlace makes the cells of the rows that stand where this one does.
func (f *Field) inPlace(row reflect.Value, o *Options) func() Cell {
	if f.made || !row.IsValid() || !f.embedded(row.Type()) {
		return func() Cell { return f.Cell(row, o) }
	}
	v := follow(row, f.path)
	if f.typ == computedType {
		switch of := v.Addr().Interface().(Celler).(type) {
		case *Name:
			return BindName(of, f.Own, o)
		case Binder:
			return of.Bind(f.Own, o)
		default:
			return func() Cell { return of.Cell(f.Own, o) }
		}
	}
	if text, ok := v.Addr().Interface().(*string); ok && f.omitZero {
		return func() Cell {
			if *text == "" {
				return Null
			}
			return Text(*text)
		}
	}
	if f.omitZero {
		return func() Cell {
			if v.IsZero() {
				return Null
			}
			return f.cell(v, o)
		}
	}
	cell := f.cell
	return func() Cell { return cell(v, o) }
}

// embedded reports whether the field stands in a row itself, behind no pointer.
func (f *Field) embedded(row reflect.Type) bool {
	for _, i := range f.path {
		switch row.Kind() {
		case reflect.Struct:
			row = row.Field(i).Type
		case reflect.Array:
			row = row.Elem()
		default:
			return false
		}
	}
	return row.Kind() != reflect.Pointer && (f.typ != computedType || !f.omitZero)
}

// celler is how a value of the field becomes a cell; nil where it cannot. Of a Computed
// field the value is the struct that has it.
func (f *Field) celler() func(v reflect.Value, o *Options) Cell {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && t != bytesType && !reflect.PointerTo(t).Implements(cellerType):
		return f.lister(t.Elem())
	case f.Unit == Hex64:
		return func(v reflect.Value, _ *Options) Cell { return Hex(v.Uint()) }
	case f.Unit == Address:
		return func(v reflect.Value, _ *Options) Cell { return Text(fmt.Sprintf("0x%x", v.Uint())) }
	case t == bytesType:
		return func(v reflect.Value, _ *Options) Cell {
			if v.Len() == 0 {
				return Null
			}
			return Text(fmt.Sprintf("%x", v.Bytes()))
		}
	case t == sumType:
		return func(v reflect.Value, _ *Options) Cell { return SumCount(*v.Addr().Interface().(*analyze.Sum)) }
	case t == shareType:
		return func(v reflect.Value, _ *Options) Cell {
			if share, ok := shareOf(v.Addr().Interface().(Parted)); ok {
				return Ratio(share)
			}
			return Null
		}
	case t == computedType, reflect.PointerTo(t).Implements(cellerType):
		return func(v reflect.Value, o *Options) Cell { return v.Addr().Interface().(Celler).Cell(f.Own, o) }
	case t.Implements(stringerType): // a word
		return func(v reflect.Value, _ *Options) Cell { return Text(v.Interface().(fmt.Stringer).String()) }
	}
	switch t.Kind() {
	case reflect.Uint64:
		if f.Unit == Plain {
			return func(v reflect.Value, _ *Options) Cell { return Int(v.Uint()) }
		}
		return func(v reflect.Value, _ *Options) Cell { return Count(v.Uint()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return func(v reflect.Value, _ *Options) Cell { return Int(v.Uint()) }
	case reflect.Int, reflect.Int32, reflect.Int64:
		return func(v reflect.Value, _ *Options) Cell { return Int(v.Int()) }
	case reflect.Float64:
		switch {
		case f.Unit == Part && f.Signed:
			return func(v reflect.Value, _ *Options) Cell { return Change(v.Float()) }
		case f.Unit == Part:
			return func(v reflect.Value, _ *Options) Cell { return Ratio(v.Float()) }
		}
		return func(v reflect.Value, _ *Options) Cell { return Number(v.Float()) }
	case reflect.Bool:
		return func(v reflect.Value, _ *Options) Cell { return Bool(v.Bool()) }
	case reflect.String:
		return func(v reflect.Value, _ *Options) Cell { return Text(v.String()) }
	}
	panic(fmt.Sprintf("table: a %v has no cell, in column %s", t, f.Name))
}

// lister is how a list becomes a cell: of objects, where what it holds is declared.
func (f *Field) lister(of reflect.Type) func(v reflect.Value, o *Options) Cell {
	columns := scripted(f.Items, true)
	var cell func(v reflect.Value, o *Options) Cell
	if f.Items == nil {
		cell = (&Field{typ: of, Unit: f.Unit, Name: f.Name, Own: f.Own}).celler()
	}
	return func(v reflect.Value, o *Options) Cell {
		b := []byte{'['}
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if one := v.Index(i); cell != nil {
				b = AppendCell(b, cell(one, o), o.Quote)
			} else {
				b = appendObject(b, columns, o, one)
			}
		}
		return JSON(append(b, ']'))
	}
}

// Number reports whether the column holds numbers.
func (f *Field) Number() bool {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == sumType || f.numeric || f.number != nil || f.IsPart() || t != stateType && f.Unit != Hex64 &&
		f.Unit != Address && t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}

// IsPart reports whether it holds parts of wholes.
func (f *Field) IsPart() bool { return reflect.PointerTo(f.typ).Implements(partedType) }

// Fraction reports whether its numbers may have a fraction.
func (f *Field) Fraction() bool {
	return strings.HasPrefix(f.As, "number") || f.typ != nil && f.typ.Kind() == reflect.Float64
}

// Float is the row's number in the column; ok is unset where there is none.
func (f *Field) Float(row reflect.Value) (n float64, ok bool) {
	if !f.Number() {
		return 0, false
	}
	if v := follow(row, f.path); f.number != nil && v.IsValid() {
		return f.number(v), true
	}
	if f.IsPart() {
		return shareOf(f.Value(row).(Parted))
	}
	n, err := strconv.ParseFloat(f.Text(row), 64)
	return n, err == nil
}

// Text is the row's cell in plain text, empty where there is none.
func (f *Field) Text(row reflect.Value) string {
	if f.cell == nil {
		return ""
	}
	c := f.Cell(row, &Options{Demangle: strings.Clone})
	return string(c.append(nil))
}
