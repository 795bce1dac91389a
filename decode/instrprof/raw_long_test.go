//go:build long

package instrprof_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
)

// TestRawBuiltFilesAsLLVMReadsThem gives built version 10 files to the real
// llvm-profdata 22, the release that reads this version.
func TestRawBuiltFilesAsLLVMReadsThem(t *testing.T) {
	tool, err := exec.LookPath("llvm-profdata-22")
	if err != nil {
		t.Fatal("llvm-profdata-22 is needed: ", err)
	}
	files := map[string]*builtRaw{}
	for _, pointerSize := range []int{4, 8} {
		for _, bigEndian := range []bool{false, true} {
			name := fmt.Sprintf("%d-bit big-endian=%v", 8*pointerSize, bigEndian)
			files[name] = rawSample("10", pointerSize, bigEndian)
			compressed := rawSample("10", pointerSize, bigEndian)
			compressed.compress = true
			files[name+" compressed"] = compressed
			temporal := rawSample("10", pointerSize, bigEndian)
			temporal.flags |= temporalFlag
			files[name+" temporal"] = temporal
			coverage := &builtRaw{version: "10", pointerSize: pointerSize, bigEndian: bigEndian, flags: coverageFlag}
			coverage.functions = []rawFunction{{name: "f", hash: 1, coverage: []byte{0, 255, 0, 0, 0, 0, 0, 0}}}
			files[name+" coverage"] = coverage
		}
	}
	for name, x := range files {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.profraw")
			if err := os.WriteFile(path, x.bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			want, err := exec.Command(tool, "merge", "--text", path, "-o", "-").Output()
			if err != nil {
				t.Fatal(err)
			}
			r, err := instrprof.OpenCorrelated(x.bytes(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(proftext(t, r))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
