package sampleprof

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

// TestDescriptorsAreThoseOfTheTool compares the descriptors of a program with what
// llvm-profgen prints of them.
func TestDescriptorsAreThoseOfTheTool(t *testing.T) {
	data, err := os.ReadFile("testdata/programs/probes.elf")
	if err != nil {
		t.Fatal(err)
	}
	image, err := symbol.Open("probes.elf", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[uint64]string{}
	err = readDescriptors(image, func(d descriptor) {
		text := fmt.Sprintf("%s %d", d.name, d.checksum)
		if had, ok := got[d.guid]; ok && had != text {
			t.Errorf("%s and %s", had, text)
		}
		if got[d.guid] = text; Hash(d.name) != d.guid {
			t.Errorf("%s has another hash than %d", d.name, d.guid)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/programs/probes.elf.golden.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r, printed := bufio.NewReader(z), map[uint64]bool{} // each as often as a module has it
	for {
		var guid, checksum uint64
		var name string
		if _, err := fmt.Fscanf(r, "GUID: %d Name: %s\nHash: %d\n", &guid, &name, &checksum); err != nil {
			break
		}
		printed[guid] = true
		if want := fmt.Sprintf("%s %d", name, checksum); got[guid] != want {
			t.Errorf("%d is %q, want %q", guid, got[guid], want)
		}
	}
	if len(printed) != len(got) || len(got) < 400 {
		t.Errorf("%d descriptors, the tool has %d", len(got), len(printed))
	}
}

// TestNamesWithoutTheirModule finds internal functions by names with and without the
// suffix that makes them unique.
func TestNamesWithoutTheirModule(t *testing.T) {
	g := newProgram()
	g.describe(descriptor{Hash("_ZL3foov.__uniq.123"), 7, "_ZL3foov.__uniq.123"})
	g.add("_ZL3barv.__uniq.9.llvm.77", inCode)
	for _, c := range []struct {
		name     Name
		checksum uint64
		want     Fit
	}{
		{Name{Text: "_ZL3foov.__uniq.123"}, 7, FitSame},
		{Name{Text: "_ZL3foov"}, 7, FitSame},
		{Name{Text: "_ZL3foov"}, 8, FitStale},
		{Name{Text: "_ZL3foov.__uniq.124"}, 7, FitUnknown},
		{Name{MD5: Hash("_ZL3foov")}, 7, FitSame},
		{Name{Text: "_ZL3barv"}, 0, FitSame},
		{Name{Text: "_ZL3barv.part.0"}, 0, FitSame},
		{Name{Text: "_ZL3barv"}, 1, FitUnknown}, // it has no probes
	} {
		if got := g.Fit(c.name, c.checksum); got != c.want {
			t.Errorf("%v with %d: %d, want %d", c.name, c.checksum, got, c.want)
		}
	}
	for _, want := range []string{"_ZL3foov", "_ZL3foov.__uniq.123", "_ZL3barv.__uniq.9"} {
		if got, ok := g.NameOf(Name{MD5: Hash(want)}); !ok || got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if g.Functions != 2 || g.Probes != 1 {
		t.Error(g.Functions, g.Probes)
	}
}

// TestOnePlaceDeclares: neither the line that code begins on nor one of several is told.
func TestOnePlaceDeclares(t *testing.T) {
	g := newProgram()
	for _, c := range []struct {
		line uint32
		code bool
		want uint32
	}{{9, true, 0}, {7, false, 7}, {9, true, 7}, {7, false, 7}, {8, false, 0}, {7, false, 0}} {
		g.declare(model.Declaration{Name: []byte("f"), File: "a.c", Line: c.line, Code: c.code})
		if d, ok := g.Declaration("f.llvm.1"); d.Line != c.want || ok != (c.want > 0) {
			t.Errorf("%+v: %+v", c, d)
		}
	}
}

// FuzzDescriptors reads anything as descriptors.
func FuzzDescriptors(f *testing.F) {
	f.Add([]byte("\xeb\xef\x58\x2b\xbe\x26\x5d\x0c\xff\xff\xff\xff\x00\x00\x01\x00\x09_Z5neveri"))
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("12345678abcdefgh\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		g := newProgram()
		err := eachDescriptor(wire.New(descriptorSection, data, 0), g.describe)
		if _, ok := errors.AsType[*model.FormatError](err); err != nil && !ok {
			t.Fatal(err)
		}
		if g.Probes != g.Functions || g.Functions > len(data)/leastDescriptor {
			t.Fatal(g.Probes, g.Functions)
		}
		for _, f := range g.functions {
			if name, ok := g.NameOf(Name{MD5: Hash(f.name)}); !ok || name != f.name {
				t.Fatalf("%q is %q", f.name, name)
			}
		}
	})
}

// leastDescriptor is the bytes of a descriptor of the shortest name.
const leastDescriptor = 18
