package cov_test

import (
	"os"
	"strings"
	"testing"
)

// Programs and profiles are told by what is in them, in any order; what is neither is a
// source. Behind an -instr-profile arguments are llvm-cov's.
func TestArgumentsAreTold(t *testing.T) {
	unpacked(t)
	const exe, profile = "../clang-22/rules/rules.exe", "../clang-22/rules/rules.profdata"
	for _, command := range []string{"export", "report", "show", "diff"} {
		status, want, faults := ask(t, "", command, exe, "-instr-profile="+profile)
		if status != 0 || want == "" {
			t.Fatal(command, status, faults)
		}
		for _, args := range []string{
			exe + " " + profile, profile + " " + exe, "-object=" + exe + " " + profile,
		} {
			if status, out, faults := ask(t, "", append([]string{command}, strings.Fields(args)...)...); status != 0 ||
				out != want {
				t.Errorf("%s %s: exit status %d, %s", command, args, status, faults)
			}
		}
	}
	_, _, faults := ask(t, "", "report", exe, "no-such.c", profile, "-sources", exe)
	if !strings.Contains(faults, "no-such.c: Source file") || !strings.Contains(faults, "taken for a source file") {
		t.Error(faults)
	}
	_, twice, _ := ask(t, "", "export", exe, profile, profile)
	_, merged, _ := ask(t, "", "export", exe, "-instr-profile="+profile, "-instr-profile="+profile)
	if _, once, _ := ask(t, "", "export", exe, profile); twice == "" || twice != merged || twice == once {
		t.Error("two profiles are not merged")
	}
	// A gate needs no command.
	status, out, _ := ask(t, "", "-min-lines", "100.5", exe, profile)
	if _, report, _ := ask(t, "", "report", exe, profile); status != 4 || out != report {
		t.Errorf("exit status %d, %s", status, out)
	}
	for args, want := range map[string]string{
		"report":                              "no program",
		"report " + profile:                   "no program",
		"report " + exe:                       "no profile",
		"report no-such-file " + profile:      "no-such-file",
		"show -empty-profile no " + profile:   "no",
		"export rules/rules.c " + profile:     "no program",
		"report " + exe + " no-such.profraw ": "no profile",
	} {
		if status, out, faults := ask(t, "", strings.Fields(args)...); status == 0 || out != "" ||
			!strings.Contains(faults, want) {
			t.Errorf("%s: exit status %d, %q, no %q in %q", args, status, out, want, faults)
		}
	}
}

// What the arguments mean can be printed, and nothing is read.
func TestArgumentsAreDumped(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.c", "b.c"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-dump-collected-objects x -object a,b":                    "x\na,b\n",
		"-dump-collected-paths x a.c b.c -ignore-filename-regex=b": folder + "/a.c\n",
	} {
		if status, out, errs := ask(t, "", strings.Fields("show -instr-profile=none "+args)...); status != 0 || out != want {
			t.Errorf("%s: status %d, %s, %s", args, status, out, errs)
		}
	}
}
