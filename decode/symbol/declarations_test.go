package symbol_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/model"
)

// declared are the functions that llvm-symbolizer names, with where they begin.
func declared(t *testing.T, name string) map[string]model.Declaration {
	t.Helper()
	f, err := os.Open("testdata/frames/" + name + ".json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]model.Declaration{}
	for d := json.NewDecoder(z); ; {
		var line struct {
			Symbol []struct {
				FunctionName, StartFileName string
				StartLine                   uint32
			}
		}
		if err := d.Decode(&line); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
		for _, s := range line.Symbol {
			if s.FunctionName != "" && s.StartLine > 0 {
				found[s.FunctionName] = model.Declaration{File: s.StartFileName, Line: s.StartLine}
			}
		}
	}
}

// Every function that llvm-symbolizer finds at some address is declared where it says.
func TestDeclarationsAreThoseOfLLVM(t *testing.T) {
	paths, _ := filepath.Glob("testdata/frames/*.json.gz")
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
		var splits []string
		if _, err := os.Stat("testdata/frames/" + name + ".dwp"); err == nil {
			splits = []string{name + ".dwp"}
		}
		s := symbolizer(t, name, splits...)
		got := map[string][]model.Declaration{}
		err := s.Declarations(t.Context(), func([]byte) bool { return true }, func(d model.Declaration) {
			got[string(d.Name)] = append(got[string(d.Name)], d)
		})
		if err != nil || len(s.Faults()) > 0 {
			t.Errorf("%s: %v, %v", name, err, s.Faults())
		}
		want := declared(t, name)
		if len(want) < 10 && !strings.Contains(name, "gmlt") {
			t.Errorf("%s: %d functions", name, len(want))
		}
		for function, w := range want {
			found := false
			for _, d := range got[function] {
				found = found || d.Line == w.Line && (w.File == "" || d.File == w.File)
			}
			if !found {
				t.Errorf("%s: %s is at %+v, want %+v", name, function, got[function], w)
			}
		}
	}
}
