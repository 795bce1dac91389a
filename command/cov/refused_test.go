package cov_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// What is wrong is told in the words of llvm-cov, with its status 1; what only our own
// commands and options can do wrong, with status 2.
func TestWhatIsRefused(t *testing.T) {
	unpacked(t)
	t.Chdir("..")
	const program, profile = "clang-22/tiny/tiny.exe", "clang-22/tiny/tiny.profdata"
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"", 2, "usage:"},
		{"frobnicate", 2, "unknown command"},
		{"show -frobnicate", 1,
			"llvm-cov show: Unknown command line argument '-frobnicate'.  Try: 'llvm-cov show --help'\n"},
		{"export -show-mcdc x", 1, "\nnote: unknown option -show-mcdc; "},
		{"show -name", 1, "llvm-cov show: for the --name option: requires a value!\n"},
		{"show -show-branches=all x", 1,
			"llvm-cov show: for the --show-branches option: Cannot find option named 'all'!" +
				"\nnote: -show-branches=all: use count, percent\n"},
		{"show -show-mcdc=maybe x", 1, "'maybe' is invalid value for boolean argument! Try 0 or 1\n"},
		{"show -line-coverage-lt=x x", 1, "'x' value invalid for floating point argument!\n"},
		{"report -instr-profile=" + profile, 1, "No filenames specified!\nnote: no program"},
		{"report " + program, 1,
			"error: exactly one of -instr-profile and -empty-profile must be specified\nnote: no profile"},
		{"report " + program + " -empty-profile -instr-profile=" + profile, 1,
			"error: exactly one of -instr-profile and -empty-profile must be specified\nnote: "},
		{"report " + program + " -instr-profile=nothing", 1,
			"error: nothing: could not read profile data!No such file or directory\n"},
		{"report nothing -instr-profile=" + profile, 1,
			"error: failed to load coverage: 'nothing': No such file or directory\n"},
		{"export src/tiny/tiny.c -instr-profile=" + profile, 1,
			"error: failed to load coverage: 'src/tiny/tiny.c': The file was not recognized as a valid object file\n" +
				"error: could not load coverage information\nnote: src/tiny/tiny.c: unrecognized_format: "},
		{"report " + program + " -instr-profile=" + program, 1,
			"error: failed to load coverage: '" + program + "': invalid instrumentation profile data (bad magic)\nnote: "},
		{"report " + program + " -show-functions -instr-profile=" + profile, 1, "source files must be specified"},
		{"report " + program + " -format=lcov -instr-profile=" + profile, 1,
			"error: lcov format should be used with 'llvm-cov export'.\n"},
		{"report " + program + " -format=html -instr-profile=" + profile, 1,
			"HTML output for summary reports is not yet supported.\n\x1b[0mnote: "},
		{"export " + program + " -format=html -instr-profile=" + profile, 1,
			"can only be exported as textual JSON or an lcov tracefile.\n\x1b[0mnote: "},
		{"report " + program + " -arch=i386 -instr-profile=" + profile, 1,
			"': No object file for requested architecture\nnote: "},
		{"report " + program + " -arch=made_up -instr-profile=" + profile, 1,
			"error: unknown architecture: made_up\n"},
		{"show " + program + " -o /dev/null -instr-profile=" + profile, 1,
			"error: Not a directory: could not create index file!\n"},
		{"show " + program + " -o /dev/null/x -instr-profile=" + profile, 1,
			"error: Not a directory: could not create output directory!\n"},
		{"show x -coverage-watermark=high,2 -instr-profile=" + profile, 1,
			"error: -coverage-watermark: invalid number 'high', invalid value for 'high'\n"},
		{"show x -coverage-watermark=10,20 -instr-profile=" + profile, 1,
			"error: -coverage-watermark: invalid number range '10,20', " +
				"must be both high and low should be between 0-100, and high > low\n"},
		{"show " + program + " -name-regex=(a)\\1 -instr-profile=" + profile, 1, "-name-regex"},
		{"show " + program + " -path-equivalence=a -instr-profile=" + profile, 1, "from,to"},
	} {
		status, out, errs := ask(t, "", strings.Fields(test.args)...)
		if status != test.status || !strings.Contains(errs, test.says) || out != "" {
			t.Errorf("proflens cov %s: status %d, %q, %q", test.args, status, errs, out)
		}
	}
	if status, out, errs := ask(t, "", "show", "-h"); status != 0 || !strings.HasPrefix(out, "usage:") || errs != "" {
		t.Error(status, out, errs)
	}
}

// A record that is damaged ends the command in LLVM's words, which name the program, and ours name the profile.
func TestDamagedRecordOfAProfile(t *testing.T) {
	unpacked(t)
	t.Chdir("..")
	const program = "clang-22/tiny/tiny.exe"
	profile, err := os.ReadFile("clang-22/tiny/tiny.profdata")
	if err != nil {
		t.Fatal(err)
	}
	profile[bytes.Index(profile, []byte("main"))+len("main")+8] = 0xff // how many counters it has
	if err := os.WriteFile("damaged.profdata", profile, 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := ask(t, "", "report", program, "-instr-profile=damaged.profdata")
	if status != 1 || out != "" || !strings.HasPrefix(errs, "error: failed to load coverage: '"+program+
		"': malformed instrumentation profile data\n") || !strings.Contains(errs, "note: damaged.profdata: truncated: ") {
		t.Errorf("%d, %s%s", status, out, errs)
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
