package llvmargs

import (
	"reflect"
	"strings"
	"testing"
)

// declared has an option of each kind.
type declared struct {
	Everywhere bool     `all:"e every"`
	Here       string   `here:"place" default:"home"`
	Word       string   `here:"one=1 two=2 chosen" words:"1,2"`
	Words      []string `here:"first=first second=second"`
	Number     uint64   `here:"number" type:"ulong" default:"7"`
	Rest       []string `here:"rest" type:"rest"`
	Elsewhere  bool     `there:"elsewhere"`
	hidden     bool
}

func TestDeclaredOptions(t *testing.T) {
	var d declared
	o := Of(&d, "all", "here")
	others, fault := o.Parse(strings.Fields("a -every -two --second -first -chosen 1 -number=9 -rest b c"))
	want := declared{
		Everywhere: true, Here: "home", Word: "1", Words: []string{"second", "first"}, Number: 9, Rest: []string{"b", "c"},
	}
	if fault != nil || strings.Join(others, " ") != "a" || !reflect.DeepEqual(d, want) || d.hidden {
		t.Errorf("%v: %q, %+v", fault, others, d)
	}
	for arg, said := range map[string]string{
		"-elsewhere": "unknown option -elsewhere", "-chosen=3": "-chosen=3: use 1, 2", "-number=x": "-number=x: use a number",
	} {
		if _, fault := o.Parse([]string{arg}); fault == nil || fault.Error() != said {
			t.Errorf("%s: %v, want %s", arg, fault, said)
		}
	}
	if Of(&d, "all"); d.Here != "home" || d.Number != 7 {
		t.Errorf("the defaults are %q and %d", d.Here, d.Number)
	}
}
