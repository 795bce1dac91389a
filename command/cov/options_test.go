package cov

import (
	"os"
	"path/filepath"
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

func TestPatternsOfAllowlists(t *testing.T) {
	for _, test := range []struct {
		list  string
		fits  string
		fails string
	}{
		{"allowlist_fun:_Z3foo*\n", "_Z3fooi", "x_Z3fooi"},
		{"[llvmcov]\n# nothing\nallowlist_fun:f?o{a,b}[!x]\n", "fooby", "foobx"},
		{"[other]\nallowlist_fun:*\n[llvm*]\nallowlist_fun:a\\*\n", "a*", "ab"},
		{"#!special-case-list-v1\nallowlist_fun:_Z[0-9]+f*\n", "_Z12fgh", "_Zf"},
	} {
		name := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(name, []byte(test.list), 0o600); err != nil {
			t.Fatal(err)
		}
		allowed, err := allowlist([]string{name})
		if err != nil || !allowed(test.fits) || allowed(test.fails) {
			t.Errorf("%q: %v", test.list, err)
		}
	}
}
