package tables

import (
	"errors"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"testing"
)

// Each family has a first table, and no two of one name.
func TestRegistry(t *testing.T) {
	for _, e := range registry {
		same := 0
		for _, other := range registry {
			if other.Name == e.Name && other.Family == e.Family {
				same++
			}
		}
		if same != 1 || e.About == "" {
			t.Errorf("%d tables of %s are called %q", same, e.Family, e.Name)
		}
		first, err := Find([]model.Family{e.Family}, "")
		if err != nil || first.Family != e.Family {
			t.Errorf("the default of %s is %v, %v", e.Family, first, err)
		}
	}
	if e, err := Find([]model.Family{instrprof.Family}, ""); err != nil || e.Name != "functions" {
		t.Errorf("%v, %v", e, err)
	}
	_, err := Find([]model.Family{instrprof.Family}, "nothing")
	if unknown, ok := errors.AsType[*UnknownError](err); !ok || unknown.Known[0] != "functions" {
		t.Error(err)
	}
	if _, err := Find(nil, ""); err == nil {
		t.Error("a profile of no family has a table")
	}
}
