package cov_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Markers in sources are heeded where that is asked for, and what they took away stands beside the
// total.
func TestExcludeMarkers(t *testing.T) {
	dir, err := filepath.Abs("../../decode/covmap/testdata/clang-22/kinds")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"report", dir + "/kinds.covmapping", "-instr-profile=" + dir + "/kinds.profdata", "-path-equivalence=/kinds," + dir,
	}
	_, whole, _ := ask(t, "", args...)
	if strings.Contains(whole, "Left out") {
		t.Errorf("without being asked:\n%s", whole)
	}
	for _, one := range []struct{ options, want string }{
		{"-exclude-markers", "Left out: 6 lines, 1 function, 5 regions, 4 sides of branches"},
		{"-exclude-macros", "Left out: 4 regions, 2 sides of branches"},
		{"-exclude-markers -exclude-macros", "Left out: 6 lines, 1 function, 9 regions, 6 sides of branches"},
	} {
		status, out, faults := ask(t, "", append(args, strings.Fields(one.options)...)...)
		if status != 0 || !strings.Contains(out, one.want) || faults != "" {
			t.Errorf("%s: %d, %s%s", one.options, status, out, faults)
		}
	}
	args[0] = "export"
	status, out, faults := ask(t, "", append(args, "-format=lcov", "-exclude-markers")...)
	own, _, _ := strings.Cut(out, "end_of_record")
	if status != 0 || strings.Contains(own, "DA:8,0\n") || !strings.Contains(faults, "note: Left out: 6 lines") {
		t.Errorf("%d, %s%s", status, out, faults)
	}
	open := t.TempDir()
	if err := os.MkdirAll(open+"/src", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(open+"/src/own.c", []byte("// LCOV_EXCL_START\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args[0], args[3] = "report", "-path-equivalence=/kinds,"+open
	_, _, faults = ask(t, "", append(args, "-exclude-markers")...)
	if !strings.Contains(faults, "own.c:1: nothing stops") {
		t.Errorf("a marker that nothing stops: %s", faults)
	}
}
