package profdata

import (
	"strings"
	"testing"

	"proflens/command/llvmargs"
	"proflens/command/llvmargs/llvmargstest"
)

func TestEveryOptionOfLLVM(t *testing.T) {
	llvmargstest.EveryOption(t, "profdata", func(command string) llvmargs.Options {
		return (&options{command: command}).table()
	})
}

func TestVersionOfEachCommand(t *testing.T) {
	for _, args := range []string{
		"--version", "show --version", "merge -version", "overlap x --version", "order -version",
	} {
		var out, err strings.Builder
		status := Run(t.Context(), strings.Fields(args), "1.2", Streams{strings.NewReader(""), &out, &err})
		want := "Proflens 1.2, in the place of LLVM version 22\n"
		if status != 0 || out.String() != want || err.Len() > 0 {
			t.Errorf("%s: %d, %q, %q, want %q", args, status, &out, &err, want)
		}
	}
}
