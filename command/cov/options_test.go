package cov

import (
	"slices"
	"strings"
	"testing"
)

func TestOptionsAreReadAsByLLVM(t *testing.T) {
	for _, args := range []string{
		"-instr-profile=p x -name=a --name b -show-mcdc s.c",
		"--instr-profile p -show-mcdc=1 x --name a -name b s.c",
		"-name=a x s.c -show-mcdc=true -name=b -instr-profile p",
	} {
		var o options
		if err := o.parse("show", strings.Fields(args)); err != nil {
			t.Fatal(args, err)
		}
		if o.program != "x" || !slices.Equal(o.sources, []string{"s.c"}) || !slices.Equal(o.name, []string{"a", "b"}) || !o.mcdc || o.instrProfile[0] != "p" {
			t.Errorf("%s: %+v", args, o)
		}
	}
	var o options
	if err := o.parse("export", []string{"-unify-instantiations=0", "--", "-x"}); err != nil || o.unify || o.program != "-x" {
		t.Error(o, err)
	}
}
