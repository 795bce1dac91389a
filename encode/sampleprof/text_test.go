package sampleprof_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/sampleprof"
	encode "proflens/encode/sampleprof"
)

const testdata = "../../decode/sampleprof/testdata/"

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t *testing.T, name string) *sampleprof.Profile {
	t.Helper()
	return decoded(t, read(t, name))
}

func decoded(t *testing.T, data []byte) *sampleprof.Profile {
	t.Helper()
	p, err := sampleprof.Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t *testing.T, p *sampleprof.Profile) string {
	t.Helper()
	var b strings.Builder
	if err := encode.Text(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// goldens are the files that have the output of llvm-profdata beside them.
func goldens(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(testdata, func(path string, _ fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(path, ".proftext.golden"); ok {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(name), testdata))
		}
		return err
	})
	if err != nil || len(list) < 30 {
		t.Fatal(len(list), err)
	}
	return list
}

func TestText(t *testing.T) {
	for _, name := range goldens(t) {
		if diff := cmp.Diff(string(read(t, name+".proftext.golden")), text(t, open(t, name))); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestWeighted adds profiles up with weights, as the tool did.
func TestWeighted(t *testing.T) {
	var m sampleprof.Merger
	for _, in := range []struct {
		name   string
		weight uint64
	}{{"llvm-22/line.afdotext", 7}, {"llvm-19/line.afdotext", 3}, {"llvm-14/line.afdotext", 1}} {
		if err := m.Merge(in.name, open(t, in.name), in.weight); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, "llvm-22/weighted.afdo.proftext.golden")), text(t, m.Profile())); diff != "" {
		t.Error(diff)
	}
	m = sampleprof.Merger{}
	if err := m.Merge("big", open(t, "text/big.afdotext"), 3); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(read(t, "llvm-22/saturated.ext.afdo.proftext.golden")), text(t, m.Profile())); diff != "" {
		t.Error(diff)
	}
}

func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		from string
		to   encode.Layout
		want string
	}{
		{"llvm-22/line.afdotext", encode.Flat, "llvm-22/flat.afdotext"},
		{"llvm-22/contexts.ext.afdo", encode.Nest, "llvm-22/contexts_nested.afdotext"},
		{"llvm-22/line.afdotext", encode.Nest, "llvm-22/line.afdotext"},
		// Attributes are those of the copy that LLVM's hash table has first.
		{"llvm-22/preinlined.ext.afdo", encode.Flat, "llvm-22/preinlined_flat.afdotext"},
		{"llvm-22/contexts_text.ext.afdo", encode.NestAndBase, "llvm-22/contexts_nested_and_base.afdotext"},
	} {
		if diff := cmp.Diff(string(read(t, c.want)), text(t, encode.Convert(open(t, c.from), c.to))); diff != "" {
			t.Errorf("%s %s:\n%s", c.from, c.to, diff)
		}
	}
}

// TestBinary writes what the tool wrote, byte for byte.
func TestBinary(t *testing.T) {
	for from, want := range map[string]string{
		"text/nested.afdotext": "llvm-22/nested.afdo", "llvm-22/weighted.afdo": "llvm-22/weighted.afdo",
		"text/small.afdo": "text/small.afdo",
	} {
		var b bytes.Buffer
		p := open(t, from)
		if _, err := encode.PlanBinary(p); err != nil {
			t.Fatal(err)
		}
		if err := encode.Binary(&b, p); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), read(t, want)) {
			t.Errorf("%s is not %s", from, want)
		}
	}
	for _, name := range []string{"text/contexts.afdotext", "text/probe.afdotext"} {
		if _, err := encode.PlanBinary(open(t, name)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if _, err := encode.PlanExtBinary(decoded(t, []byte("f:1:1\n 70000.1: 1\n"))); err == nil {
		t.Error("an offset that cannot be read back was taken")
	}
}

// TestExtBinary reads back what it writes, in every way.
func TestExtBinary(t *testing.T) {
	for _, name := range goldens(t) {
		p := open(t, name)
		if p.Reader != 0 {
			continue // whose order of ties another tool knows
		}
		for _, o := range []encode.Options{{}, {Compress: true}, {MD5: true}, {Compress: true, MD5: true}} {
			var b bytes.Buffer
			if _, err := encode.PlanExtBinary(p); err != nil {
				continue
			}
			o.VTables = true
			if err := encode.ExtBinary(&b, p, o); err != nil {
				t.Fatal(err)
			}
			again := decoded(t, b.Bytes())
			if len(again.Found) > 0 || again.Has(sampleprof.MD5Names) != o.MD5 {
				t.Errorf("%s: %+v", name, again.Found)
			}
			if o.MD5 || p.Has(sampleprof.MD5Names) { // with other names, ties are in another order
				continue
			}
			if diff := cmp.Diff(text(t, p), text(t, again)); diff != "" {
				t.Errorf("%s %+v:\n%s", name, o, diff)
			}
		}
	}
}
