package encode_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/dcpi"
	"proflens/decode/model"
	"proflens/encode"
)

const dcpiFixtures = "../decode/dcpi/testdata/"

func openDCPI(t *testing.T, paths ...string) *dcpi.Database {
	t.Helper()
	db := &dcpi.Database{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		open := dcpi.Open
		if dcpi.IsCat(data) {
			open = dcpi.OpenCat
		}
		f, err := open(filepath.Base(path), data, nil)
		if err != nil {
			t.Fatal(path, err)
		}
		db.Files = append(db.Files, *f)
	}
	return db
}

func TestDCPIJSONIsThatOfTheFixtures(t *testing.T) {
	for _, pattern := range []string{"hand/*.json", "cat/*.json", "db/*/*/*.json"} {
		paths, _ := filepath.Glob(dcpiFixtures + pattern)
		if len(paths) == 0 {
			t.Fatal("no fixtures for", pattern)
		}
		for _, path := range paths {
			var want, got map[string]any
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := encode.DCPIJSON(&b, openDCPI(t, strings.TrimSuffix(path, ".json"))); err != nil {
				t.Fatal(path, err)
			}
			if err := json.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatal(path, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s:\n%s", path, diff)
			}
		}
	}
}

func TestDCPIIsWrittenBackByteForByte(t *testing.T) {
	paths, _ := filepath.Glob(dcpiFixtures + "hand/*.prof")
	for _, path := range paths {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := encode.DCPI(&b, openDCPI(t, path)); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s differs, %v", path, err)
		}
	}
}

func TestDCPISum(t *testing.T) {
	var paths []string
	for _, dir := range []string{"9711040900/walnut", "9711040900/pecan", "9711050900/walnut", "9711050900/pecan"} {
		paths = append(paths, dcpiFixtures+"db/"+dir+"/app_660b03cd5eed_cycles")
	}
	var b bytes.Buffer
	if err := encode.DCPI(&b, openDCPI(t, paths...)); err != nil {
		t.Fatal(err)
	}
	sum, err := dcpi.Open("sum", b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := &sum.Profiles[0]; p.Samples != 12723 || p.Epoch != "9711040900" { // expected.json: combined, cycles
		t.Errorf("%d samples in epoch %s", p.Samples, p.Epoch)
	}
	imiss := dcpiFixtures + "db/9711050900/pecan/app_660b03cd5eed_imiss"
	if err := encode.DCPI(&b, openDCPI(t, paths[0], imiss)); model.KindOf(err) != model.KindIncompatible ||
		!strings.Contains(err.Error(), "events") {
		t.Errorf("two events were added: %v", err)
	}
}

func TestDumpBecomesAProfile(t *testing.T) {
	var b bytes.Buffer
	db := openDCPI(t, dcpiFixtures+"cat/dump0.txt")
	if err := encode.DCPI(&b, db); err != nil {
		t.Fatal(err)
	}
	f, err := dcpi.Open("x", b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := &f.Profiles[0], &db.Files[0].Profiles[0]
	if got.Samples != want.Samples || got.Nonzero != want.Nonzero || got.TextStart != want.TextStart ||
		got.Start != want.Start {
		t.Errorf("%+v became %+v", want.Header, got.Header)
	}
	if b.Len()%4 != 0 {
		t.Errorf("%d bytes", b.Len())
	}
}
