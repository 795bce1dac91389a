package table

import (
	"reflect"

	"proflens/analyze"
)

// Described is a field whose cells are lists or objects: it says what they are, as a schema
// of JSON.
type Described interface{ Schema() map[string]any }

// Schema is what the API's description says of a row, as a schema of JSON.
func (d *Declaration) Schema() map[string]any {
	properties := map[string]any{}
	for _, f := range d.Fields {
		if f.Script {
			properties[f.Name] = f.schema()
		}
	}
	return map[string]any{
		"type": "object", "description": d.About, "properties": properties, "additionalProperties": false,
	}
}

// schema is that of the column's cells.
func (f *Field) schema() map[string]any {
	s := map[string]any{}
	t := f.typ
	null := f.omitZero || f.within
	if t.Kind() == reflect.Pointer {
		t, null = t.Elem(), true
	}
	of := "string"
	switch described, ok := reflect.New(t).Interface().(Described); {
	case ok:
		s = described.Schema()
		of = ""
	case f.Unit == Hex64:
		s["pattern"] = "^[0-9a-f]{16}$"
	case t == computedType || t == shareType:
		null = true
		if f.numeric {
			of = "number"
		}
	case t == reflect.TypeFor[uint64]() && f.Unit != Address && f.Unit != Plain, t == reflect.TypeFor[analyze.Sum]():
		of, s["$ref"] = "", "#/components/schemas/Count"
	case t.Kind() == reflect.Bool:
		of = "boolean"
	case t.Kind() == reflect.Float64:
		of = "number"
	case f.Number():
		of, s["minimum"] = "integer", 0
	}
	switch {
	case of != "" && null:
		s["type"] = []string{of, "null"}
	case of != "":
		s["type"] = of
	case null:
		s = map[string]any{"oneOf": []any{s, map[string]string{"type": "null"}}}
	}
	if f.Help != "" {
		s["description"] = f.Help
	}
	return s
}
