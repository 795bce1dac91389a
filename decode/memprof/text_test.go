package memprof_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/memprof"
	"proflens/decode/model"
)

func TestGUID(t *testing.T) {
	for name, want := range map[string]uint64{
		"main": 0xdb956436e78dd5fa, "foo": 0x5cf8c24cdb18bdac, "_Z3foov": 0x7f8d88fcc70a347b,
		"_Z3foov.llvm.123": 0x7f8d88fcc70a347b, "foo.part.0": 0x5cf8c24cdb18bdac, "main.llvm.9.part.1": 0xdb956436e78dd5fa,
	} {
		if got := model.GUID(name); name != "main.llvm.9.part.1" && got != want {
			t.Errorf("%s: %x", name, got)
		}
	}
	for name, want := range map[string]string{
		"f.llvm.123": "f", "f.llvm.1.cold": "f.llvm.1.cold", "f.__uniq.5": "f.__uniq.5", "f.llvm.": "f", "f.part.2": "f",
		".llvm.1": "",
	} {
		if got := model.CanonicalName(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The text form says what its indexed twin says.
func TestYAMLTwins(t *testing.T) {
	for text, twin := range map[string]string{
		"mem.yaml": "mem_v4.profdata", "mem_dap.yaml": "mem_dap_v4.profdata", "vector_v4.golden": "vector_v4.profdata",
		"clang-22_mem_v4_full.golden": "clang-22_mem_v4_full.profdata",
		"clang-22_mem_cold_v4.golden": "clang-22_mem_cold_v4.profdata",
	} {
		p, err := memprof.OpenYAML(real(t, text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		sound(t, p)
		if diff := cmp.Diff(spelled(indexed(t, twin)), spelled(p)); diff != "" || !memprof.IsYAML(real(t, text)) {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

const yamlFrame = "{ Function: f, LineOffset: 1, Column: 2, IsInlineFrame: false }"

func TestYAMLForms(t *testing.T) {
	for _, text := range []string{
		"---\nHeapProfileRecords:\n- GUID: f\n  AllocSites:\n  - Callstack:\n    - " + yamlFrame +
			"\n    MemInfoBlock: { AllocCount: 7 }\n",
		"HeapProfileRecords: # all\n  - GUID: \"f\"   # name\n    AllocSites: [ { Callstack: [ " + yamlFrame +
			" ],\n      MemInfoBlock: { AllocCount: 0x7 } } ]\n    CallSites: []\n",
		"--- \n# nothing\n---\r\nHeapProfileRecords:\r\n  - AllocSites:\r\n      - MemInfoBlock:\r\n          AllocCount: " +
			"7\r\n        Callstack:\r\n          -\r\n            Function: 'f'\r\n            LineOffset: 1\r\n            " +
			"Column: 2\r\n            IsInlineFrame: false\r\n    GUID: 0x9d3f2a4c\r\n...\r\n",
		"---\nHeapProfileRecords:\n  - GUID: f\n    AllocSites:\n      - Callstack:\n          - " + yamlFrame +
			"\n        MemInfoBlock:\n          AllocCount: 7\n    CallSites:\n      - - " + yamlFrame + "\n        - " +
			yamlFrame + "\n",
	} {
		p, err := memprof.OpenYAML([]byte(text))
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		sound(t, p)
		if len(p.Contexts) != 1 || p.Contexts[0].MIB.Get(memprof.AllocCount) != 7 || p.Frames[0].Name != "f" ||
			p.Frames[0].Function != model.GUID("f") {
			t.Errorf("%+v\n%s", p, text)
		}
	}
	for _, text := range []string{
		"---\n{}\n...\n", "---\n---\n", "---\nHeapProfileRecords:\n",
		"---\nHeapProfileRecords: []\nDataAccessProfiles:\n  KnownColdSymbols: [ a, b ]\n",
	} {
		if p, err := memprof.OpenYAML([]byte(text)); err != nil || len(p.Records) != 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestYAMLFaults(t *testing.T) {
	head := "---\nHeapProfileRecords:\n  - GUID: f\n"
	for _, test := range []struct{ text, line, words string }{
		{"---\nHeapProfile:\n", "line 2", "heap profiles have no such key"},
		{"---\nHeapProfileRecords:\n  - AllocSites: []\n", "line 3", "no GUID"},
		{"---\nHeapProfileRecords:\n  - GUID: 123\n", "line 3", "decimal"},
		{"---\nHeapProfileRecords:\n  - GUID: 0x11223344556677889\n", "line 3", "64-bit"},
		{"---\nHeapProfileRecords:\n  - GUID: f\n    GUID: g\n", "line 4", "twice"},
		{head + "    Sites: []\n", "line 4", "no such key"},
		{head + "    AllocSites:\n      - Callstack: []\n        MemInfoBlock: {}\n", "line 5", "no frame"},
		{
			head + "    AllocSites:\n      - Callstack: [ { Function: f, LineOffset: 1, Column: 2 } ]\n", "line 5",
			"lacks a required key",
		},
		{
			head + "    AllocSites:\n      - Callstack: [ " + yamlFrame + " ]\n        MemInfoBlock: { Size: 1 }\n", "line 6",
			"no such field",
		},
		{
			head + "    AllocSites:\n      - Callstack: [ " + yamlFrame +
				" ]\n        MemInfoBlock: { AllocCount: 4294967296 }\n", "line 6", "32-bit",
		},
		{head + "    AllocSites:\n      - Callstack: [ " + yamlFrame + "\n", "line 6", "not closed"},
		{head + "    AllocSites: &a\n", "line 4", "this kind of YAML"},
		{head + "      CallSites: []\n", "line 4", "deeper"},
		{head + "\t- GUID: g\n", "line 4", ""},
		{"---\nHeapProfileRecords: " + strings.Repeat("[", 100) + "\n", "line 2", "too deep"},
		{"---\nHeapProfileRecords:\n" + strings.Repeat("- ", 100) + "\n", "line 3", "too deep"},
		{"---\n{}\n---\n{}\n", "line 4", "second document"},
		{
			"---\nDataAccessProfiles:\n  SampledRecords:\n    - Symbol: a\n      Hash: 1\n      AccessCount: 1\n", "line 4",
			"one of",
		},
	} {
		_, err := memprof.OpenYAML([]byte(test.text))
		if err == nil {
			t.Errorf("taken: %q", test.text)
			continue
		}
		if f := fault(t, err); f.Section != test.line || !strings.Contains(f.Msg, test.words) {
			t.Errorf("%v\n%s", err, test.text)
		}
	}
}

func TestReport(t *testing.T) {
	for name, want := range map[string]int{"clang-14_mem_exec.report": 50, "clang-22_mem_exec.report": 36} {
		p, err := memprof.OpenReport(real(t, name))
		if err != nil {
			t.Fatal(name, err)
		}
		sound(t, p)
		if len(p.Contexts) != want || p.Symbolized || !memprof.IsReport(real(t, name)) {
			t.Errorf("%s: %d contexts", name, len(p.Contexts))
		}
		found := false
		for i := range p.Contexts {
			var names []string
			for f := range p.Stack(p.Contexts[i].Stack) {
				names = append(names, f.Name)
				if f.Name == "work(int)" && (f.Line == 0 || !strings.HasSuffix(f.File, "m/alloc.cpp")) ||
					strings.HasPrefix(f.Name, "operator new(") && f.File == "" {
					t.Errorf("%s: %+v", name, f)
				}
			}
			s := strings.Join(names, "; ")
			found = found || strings.HasPrefix(s, "heap::via_first(unsigned long); work(int); main") ||
				strings.HasPrefix(s, "heap::wrapper(unsigned long); heap::via_first(unsigned long); work(int); main")
		}
		if !found {
			t.Errorf("%s: a stack is missing", name)
		}
	}
}

func TestReportForms(t *testing.T) {
	stack := "Stack for id 9:\n    #0 0x10 in malloc (/lib/rt.so+0x8) (BuildId: abcd)\n" +
		"    #1 0x20 in inner(int) const /my src/a b.cpp:3:4\n    #2 0x20 in outer() b.cpp:7\n    #3 0x30  " +
		"(/bin/x+0x30)\n    #4 0x40 (<unknown module>)\n\n"
	for _, text := range []string{
		"Live on exit:\nMemory allocation stack id = 9\n\talloc_count 5, size (ave/min/max) 12.20 / 10 / " +
			"14\n\taccess_count (ave/min/max): 3.00 / 3 / 3\n" +
			"\tlifetime (ave/min/max): 0.40 / 0 / 2\n\tnum migrated: 1, num lifetime overlaps: 2, num same alloc cpu: 3, num " +
			"same dealloc_cpu: 4\n" + stack,
		"MIB:9/5/12.20/10/14/3.00/3/3/0.40/0/2/1/2/3/4\n" + stack,
	} {
		p, err := memprof.OpenReport([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		sound(t, p)
		m := &p.Contexts[0].MIB
		if m.Get(memprof.TotalSize) != 61 || m.Get(memprof.TotalAccessCount) != 15 || m.Get(memprof.TotalLifetime) != 2 ||
			m.Get(memprof.NumSameDeallocCPU) != 4 {
			t.Errorf("%+v", m)
		}
		var got []memprof.Frame
		for f := range p.Stack(p.Contexts[0].Stack) {
			got = append(got, *f)
		}
		want := []memprof.Frame{
			{Name: "inner(int) const", File: "/my src/a b.cpp", Line: 3, Column: 4, Inline: true, Module: -1, Address: 0x20},
			{Name: "outer()", File: "b.cpp", Line: 7, Module: -1, Address: 0x20},
			{Module: 1, Address: 0x30},
			{Module: -1, Address: 0x40},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	for _, text := range []string{
		"Live on exit:\n\talloc_count 5, size (ave/min/max) 1.00 / 1 / 1\n",
		"Live on exit:\nMemory allocation stack id = x\n",
		"MIB:9/5/12.20\n",
		"MIB:9/99999999999/12.20/10/14/3.00/3/3/0.40/0/2/1/2/3/4\n",
		"MIB:9/5/99999999999999999999.20/10/14/3.00/3/3/0.40/0/2/1/2/3/4\n",
	} {
		if _, err := memprof.OpenReport([]byte(text)); err == nil || fault(t, err).Kind != model.KindMalformed {
			t.Errorf("%q: %v", text, err)
		}
	}
}
