package encode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/encode"
	"proflens/encode/stacks"
)

// openDatabase opens the profiles of one event of the test data's database, and
// its listing.
func openDatabase(t *testing.T, pattern string) *decodetest.Profile {
	t.Helper()
	const db = "../decode/dcpi/testdata/db"
	paths, err := filepath.Glob(filepath.Join(db, "*", "*", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatal(err)
	}
	var files []format.File
	for _, path := range append(paths, filepath.Join(db, "app.nmS")) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, ".json") {
			files = append(files, format.File{Name: filepath.Base(path), Data: data})
		}
	}
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDCPISamplesAsStacks(t *testing.T) {
	p := openDatabase(t, "app_*")
	samples, err := encode.DCPISamples(p.DCPI, false, "")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := stacks.Folded(&b, samples, 0, stacks.Demangled); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"app;main 7171\n", "app;__start 3324\n", "app;memcpy 981\n"} { // expected.json
		if !strings.Contains(b.String(), line) {
			t.Errorf("there is no line %q in\n%s", line, b.String())
		}
	}
	if samples, err = encode.DCPISamples(p.DCPI, true, ""); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if _, err := stacks.Pprof(&b, samples); err != nil {
		t.Fatal(err)
	}
	parsed, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := parsed.CheckValid(); err != nil || parsed.DefaultSampleType != "cycles_samples" {
		t.Fatal(parsed.DefaultSampleType, err)
	}
	totals := make([]int64, len(parsed.SampleType))
	hot := int64(0)
	for _, s := range parsed.Sample {
		for i, v := range s.Value {
			totals[i] += v
		}
		if len(s.Location) != 2 || s.Location[0].Mapping == nil {
			t.Fatalf("a stack is %v", s.Location)
		}
		if s.Location[0].Address == 0x120001010 {
			hot = s.Value[0]
		}
	}
	if totals[0] != 12723 || totals[2] != 26733 || hot != 590 {
		t.Errorf("totals are %v, the hottest address has %d", totals, hot)
	}
}
