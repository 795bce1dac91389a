package figure

import (
	"reflect"
	"strconv"
	"strings"

	"proflens/analyze"
)

// Sum is a figure's value: exact, and perhaps above 2^64.
type Sum = analyze.Sum

// Value works a figure out: a field, or fields added and taken away. What an overview does
// not have panics: names are constants of a family, and its tests have every one.
func Value(overview any, expr string) (sum Sum) {
	for expr != "" {
		term, minus := strings.CutPrefix(expr, "-")
		term = strings.TrimPrefix(term, "+")
		expr = ""
		if i := strings.IndexAny(term, "+-"); i > 0 {
			term, expr = term[:i], term[i:]
		}
		if n := field(reflect.ValueOf(overview), term); minus {
			sum.Sub(n)
		} else {
			sum.AddSum(n)
		}
	}
	return sum
}

// field is the value of a field of a struct, or of one in it, of an item of a list or of a map:
// "Quality.Never", "Events.0.Samples", "Classes.hot".
func field(v reflect.Value, path string) Sum {
	for name := range strings.SplitSeq(path, ".") {
		v = reflect.Indirect(v)
		switch i, err := strconv.Atoi(name); {
		case v.Kind() == reflect.Map:
			if v = v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())); !v.IsValid() {
				return Sum{}
			}
		case err == nil:
			v = v.Index(i)
		default:
			v = v.FieldByName(name)
		}
	}
	switch n, ok := v.Interface().(Sum); {
	case ok:
		return n
	case v.Kind() == reflect.Slice:
		return Sum{Lo: uint64(v.Len())}
	case v.CanInt():
		return Sum{Lo: uint64(max(v.Int(), 0))}
	}
	return Sum{Lo: v.Uint()}
}
