package openapi

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"proflens/handlers/site"
	"proflens/profile/figure"
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
	if d.schemas[name] = s; l.says != "" {
		s["description"] = l.says
	}
	if t.Kind() == reflect.Struct {
		d.members(s, t, s["required"] == nil)
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
		if says := cmp.Or(f.Tag.Get("doc"), d.says[f.In.String()+"."+f.Name]); says != "" {
			property["description"] = says
		}
		if under(s, "properties")[f.Name] = property; always && !left {
			required, _ := s["required"].([]string)
			s["required"] = append(required, f.Name)
		}
	}
}

// nullable lets a value be null too.
func nullable(s object) object {
	if s["type"] == nil {
		return object{"anyOf": []object{s, {"type": "null"}}}
	}
	s["type"] = []any{s["type"], "null"}
	return s
}

// list reports whether there is an object of a name, for which that of a list is made from the
// name of its rows.
func (d *document) list(name string) bool {
	rows, ok := strings.CutSuffix(name, "List")
	if d.schemas[name] == nil && ok && d.schemas[rows] != nil {
		s := empty()
		s["required"] = []string{"items", "next_cursor", "total"}
		s["properties"] = object{
			"items":       object{"type": "array", "items": ref("schemas", rows)},
			"next_cursor": nullable(schema(nil)), "total": object{"type": "integer", "minimum": 0},
		}
		d.schemas[name] = s
	}
	return d.schemas[name] != nil
}
