package instrprof_test

import (
	"os"
	"slices"
	"testing"
)

// Function-entry coverage is a byte a function, and leaves no room for a timestamp:
// f and main ran, and in which order is not known.
func TestRawTemporalEntryCoverage(t *testing.T) {
	data, err := os.ReadFile("testdata/faults/temporal_entry_coverage.profraw")
	if err != nil {
		t.Fatal(err)
	}
	r, got, traces := openRaw(t, data)
	ran := map[string]uint64{}
	for _, f := range got {
		if len(f.Counters) != 1 {
			t.Fatalf("%s: counters %v", f.Name, f.Counters)
		}
		ran[string(f.Name)] = f.Counters[0]
	}
	if ran["f"] != 1 || ran["main"] != 1 || ran["g"] != 0 || ran["h"] != 0 || len(ran) != 4 || len(traces) > 0 {
		t.Errorf("%v, traces %v", ran, traces)
	}
	var codes []string
	for _, f := range r.Findings() {
		codes = append(codes, f.Code)
	}
	if !slices.Contains(codes, "raw.no_timestamps") {
		t.Errorf("findings %v", codes)
	}
}
