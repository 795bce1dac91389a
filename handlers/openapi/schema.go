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
		of, words := f.Type, append(strings.Fields(d.name(f.Tag.Get("is"))), f.Options...)
		left := f.Has("omitempty") || f.Has("omitzero") // out where it is empty
		if of.Kind() == reflect.Pointer && (left || slices.Contains(words, "!")) {
			of = of.Elem()
		}
		property := d.schemaOf(of, words)
		if slices.Contains(words, "null") || f.Has("optional") {
			property = nullable(property)
		}
		says := cmp.Or(f.Tag.Get("doc"), d.said(f.In, f.Name))
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

// either is a schema or one more; where it is one of several already, it is one of more.
func either(schema object, more ...object) object {
	any, ok := schema["anyOf"].([]object)
	if !ok && schema != nil {
		any = []object{schema}
	}
	if any = append(any, more...); len(any) > 1 {
		return object{"anyOf": any}
	}
	return any[0]
}

// nullable lets a value be null too.
func nullable(s object) object {
	if s["type"] == nil {
		return either(nil, s, object{"type": "null"})
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

func ref(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// under is the object that a member of another is, made where there is none.
func under(o object, key string) object {
	if o[key] == nil {
		o[key] = object{}
	}
	return o[key].(object)
}

// saying adds a sentence to what it is of, where there is one.
func saying(of object, sentence string) object {
	if sentence != "" {
		of["description"] = sentence
	}
	return of
}
