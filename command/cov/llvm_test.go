package cov_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/analyze/coverage/coveragetest"
	"proflens/command/cov"
)

// unpacked puts the programs, profiles, sources and answers into a folder and goes to
// the sources, where llvm-cov was asked.
func unpacked(t *testing.T) []coveragetest.Answer {
	t.Helper()
	dir, answers := coveragetest.Unpack(t)
	t.Chdir(filepath.Join(dir, "src"))
	return answers
}

func ask(t *testing.T, in string, args ...string) (status int, out, faults string) {
	t.Helper()
	var o, e bytes.Buffer
	status = cov.Run(t.Context(), args, "test", cov.Streams{In: strings.NewReader(in), Out: &o, Err: &e})
	return status, o.String(), e.String()
}

// TestAsLLVM holds every answer to llvm-cov's, to the byte.
func TestAsLLVM(t *testing.T) {
	for _, a := range unpacked(t) {
		status, out, faults := ask(t, "", a.Args...)
		if a.Status != 0 {
			if status != 1 || out != "" || !strings.Contains(faults, strings.Join(a.Stderr, "\n")) {
				t.Errorf("%s: exit status %d, %q; llvm-cov says %q", a.Name, status, faults, a.Stderr)
			}
			continue
		}
		want, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(a.Want)))
		if err != nil {
			t.Fatal(err)
		}
		if status != 0 || out != string(want) {
			t.Errorf("%s: proflens cov %s: exit status %d, %s; %s", a.Name, strings.Join(a.Args, " "), status, faults,
				difference(out, string(want)))
		}
		for _, line := range a.Stderr {
			if strings.Contains(line, "mismatched") && !strings.Contains(faults, line) {
				t.Errorf("%s: %q does not say %q", a.Name, faults, line)
			}
		}
	}
}

// difference is the first line in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return g[i][:min(200, len(g[i]))] + "\nwant " + w[i][:min(200, len(w[i]))]
		}
	}
	return "one is longer"
}

// Options have one dash or two, with their value behind "=" or as the next argument,
// and the program may be an object.
func TestOptionsAreLLVMs(t *testing.T) {
	unpacked(t)
	_, want, _ := ask(t, "", "export", "../clang-22/tiny/tiny.exe", "-instr-profile=../clang-22/tiny/tiny.profdata")
	for _, args := range [][]string{
		{"export", "../clang-22/tiny/tiny.exe", "--instr-profile", "../clang-22/tiny/tiny.profdata"},
		{"export", "-instr-profile=../clang-22/tiny/tiny.profdata", "-object=../clang-22/tiny/tiny.exe"},
	} {
		if status, out, faults := ask(t, "", args...); status != 0 || out != want || want == "" {
			t.Errorf("%v: %d, %s", args, status, faults)
		}
	}
}

func TestWrongCommandLines(t *testing.T) {
	unpacked(t)
	for _, args := range [][]string{
		nil, {"nonsense"}, {"diff"}, {"-min-lines=1", "../clang-22/tiny/tiny.exe"}, {"-o", "x", "-no-such-option", "x"},
	} {
		if status, out, faults := ask(t, "", args...); status != 2 || out != "" || faults == "" {
			t.Errorf("%q: exit status %d, %q, %q", args, status, out, faults)
		}
	}
	for _, args := range [][]string{
		{"export", "no-such-file", "-empty-profile"}, {"export", "../clang-22/tiny/tiny.exe", "-instr-profile=no-such-file"},
	} {
		if status, out, faults := ask(t, "", args...); status != 1 || out != "" || !strings.Contains(faults, "no-such-file") {
			t.Errorf("%q: exit status %d, %q, %q", args, status, out, faults)
		}
	}
}

// A diff from standard input, its lines, and the gate.
func TestDiff(t *testing.T) {
	unpacked(t)
	source, err := os.ReadFile("rules/rules.c")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(source), "\n"), "\n")
	patch := "--- /dev/null\n+++ b/rules/rules.c\n@@ -0,0 +1," + strconv.Itoa(len(lines)) + " @@\n+" +
		strings.Join(lines, "\n+") + "\n"
	args := []string{"diff", "../clang-22/rules/rules.exe", "-instr-profile=../clang-22/rules/rules.profdata"}
	status, out, faults := ask(t, patch, append(args, "-format=json")...)
	var got struct {
		Lines, Covered, Partly int
		NotCovered             int `json:"not_covered"`
		NoCode                 int `json:"no_code"`
		Files                  []struct{ Changed []struct{ State string } }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 0 {
		t.Fatal(status, faults, err)
	}
	if got.Lines != got.Covered+got.Partly+got.NotCovered || got.Lines+got.NoCode != len(lines) || got.Partly == 0 ||
		len(got.Files) != 1 || len(got.Files[0].Changed) != len(lines) {
		t.Errorf("%+v of %d lines", got, len(lines))
	}
	if status, _, faults := ask(t, patch, append(args, "-min-lines=100")...); status != 4 && got.NotCovered > 0 ||
		status != 0 && got.NotCovered == 0 {
		t.Errorf("exit status %d, %s", status, faults)
	}
	text := lines[slices.IndexFunc(got.Files[0].Changed, func(l struct{ State string }) bool {
		return l.State == "not covered"
	})]
	for _, format := range []string{"text", "markdown"} {
		if _, out, _ := ask(t, patch, append(args, "-format="+format)...); !strings.Contains(out, text+"\n") {
			t.Errorf("%s has no text of %q: %s", format, text, out)
		}
	}
	if status, out, _ := ask(t, strings.Replace(patch, "+#include", "+#exclude", 1), args...); status != 0 ||
		!strings.Contains(out, "the source differs: rules/rules.c:1-") {
		t.Errorf("%d, %s", status, out)
	}
	if status, out, _ := ask(t, "", args...); status != 0 || !strings.Contains(out, "No changed line") {
		t.Errorf("%d, %s", status, out)
	}
}
