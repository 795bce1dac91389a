//go:build long

package decode_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/llvm"
)

// llvmMerge is what the llvm-profdata of this machine merges files to.
func llvmMerge(t *testing.T, list string, options ...string) []byte {
	t.Helper()
	tool, err := exec.LookPath("llvm-profdata-22")
	if err != nil {
		t.Fatal("llvm-profdata-22 is needed: ", err)
	}
	out := filepath.Join(t.TempDir(), "sum.profdata")
	args := append([]string{"merge", "-num-threads=1", "-input-files=" + list, "-o", out}, options...)
	if said, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	sum, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// Ten thousand raw profiles have the sum that llvm-profdata makes of them, to the byte.
func TestTenThousandRunsOfLLVM(t *testing.T) {
	dir := t.TempDir()
	var list strings.Builder
	files := manyRuns(t, 10_000)
	for _, f := range files {
		data, _, _ := f.Open()
		path := filepath.Join(dir, f.Name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		list.WriteString(path + "\n")
	}
	names := filepath.Join(dir, "list")
	if err := os.WriteFile(names, []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sparse := range []bool{false, true} {
		fleet := llvm.NewFleet(llvm.FleetOptions{})
		if _, err := decode.AddTo(t.Context(), fleet, llvm.Fail, files); err != nil {
			t.Fatal(err)
		}
		if got := indexedOf(t, fleet.Profile(sparse)); !bytes.Equal(got,
			llvmMerge(t, names, "-sparse="+strconv.FormatBool(sparse))) {
			t.Errorf("sparse %v: the bytes differ", sparse)
		}
	}
}

// So have runs of several programs, raw, indexed and text, in any order and with weights.
func TestMixturesOfLLVM(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []string
	for _, pattern := range []string{
		fleetDir + "ir/*.profraw", fleetDir + "ir.prof*", "instrprof/testdata/raw/clang-22_ir_*.profraw",
		"instrprof/testdata/raw/clang-19_ir_*.profraw",
	} {
		found, _ := filepath.Glob(pattern)
		for _, name := range found {
			if !strings.Contains(name, "fn_entry_cov") { // which does not go with blocks
				all = append(all, name)
			}
		}
	}
	for round := range 40 {
		var list strings.Builder
		var files []decode.Lazy
		for range 2 + random.IntN(40) {
			name := all[random.IntN(len(all))]
			weight := uint64(1 + 5*random.IntN(2))
			list.WriteString(strconv.FormatUint(weight, 10) + "," + name + "\n")
			files = append(files, decode.Lazy{Name: name, Weight: weight, Open: func() ([]byte, func(), error) {
				data, err := os.ReadFile(name)
				return data, nil, err
			}})
		}
		names := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(names, []byte(list.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		fleet := llvm.NewFleet(llvm.FleetOptions{Procs: 3, StandIn: true})
		if _, err := decode.AddTo(t.Context(), fleet, llvm.Fail, files); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(indexedOf(t, fleet.Profile(false)), llvmMerge(t, names)) {
			t.Errorf("round %d: the bytes differ for\n%s", round, list.String())
		}
	}
}
