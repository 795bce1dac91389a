package openapi

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"proflens/analyze"
	"proflens/profile/table"
)

// table adds the object of a declared table's rows and that of their list, or the rows to a list
// that has others. names are those of both; the list's can follow from that of the rows.
func (d *document) table(names string, t *table.Declaration) {
	name, list, ok := strings.Cut(names, " ")
	if !ok {
		list = name + "List"
	}
	rows, around := t.Described()
	row := saying(empty(), cmp.Or(d.types[rows.String()].says, t.About))
	if t.Others != "" {
		row["additionalProperties"] = schema([]string{t.Others})
	}
	d.columns(row, t.Fields(), false)
	d.schemas[name] = row
	s, alone := d.list(list, name)
	before, _ := s["required"].([]string)
	count := func(name string) {
		under(s, "properties")[name] = schema([]string{"integer", "0.."})
		require(s, name)
	}
	if t.All {
		count("all")
	}
	for _, f := range t.Facets() {
		if f.Count != "" {
			count(f.Count)
		}
	}
	d.columns(s, around, true)
	if !alone { // what both have, in the end
		now := s["required"].([]string)[len(before):]
		s["required"] = slices.DeleteFunc(before, func(member string) bool {
			return !slices.Contains(now, member) && !slices.Contains(listed, member)
		})
	}
}

// columns adds those of scripts to an object, which always has those that are not computed.
func (d *document) columns(s object, fields []*table.Field, always bool) {
	for _, f := range fields {
		if !f.Script {
			continue
		}
		property, says := d.column(f), sentence(f.Help)
		if f.Of != nil && f.Name == f.Own {
			says = cmp.Or(d.said(f.Of, f.Name), says)
		}
		under(s, "properties")[f.Name] = saying(property, says)
		if t, _ := f.Type(); always && !reflect.PointerTo(t).Implements(reflect.TypeFor[table.Celler]()) &&
			t != reflect.TypeFor[table.Computed]() {
			require(s, f.Name)
		}
	}
}

// sentence is a few words as one.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:] + "."
}

// column is what a cell of a column is. One that is computed is text or, of numbers, a count,
// which there can be not, unless the column says otherwise.
func (d *document) column(f *table.Field) object {
	t, null := f.Type()
	words := strings.Fields(f.As)
	var s object
	switch {
	case len(words) > 0:
		s = orNull(words)
	case t == reflect.TypeFor[struct{}](): // a share
		s, null = schema([]string{"number"}), true
	case t == reflect.TypeFor[table.Move]():
		s = schema([]string{"number"})
	case t == reflect.TypeFor[table.Computed]():
		null = true
		if s = schema(nil); f.Number() {
			s = schema([]string{"Count"})
		}
	case f.Items != nil:
		items := empty()
		d.columns(items, f.Items, true)
		s = object{"type": "array", "items": items}
	case t == reflect.TypeFor[[]byte]():
		s, null = schema(nil), true
	case t.Kind() == reflect.Slice:
		s = object{"type": "array", "items": d.cell(t.Elem(), f.Unit)}
	default:
		s = d.cell(t, f.Unit)
	}
	if null && !slices.Contains(words, "null") {
		s = nullable(s)
	}
	return s
}

// cell is what a value in a unit is written as.
func (d *document) cell(t reflect.Type, unit string) object {
	switch {
	case unit == table.Hex64:
		return schema([]string{"fid"})
	case unit == table.Address:
		return schema([]string{"/^0x[0-9a-f]+$/"})
	case t == reflect.TypeFor[analyze.Sum](), t.Kind() == reflect.Uint64 && unit != table.Plain:
		return schema([]string{"Count"})
	case t == reflect.TypeFor[table.State](), t.Kind() == reflect.Struct, t.Implements(reflect.TypeFor[fmt.Stringer]()):
		return schema(nil)
	}
	return d.schemaOf(t, nil)
}
