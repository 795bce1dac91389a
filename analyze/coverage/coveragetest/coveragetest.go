// Package coveragetest has programs with coverage mappings, their profiles, and what
// llvm-cov says of them, for tests.
package coveragetest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/decode/instrprof"
)

//go:embed testdata/llvm-cov-22.tar.gz
var archive []byte

// Answer is what llvm-cov 22 said when it was asked in the folder src.
type Answer struct {
	Name   string
	Args   []string
	Status int
	Want   string // a file with its output
	Stderr []string
}

// Unpack puts the files of all answers into a folder and returns it.
func Unpack(t testing.TB) (dir string, answers []Answer) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for members := tar.NewReader(z); ; {
		h, err := members.Next()
		if errors.Is(err, io.EOF) {
			return dir, answers
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(members)
		if err != nil {
			t.Fatal(err)
		}
		if h.Name == "cases.json" {
			if err := json.Unmarshal(data, &answers); err != nil {
				t.Fatal(err)
			}
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// Join joins programs with an indexed profile, all below a folder.
func Join(t testing.TB, dir, profile string, o coverage.Options, programs ...string) *coverage.Coverage {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var objects []*covmap.Object
	for _, name := range programs {
		opened, err := covmap.Open(name, read(name), covmap.Options{})
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, opened...)
	}
	source, err := instrprof.OpenIndexed(read(profile), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := coverage.ProfileOf(context.Background(), source)
	if err != nil {
		t.Fatal(err)
	}
	c, err := coverage.Join(context.Background(), objects, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
