package profile_test

import (
	"os"
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/profile"
	"proflens/profile/instrdb"
	"proflens/profile/memprofdb"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
)

// figuresOf stores a file as a profile.
func figuresOf(t *testing.T, path string) (stored.Figures, *stored.Profile) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := decode.Open(t.Context(), []format.File{{Name: filepath.Base(path), Data: data}}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "p.db")
	f, err := profile.Write(t.Context(), at, profile.Input{Profile: p}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f, profiletest.At(t, at)
}

// The catalog shows of each family what it is measured in; of counters beside a
// heap profile the counters.
func TestFiguresAreOfTheFirstPart(t *testing.T) {
	for name, counters := range map[string]bool{
		"mem_cold_v4.profdata": false, "mem_hist.memprofraw": false, "mem_instr_v3.profdata": true,
	} {
		f, p := figuresOf(t, filepath.Join("memprofdb/testdata", name))
		heap, err := memprofdb.Of(p)
		if err != nil {
			t.Fatal(err)
		}
		functions, total := heap.Overview.Owners, heap.Overview.Bytes
		records, err := instrdb.Of(p)
		if counters != (err == nil) {
			t.Fatalf("%s: records: %v", name, err)
		}
		if counters {
			functions, total = records.Overview.Functions, records.Overview.Total
		}
		if f.Functions != functions || f.Total != total.String() || functions == 0 || total.IsZero() || len(f.Spark) == 0 ||
			len(f.Spark) > 24 {
			t.Errorf("%s: %d functions, total %s, shape %v; expected %d and %s", name, f.Functions, f.Total, f.Spark, functions,
				total)
		}
	}
}

// The tallest bar of a distribution is 255.
func TestSpark(t *testing.T) {
	counts := stored.Counts{Magnitudes: &[65]uint64{0: 1000, 1: 3, 2: 90, 40: 1}}
	f := stored.FiguresOf(&stored.Overview{}, counts)
	if len(f.Spark) != 24 || f.Spark[1] != 255 && f.Spark[0] != 255 || f.Spark[23] == 0 {
		t.Errorf("%v", f.Spark)
	}
	if f := stored.FiguresOf(&stored.Overview{}, stored.Counts{Magnitudes: &[65]uint64{0: 7}}); f.Spark != nil {
		t.Errorf("nothing but zeros: %v", f.Spark)
	}
}
