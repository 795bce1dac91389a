package ingest

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"proflens/catalog"
)

// A wrong file is recognised in an archive too, and so is a profile of pprof,
// which comes packed.
func TestWrongFilesInArchives(t *testing.T) {
	s, _ := serve(t, Config{})
	read := func(name string) []byte {
		data, err := os.ReadFile("../decode/testdata/foreign/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	p := profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
	}
	var packed, unpacked bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteUncompressed(&unpacked); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, what string
		data       []byte
	}{
		{"elf.gz", "an ELF executable", gz(read("a.elf.o"))},
		{"macho.zip", "a Mach-O executable", zipped(t, upload{"a.o", read("a.macho.o")})},
		{"coff.zip", "a Windows object file", zipped(t, upload{"a.obj", read("a.obj")})},
		{"gcda.gz", "GCC's coverage", gz(read("a.gcda"))},
		{"perf.gz", "perf.data", gz([]byte("PERFILE2 and more"))},
		{"json.gz", "JSON", gz([]byte(`{"data": [{"files": []}], "type": "llvm.coverage.json.export"}`))},
		{"cpu.pb.gz", "a pprof profile", packed.Bytes()},
		{"cpu.pb", "a pprof profile", unpacked.Bytes()},
	} {
		e := wait(t, s, send(t, s, Request{}, upload{test.name, test.data})[0].Entry.ID)
		if e.State != catalog.Failed || e.Finding == nil || !strings.Contains(e.Finding.Message, test.what) ||
			e.Finding.Remedy == "" {
			t.Errorf("%s: %s, %+v", test.name, e.State, e.Finding)
		}
	}
}
