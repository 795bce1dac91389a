//go:build long

package encode_test

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/encode"
)

// TestOrderAsLLDTakesIt has a program write the order in which its functions
// first run, and lld put them into that order.
func TestOrderAsLLDTakesIt(t *testing.T) {
	const lld = "ld.lld-22"
	if _, err := exec.LookPath(lld); err != nil {
		t.Skip(lld, "is not there")
	}
	source, err := filepath.Abs("testdata/clang/order.cpp")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range [][]string{nil, {"-flto"}, {"-flto=thin"}, {"-funique-internal-linkage-names"}} {
		t.Run(strings.Join(mode, " "), func(t *testing.T) {
			dir := t.TempDir()
			clang := func(args ...string) {
				t.Helper()
				args = slices.Concat([]string{"--driver-mode=g++", "-O1", "-fno-inline", "-ffunction-sections",
					"-fuse-ld=" + lld[3:], source}, mode, args)
				if out, err := run(t, dir, "clang-22", args...); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			clang("-fprofile-generate", "-mllvm", "-pgo-temporal-instrumentation", "-o", "counting")
			cmd := exec.Command(filepath.Join(dir, "counting"))
			cmd.Env = append(os.Environ(), "LLVM_PROFILE_FILE="+filepath.Join(dir, "a.profraw"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			data, err := os.ReadFile(filepath.Join(dir, "a.profraw"))
			if err != nil {
				t.Fatal(err)
			}
			var order bytes.Buffer
			if _, err := encode.Order(&order, openData(t, "a.profraw", data), encode.OrderOptions{}); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "order.txt"), order.Bytes())
			clang("-Wl,--symbol-ordering-file=order.txt", "-Wl,--no-warn-symbol-ordering", "-o", "ordered")
			want := strings.Fields(order.String())
			got := functionsByAddress(t, filepath.Join(dir, "ordered"))
			got = slices.DeleteFunc(got, func(name string) bool { return !slices.Contains(want, name) })
			want = slices.DeleteFunc(want, func(name string) bool { return !slices.Contains(got, name) })
			if !slices.Equal(got, want) {
				t.Errorf("linked as\n%s\nthe order is\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for _, part := range []string{"main", "first", "middle", "scaled", "area", "promotedEi.llvm.42", "last"} {
				if !slices.ContainsFunc(got, func(name string) bool { return strings.Contains(name, part) }) {
					t.Errorf("%s is not in %q", part, got)
				}
			}
		})
	}
}

// functionsByAddress are a program's functions as they stand in it.
func functionsByAddress(t *testing.T, path string) []string {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	symbols = slices.DeleteFunc(symbols, func(s elf.Symbol) bool {
		return elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Value == 0
	})
	slices.SortFunc(symbols, func(a, b elf.Symbol) int { return int(int64(a.Value) - int64(b.Value)) })
	names := make([]string, len(symbols))
	for i, s := range symbols {
		names[i] = s.Name
	}
	return names
}
