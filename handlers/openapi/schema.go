package openapi

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"proflens/handlers/site"
)

// schemaOf is what a value of a type is written as. words are what more its tag says of it, in
// the notation of parameters: of a list, of what is in it.
func (d *document) schemaOf(t reflect.Type, words []string) object {
	said := func(s object) object {
		for key, value := range schema(words) {
			if key != "type" {
				s[key] = value
			}
		}
		return s
	}
	named, ok := d.objects[t.String()]
	switch {
	case t.Kind() == reflect.Pointer:
		return nullable(d.schemaOf(t.Elem(), words))
	case t == reflect.TypeFor[site.Exact]():
		return ref("schemas", "Count")
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case ok:
		d.join(named.words[1], t)
		return ref("schemas", named.words[1])
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return said(object{"type": "string"})
	case reflect.Float64:
		return said(object{"type": "number"})
	case reflect.Slice:
		of, s := t.Elem(), object{}
		if of.Kind() == reflect.Pointer { // none of which is nil
			of = of.Elem()
		}
		if slices.Contains(words, "list") {
			s, words = schema(words), nil
		}
		s["type"], s["items"] = "array", d.schemaOf(of, words)
		return s
	case reflect.Array:
		return object{"type": "array", "items": d.schemaOf(t.Elem(), words), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schemaOf(t.Elem(), words)}
	case reflect.Struct:
		return d.members(object{"type": "object", "properties": object{}, "additionalProperties": false}, t)
	case reflect.Interface:
		return object{"type": "object"}
	}
	return said(object{"type": "integer", "minimum": 0})
}

// join adds what a type has to the object of a name, once. Of several structs that are written
// as one, all members of the first are there.
func (d *document) join(name string, t reflect.Type) {
	if d.joined[t] {
		return
	}
	d.joined[t] = true
	l := d.objects[t.String()]
	s, ok := d.schemas[name].(object)
	switch {
	case t.Kind() != reflect.Struct:
		s = schema(l.words[2:])
	case !ok:
		s = object{"type": "object", "properties": object{}, "additionalProperties": false}
	}
	if d.schemas[name] = s; l.says != "" {
		s["description"] = l.says
	}
	if t.Kind() == reflect.Struct {
		d.members(s, t)
	}
}

// members adds those of a struct to an object.
func (d *document) members(s object, t reflect.Type) object {
	var required []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		of, words := f.Type, strings.Fields(f.Tag.Get("is"))
		if of.Kind() == reflect.Pointer && (f.Anonymous || options != "" || slices.Contains(words, "!")) { // not null
			of = of.Elem()
		}
		if f.Anonymous {
			within := d.members(object{"properties": s["properties"]}, of)
			required = append(required, within["required"].([]string)...)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		property := d.schemaOf(of, words)
		if slices.Contains(words, "null") {
			property = nullable(property)
		}
		if says := cmp.Or(f.Tag.Get("doc"), d.says[t.String()+"."+name]); says != "" {
			property["description"] = says
		}
		s["properties"].(object)[name] = property
		if options == "" {
			required = append(required, name)
		}
	}
	if s["required"] == nil && required != nil {
		s["required"] = required
	}
	return s
}

// nullable lets a value be null too.
func nullable(s object) object {
	if s["type"] == nil {
		return object{"anyOf": []object{s, {"type": "null"}}}
	}
	s["type"] = []any{s["type"], "null"}
	if words, ok := s["enum"].([]string); ok {
		values := []any{nil}
		for _, word := range words {
			values = append(values, word)
		}
		s["enum"] = values
	}
	return s
}

// list makes the envelope of a list from the name of its rows.
func (d *document) list(name string) bool {
	rows := strings.TrimSuffix(name, "List")
	if d.schemas[name] == nil && rows != name && d.schemas[rows] != nil {
		d.schemas[name] = object{"type": "object", "additionalProperties": false, "required": []string{"items", "next_cursor", "total"}, "properties": object{
			"items": object{"type": "array", "items": ref("schemas", rows)}, "next_cursor": object{"type": []string{"string", "null"}},
			"total": object{"type": "integer", "minimum": 0},
		}}
	}
	return d.schemas[name] != nil
}
