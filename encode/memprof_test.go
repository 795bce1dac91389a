package encode_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/encode"
)

// heapFile is a file kept beside the decoder of heap profiles, unpacked.
func heapFile(t testing.TB, name string) format.File {
	t.Helper()
	path := filepath.Join("..", "decode", "memprof", "testdata", name)
	data, err := os.ReadFile(path)
	if err == nil {
		return format.File{Name: name, Data: data}
	}
	if data, err = os.ReadFile(path + ".gz"); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return format.File{Name: name, Data: data}
}

func openHeap(t testing.TB, files ...format.File) *decodetest.Profile {
	t.Helper()
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.MemProf == nil {
		t.Fatalf("%s has no heap profile: %+v", files[0].Name, p.Findings())
	}
	return p
}

func heapYAML(t testing.TB, p *memprof.Profile) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := encode.MemProfYAML(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wandering is what no two runs of llvm-profdata print alike: the address of a
// histogram that is no more.
var wandering = regexp.MustCompile(`(AccessHistogram: )\d{6,}`)

func still(s string) string { return wandering.ReplaceAllString(s, "${1}0") }

var heapRuns = []string{
	"clang-15_mem_exec", "clang-16_mem_exec", "clang-19_mem_a", "clang-19_mem_hist", "clang-22_mem_hist",
	"clang-22_mem_pie",
}

func TestMemProfDumpAsLLVM(t *testing.T) {
	for _, name := range heapRuns {
		p := openHeap(t, heapFile(t, name+".exe"), heapFile(t, name+".memprofraw"))
		var b bytes.Buffer
		if _, err := encode.MemProfDump(&b, p.MemProf); err != nil {
			t.Fatal(name, err)
		}
		got, want := still(b.String()), still(string(heapFile(t, name+".golden").Data))
		if name == "clang-15_mem_exec" { // that release prints records in another order
			got, want = inOrder(got), inOrder(want)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %.2000s", name, diff)
		}
	}
}

// inOrder sorts the records of a dump.
func inOrder(dump string) string {
	head, rest, _ := strings.Cut(dump, "  -\n    FunctionGUID")
	records := strings.Split(strings.TrimSpace(rest), "\n  -\n    FunctionGUID")
	for i := range records {
		for j := i; j > 0 && records[j] < records[j-1]; j-- {
			records[j], records[j-1] = records[j-1], records[j]
		}
	}
	return head + strings.Join(records, "\n")
}

func TestMemProfYAMLAsLLVM(t *testing.T) {
	for _, name := range []string{
		"vector_v4", "mem_v4", "mem_dap_v4", "clang-19_mem_v2", "clang-19_mem_v2_full", "clang-19_mem_v3",
		"clang-19_mem_v3_full",
		"clang-22_mem_v4_full", "clang-22_mem_cold_v4", "clang-22_mem_instr",
	} {
		p := openHeap(t, heapFile(t, name+".profdata"))
		if diff := cmp.Diff(string(heapFile(t, name+".golden").Data), heapYAML(t, p.MemProf)); diff != "" {
			t.Errorf("%s: %.2000s", name, diff)
		}
	}
	for _, name := range []string{"mem", "mem_dap"} {
		p := openHeap(t, heapFile(t, name+".yaml"))
		if diff := cmp.Diff(string(heapFile(t, name+"_v4.golden").Data), heapYAML(t, p.MemProf)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What is written as an indexed file is read back as it was.
func TestProfdataOfHeapProfiles(t *testing.T) {
	var profiles []*decodetest.Profile
	for _, name := range heapRuns {
		profiles = append(profiles, openHeap(t, heapFile(t, name+".memprofraw"), heapFile(t, name+".exe")))
	}
	for _, name := range []string{"mem.yaml", "mem_dap.yaml", "vector_v4.golden", "clang-22_mem_v4_full.golden"} {
		profiles = append(profiles, openHeap(t, heapFile(t, name)))
	}
	two := heapFile(t, "clang-22_mem_pie.memprofraw")
	profiles = append(profiles, openHeap(t, two, heapFile(t, "clang-22_mem_pie.exe"), two))
	for _, p := range profiles {
		name := p.Inputs[0].Name
		out, findings := profdata(t, p, encode.ProfdataOptions{MemProf: p.MemProf})
		back := openHeap(t, format.File{Name: name, Data: out})
		if back.Info().Version != 13 {
			t.Errorf("%s: indexed version %d", name, back.Info().Version)
		}
		if diff := cmp.Diff(heapYAML(t, p.MemProf), heapYAML(t, back.MemProf)); diff != "" {
			t.Errorf("%s: %.2000s", name, diff)
		}
		for _, f := range findings {
			if f.Severity != model.Note {
				t.Errorf("%s: %+v", name, f)
			}
		}
		again, _ := profdata(t, back, encode.ProfdataOptions{MemProf: back.MemProf})
		if !bytes.Equal(out, again) {
			t.Errorf("%s: written again it differs", name)
		}
	}
}

// Counters and a heap profile come together as llvm-profdata merge brings them.
func TestProfdataOfCountersAndHeap(t *testing.T) {
	counters := input(t, "clang-22_ir_c.profraw")
	raw := heapFile(t, "clang-19_mem_a.memprofraw")
	alone := openHeap(t, raw, heapFile(t, "clang-19_mem_a.exe"))
	file := format.File{
		Name: "ir_c", Data: func() []byte { b, _ := profdata(t, counters, encode.ProfdataOptions{}); return b }(),
	}
	p := openHeap(t, file, raw, heapFile(t, "clang-19_mem_a.exe"))
	out, _ := profdata(t, p, encode.ProfdataOptions{MemProf: p.MemProf})
	back := openHeap(t, format.File{Name: "both", Data: out})
	if diff := cmp.Diff(proftext(t, counters), proftext(t, back)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(heapYAML(t, alone.MemProf), heapYAML(t, back.MemProf)); diff != "" {
		t.Error(diff)
	}
}

func TestHeapProfilesWithoutFunctions(t *testing.T) {
	p := openHeap(t, heapFile(t, "clang-19_mem_a.memprofraw"))
	for _, write := range []func(io.Writer, *memprof.Profile) ([]model.Finding, error){
		encode.MemProfYAML, encode.MemProfDump,
	} {
		if _, err := write(io.Discard, p.MemProf); model.KindOf(err) != model.KindUnsymbolized ||
			!strings.Contains(err.Error(), "build ID") {
			t.Error(err)
		}
	}
	if _, err := encode.Profdata(io.Discard, p,
		encode.ProfdataOptions{MemProf: p.MemProf, Lossy: true}); model.KindOf(err) != model.KindUnsymbolized {
		t.Error(err)
	}
	if _, err := encode.PreviewProfdata(p,
		encode.ProfdataOptions{MemProf: p.MemProf}); model.KindOf(err) != model.KindUnsymbolized {
		t.Error(err)
	}
	counted := input(t, "clang-22_ir_c.profraw")
	if _, err := encode.Profdata(io.Discard, counted,
		encode.ProfdataOptions{MemProf: p.MemProf}); model.KindOf(err) != model.KindLossy {
		t.Error(err)
	}
	if _, err := encode.MemProfDump(io.Discard,
		openHeap(t, heapFile(t, "mem.yaml")).MemProf); model.KindOf(err) != model.KindUnsupportedVersion {
		t.Error(err)
	}
}

// Names that YAML would take for something else are quoted as LLVM quotes them,
// and read as they were.
func TestMemProfYAMLQuotes(t *testing.T) {
	names := []string{
		"plain_name.x", "a/b.c", "it's", "a: b", "", " ", "true", "123", "0x12", "-", "two\nlines", "tab\there", "\x01",
		"größe", `back\slash`, `"`, "a#b", "null", ".5",
	}
	p := &memprof.Profile{Format: memprof.FormatYAML, Symbolized: true, DataAccess: &memprof.DataAccess{}}
	for _, n := range names {
		p.DataAccess.Records = append(p.DataAccess.Records, memprof.DataAccessRecord{
			Symbol: "s", AccessCount: 1, Locations: []memprof.DataLocation{{File: n, Line: 1}},
		})
	}
	text := heapYAML(t, p)
	back, err := memprof.OpenYAML([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for i, r := range back.DataAccess.Records {
		if got := r.Locations[0].File; got != names[i] {
			t.Errorf("%q became %q", names[i], got)
		}
	}
	for _, want := range []string{
		" plain_name.x\n", " 'a/b.c'\n", " 'it''s'\n", " 'true'\n", " \"two\\nlines\"\n", " \"größe\"\n", " ''\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
