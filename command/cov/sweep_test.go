package cov_test

import (
	"os"
	"strings"
	"testing"
)

// TestSweep holds output, exit status and the first line of errors to those of llvm-cov 22,
// which testdata/sweep/make.sh asks.
func TestSweep(t *testing.T) {
	golden, err := os.ReadFile("testdata/sweep/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // where the program is no newer than the profile
	if err := os.CopyFS(dir, os.DirFS("testdata/sweep")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, want := range strings.Split("\n"+string(golden), "\n$ ")[1:] {
		command, want, _ := strings.Cut(want, "\n")
		status, out, faults := ask(t, "", strings.Fields(strings.ReplaceAll(command, "@", dir))...)
		got := []string{"= " + string(rune('0'+status))}
		for line := range strings.Lines(out) {
			got = append(got, "> "+strings.TrimSuffix(line, "\n"))
		}
		if first, _, said := strings.Cut(faults, "\n"); said && !strings.HasPrefix(first, "note: ") {
			got = append(got, "! "+first)
		}
		all := strings.ReplaceAll(strings.Join(got, "\n"), dir, "@")
		if want = strings.TrimSuffix(want, "\n"); all != want {
			t.Errorf("proflens cov %s: %s", command, difference(all, want))
		}
	}
}

// TestPagesHaveTheDemanglersNames: pages of functions have the names that a program makes.
func TestPagesHaveTheDemanglersNames(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/sweep")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	status, out, faults := ask(t, "", "show", "app", "-instr-profile=app.profdata", "-compilation-dir="+dir,
		"-format=html",
		"-name-regex=pick", "-Xdemangler=sed", "-Xdemangler=s/^/made_of/")
	if status != 0 || !strings.Contains(out, "made_of_Z4pickIdET_S0_S0_") {
		t.Errorf("status %d, %q: %.2000s", status, faults, out)
	}
}
