package decode_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// heap is a file kept beside the decoder of heap profiles, unpacked.
func heap(t testing.TB, name string) decode.File {
	t.Helper()
	path := filepath.Join("memprof", "testdata", name)
	data, err := os.ReadFile(path)
	if err != nil {
		var packed []byte
		if packed, err = os.ReadFile(path + ".gz"); err == nil {
			var z *gzip.Reader
			if z, err = gzip.NewReader(bytes.NewReader(packed)); err == nil {
				data, err = io.ReadAll(z)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return decode.File{Name: name, Data: data}
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
	if f := decode.FindingOf("x", decode.Recognise(dump.Name, dump.Data).Err); !strings.Contains(f.Remedy, "raw profile") {
		t.Errorf("%+v", f)
	}
}

func TestHeapProfileWithAndWithoutItsProgram(t *testing.T) {
	profile, exe := heap(t, "clang-22_mem_pie.memprofraw"), heap(t, "clang-22_mem_pie.exe")
	bare := open(t, profile)
	if bare.MemProf == nil || bare.MemProf.Symbolized || len(bare.Findings()) == 0 {
		t.Fatalf("%+v", bare.Findings())
	}
	if diff := cmp.Diff([]model.Family{model.MemProfFam}, bare.Info().Families); diff != "" {
		t.Error(diff)
	}
	for _, files := range [][]decode.File{{profile, exe}, {exe, profile}} {
		p := open(t, files...)
		if !p.MemProf.Symbolized || len(p.Inputs) != 2 || p.Info().Format != model.MemProfRaw {
			t.Errorf("%+v", p.MemProf.Findings)
		}
	}
	_, err := decode.Open(t.Context(), []decode.File{profile, heap(t, "clang-19_mem_a.exe")}, decode.Options{})
	f := decode.FindingOf("", err)
	if f.Kind != model.KindIncompatible || f.File != "clang-19_mem_a.exe" || !strings.Contains(f.Message, profile.Name) || !strings.HasPrefix(f.Expected, "build id a857983d") {
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
		if got := two.MemProf.Contexts[i].MIB.Get(model.TotalSize); got != 2*c.MIB.Get(model.TotalSize) {
			t.Errorf("context %d: %d bytes of two runs, %d of one", i, got, c.MIB.Get(model.TotalSize))
		}
	}
	if _, err := decode.Open(t.Context(), []decode.File{run, heap(t, "mem.yaml")}, decode.Options{}); model.KindOf(err) != model.KindIncompatible {
		t.Error(err)
	}
}

func TestHeapProfileBesideCounters(t *testing.T) {
	p := open(t, heap(t, "clang-22_mem_instr.profdata"))
	if p.MemProf == nil || len(counters(t, p)) == 0 {
		t.Error("a half is missing")
	}
	p = open(t, text("a", record), heap(t, "mem.yaml"))
	if p.MemProf == nil || len(counters(t, p)) != 1 {
		t.Error("a half is missing")
	}
	if diff := cmp.Diff([]model.Family{model.Instr, model.MemProfFam}, p.Info().Families); diff != "" {
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
	if p.MemProf != nil || len(counters(t, p)) != len(counters(t, whole)) {
		t.Error("the counters, and nothing else, should be there")
	}
	if _, err := p.HeapProfile(); model.KindOf(err) != model.KindUnsupportedVersion {
		t.Error(err)
	}
	if list := p.Findings(); len(list) != 1 || list[0].Code != "memprof.unsupported_version" || list[0].Offset != at || list[0].Cause == "" {
		t.Errorf("%+v", list)
	}
	if _, err := open(t, text("a", record)).HeapProfile(); model.KindOf(err) != model.KindIncompatible {
		t.Error(err)
	}
}

func TestGroupHeapProfiles(t *testing.T) {
	var files []decode.Recognised
	for _, name := range []string{
		"clang-22_mem_pie.memprofraw", "clang-19_mem_a.exe", "clang-22_mem_pie.memprofraw", "clang-19_mem_a.memprofraw", "clang-22_mem_pie.exe",
		"mem.yaml", "clang-16_mem_exec.memprofraw", "clang-16_mem_exec.exe", "clang-22_mem_hist.exe",
	} {
		f := heap(t, name)
		files = append(files, decode.Recognise(f.Name, f.Data))
	}
	want := [][]int{{0, 2, 4}, {3, 1}, {5}, {6, 7}, {8}}
	got := decode.Group(files)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Split debug info joins the program that left it out, and makes no one profile
// of the profiles of several.
func TestGroupSplitDebugInfo(t *testing.T) {
	raw := func(id byte) decode.Recognised {
		return decode.Recognised{Format: model.MemProfRaw, ProgramKey: string(rune(id)), Families: []model.Family{model.MemProfFam},
			Heap: &memprof.Peek{Version: 5, Modules: []model.Module{{BuildID: []byte{id}}}}}
	}
	elf := func(x memprof.Executable) decode.Recognised {
		return decode.Recognised{Image: &x, Err: &model.FormatError{Kind: model.KindUnrecognizedFormat}}
	}
	one, two := elf(memprof.Executable{BuildID: []byte{1}, SplitIDs: []uint64{10, 11}}), elf(memprof.Executable{BuildID: []byte{2}, SplitIDs: []uint64{20, 21}})
	split, unknown := elf(memprof.Executable{Split: true, SplitIDs: []uint64{7, 21}}), elf(memprof.Executable{Split: true})
	got := decode.Group([]decode.Recognised{split, raw(1), raw(2), one, two, unknown})
	if diff := cmp.Diff([][]int{{1, 3, 5}, {2, 4, 0}}, got); diff != "" {
		t.Error(diff)
	}
}
