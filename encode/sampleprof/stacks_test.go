package sampleprof_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/sampleprof"
	encode "proflens/encode/sampleprof"
	"proflens/encode/stacks"
)

func folded(t *testing.T, p *sampleprof.Profile) string {
	t.Helper()
	var b strings.Builder
	if err := stacks.Folded(&b, encode.Stacks(p), 0, stacks.Linkage); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// withProgram is a profile of testdata with the programs beside it.
func withProgram(t *testing.T, name string, programs ...string) *sampleprof.Profile {
	t.Helper()
	files := []format.File{{Name: name, Data: read(t, name)}}
	for _, program := range programs {
		files = append(files, format.File{Name: program, Data: read(t, filepath.Join("programs", program))})
	}
	out, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := format.PartOf[*sampleprof.Profile](out)
	return p
}

// TestStacks folds what was inlined, and contexts.
func TestStacks(t *testing.T) {
	for text, want := range map[string]string{
		"main:70:1\n 1: 30 foo:20 bar:10\n 2: 5\n 2.1: foo:40\n  3: 40\n  4: bar:7\n   1: 7\n": "main 35\nmain;foo " +
			"40\nmain;foo;bar 7\n",
		"[main]:3:0\n 1: 3\n[main:3 @ foo:1.2 @ bar]:9:1\n 1: 4\n 2: 5\n": "main;foo;bar 9\nmain 3\n",
		"main:1:0\n 1: 0\n": "",
	} {
		if diff := cmp.Diff(want, folded(t, decoded(t, []byte(text)))); diff != "" {
			t.Errorf("%s%s", text, diff)
		}
	}
}

// TestStacksKeepEverySample adds the stacks of real profiles up.
func TestStacksKeepEverySample(t *testing.T) {
	for _, name := range goldens(t) {
		p := open(t, name)
		var want, got uint64
		var walk func(f *sampleprof.Function)
		walk = func(f *sampleprof.Function) {
			for _, r := range f.Body {
				want = sampleprof.Add(want, r.Count)
			}
			for _, s := range f.Sites {
				walk(s.Callee)
			}
		}
		for _, f := range p.Functions {
			walk(f)
		}
		for s, err := range encode.Stacks(p).Samples {
			if err != nil {
				t.Fatal(err)
			}
			if got = sampleprof.Add(got, s.Values[0]); len(s.Stack) == 0 || s.Stack[0].Name == "" {
				t.Fatalf("%s: %+v", name, s)
			}
		}
		if got != want {
			t.Errorf("%s: %d samples, want %d", name, got, want)
		}
	}
}

// TestStacksHaveLines finds the lines of functions in a program's debug info: those of
// the text form, below where llvm-dwarfdump says the function is declared.
func TestStacksHaveLines(t *testing.T) {
	p := withProgram(t, "llvm-22/line.ext.afdo", "lines.elf")
	var b bytes.Buffer
	if _, err := stacks.Pprof(&b, encode.Stacks(p)); err != nil {
		t.Fatal(err)
	}
	parsed, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	const walk, declared = "_ZN12_GLOBAL__N_14Grid4walkEiii", 21
	got, want := map[int64]int64{}, map[int64]int64{}
	for _, s := range parsed.Sample {
		if leaf := s.Location[0].Line[0]; len(s.Location) == 1 && len(s.Location[0].Line) == 1 &&
			leaf.Function.SystemName == walk {
			if got[leaf.Line] += s.Value[0]; !strings.HasSuffix(leaf.Function.Filename, "p/main.cpp") ||
				leaf.Function.StartLine != declared {
				t.Fatalf("%+v", leaf.Function)
			}
		}
	}
	for _, f := range p.Functions {
		if p.Name(f.Name) != walk {
			continue
		}
		for _, r := range f.Body {
			if r.Count > 0 {
				want[int64(uint16(declared+r.Offset))] += int64(r.Count)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) < 3 {
		t.Error(diff, got)
	}
}

// TestProbesAreNoLines: their numbers are not written as such.
func TestProbesAreNoLines(t *testing.T) {
	for s, err := range encode.Stacks(withProgram(t, "llvm-22/contexts.ext.afdo", "lines.elf")).Samples {
		for _, f := range s.Stack {
			if err != nil || f.Line != 0 {
				t.Fatalf("%+v %v", f, err)
			}
		}
	}
}

// TestStacksHaveNamesOfHashes gives them back, where a list has them.
func TestStacksHaveNamesOfHashes(t *testing.T) {
	sorted := func(name string) []string {
		return slices.Sorted(strings.Lines(folded(t, withProgram(t, name, "lines.elf"))))
	}
	if diff := cmp.Diff(sorted("llvm-22/line.ext.afdo"), sorted("llvm-22/partial_md5.ext.afdo")); diff != "" {
		t.Error(diff)
	}
}

// TestLinesBeforeTheDeclaration have large offsets, of 16 bits.
func TestLinesBeforeTheDeclaration(t *testing.T) {
	p := withProgram(t, "llvm-22/line.ext.afdo", "lines.elf")
	q := decoded(t, []byte("_ZL6routesi:9:0\n 65534: 9\n"))
	q.Program = p.Program
	for s := range encode.Stacks(q).Samples {
		if s.Stack[0].Line != 47-2 {
			t.Errorf("%+v", s.Stack[0])
		}
	}
}

// TestPprof has pprof's own parser read the file: what each function has to itself.
func TestPprof(t *testing.T) {
	var b bytes.Buffer
	text := "main:70:1\n 1: 30 foo:20 bar:10\n 2.1: foo:40\n  3: 40\n"
	if _, err := stacks.Pprof(&b, encode.Stacks(decoded(t, []byte(text)))); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]int64{}
	for _, s := range p.Sample {
		lines := s.Location[0].Line
		own[lines[0].Function.Name] += s.Value[0]
		if caller := lines[len(lines)-1].Function.Name; caller != "main" {
			t.Errorf("%s is called last, and not main", caller)
		}
	}
	if diff := cmp.Diff(map[string]int64{"foo": 40, "main": 30}, own); diff != "" {
		t.Error(diff)
	}
}
