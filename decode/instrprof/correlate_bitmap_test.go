package instrprof_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/symbol"
)

// TestCorrelatedBitmap: the records of a program with -profile-correlate=binary say where
// the bitmaps are. The same source without correlation has these bytes.
func TestCorrelatedBitmap(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("../covmap/testdata/clang-22/instances/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	images, err := symbol.OpenProgram("gate.exe", read("gate.exe"), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := instrprof.OpenCorrelated(read("gate.profraw"),
		[]*instrprof.Correlator{instrprof.NewCorrelator(context.Background(), images)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{"gate": {7}, "main": nil}
	for f, err := range raw.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		bitmap, ok := want[string(f.Name)]
		if delete(want, string(f.Name)); !ok || !bytes.Equal(f.Bitmap, bitmap) {
			t.Errorf("%s has the bitmap %x, expected %x", f.Name, f.Bitmap, bitmap)
		}
	}
	if len(want) > 0 {
		t.Errorf("%v are missing", want)
	}
	for _, f := range raw.Findings() {
		if f.Code == "raw.correlation_bitmap" {
			t.Error(f.Message)
		}
	}
}
