package cov

import (
	"slices"
	"strings"
	"testing"

	"proflens/command/llvmargs/llvmargstest"
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
		if o.program != "x" || !slices.Equal(o.Sources, []string{"s.c"}) || !slices.Equal(o.Name, []string{"a", "b"}) ||
			!o.MCDC || o.InstrProfile[0] != "p" {
			t.Errorf("%s: %+v", args, o)
		}
	}
	var o options
	if err := o.parse("export", []string{"-unify-instantiations=0", "--", "-x"}); err != nil || o.Unify ||
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
			strings.Join(o.Sources, " ") != want[1] {
			t.Errorf("%s: %q, %q, %v", args, o.program, o.Sources, err)
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

func TestEveryOptionOfLLVM(t *testing.T) {
	llvmargstest.EveryOption(t, "cov", new(options).table)
}
