package stored_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"proflens/analyze"
	"proflens/profile/stored"
)

// kinds is what columns can be, three at a time as the table thing has them.
type kinds struct {
	words  string
	small  uint8
	signed int
	flag   bool
	none   *uint64
	known  *uint64
	sum    analyze.Sum
	empty  []byte
	bytes  []byte
}

// Every kind of column is read as it was put, and one that is not there is nil.
func TestPutComesBack(t *testing.T) {
	for name, columns := range map[string]func(*kinds) []any{
		"words and numbers": func(k *kinds) []any { return []any{&k.words, &k.small, &k.signed} },
		"flags and known":   func(k *kinds) []any { return []any{&k.flag, &k.none, &k.known} },
		"a sum":             func(k *kinds) []any { return []any{&k.sum, &k.flag} },
		"bytes":             func(k *kinds) []any { return []any{&k.empty, &k.bytes, &k.words} },
	} {
		full := kinds{
			words: "a\xff", small: math.MaxUint8, signed: -1, flag: true, known: new(uint64(math.MaxUint64)),
			sum: analyze.Sum{Lo: 3, Hi: 4}, bytes: []byte{0},
		}
		p := wrote(t, func(w *stored.Writer) error { return stored.PutRows(w, "thing", []kinds{{}, full}, columns) })
		list, err := stored.FillRows(p, "thing", columns)
		if err != nil || len(list) != 2 {
			t.Fatalf("%s: %d rows, %v", name, len(list), err)
		}
		for i, c := range columns(&list[1]) {
			if want := columns(&full)[i]; !reflect.DeepEqual(c, want) {
				t.Errorf("%s: column %d is %v, expected %v", name, i+1, c, want)
			}
		}
		if _, err := stored.FillOne(p, "thing", columns); !errors.Is(err, stored.ErrDamaged) {
			t.Errorf("%s: two rows where there is one: %v", name, err)
		}
	}
}
