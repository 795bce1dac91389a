//go:build long

package encode_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/encode"
)

// run is what a tool of LLVM 22 prints, on both outputs.
func run(t *testing.T, dir, tool string, args ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Fatalf("%s is needed: %v", tool, err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestProfdataAsLLVMReadsIt has llvm-profdata 22 read every version that it
// knows.
func TestProfdataAsLLVMReadsIt(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.profdata")
	for _, in := range []string{
		"clang-22_ir_c.profraw", "clang-22_cs_c.profraw", "clang-22_fe_mcdc.profraw", "clang-22_fe_vp.profraw",
		"clang-22_ir_buildid.profraw", "clang-22_ir_temporal.profraw", "clang-22_ir_vtable.profraw",
		"clang-22_ir_block_cov.profraw", "clang-22_ir_loop_entries.profraw", "clang-13_fe_m32.profraw",
		"rustc-stable_cov.profraw", "many_hashes.proftext", "pseudo.proftext", "utf8.proftext", "clang-13_fe_vp.profdata",
	} {
		src := input(t, in)
		for version := 5; version <= 13; version++ {
			data, _ := profdata(t, src, encode.ProfdataOptions{Version: version, Lossy: true})
			write(t, file, data)
			want := proftext(t, openData(t, in, data))
			if _, err := encode.PlanProfdata(src, encode.ProfdataOptions{Version: version}); err == nil {
				want = proftext(t, src)
			}
			got, err := run(t, dir, "llvm-profdata-22", "merge", "--text", file, "-o", "-")
			if err != nil {
				t.Fatalf("%s version %d: %v: %s", in, version, err, got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s version %d: %s", in, version, diff)
			}
			shown, err := run(t, dir, "llvm-profdata-22", "show", "--profile-version", file)
			if err != nil || !strings.Contains(shown, fmt.Sprintf("Profile version: %d\n", version)) {
				t.Errorf("%s version %d: %v: %s", in, version, err, shown)
			}
		}
	}
}

// TestHeapProfilesAsLLVMReadsThem compares a heap profile that was moved with
// the one it was.
func TestHeapProfilesAsLLVMReadsThem(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.profdata")
	for _, name := range []string{"mem_v2.profdata", "mem_v3.profdata", "mem_v4.profdata", "mem_dap_v4.profdata"} {
		whole, err := filepath.Abs(filepath.Join("testdata/memprof", name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := run(t, dir, "llvm-profdata-22", "show", "--memory", whole)
		if err != nil {
			t.Fatal(want)
		}
		data, _ := profdata(t, graft(input(t, "clang-22_ir_c.profraw").Source, input(t, name)), encode.ProfdataOptions{})
		write(t, file, data)
		got, err := run(t, dir, "llvm-profdata-22", "show", "--memory", file)
		if err != nil {
			t.Fatalf("%s: %s", name, got)
		}
		if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(got, "Callstack") {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

var (
	definitions = regexp.MustCompile(`(?m)^define .*@(\w+)\(.*$`)
	counted     = regexp.MustCompile(`!prof !\d+`)
)

const frontEnd, ir = "-fprofile-instr-use=", "-fprofile-use="

// useProfile compiles convert.c with a profile and returns the functions that
// got a count, those that did not, and what the compiler says.
func useProfile(t *testing.T, flag string, data []byte) (with, without []string, said string) {
	t.Helper()
	dir := t.TempDir()
	source, err := os.ReadFile("testdata/clang/convert.c")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "convert.c"), source)
	write(t, filepath.Join(dir, "a.profdata"), data)
	args := []string{"-O1", flag + "a.profdata", "-Wprofile-instr-out-of-date", "-Wprofile-instr-unprofiled",
		"-Wprofile-instr-missing", "-Wbackend-plugin", "-S", "-emit-llvm", "convert.c", "-o", "convert.ll"}
	if flag == frontEnd {
		// Every function stays to be seen. IR instrumentation comes after some
		// inlining, which must be that of the profile.
		args = append(args, "-fno-inline")
	}
	said, err = run(t, dir, "clang-22", args...)
	if err != nil {
		t.Fatal(said)
	}
	out, err := os.ReadFile(filepath.Join(dir, "convert.ll"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range definitions.FindAllStringSubmatch(string(out), -1) {
		if counted.MatchString(d[0]) {
			with = append(with, d[1])
		} else {
			without = append(without, d[1])
		}
	}
	return with, without, said
}

// TestClangUsesProfdata has clang 22 use every version of an IR profile and,
// of front-end profiles, that which keeps the hashes.
func TestClangUsesProfdata(t *testing.T) {
	type conversion struct {
		in, flag string
		version  int
	}
	tests := []conversion{
		{"clang-19_fe.profraw", frontEnd, 0},
		{"clang-22_fe.profraw", frontEnd, 0},
		{"clang-22_ir.profraw", ir, 0},
	}
	for version := 7; version <= 12; version++ {
		tests = append(tests, conversion{"clang-19_fe.profraw", frontEnd, version})
	}
	for version := 5; version <= 13; version++ {
		tests = append(tests, conversion{"clang-22_ir.profraw", ir, version})
	}
	for _, test := range tests {
		data, findings := profdata(t, input(t, test.in), encode.ProfdataOptions{Version: test.version, Lossy: true})
		for _, f := range findings {
			if f.Code != "profdata.binary_ids" {
				t.Errorf("%s version %d: %+v", test.in, test.version, f)
			}
		}
		with, without, said := useProfile(t, test.flag, data)
		if len(with) < 4 || len(without) > 0 || said != "" {
			t.Errorf("%s version %d: used in %v, not in %v; %s", test.in, test.version, with, without, said)
		}
	}
}

// TestClangDropsWhatWeSayItDrops writes front-end profiles in other versions
// than their producer's, but for 6, whose counts clang misplaces in silence.
func TestClangDropsWhatWeSayItDrops(t *testing.T) {
	for _, test := range []struct {
		in      string
		version int
	}{
		{"clang-19_fe.profraw", 13}, {"clang-19_fe.profraw", 5}, {"clang-22_fe.profraw", 12},
	} {
		src := input(t, test.in)
		producer, err := encode.ProducerOf(src)
		if err != nil {
			t.Fatal(err)
		}
		foretold := producer.Mismatch(test.version)
		data, _ := profdata(t, src, encode.ProfdataOptions{Version: test.version, Lossy: true})
		_, without, said := useProfile(t, frontEnd, data)
		if len(foretold) == 0 || len(without) == 0 || !strings.Contains(said, "-Wprofile-instr-out-of-date") {
			t.Errorf("%s version %d: foretold %+v; without counts %v; %s", test.in, test.version, foretold, without, said)
		}
		if n := producer.WideHashes; test.version == 13 && n != uint64(len(without)) {
			t.Errorf("%s: %d foretold, without counts: %v", test.in, n, without)
		}
	}
}
