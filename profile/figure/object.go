package figure

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// Object is a struct as a member of the API's object of a profile, or its members where it
// has no name; see [Members].
type Object struct {
	Name  string
	Of    any
	Quote bool // exact numbers are strings
}

// MarshalJSON implements [json.Marshaler].
func (o Object) MarshalJSON() ([]byte, error) {
	whole := o.value(reflect.ValueOf(o.Of), nil)
	if o.Name != "" {
		whole = object{{o.Name, whole}}
	}
	return encode(whole)
}

// object is members in their order.
type object []struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	var b []byte
	for _, m := range o {
		value, err := encode(m.value)
		if err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, ",%q:%s", m.name, value)
	}
	return fmt.Appendf(nil, "{%s}", bytes.TrimPrefix(b, []byte(","))), nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// members are those of a struct. What the profile does not tell is null.
func (o Object) members(v reflect.Value) (list object) {
	t, tells := o.Of.(Teller)
	for _, m := range Members(v.Type()) {
		of := v.FieldByIndex(m.Index)
		if m.Has("omitempty") && of.IsZero() {
			continue
		}
		one := object{{name: m.Name}}
		if !tells || !m.Has("optional") || t.Tells(m.StructField.Name) {
			one[0].value = o.value(of, m.Options)
		}
		list = append(list, one...)
	}
	return list
}

// value is what encoding/json makes of a value what stands in the API.
func (o Object) value(v reflect.Value, options []string) any {
	switch t := v.Interface().(type) {
	case Presenter:
		return o.value(reflect.ValueOf(t.API()), options)
	case Sum:
		return o.exact(t.String())
	case Worded:
		return append([]string{}, t.Words()...)
	case []byte:
		v = reflect.ValueOf(hex.EncodeToString(t))
	}
	has := func(option string) bool { return slices.Contains(options, option) }
	switch kind := v.Kind(); {
	case kind == reflect.Pointer && v.IsNil() || has("null") && v.IsZero():
		return nil
	case has("len"):
		return v.Len()
	case kind == reflect.Pointer:
		return o.value(v.Elem(), options)
	case kind == reflect.Struct:
		return o.members(v)
	case kind == reflect.Map:
		values := map[string]any{}
		for key, value := range v.Seq2() {
			values[key.String()] = o.value(value, options)
		}
		return values
	case kind == reflect.Slice || kind == reflect.Array:
		values := []any{}
		for _, value := range v.Seq2() {
			values = append(values, o.value(value, options))
		}
		return values
	case has("hex"):
		return fmt.Sprintf("0x%08x", v.Uint())
	case has("exact"):
		return o.exact(strconv.FormatUint(v.Uint(), 10))
	}
	return v.Interface()
}

// exact is a number of any size.
func (o Object) exact(decimal string) any {
	if o.Quote {
		return decimal
	}
	return json.Number(decimal)
}
