package memprof_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// real is a file of testdata, unpacked.
func real(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		return data
	}
	data, err = os.ReadFile(filepath.Join("testdata", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	data, err = io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// all are the names of testdata with a suffix, without that of packing.
func all(t testing.TB, suffix string) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".gz"); strings.HasSuffix(name, suffix) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatalf("no %s in testdata", suffix)
	}
	return names
}

func program(t testing.TB, name string) *memprof.Program {
	t.Helper()
	image, err := symbol.Open(name, real(t, name), nil)
	if err != nil {
		t.Fatal(err)
	}
	return memprof.NewProgram(image, nil)
}

func raw(t testing.TB, data []byte, programs ...*memprof.Program) *memprof.Profile {
	t.Helper()
	r, err := memprof.OpenRaw(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Profile(t.Context(), programs)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// section is the MemProf section of an indexed file, and where it stands.
func section(t testing.TB, data []byte) ([]byte, uint64) {
	t.Helper()
	x, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x.Info().MemProf, x.Info().MemProfSection.Offset
}

func indexed(t testing.TB, name string) *memprof.Profile {
	t.Helper()
	data, base := section(t, real(t, name))
	p, err := memprof.OpenIndexed(data, base, nil)
	if err != nil {
		t.Fatal(name, err)
	}
	return p
}

func fault(t testing.TB, err error) *model.FormatError {
	t.Helper()
	f, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		t.Fatalf("%v is no FormatError", err)
	}
	return f
}

// sound fails when a profile's tables do not hold together: what reads them
// trusts every index.
func sound(t testing.TB, p *memprof.Profile) {
	t.Helper()
	stack := func(id memprof.StackID) bool { return id >= memprof.NoStack && int(id) < len(p.Stacks) }
	for i, s := range p.Stacks {
		depth := uint32(1)
		if s.Caller != memprof.NoStack && s.Caller >= 0 && int(s.Caller) < i {
			depth += p.Stacks[s.Caller].Depth
		}
		if int(s.Frame) >= len(p.Frames) || s.Caller >= memprof.StackID(i) || s.Caller < memprof.NoStack || s.Depth != depth {
			t.Fatalf("stack %d: %+v", i, s)
		}
	}
	for i, f := range p.Frames {
		if f.Module < -1 || int(f.Module) >= len(p.Modules) {
			t.Fatalf("frame %d: %+v", i, f)
		}
	}
	for i, c := range p.Contexts {
		if !stack(c.Stack) || len(c.MIB.Values) != c.MIB.Schema.Len() || c.MIB.Schema&^p.Schema != 0 {
			t.Fatalf("context %d: %+v", i, c)
		}
	}
	for i, r := range p.Records {
		for _, n := range r.AllocSites {
			if int(n) >= len(p.Contexts) {
				t.Fatalf("record %d: context %d", i, n)
			}
		}
		for _, c := range r.CallSites {
			if !stack(c.Stack) {
				t.Fatalf("record %d: %+v", i, c)
			}
		}
	}
	p.Distinct()
}
