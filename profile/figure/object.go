package figure

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Object is a struct as a member of the API's object of a profile, or its members where it
// has no name. They are the fields with a tag, in their order:
//
//	Bytes analyze.Sum `api:"bytes,optional"`
//
// Behind the name stand "exact" for a count that can be large, as sums are; "optional" for
// null where the profile does not tell it, see [Teller]; "inline" for the members of a
// struct; "after=name" for another place; "len" for how many there are; "hex"; "omitempty", and
// "null" for what is empty.
type Object struct {
	Name  string
	Of    any
	Quote bool // exact numbers are strings
}

// Presenter is a value that stands in the API as another.
type Presenter interface{ API() any }

// MarshalJSON implements [json.Marshaler].
func (o Object) MarshalJSON() ([]byte, error) {
	whole := o.value(reflect.ValueOf(o.Of), "")
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

// members are those of a struct, with those of structs in it that stand in line.
func (o Object) members(list object, v reflect.Value) object {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("api"), ",")
		switch t, ok := o.Of.(Teller); {
		case options == "inline":
			list = o.members(list, reflect.Indirect(v.Field(i)))
		case name == "" || options == "omitempty" && v.Field(i).IsZero():
		default:
			m := object{{name, nil}}
			if !ok || !strings.Contains(options, "optional") || t.Tells(f.Name) {
				m[0].value = o.value(v.Field(i), options)
			}
			at := len(list)
			if _, before, ok := strings.Cut(options, "after="); ok {
				for at > 0 && list[at-1].name != before {
					at--
				}
			}
			list = slices.Insert(list, at, m...)
		}
	}
	return list
}

// value is what encoding/json makes of a value what stands in the API.
func (o Object) value(v reflect.Value, options string) any {
	switch t := v.Interface().(type) {
	case Presenter:
		return o.value(reflect.ValueOf(t.API()), options)
	case Sum:
		return o.exact(t.String())
	case interface{ Words() []string }:
		return append([]string{}, t.Words()...)
	case []byte:
		v = reflect.ValueOf(hex.EncodeToString(t))
	}
	switch kind := v.Kind(); {
	case kind == reflect.Pointer && v.IsNil() || strings.Contains(options, "null") && v.IsZero():
		return nil
	case options == "len":
		return v.Len()
	case kind == reflect.Pointer:
		return o.value(v.Elem(), options)
	case kind == reflect.Struct:
		return o.members(nil, v)
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
	case options == "hex":
		return fmt.Sprintf("0x%08x", v.Uint())
	case strings.Contains(options, "exact"):
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
