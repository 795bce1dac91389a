package cov_test

import (
	"os"
	"strings"
	"testing"
)

// What is wrong with a command line is told in one line, with status 2; what is wrong
// with a file, with status 1.
func TestWhatIsRefused(t *testing.T) {
	unpacked(t)
	t.Chdir("..")
	const program, profile = "clang-22/tiny/tiny.exe", "clang-22/tiny/tiny.profdata"
	if err := os.WriteFile("bad.list", []byte("[llvmcov\nallowlist_fun:[z-a]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"", 2, "usage:"},
		{"frobnicate", 2, "unknown command"},
		{"show -frobnicate", 2, "unknown option -frobnicate"},
		{"export -show-mcdc x", 2, "unknown option -show-mcdc"},
		{"show -name", 2, "needs a value"},
		{"show -show-branches=all x", 2, "use count, percent"},
		{"show -show-mcdc=maybe x", 2, "use 1 or 0"},
		{"show -line-coverage-lt=x x", 2, "use a number"},
		{"report -instr-profile=" + profile, 2, "no program"},
		{"report " + program, 2, "no profile"},
		{"report " + program + " -empty-profile -instr-profile=" + profile, 2, "not both"},
		{"report " + program + " -instr-profile=nothing", 1, "nothing: could not read profile data!"},
		{"report nothing -instr-profile=" + profile, 1, "failed to load coverage: 'nothing'"},
		{"export src/tiny/tiny.c -instr-profile=" + profile, 1, "could not load coverage information"},
		{"report " + program + " -instr-profile=" + program, 1, "error: "},
		{"report " + program + " -show-functions -instr-profile=" + profile, 1, "source files must be specified"},
		{"report " + program + " -format=lcov -instr-profile=" + profile, 1, "should be used with"},
		{"show " + program + " -name-regex=(a)\\1 -instr-profile=" + profile, 1, "-name-regex"},
		{"show " + program + " -name-allowlist=bad.list -instr-profile=" + profile, 1, "error: "},
		{"show " + program + " -path-equivalence=a -instr-profile=" + profile, 1, "from,to"},
		{"report " + program + " -Xdemangler=/nothing -show-functions src/tiny/tiny.c -instr-profile=" + profile, 1, ""},
	} {
		status, out, errs := ask(t, "", strings.Fields(test.args)...)
		if status != test.status || !strings.Contains(errs, test.says) || out != "" {
			t.Errorf("proflens cov %s: status %d, %q, %q", test.args, status, errs, out)
		}
	}
	if status, _, errs := ask(t, "", "show", "-h"); status != 0 || !strings.HasPrefix(errs, "usage:") {
		t.Error(status, errs)
	}
}

// Profiles may be raw and several: they are what llvm-profdata merges of them.
func TestRawProfiles(t *testing.T) {
	unpacked(t)
	t.Chdir("..")
	status, one, _ := ask(t, "", "export", "clang-22/tiny/tiny.exe", "-instr-profile=clang-22/tiny/tiny.profdata")
	if status != 0 {
		t.Fatal(status)
	}
	if err := os.WriteFile("text.proftext", []byte(":fe\nf\n0x60d\n2\n1\n1\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, two, errs := ask(t, "", "export", "clang-22/tiny/tiny.exe", "-instr-profile=clang-22/tiny/tiny.profdata",
		"-instr-profile", "text.proftext")
	if status != 0 || one == two || errs != "" {
		t.Errorf("%d, %s", status, errs)
	}
	for _, part := range []string{"[1,14,445523,", "[1,14,445524,"} {
		if strings.Contains(one, part) == strings.Contains(two, part) {
			t.Errorf("%s stands in both or none:\n%s\n%s", part, one, two)
		}
	}
}
