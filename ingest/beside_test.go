package ingest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/catalog"
	"proflens/decode/model"
)

// A damaged archive is named and left out, and the profile beside it is taken, whichever
// comes first; by itself it fails.
func TestADamagedArchiveLeavesTheProfileBeside(t *testing.T) {
	s, st := serve(t, Config{})
	good := upload{"a.proftext", []byte(":ir\nmain\n1\n1\n5\n")}
	packed := zipped(t, upload{"src/a.c", []byte("int main() {}\n")})
	cut := upload{"sources.zip", packed[:len(packed)/2]}
	for _, files := range [][]upload{{good, cut}, {cut, good}} {
		e := wait(t, s, send(t, s, Request{}, files...)[0].Entry.ID)
		if e.State != catalog.Ready {
			t.Errorf("%s first: %s, %+v", files[0].name, e.State, e.Finding)
			continue
		}
		for _, f := range e.Files {
			if (f.Finding != nil) != (f.Name == cut.name) {
				t.Errorf("%s first: %s: %+v", files[0].name, f.Name, f.Finding)
			}
		}
		p, err := openTables(t, st, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Overview.Findings) > 0 { // its own finding tells of the archive, once
			t.Errorf("%s first: %+v", files[0].name, p.Overview.Findings)
		}
		p.Close()
	}
	if e := wait(t, s, send(t, s, Request{}, cut)[0].Entry.ID); e.State != catalog.Failed {
		t.Errorf("alone: %s", e.State)
	}
}

// A damaged profile of any family leaves the good one of the same upload, and is named in
// what the pages show.
func TestADamagedProfileLeavesTheGoodOne(t *testing.T) {
	s, st := serve(t, Config{})
	read := func(path string) upload {
		data, err := os.ReadFile(filepath.Join("..", "decode", path))
		if err != nil {
			t.Fatal(err)
		}
		return upload{filepath.Base(path), data}
	}
	cut := func(u upload) upload { return upload{"cut_" + u.name, u.data[:len(u.data)/3]} }
	small := "mip/testdata/counts/small"
	sample := read("dcpi/testdata/hand/byte_stride_by_tsize.prof")
	for _, test := range []struct{ good, bad upload }{
		{read(small + ".mip"), cut(read(small + ".mip"))},
		{read(small + ".mip"), cut(read(small + ".mipraw"))},
		{sample, cut(sample)},
	} {
		for _, files := range [][]upload{{test.good, test.bad}, {test.bad, test.good}} {
			list := send(t, s, Request{}, files...)
			e := wait(t, s, list[0].Entry.ID)
			if len(list) != 1 || e.State != catalog.Ready {
				t.Errorf("%s first: %d profiles, %s, %+v", files[0].name, len(list), e.State, e.Finding)
				continue
			}
			p, err := openTables(t, st, e.ID)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(p.Overview.Findings, func(f model.Finding) bool {
				return f.File == test.bad.name && f.Severity == model.Warning &&
					strings.Contains(f.Message, "left out: ")
			}) {
				t.Errorf("%s first: %+v", files[0].name, p.Overview.Findings)
			}
			p.Close()
		}
	}
}
