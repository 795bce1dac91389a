//go:build long

package names

import (
	"bufio"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// libraries are where TestItaniumAsLLVMAtLength looks for symbol tables. More
// can be named in NAMES_FROM, separated by colons: directories, or text files
// with a name a line.
var libraries = []string{}

// TestItaniumAsLLVMAtLength compares with llvm-cxxfilt on every C++ name in the
// symbol tables of this machine's libraries.
func TestItaniumAsLLVMAtLength(t *testing.T) {
	tool := cxxfilt(t)
	seen := make(map[string]bool)
	for _, dir := range append(libraries, filepath.SplitList(os.Getenv("NAMES_FROM"))...) {
		if strings.HasSuffix(dir, ".txt") {
			collectLines(t, dir, seen)
			continue
		}
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.Contains(d.Name(), ".so") {
				collectSymbols(path, seen)
			}
			return nil
		})
	}
	all := make([]string, 0, len(seen))
	for name := range seen {
		all = append(all, name)
	}
	const enough = 1
	t.Logf("%d names", len(all))
	if len(all) < enough {
		t.Errorf("fewer than %d: name more libraries in NAMES_FROM", enough)
	}
	differ, refused, cut := 0, 0, 0
	for i, want := range filtered(t, tool, all) {
		got := Demangle(all[i], Full)
		if want == all[i] {
			refused++ // what llvm-cxxfilt refuses is left to the library
			continue
		}
		if len(want) > maxText {
			want = want[:maxText]
			cut++
		}
		if got != want {
			differ++
			t.Errorf("%s\n got %s\nwant %s", all[i], got, want)
		}
	}
	t.Logf("%d differ; llvm-cxxfilt refuses %d; %d are longer than %d bytes and cut", differ, refused, cut, maxText)
}

// collectSymbols adds the C++ names in the symbol tables of an ELF file.
func collectSymbols(path string, seen map[string]bool) {
	f, err := elf.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	dynamic, _ := f.DynamicSymbols()
	static, _ := f.Symbols()
	for _, s := range append(dynamic, static...) {
		collect(s.Name, seen)
	}
}

func collectLines(t *testing.T, path string, seen map[string]bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		collect(strings.TrimSpace(line), seen)
	}
}

// collect adds a name of C++ of a length that is demangled.
func collect(name string, seen map[string]bool) {
	name, _, _ = strings.Cut(name, "@")
	if strings.HasPrefix(name, "_Z") && legacyRustEnd(name) == 0 && len(name) <= maxLinkage && !seen[name] {
		seen[strings.Clone(name)] = true
	}
}

// filtered are the names as llvm-cxxfilt writes them.
func filtered(t *testing.T, tool string, names []string) []string {
	cmd := exec.Command(tool, "--no-strip-underscore")
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<30)
	var texts []string
	for lines.Scan() {
		texts = append(texts, lines.Text())
	}
	if err := cmd.Wait(); err != nil || len(texts) != len(names) {
		t.Fatalf("%s wrote %d lines for %d names: %v", tool, len(texts), len(names), err)
	}
	return texts
}

// cxxfilt finds llvm-cxxfilt of LLVM 22, as Debian names it.
func cxxfilt(t *testing.T) string {
	for _, name := range []string{"llvm-cxxfilt-22", "/usr/lib/llvm-22/bin/llvm-cxxfilt"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no llvm-cxxfilt-22 here")
	return ""
}
