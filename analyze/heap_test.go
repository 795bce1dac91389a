package analyze_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/analyze"
)

// The summary of a heap is the one that llvm-profdata has put into the file.
func TestSummaryOfAHeapIsLLVMs(t *testing.T) {
	for _, name := range []string{
		"mem_v4.profdata", "mem_dap_v4.profdata", "clang-22_mem_v4_full.profdata.gz", "clang-22_mem_cold_v4.profdata.gz",
	} {
		file := filepath.Join("../decode/memprof/testdata", name)
		if strings.HasSuffix(name, ".gz") {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			file = filepath.Join(t.TempDir(), "heap.profdata")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p := openHeap(t, file)
		if p.Summary == nil || p.Summary.NumContexts == 0 {
			t.Fatalf("%s has no summary", name)
		}
		got := analyze.MemProfSummary(p)
		if diff := cmp.Diff(*p.Summary, got); diff != "" {
			t.Errorf("%s: the file's summary and ours (-,+):\n%s", name, diff)
		}
	}
}
