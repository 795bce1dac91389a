package store

import (
	"os"
	"path/filepath"
	"testing"

	"proflens/decode/decodetest"
	"proflens/decode/format"
)

// figuresOfFiles stores files as one profile.
func figuresOfFiles(t *testing.T, files ...format.File) (Figures, *Overview, *decodetest.Profile) {
	t.Helper()
	d, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.db")
	f, err := WriteProfileFile(t.Context(), path, ProfileInput{Source: d, MIP: d.MIP, DCPI: d.DCPI, MemProf: d.MemProf}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProfile(path, NewCache(defaultCacheBytes))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	o, err := p.Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f, o, d
}

// The catalog shows of each family what it is measured in; of counters beside a
// heap profile the counters.
func TestFiguresOfEachFamily(t *testing.T) {
	for name, counters := range map[string]bool{"mem_cold_v4.profdata": false, "mem_hist.memprofraw": false, "mem_instr_v3.profdata": true} {
		data, err := os.ReadFile(filepath.Join("testdata/heap", name))
		if err != nil {
			t.Fatal(err)
		}
		f, o, _ := figuresOfFiles(t, format.File{Name: name, Data: data})
		functions, total := o.MemProf.Owners, o.MemProf.Bytes
		if counters {
			functions, total = o.Functions, o.Total
		}
		if f.Functions != functions || f.Total != total.String() || functions == 0 || total.IsZero() || len(f.Spark) == 0 || len(f.Spark) > 24 {
			t.Errorf("%s: %d functions, total %s, shape %v; expected %d and %s", name, f.Functions, f.Total, f.Spark, functions, total)
		}
	}
	f, o, _ := figuresOfFiles(t, databaseFiles(t, "app.nmS")...)
	procedures, tallest := 0, byte(0)
	for i := range o.DCPI.Images {
		procedures += o.DCPI.Images[i].Symbols
	}
	for _, bar := range f.Spark {
		tallest = max(tallest, bar)
	}
	if f.Functions != procedures || procedures == 0 || f.Total != o.DCPI.Samples.String() || tallest != 255 {
		t.Errorf("%d procedures, %s samples, shape %v; expected %d and %s", f.Functions, f.Total, f.Spark, procedures, o.DCPI.Samples)
	}
}

// A heap's contexts, and a database's addresses, are all in the distribution.
func TestMagnitudesCountAll(t *testing.T) {
	p, d := realHeap(t, "mem_cold_v4.profdata")
	o, err := p.Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := heapTables{contexts: d.MemProf.Distinct()}
	sum := uint64(0)
	for _, n := range h.magnitudes() {
		sum += n
	}
	if sum != o.MemProf.Contexts {
		t.Errorf("%d contexts of %d", sum, o.MemProf.Contexts)
	}
	_, db, files := figuresOfFiles(t, databaseFiles(t)...)
	sum, want := 0, uint64(0)
	for _, n := range dcpiMagnitudes(files.DCPI)[1:] {
		sum += n
	}
	for i := range db.DCPI.Profiles {
		want += db.DCPI.Profiles[i].Nonzero
	}
	if sum != want {
		t.Errorf("%d addresses with samples of %d", sum, want)
	}
}
