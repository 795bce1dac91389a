package memprof_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"proflens/decode/memprof"
	"proflens/decode/model"
)

// What stands in quotes, in hexadecimal or behind a comment is what YAML makes of
// it.
func TestYAMLValues(t *testing.T) {
	for written, want := range map[string]string{
		`plain name`: "plain name", `"in quotes"`: "in quotes", `'it''s'`: "it's", `"a\"b\\c\x41\n"`: "a\"b\\cA\n",
		`'a # b'`: "a # b", `a#b`: "a#b", `name # comment`: "name",
		`"\t\e\0"`: "\t\x1b\x00", `std::vector<int>::f`: "std::vector<int>::f", `_Z1fv.llvm.5`: "_Z1fv", "name\t": "name",
	} {
		p, err := memprof.OpenYAML([]byte(recordsHead + "  - GUID: " + written + "\n    CallSites:\n" + call("", "f")))
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		if p.Records[0].Function != model.GUID(want) {
			t.Errorf("%s is not %q", written, want)
		}
	}
	for number, want := range map[string]uint64{"7": 7, "0x10": 16, "'9'": 9, "4294967295": 1<<32 - 1} {
		p, err := memprof.OpenYAML([]byte(strings.Replace(recordsHead+"  - GUID: f\n    AllocSites:\n"+site(123, "f"),
			"AllocCount: 123", "AllocCount: "+number, 1)))
		if err != nil || p.Contexts[0].MIB.Get(memprof.AllocCount) != want {
			t.Errorf("%s: %+v, %v", number, p, err)
		}
	}
}

// Each fault is told with its line and its place.
func TestFaultsOfYAML(t *testing.T) {
	whole := recordsHead + "  - GUID: f\n    AllocSites:\n" + site(123, "f") + "    CallSites:\n" + call("0x1", "f")
	for _, test := range []struct{ old, new, words string }{
		{"AllocCount: 123", "AllocCount: -1", "not an unsigned 32-bit number"},
		{"AllocCount: 123", "AllocCount: 1_000", "not an unsigned 32-bit number"},
		{"AllocCount: 123", "AllocCount: many", "not an unsigned 32-bit number"},
		{"AllocCount: 123", "AllocCount: [ 1 ]", "a number is missing"},
		{"TotalSize: 1230", "TotalSize: 18446744073709551616", "not an unsigned 64-bit number"},
		{"LineOffset: 1,", "LineOffset: 4294967296,", "not an unsigned 32-bit number"},
		{"IsInlineFrame: false", "IsInlineFrame: no", "neither true nor false"},
		{"Function: f", "Function: 12", "in decimal is not allowed"},
		{"Function: f", "Function: 0xfg", "not a 64-bit number"},
		{"Function: f", "Function: []", "a function is missing"},
		{"GUID: f", "GUID:", "a function is missing"},
		{"GUID: f", `GUID: "f`, "does not end on its line"},
		{"GUID: f", `GUID: "\q"`, "an escape sequence is not known"},
		{"GUID: f", "GUID: !!str f", "do not use this kind of YAML"},
		{"0x1 ]", "1 ]", "in decimal is not allowed"},
		{"CalleeGuids: [ 0x1 ]", "CalleeGuids: 0x1", "this is not a list"},
		{"Frames:", "Callees:", "has no such key"},
		{"MemInfoBlock: {", "MemInfo: {", "has no such key"},
		{"MemInfoBlock: { AllocCount: 123, TotalSize: 1230 }", "MemInfoBlock: 5", "has no MemInfoBlock"},
		{"AllocCount: 123,", "AllocCount: 123, AllocCount: 1,", "twice in one map"},
		{"TotalSize: 1230 }", "TotalSize: 1230 ]", "not closed"},
		{"GUID: f\n", "GUID: f\n   Odd: 1\n", ""},
	} {
		text := strings.Replace(whole, test.old, test.new, 1)
		if text == whole {
			t.Fatalf("there is no %q", test.old)
		}
		_, err := memprof.OpenYAML([]byte(text))
		if err == nil {
			t.Errorf("%s: taken", test.new)
			continue
		}
		f := fault(t, err)
		if f.Kind != model.KindMalformed || !strings.HasPrefix(f.Section, "line ") || !strings.Contains(f.Msg, test.words) ||
			f.Offset == 0 || f.Offset > uint64(len(text)) {
			t.Errorf("%s: %+v", test.new, f)
		}
	}
	for n := range whole { // cut anywhere it is refused, or what is whole of it
		p, err := memprof.OpenYAML([]byte(whole[:n]))
		checked(t, p, err)
	}
	p := yaml(t, whole+strings.TrimPrefix(whole, recordsHead))
	if len(p.Records) != 1 || len(p.Findings) != 1 || p.Findings[0].Code != "memprof.repeated_guid" ||
		p.Findings[0].Count != 1 {
		t.Errorf("%+v", p.Findings)
	}
}

