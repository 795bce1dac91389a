package openapi

import (
	"reflect"
	"slices"
	"strings"
)

// learn keeps what a text says of parameters and objects.
func (d *document) learn(scope, text string) {
	var of string
	for _, l := range read(d.name(text)) {
		switch l.mark {
		case parameter:
			d.params[scope+l.words[0]] = l
		case named:
			if of = l.words[0]; strings.Contains(of, ".") {
				if len(l.words) > 1 {
					d.types[of] = l
				}
				continue
			}
			o := empty()
			if len(l.words) > 1 {
				o = orNull(l.words[1:])
			}
			d.schemas[of] = saying(o, l.says)
		case member:
			if o, ok := d.schemas[of].(object); ok {
				d.member(o, l)
			} else {
				d.says[of+"."+l.words[0]] = l.says
			}
		}
	}
}

// said is what is said of a member of a type.
func (d *document) said(of reflect.Type, member string) string {
	at := of.String() + "." + member
	d.used[at] = true
	return d.says[at]
}

// name puts the names of families in place of their word.
func (d *document) name(text string) string {
	return strings.ReplaceAll(text, "{families}", d.families)
}

// member adds a member that is said to an object: * is of all others, and + of those of another.
func (d *document) member(o object, l line) {
	switch name := l.words[0]; name {
	case "*":
		if delete(o, "additionalProperties"); len(l.words) > 1 {
			o["additionalProperties"] = schema(l.words[1:])
		}
	case "+":
		d.adopted = append(d.adopted, adoption{o, l.words[1:]})
	default:
		under(o, "properties")[name] = saying(orNull(l.words[1:]), l.says)
		if slices.Contains(l.words, "!") {
			require(o, name)
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
