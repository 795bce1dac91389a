package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profile/figure"
	"proflens/profile/table"
)

// schemaOf is what a value of a type is written as. words are what more its tag says of it, in
// the notation of parameters: of a list, of what is in it, unless they say that it is of the list.
func (d *document) schemaOf(t reflect.Type, words []string) object {
	t = figure.Presented(t, words)
	if l, ok := d.types[t.String()]; ok {
		d.join(l.words[1], t)
		return ref("schemas", l.words[1])
	}
	s := schema(words)
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(d.schemaOf(t.Elem(), words))
	case reflect.Slice, reflect.Array:
		of := t.Elem()
		if of.Kind() == reflect.Pointer { // none of which is nil
			of = of.Elem()
		}
		if slices.Contains(words, "list") {
			words = nil
		} else {
			s = object{"type": "array"}
		}
		s["items"] = d.schemaOf(of, words)
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schemaOf(t.Elem(), words)}
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return object{"type": "string", "format": "date-time"}
		}
		s = empty()
		d.members(s, t, true)
	case reflect.Interface:
		s["type"] = "object"
	case reflect.Bool:
		s["type"] = "boolean"
	case reflect.Float64:
		s["type"] = "number"
	case reflect.String:
	default:
		if s["type"] = "integer"; s["minimum"] == nil {
			s["minimum"] = 0
		}
	}
	return s
}

func empty() object {
	return object{"type": "object", "properties": object{}, "additionalProperties": false}
}

// join adds what a type has to the object of a name, once. Of several structs that are written
// as one, all members of the first are always there.
func (d *document) join(name string, t reflect.Type) {
	if d.joined[t] {
		return
	}
	d.joined[t] = true
	l := d.types[t.String()]
	s, ok := d.schemas[name].(object)
	if !ok && t.Kind() == reflect.Struct {
		s = empty()
	} else if !ok {
		s = schema(l.words[2:])
	}
	d.schemas[name] = saying(s, l.says)
	if t.Kind() == reflect.Struct {
		d.members(s, t, !d.begun[name])
		d.begun[name] = true
	}
}

// figures adds to the object of a profile what it has of a family.
func (d *document) figures(f *site.Family) {
	if f.Figures == nil {
		return
	}
	profile := d.schemas["Profile"].(object)
	if name := f.Figures.Object; name != "" {
		under(profile, "properties")[name] = d.schemaOf(f.ObjectType(), nil)
	} else {
		d.members(profile, f.ObjectType(), false)
	}
}

// members adds those of a struct to an object. Where it is always written, so are those that are
// not left out when empty.
func (d *document) members(s object, t reflect.Type, always bool) {
	for _, f := range figure.Members(t) {
		of, words := f.Type, append(strings.Fields(f.Tag.Get("is")), f.Options...)
		left := f.Has("omitempty") || f.Has("omitzero") // out where it is empty
		if of.Kind() == reflect.Pointer && (left || slices.Contains(words, "!")) {
			of = of.Elem()
		}
		property := d.schemaOf(of, words)
		if slices.Contains(words, "null") || f.Has("optional") {
			property = nullable(property)
		}
		says := cmp.Or(f.Tag.Get("doc"), d.says[f.In.String()+"."+f.Name])
		if under(s, "properties")[f.Name] = saying(property, says); always && !left {
			require(s, f.Name)
		}
	}
}

// require says that an object always has a member.
func require(s object, member string) {
	required, _ := s["required"].([]string)
	s["required"] = append(required, member)
}

// nullable lets a value be null too.
func nullable(s object) object {
	if s["type"] == nil {
		return object{"anyOf": []object{s, {"type": "null"}}}
	}
	s["type"] = []any{s["type"], "null"}
	if one, ok := s["enum"].([]string); ok {
		among := []any{nil}
		for _, word := range one {
			among = append(among, word)
		}
		s["enum"] = among
	}
	return s
}

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
	d.columns(row, t.Fields, false)
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
	for _, f := range t.Facets {
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

// listed are members of every list.
var listed = []string{"items", "next_cursor", "total"}

// columns adds those of scripts to an object, which always has those that are not computed.
func (d *document) columns(s object, fields []*table.Field, always bool) {
	for _, f := range fields {
		if !f.Script {
			continue
		}
		property, says := d.column(f), sentence(f.Help)
		if f.Of != nil && f.Name == f.Own {
			says = cmp.Or(d.says[f.Of.String()+"."+f.Name], says)
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

// list is the object of a list with rows of a name among its own; alone reports whether it has no
// others.
func (d *document) list(name, rows string) (s object, alone bool) {
	s, ok := d.schemas[name].(object)
	if !ok {
		s = empty()
		d.schemas[name] = s
	}
	properties := under(s, "properties")
	item := ref("schemas", rows)
	before, ok := properties["items"].(object)
	if ok {
		one := before["items"].(object)
		any, ok := one["anyOf"].([]object)
		if !ok {
			any = []object{one}
		}
		item = object{"anyOf": append(any, item)}
	}
	base := object{"next_cursor": nullable(schema(nil)), "total": schema([]string{"integer", "0.."})}
	maps.Copy(base, properties)
	base["items"] = object{"type": "array", "items": item}
	s["properties"] = base
	if !ok || s["required"] == nil {
		for _, member := range listed {
			require(s, member)
		}
	}
	return s, !ok
}

// listOf makes the object of a list that is named after its rows, where there is none.
func (d *document) listOf(name string) {
	rows, ok := strings.CutSuffix(name, "List")
	if s, _ := d.schemas[name].(object); ok && d.schemas[rows] != nil {
		if of, _ := s["properties"].(object); of["items"] == nil {
			d.list(name, rows)
		}
	}
}

// adoption is an object that has members of another too, by words: its name, those that are
// always there, and behind a minus those that it has not.
type adoption struct {
	of    object
	words []string
}

func (d *document) adopt(a adoption) {
	from, ok := d.schemas[a.words[0]].(object)
	if !ok {
		d.fail("nothing says what the object %s is", a.words[0])
		return
	}
	for member, is := range from["properties"].(object) {
		if members := under(a.of, "properties"); members[member] == nil && !slices.Contains(a.words, "-"+member) {
			members[member] = is
		}
	}
	for _, member := range a.words[1:] {
		if member[0] != '-' {
			require(a.of, member)
		}
	}
}