// A file is a heap profile in YAML by its first key, or by the comment that
// llvm-profdata begins with.
func TestIsYAML(t *testing.T) {
	for text, want := range map[string]bool{
		"HeapProfileRecords:\n": true, "---\nDataAccessProfiles:\n": true, "---\n# MemProfSummary:\n": true,
		"---\n# any\n\nHeapProfileRecords: []\n": true,
		"":                                       false, "---\n": false, "---\nkey: value\n": false,
		" HeapProfileRecords:\n":   false,
		"x\nHeapProfileRecords:\n": false, "HeapProfileRecordsOf:\n": false,
	} {
		if memprof.IsYAML([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// Each line of a report that is not as the runtime writes it is told with its
// number.
func TestFaultsOfReports(t *testing.T) {
	const whole = "Live on exit:\nMemory allocation stack id = 9\n\talloc_count 5, size (ave/min/max) 12.20 / 10 / " +
		"14\n\taccess_count (ave/min/max): 3.00 / 3 / 3\n" +
		"\tlifetime (ave/min/max): 0.40 / 0 / 2\n\tnum migrated: 1, num lifetime overlaps: 2, num same alloc cpu: 3, num " +
		"same dealloc_cpu: 4\nAccessCountHistogram[2]: 1 2\n" +
		"Stack for id 9:\n    #0 0x10 in f() a.cpp:1:2\n\n"
	p, err := memprof.OpenReport([]byte(whole))
	if err != nil || len(p.Contexts) != 1 || len(p.Contexts[0].MIB.Histogram) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	begins, at := map[string]uint64{}, uint64(0)
	for line := range strings.Lines(whole) {
		begins[fmt.Sprint("line ", len(begins)+1)] = at
		at += uint64(len(line))
	}
	for _, test := range []struct{ old, new, line string }{
		{"stack id = 9", "stack id = -9", "line 2"},
		{"stack id = 9", "stack id = 18446744073709551616", "line 2"},
		{"12.20 / 10", "12.2 / 10", "line 3"},
		{"12.20 / 10", "12.20 / 4294967296", "line 3"},
		{"12.20 / 10", "99999999999999999999.20 / 10", "line 3"},
		{"alloc_count 5", "alloc_count 4294967296", "line 3"},
		{"3.00 / 3 / 3", "3.00 / 3", "line 4"},
		{"0.40 / 0 / 2", "0.40 / 0 / x", "line 5"},
		{"num migrated: 1,", "num migrated: 1", "line 6"},
		{"[2]: 1 2", "[2] 1 2", "line 7"},
		{"[2]: 1 2", "[2]: 1 x", "line 7"},
		{"Stack for id 9:", "Stack for id 9", "line 8"},
		{"0x10 in", "0x10000000000000000 in", "line 9"},
	} {
		_, err := memprof.OpenReport([]byte(strings.Replace(whole, test.old, test.new, 1)))
		if err == nil {
			t.Errorf("%s: taken", test.new)
			continue
		}
		if f := fault(t, err); f.Kind != model.KindMalformed || f.Section != test.line || f.Offset != begins[test.line] {
			t.Errorf("%s: %+v", test.new, f)
		}
	}
	for n := range whole { // cut anywhere it is refused, or what is whole of it
		p, err := memprof.OpenReport([]byte(whole[:n]))
		checked(t, p, err)
	}
	if p, err := memprof.OpenReport([]byte(strings.Replace(whole, "id 9:", "id 8:", 1))); err != nil ||
		len(p.Contexts) != 0 || p.Findings[0].Code != "memprof.no_stack" {
		t.Errorf("%+v, %v", p, err)
	}
}

// A file is a report by its first line that is not of the runtime's messages.
func TestIsReport(t *testing.T) {
	for text, want := range map[string]bool{
		"Live on exit:\n": true, "==12==hello\n\nLive on exit:\r\n": true, "Recorded MIBs (incl. live on exit):\n": true,
		"MIB:9/5/12.20/10/14/3.00/3/3/0.40/0/2/1/2/3/4\n": true,
		"": false, "==12==hello\n": false, "MIB:9\n": false, "main\nLive on exit:\n": false,
	} {
		if memprof.IsReport([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if memprof.IsReport(bytes.Repeat([]byte("\n"), 10000)) {
		t.Error("a report of nothing")
	}
}
