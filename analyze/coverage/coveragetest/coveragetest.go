// Package coveragetest has programs with coverage mappings, their profiles, and what
// llvm-cov says of them, for tests.
package coveragetest

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/decode/instrprof"
)

// Case is a command line of llvm-cov and its answer.
type Case struct {
	Name   string
	Args   []string // to be run in the folder src
	Answer string   // file; empty: refused
}

// Unpack puts the files of all cases into a folder and returns it.
func Unpack(t testing.TB) (dir string, cases []Case) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	here = filepath.Dir(here)
	dir = t.TempDir()
	mapping := filepath.Join(here, "..", "..", "..", "decode", "covmap", "testdata")
	if err := os.CopyFS(dir, os.DirFS(mapping)); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(here, "testdata", "llvm-cov.tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := xz.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for members := tar.NewReader(unpacked); ; {
		h, err := members.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(members)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
			err = os.WriteFile(name, data, 0o644)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			t.Fatal(err)
		}
	}
	list, err := os.ReadFile(filepath.Join(dir, "cases.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		c := Case{Name: parts[0], Args: strings.Fields(parts[1])}
		if parts[2] != "" {
			c.Answer = filepath.Join(dir, filepath.FromSlash(parts[2]))
		}
		cases = append(cases, c)
	}
	return dir, cases
}

// Join joins programs with an indexed profile, all below a folder.
func Join(t testing.TB, dir, profile string, o coverage.Options, programs ...string) *coverage.Coverage {
	t.Helper()
	var objects []*covmap.Object
	for _, name := range programs {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		opened, err := covmap.Open(name, data, covmap.Options{})
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, opened...)
	}
	data, err := os.ReadFile(filepath.Join(dir, profile))
	if err != nil {
		t.Fatal(err)
	}
	source, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &coverage.Profile{ConditionMasks: source.Info().BitmapLayout() == instrprof.ConditionMasks, SingleByte: source.Info().Variant.Has(instrprof.ByteCoverage)}
	for f, err := range source.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		p.Add(f.Name, coverage.Record{Hash: f.FuncHash, Counters: f.Counters, Bitmap: f.Bitmap})
	}
	c, err := coverage.Join(context.Background(), objects, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
