package profdata

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAsLLVM: the output, the exit status and the first words of errors are those of
// llvm-profdata 22, which testdata/make.sh asks.
func TestAsLLVM(t *testing.T) {
	golden, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, of := range map[string]string{
		"instr": "../../decode/instrprof/testdata", "sample": "../../decode/sampleprof/testdata", "own": "testdata",
	} {
		to, err := filepath.Abs(of)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "debug/.build-id/f1"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../../instr/correlate/clang-22_dbg.elf",
		filepath.Join(dir, "debug/.build-id/f1/840ebcf96885441781e3f41c446e2ab347c196.debug")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for i, answer := range strings.Split("\n"+string(golden), "\n$ ")[1:] {
		command, rest, _ := strings.Cut(answer, "\n= ")
		status, rest, _ := strings.Cut(rest, "\n")
		t.Run(command, func(t *testing.T) {
			var out, errs bytes.Buffer
			got := Run(t.Context(), strings.Fields(command), "test", Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
			if want := int(status[0] - '0'); got != want {
				t.Errorf("status %d, not %d: %s", got, want, &errs)
			}
			if want := marked(rest, "> "); !slices.Equal(lines(out.String()), want) {
				t.Errorf("output %d:\n%s\nnot\n%s", i, &out, strings.Join(want, "\n"))
			}
			said := lines(errs.String())
			if want := marked(rest, "! "); len(said) < len(want) || !slices.Equal(said[:len(want)], want) {
				t.Errorf("errors:\n%s\nnot\n%s", &errs, strings.Join(want, "\n"))
			}
		})
	}
}

func marked(text, mark string) (list []string) {
	for _, line := range lines(text) {
		if of, ok := strings.CutPrefix(line, mark); ok {
			list = append(list, of)
		}
	}
	return list
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// TestLentFiles: a file is the same whether it is copied or mapped, and a buffer that was lent
// before has nothing of that one.
func TestLentFiles(t *testing.T) {
	var f files
	for _, size := range []int{smallFile + 1, smallFile - 1, 3, 0, smallFile} {
		path := filepath.Join(t.TempDir(), "file")
		want := bytes.Repeat([]byte{byte(size)}, size)
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		data, done, err := f.lend(path)
		if err != nil || !bytes.Equal(data, want) {
			t.Errorf("%d bytes, not %d: %v", len(data), size, err)
		}
		done()
	}
	if _, _, err := f.lend(t.TempDir()); err == nil {
		t.Error("a folder is no file")
	}
}
