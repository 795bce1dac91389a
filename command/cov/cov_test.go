package cov

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/analyze/coverage/coveragetest"
)

// Every answer is llvm-cov 22's, to the byte, and what it refuses is refused.
func TestAnswersAreThoseOfLLVM(t *testing.T) {
	dir, cases := coveragetest.Unpack(t)
	t.Chdir(filepath.Join(dir, "src"))
	for _, c := range cases {
		out, errs, status := ask(t, c.Args...)
		if c.Answer == "" {
			if status != exitFailed || !strings.HasPrefix(errs, "error: ") {
				t.Errorf("%s: status %d, %q; it must be refused", c.Name, status, errs)
			}
			continue
		}
		want, err := os.ReadFile(c.Answer)
		if err != nil {
			t.Fatal(err)
		}
		if status != 0 || out != string(want) {
			t.Errorf("%s: proflens cov %s: status %d, %s\n%s", c.Name, strings.Join(c.Args, " "), status, errs, firstDifference(out, string(want)))
		}
	}
	if len(cases) < 200 {
		t.Errorf("%d cases", len(cases))
	}
}

func ask(t *testing.T, args ...string) (out, errs string, status int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Run(t.Context(), args, "test", &stdout, &stderr)
	return stdout.String(), stderr.String(), status
}

func firstDifference(got, want string) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	from := max(0, at-60)
	return "got  …" + got[from:min(len(got), at+60)] + "\nwant …" + want[from:min(len(want), at+60)]
}
