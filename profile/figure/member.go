package figure

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Member is a member of an object: a field of a struct, or of one that is embedded in it or
// stands "inline". Its tag has the name and, behind it, what is said of the value:
//
//	Bytes analyze.Sum `api:"bytes,optional"`
//
// "exact" is a count that can be large, as sums are; "optional" is null where the profile does
// not tell it, see [Teller], and "null" where it is empty, which "omitempty" leaves out; "len"
// is how many there are; "hex"; "after=name" is another place. Structs that encoding/json
// writes too have its tag instead.
type Member struct {
	Name string
	reflect.StructField
	Options []string
	In      reflect.Type // the struct that declares it
}

// Has reports whether an option is said of a member.
func (m *Member) Has(option string) bool { return slices.Contains(m.Options, option) }

// members has those of each type that was asked for.
var members sync.Map

// Members are the members of the object that a struct is written as, in their order. A type's
// are read once, and shared.
func Members(t reflect.Type) []Member {
	list, ok := members.Load(t)
	if !ok {
		list, _ = members.LoadOrStore(t, readMembers(t))
	}
	return list.([]Member)
}

func readMembers(t reflect.Type) (list []Member) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(cmp.Or(f.Tag.Get("api"), f.Tag.Get("json")), ",")
		m := []Member{{name, f, strings.FieldsFunc(options, func(r rune) bool { return r == ',' }), t}}
		switch {
		case name == "" && (f.Anonymous && indirect(f.Type).Kind() == reflect.Struct || options == "inline"):
			m = readMembers(indirect(f.Type))
			for j := range m {
				m[j].Index = append([]int{i}, m[j].Index...)
			}
		case name == "" || name == "-":
			continue
		}
		for _, m := range m {
			at := len(list)
			for _, option := range m.Options {
				if before, ok := strings.CutPrefix(option, "after="); ok {
					at = 1 + slices.IndexFunc(list, func(m Member) bool { return m.Name == before })
				}
			}
			list = slices.Insert(list, at, m)
		}
	}
	return list
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// Presenter is a value that stands in the API as another.
type Presenter interface{ API() any }

// Worded is a set that stands in the API as a list of words.
type Worded interface{ Words() []string }

// Exact is the type of numbers of any size, for [Presented].
type Exact string

// Presented is the type that a value of another stands as in the API, with what is said of it;
// [Exact] for numbers of any size.
func Presented(t reflect.Type, options []string) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t
	}
	switch v := reflect.Zero(t).Interface().(type) {
	case Presenter:
		return Presented(reflect.TypeOf(v.API()), options)
	case Sum:
		return reflect.TypeFor[Exact]()
	case Worded:
		return reflect.TypeFor[[]string]()
	case []byte:
		return reflect.TypeFor[string]()
	}
	switch {
	case slices.Contains(options, "len"):
		return reflect.TypeFor[int]()
	case slices.Contains(options, "hex"):
		return reflect.TypeFor[string]()
	case slices.Contains(options, "exact"):
		return reflect.TypeFor[Exact]()
	}
	return t
}
