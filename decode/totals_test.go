package decode_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/internal/memtest"
)

// bound is what decoding may take of memory for files of a size: what it says in
// docs/pages/limits.md.
var bound = memtest.Bound{Base: 96 << 20, Rate: 256}

// decodeAll reads all of files, twice and with a recorder, and returns the profile.
func decodeAll(t testing.TB, files ...format.File) any {
	p, err := decodetest.Open(t.Context(), files, format.Options{Record: true, Salvage: true})
	if err != nil {
		return nil
	}
	for _, err := range p.Functions() {
		if err != nil {
			break
		}
	}
	for range p.Names() {
	}
	for range p.Traces() {
	}
	return p
}

// TestMemoryIsOfTheSizeOfFiles opens every file and every set of files of the tests.
func TestMemoryIsOfTheSizeOfFiles(t *testing.T) {
	folders := map[string][]format.File{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 32<<20 {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f := format.File{Name: path, Data: data}
		if r := decode.Recognise(f.Name, f.Data); !r.Foreign() || r.Companion != nil {
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	worst, sets := 0.0, 0
	for _, files := range folders {
		var recognised []format.Recognised
		for _, f := range files {
			recognised = append(recognised, decode.Recognise(f.Name, f.Data))
		}
		for _, group := range format.Group(recognised) {
			var set []format.File
			size := 0
			for _, n := range group {
				set = append(set, files[n])
				size += len(files[n].Data)
			}
			use := bound.Check(t, set[0].Name, size, func() any { return decodeAll(t, set...) })
			if sets++; float64(use.Peak) > worst*float64(size+1<<16) {
				worst = float64(use.Peak) / float64(size+1<<16)
				t.Logf("%s and %d more, %d bytes: %+v", set[0].Name, len(set)-1, size, use)
			}
		}
	}
	if sets < 400 {
		t.Errorf("only %d sets of files", sets)
	}
}
