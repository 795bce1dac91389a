package figure

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
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
	w := writer{Object: o}
	w.json = json.NewEncoder(&w.Buffer)
	w.json.SetEscapeHTML(false)
	w.value(reflect.ValueOf(o.Of), nil)
	if o.Name == "" {
		return w.Bytes(), w.err
	}
	return fmt.Appendf(nil, "{%q:%s}", o.Name, w.Bytes()), w.err
}

// writer writes an object into one buffer, with the first error on the way.
type writer struct {
	Object
	bytes.Buffer
	json *json.Encoder // into the buffer
	err  error
}

// members writes those of a struct. What the profile does not tell is null.
func (w *writer) members(v reflect.Value) {
	t, tells := w.Of.(Teller)
	all := Members(v.Type())
	w.WriteByte('{')
	for i := range all {
		m := &all[i]
		of := v.FieldByIndex(m.Index)
		if m.Has("omitempty") && of.IsZero() {
			continue
		}
		w.member(m.Name)
		if tells && m.Has("optional") && !t.Tells(m.StructField.Name) {
			w.WriteString("null")
		} else {
			w.value(of, m.Options)
		}
	}
	w.WriteByte('}')
}

// value writes what stands in the API for a value.
func (w *writer) value(v reflect.Value, options []string) {
	switch t := v.Interface().(type) {
	case Presenter:
		w.value(reflect.ValueOf(t.API()), options)
		return
	case Sum:
		w.exact(t.String())
		return
	case Worded:
		v = reflect.ValueOf(t.Words())
	case []byte:
		v = reflect.ValueOf(hex.EncodeToString(t))
	}
	has := func(option string) bool { return slices.Contains(options, option) }
	switch kind := v.Kind(); {
	case kind == reflect.Pointer && v.IsNil() || has("null") && v.IsZero():
		w.WriteString("null")
	case has("len"):
		w.encode(v.Len())
	case kind == reflect.Pointer:
		w.value(v.Elem(), options)
	case kind == reflect.Struct:
		w.members(v)
	case kind == reflect.Map:
		w.WriteByte('{')
		byName := func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }
		for _, key := range slices.SortedFunc(v.Seq(), byName) {
			w.member(key.String())
			w.value(v.MapIndex(key), options)
		}
		w.WriteByte('}')
	case kind == reflect.Slice || kind == reflect.Array:
		w.WriteByte('[')
		for i := range v.Len() {
			w.next()
			w.value(v.Index(i), options)
		}
		w.WriteByte(']')
	case has("hex"):
		w.encode(fmt.Sprintf("0x%08x", v.Uint()))
	case has("exact"):
		w.exact(strconv.FormatUint(v.Uint(), 10))
	default:
		w.encode(v.Interface())
	}
}

// member begins a member of an object.
func (w *writer) member(name string) {
	w.next()
	w.encode(name)
	w.WriteByte(':')
}

// next puts a comma behind what stands before in the same brackets.
func (w *writer) next() {
	if last := w.Bytes()[w.Len()-1]; last != '{' && last != '[' {
		w.WriteByte(',')
	}
}

// exact writes a number of any size.
func (w *writer) exact(decimal string) {
	if w.Quote {
		decimal = strconv.Quote(decimal)
	}
	w.WriteString(decimal)
}

// encode writes text, a number or a truth value.
func (w *writer) encode(v any) { w.err = cmp.Or(w.err, w.json.Encode(v)) }
