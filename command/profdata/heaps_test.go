package profdata

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBytesAsLLVM: indexed heap profiles and extensible samples are llvm-profdata 22's, byte for byte;
// testdata/make.sh asks it.
func TestBytesAsLLVM(t *testing.T) {
	const (
		memprof = "../../decode/memprof/testdata/"
		sample  = "--sample --extbinary ../../decode/sampleprof/testdata/llvm-22/"
	)
	dir := t.TempDir()
	for _, name := range []string{
		memprof + "clang-19_mem_a.memprofraw", memprof + "clang-19_mem_a.exe",
		"testdata/heaps/dropped.memprofraw", "testdata/heaps/dropped.exe",
	} {
		packed, err := os.Open(name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		z, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	raw, dropped := filepath.Join(dir, "clang-19_mem_a"), filepath.Join(dir, "dropped")
	for golden, args := range map[string]string{
		"yaml":    memprof + "mem.yaml",
		"yaml_v2": "--memprof-version=2 " + memprof + "mem.yaml",
		"yaml_v4": "--memprof-version=4 --memprof-full-schema " + memprof + "mem.yaml",
		"random": "--memprof-random-hotness --memprof-random-hotness-seed=42 --memprof-version=4 " +
			memprof + "mem.yaml",
		"accessed":    memprof + "mem_dap.yaml",
		"accessed_v4": "--memprof-version=4 " + memprof + "mem_dap.yaml",
		"raw_v2": "--memprof-version=2 --memprof-full-schema --profiled-binary " + raw + ".exe " + raw +
			".memprofraw",
		"dropped":        "--memprof-version=2 --profiled-binary " + dropped + ".exe " + dropped + ".memprofraw",
		"preinlined":     sample + "preinlined.ext.afdo --compress-all-sections",
		"contexts":       sample + "contexts.ext.afdo --compress-all-sections",
		"contexts_split": sample + "contexts.ext.afdo --compress-all-sections --split-layout",
		"contexts_nested": sample + "contexts.ext.afdo --compress-all-sections --convert-sample-profile-layout=nest " +
			"--generate-merged-base-profiles",
		"deep": "--sample --extbinary testdata/deep.afdotext --use-md5",
		"deep_cold": "--sample --extbinary testdata/deep.afdotext --compress-all-sections " +
			"--sample-merge-cold-context --sample-frame-depth-for-cold-context=3",
		"vtables": sample + "vtables.ext.afdo",
		"partial": sample + "partial_md5.ext.afdo --compress-all-sections --prof-sym-list=testdata/hot.afdotext",
		"raw":     "--profiled-binary " + raw + ".exe " + raw + ".memprofraw",
	} {
		want, err := os.ReadFile("testdata/heaps/" + golden + ".profdata")
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, golden)
		var errs bytes.Buffer
		if Run(t.Context(), append([]string{"merge", "-o", out}, strings.Fields(args)...), "test",
			Streams{In: strings.NewReader(""), Out: io.Discard, Err: &errs}) != 0 {
			t.Fatal(&errs)
		}
		got, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes are not LLVM's %d: %v", golden, len(got), len(want), err)
		}
		told := map[string]string{"random": "random hotness seed = 42\n", "accessed": "note: version 3 leaves out",
			"vtables": "note: types of vtables are left out", "contexts_split": "note: a split file has no contexts"}
		if !strings.HasPrefix(errs.String(), told[golden]) || told[golden] == "" && errs.Len() > 0 {
			t.Errorf("%s: %s", golden, &errs)
		}
	}
	// Without its program a heap is refused, with counters beside it too.
	var errs bytes.Buffer
	if Run(t.Context(), []string{"merge", raw + ".memprofraw", "../../decode/instrprof/testdata/text/pseudo.proftext",
		"-o", filepath.Join(dir, "none")}, "test", Streams{Out: io.Discard, Err: &errs}) != 1 ||
		!strings.HasPrefix(errs.String(), "error: "+raw+".memprofraw: \nPath to profiled binary is empty, expected ") {
		t.Error(&errs)
	}
}
