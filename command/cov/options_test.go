package cov

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage/coveragetest"
)

func TestOptionsAreReadAsByLLVM(t *testing.T) {
	for _, args := range []string{
		"-instr-profile=p x -name=a --name b -show-mcdc s.c",
		"--instr-profile p -show-mcdc=1 x --name a -name b s.c",
		"-name=a x s.c -show-mcdc=true -name=b -instr-profile p",
	} {
		var o options
		if err := o.parse("show", strings.Fields(args)); err != nil {
			t.Fatal(args, err)
		}
		if o.program != "x" || !slices.Equal(o.sources, []string{"s.c"}) || !slices.Equal(o.name, []string{"a", "b"}) || !o.mcdc || o.instrProfile[0] != "p" {
			t.Errorf("%s: %+v", args, o)
		}
	}
	var o options
	if err := o.parse("export", []string{"-unify-instantiations=0", "--", "-x"}); err != nil || o.unify || o.program != "-x" {
		t.Error(o, err)
	}
}

// What is wrong with a command line is told in one line, with status 2; what is wrong
// with a file, with status 1.
func TestWrongCommandLines(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	t.Chdir(dir)
	const program, profile = "clang-22/tiny/tiny.exe", "clang-22/tiny/tiny.profdata"
	if err := os.WriteFile("bad.list", []byte("[llvmcov\nallowlist_fun:[z-a]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"", exitUsage, "usage:"},
		{"frobnicate", exitUsage, "unknown command"},
		{"show -frobnicate", exitUsage, "unknown option -frobnicate"},
		{"export -show-mcdc x", exitUsage, "unknown option -show-mcdc"},
		{"show -name", exitUsage, "needs a value"},
		{"show -show-branches=all x", exitUsage, "use count, percent"},
		{"show -show-mcdc=maybe x", exitUsage, "use 1 or 0"},
		{"show -line-coverage-lt=x x", exitUsage, "use a number"},
		{"report -instr-profile=" + profile, exitUsage, "no program"},
		{"report " + program, exitUsage, "no profile"},
		{"report " + program + " -empty-profile -instr-profile=" + profile, exitUsage, "not both"},
		{"report " + program + " -instr-profile=nothing", exitFailed, "nothing: could not read profile data!"},
		{"report nothing -instr-profile=" + profile, exitFailed, "failed to load coverage: 'nothing'"},
		{"export cases.txt -instr-profile=" + profile, exitFailed, "could not load coverage information"},
		{"report " + program + " -instr-profile=" + program, exitFailed, "error: "},
		{"report " + program + " -show-functions -instr-profile=" + profile, exitFailed, "source files must be specified"},
		{"report " + program + " -format=lcov -instr-profile=" + profile, exitFailed, "should be used with"},
		{"show " + program + " -name-regex=( -instr-profile=" + profile, exitFailed, "-name-regex"},
		{"show " + program + " -name-allowlist=bad.list -instr-profile=" + profile, exitFailed, "error: "},
		{"show " + program + " -path-equivalence=a -instr-profile=" + profile, exitFailed, "from,to"},
		{"report " + program + " -Xdemangler=/nothing -show-functions cases.txt -instr-profile=" + profile, exitFailed, ""},
	} {
		out, errs, status := ask(t, strings.Fields(test.args)...)
		if status != test.status || !strings.Contains(errs, test.says) || out != "" {
			t.Errorf("proflens cov %s: status %d, %q, %q", test.args, status, errs, out)
		}
	}
	if _, errs, status := ask(t, "show", "-h"); status != 0 || !strings.HasPrefix(errs, "usage:") {
		t.Error(status, errs)
	}
}

// Profiles may be raw and several: they are what llvm-profdata merges of them.
func TestRawProfiles(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	t.Chdir(dir)
	one, _, status := ask(t, "export", "clang-22/tiny/tiny.exe", "-instr-profile=clang-22/tiny/tiny.profdata")
	if status != 0 {
		t.Fatal(status)
	}
	if err := os.WriteFile("text.proftext", []byte(":fe\nf\n0x60d\n2\n1\n1\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	two, errs, status := ask(t, "export", "clang-22/tiny/tiny.exe", "-instr-profile=clang-22/tiny/tiny.profdata", "-instr-profile", "text.proftext")
	if status != 0 || one == two || errs != "" {
		t.Errorf("%d, %s", status, errs)
	}
	for _, part := range []string{"[1,14,445523,", "[1,14,445524,"} {
		if strings.Contains(one, part) == strings.Contains(two, part) {
			t.Errorf("%s stands in both or none:\n%s\n%s", part, one, two)
		}
	}
}

func TestPatternsOfAllowlists(t *testing.T) {
	for _, test := range []struct {
		list  string
		fits  string
		fails string
	}{
		{"allowlist_fun:_Z3foo*\n", "_Z3fooi", "x_Z3fooi"},
		{"[llvmcov]\n# nothing\nallowlist_fun:f?o{a,b}[!x]\n", "fooby", "foobx"},
		{"[other]\nallowlist_fun:*\n[llvm*]\nallowlist_fun:a\\*\n", "a*", "ab"},
		{"#!special-case-list-v1\nallowlist_fun:_Z[0-9]+f*\n", "_Z12fgh", "_Zf"},
	} {
		name := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(name, []byte(test.list), 0o600); err != nil {
			t.Fatal(err)
		}
		allowed, err := allowlist([]string{name})
		if err != nil || !allowed(test.fits) || allowed(test.fails) {
			t.Errorf("%q: %v", test.list, err)
		}
	}
}
