package openapi

import (
	"maps"
	"strings"
)

// listed are members of every list.
var listed = []string{"items", "next_cursor", "total"}

// list is the object of a list with rows of a name among its own; alone reports whether it has no
// others.
func (d *document) list(name, rows string) (s object, alone bool) {
	s, ok := d.schemas[name].(object)
	if !ok {
		s = empty()
		d.schemas[name] = s
	}
	properties := under(s, "properties")
	before, ok := properties["items"].(object)
	item, _ := before["items"].(object)
	item = either(item, ref("schemas", rows))
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
