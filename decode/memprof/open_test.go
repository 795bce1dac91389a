package memprof_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// heap is a file of testdata, to be opened with others.
func heap(t testing.TB, name string) format.File {
	t.Helper()
	return format.File{Name: name, Data: real(t, name)}
}

func text(name, s string) format.File { return format.File{Name: name, Data: []byte(s)} }

// record is a function record in LLVM's text form.
const record = "f\n1\n2\n10\n20\n\n"

func open(t testing.TB, files ...format.File) *decodetest.Profile {
	t.Helper()
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// functions is how many records of counters a profile has.
func functions(t testing.TB, p *decodetest.Profile) (n int) {
	t.Helper()
	for _, err := range p.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestRecogniseHeapProfiles(t *testing.T) {
	for name, want := range map[string]string{
		"vector_v5.memprofraw": "MemProf raw v5", "mem.yaml": "MemProf YAML", "vector_v4.golden": "MemProf YAML",
		"clang-14_mem_exec.report": "MemProf text report", "mem_v4.profdata": "LLVM indexed v13, MemProf",
	} {
		f := heap(t, name)
		if r := decode.Recognise(f.Name, f.Data); r.Err != nil || r.Describe != want {
			t.Errorf("%s: %q, %v", name, r.Describe, r.Err)
		}
		if a := decode.Inspect(f); a.Format != want {
			t.Errorf("%s: %q", name, a.Format)
		}
	}
	dump := heap(t, "clang-15_mem_exec.golden")
	if f := format.FindingOf("x", decode.Recognise(dump.Name, dump.Data).Err); !strings.Contains(f.Remedy, "raw profile") {
		t.Errorf("%+v", f)
	}
}

func TestHeapProfileWithAndWithoutItsProgram(t *testing.T) {
	profile, exe := heap(t, "clang-22_mem_pie.memprofraw"), heap(t, "clang-22_mem_pie.exe")
	bare := open(t, profile)
	if bare.MemProf == nil || bare.MemProf.Symbolized || len(bare.Findings()) == 0 {
		t.Fatalf("%+v", bare.Findings())
	}
	if diff := cmp.Diff([]model.Family{memprof.Family}, bare.Info().Families); diff != "" {
		t.Error(diff)
	}
	for _, files := range [][]format.File{{profile, exe}, {exe, profile}} {
		p := open(t, files...)
		if !p.MemProf.Symbolized || len(p.Inputs) != 2 || p.Info().Format != memprof.FormatRaw {
			t.Errorf("%+v", p.MemProf.Findings)
		}
	}
	_, err := decodetest.Open(t.Context(), []format.File{profile, heap(t, "clang-19_mem_a.exe")}, format.Options{})
	f := format.FindingOf("", err)
	if f.Kind != model.KindIncompatible || f.File != "clang-19_mem_a.exe" || !strings.Contains(f.Message, profile.Name) ||
		!strings.HasPrefix(f.Expected, "build ID a857983d") {
		t.Errorf("%+v", f)
	}
}

// Two runs are merged by call stack: the sum of each.
func TestSeveralHeapProfiles(t *testing.T) {
	run, exe := heap(t, "clang-22_mem_pie.memprofraw"), heap(t, "clang-22_mem_pie.exe")
	one, two := open(t, run, exe), open(t, run, exe, run)
	if a, b := one.MemProf.Distinct(), two.MemProf.Contexts; len(a) != len(b) {
		t.Fatalf("%d contexts, %d of two runs", len(a), len(b))
	}
	for i, c := range one.MemProf.Distinct() {
		if got := two.MemProf.Contexts[i].MIB.Get(memprof.TotalSize); got != 2*c.MIB.Get(memprof.TotalSize) {
			t.Errorf("context %d: %d bytes of two runs, %d of one", i, got, c.MIB.Get(memprof.TotalSize))
		}
	}
	if _, err := decodetest.Open(t.Context(), []format.File{run, heap(t, "mem.yaml")},
		format.Options{}); model.KindOf(err) != model.KindIncompatible {
		t.Error(err)
	}
}

func TestHeapProfileBesideCounters(t *testing.T) {
	p := open(t, heap(t, "clang-22_mem_instr.profdata"))
	if p.MemProf == nil || functions(t, p) == 0 {
		t.Error("a half is missing")
	}
	p = open(t, text("a", record), heap(t, "mem.yaml"))
	if p.MemProf == nil || functions(t, p) != 1 {
		t.Error("a half is missing")
	}
	if diff := cmp.Diff([]model.Family{instrprof.Family, memprof.Family}, p.Info().Families); diff != "" {
		t.Error(diff)
	}
}

// A damaged heap profile costs only itself.
func TestDamagedHeapProfileBesideCounters(t *testing.T) {
	f := heap(t, "clang-22_mem_instr.profdata")
	whole := open(t, f)
	at := whole.Info().MemProfSection.Offset
	f.Data = bytes.Clone(f.Data)
	f.Data[at] = 9
	p := open(t, f)
	if p.MemProf != nil || functions(t, p) != functions(t, whole) {
		t.Error("the counters, and nothing else, should be there")
	}
	if _, err := needHeap(p); model.KindOf(err) != model.KindUnsupportedVersion {
		t.Error(err)
	}
	if list := p.Findings(); len(list) != 1 || list[0].Code != "memprof.unsupported_version" || list[0].Offset != at ||
		list[0].Cause == "" {
		t.Errorf("%+v", list)
	}
	if _, err := needHeap(open(t, text("a", record))); model.KindOf(err) != model.KindIncompatible {
		t.Error(err)
	}
}

func TestGroupHeapProfiles(t *testing.T) {
	var files []format.Recognised
	for _, name := range []string{
		"clang-22_mem_pie.memprofraw", "clang-19_mem_a.exe", "clang-22_mem_pie.memprofraw", "clang-19_mem_a.memprofraw",
		"clang-22_mem_pie.exe",
		"mem.yaml", "clang-16_mem_exec.memprofraw", "clang-16_mem_exec.exe", "clang-22_mem_hist.exe",
	} {
		f := heap(t, name)
		files = append(files, decode.Recognise(f.Name, f.Data))
	}
	// YAML names no program: one that no other file names is its.
	want := [][]int{{0, 2, 4}, {3, 1}, {5, 8}, {6, 7}}
	got := format.Group(files)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func needHeap(p *decodetest.Profile) (*memprof.Profile, error) {
	return format.Need[*memprof.Profile](p.Profile, memprof.Family, "no heap profile")
}
