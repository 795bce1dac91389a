package cov_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A thin archive names its members from the folder in which it is.
func TestThinArchiveInAnotherFolder(t *testing.T) {
	unpacked(t)
	t.Chdir("..")
	const profile = "-instr-profile=clang-22/tiny/tiny.profdata"
	program, err := os.ReadFile("clang-22/tiny/tiny.exe")
	if err != nil {
		t.Fatal(err)
	}
	const names = "tiny/tiny.exe/\n"
	header := func(name string, size int) string {
		return fmt.Sprintf("%-16s%-12d%-6d%-6d%-8d%-10d`\n", name, 0, 0, 0, 0, size)
	}
	thin := "!<thin>\n" + header("//", len(names)) + names + strings.Repeat("\n", len(names)%2) + header("/0", len(program))
	if err := os.WriteFile("clang-22/thin.a", []byte(thin), 0o600); err != nil {
		t.Fatal(err)
	}
	_, want, _ := ask(t, "", "export", "clang-22/tiny/tiny.exe", profile)
	if status, out, faults := ask(t, "", "export", "clang-22/thin.a", profile); status != 0 || out != want {
		t.Errorf("%d, %s", status, faults)
	}
}
