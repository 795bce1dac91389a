// Package llvmargstest holds the options of a command against LLVM's.
package llvmargstest

import (
	"os"
	"strings"
	"testing"

	"proflens/command/llvmargs"
)

// EveryOption checks that each option of LLVM 13 to 22 that llvmargs/testdata lists for a tool is taken, with each of
// its values. Options are those of one of the tool's commands.
func EveryOption(t *testing.T, tool string, options func(command string) llvmargs.Options) {
	t.Helper()
	list, err := os.ReadFile("../llvmargs/testdata/options.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if words[0] != tool {
			continue
		}
		name, values, valued := strings.Cut(words[2], "=")
		for value := range strings.SplitSeq(values, "|") {
			arg := "-" + name
			if valued {
				arg += "=" + strings.NewReplacer("string", "x", "number", "1").Replace(value)
			}
			if _, fault := options(words[1]).Parse([]string{arg}); fault != nil {
				t.Errorf("%s %s: %v", words[1], arg, fault)
			}
		}
	}
}
