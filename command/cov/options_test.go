package cov

import (
	"os"
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
		if o.program != "x" || !slices.Equal(o.sources, []string{"s.c"}) || !slices.Equal(o.name, []string{"a", "b"}) ||
			!o.mcdc || o.instrProfile[0] != "p" {
			t.Errorf("%s: %+v", args, o)
		}
	}
	var o options
	if err := o.parse("export", []string{"-unify-instantiations=0", "--", "-x"}); err != nil || o.unify ||
		o.program != "-x" {
		t.Error(o, err)
	}
}

// What stands behind -sources is a source, a value of it is nothing.
func TestSourcesAreWhatFollows(t *testing.T) {
	for args, want := range map[string][2]string{
		"-object=x -sources a.c b.c -instr-profile=p c.c": {"", "a.c b.c c.c"},
		"x a.c -sources=b.c c.c -- -d.c":                  {"x", "a.c c.c -d.c"},
		"-sources x":                                      {"", "x"},
	} {
		var o options
		if err := o.parse("report", strings.Fields(args)); err != nil || o.program != want[0] ||
			strings.Join(o.sources, " ") != want[1] {
			t.Errorf("%s: %q, %q, %v", args, o.program, o.sources, err)
		}
	}
}

// Numbers are C's.
func TestNumbersOfOptions(t *testing.T) {
	for arg, ok := range map[string]bool{
		"-j=0x10": true, "-j=010": true, "-j=1_0": false, "-j=": false, "-j=4294967296": false, "-j=-1": false,
		"-tab-size=x":            false,
		"-line-coverage-lt=0x10": true, "-line-coverage-lt=": true, "-line-coverage-lt=1e1": true,
		"-line-coverage-lt=inf": true,
		"-line-coverage-lt=10%": false, "-line-coverage-lt=1_0": false,
		"-coverage-watermark=90.5,1e1": true, "-coverage-watermark=10,90": false, "-coverage-watermark=90": false,
		"-coverage-watermark=90,":   false,
		"-coverage-watermark=101,5": false, "-debuginfod=0": true, "-debuginfod": false,
	} {
		var o options
		if err := o.parse("show", []string{"x", arg}); (err == nil) != ok {
			t.Errorf("%s: %v", arg, err)
		}
	}
}

// TestEveryOptionOfLLVM: each option of LLVM 13 to 22 that testdata lists is taken, with each of its values.
func TestEveryOptionOfLLVM(t *testing.T) {
	list, err := os.ReadFile("../llvmargs/testdata/options.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if words[0] != "cov" {
			continue
		}
		name, values, valued := strings.Cut(words[2], "=")
		for value := range strings.SplitSeq(values, "|") {
			arg := "-" + name
			if valued {
				arg += "=" + strings.NewReplacer("string", "x", "number", "1").Replace(value)
			}
			var o options
			if _, fault := o.table(words[1]).Parse([]string{arg}, true); fault != nil {
				t.Errorf("%s %s: %v", words[1], arg, fault)
			}
		}
	}
}
