package profdata

import (
	"os"
	"strings"
	"testing"
)

// TestEveryOptionOfLLVM: each option of LLVM 13 to 22 that testdata lists is taken, with each of its values.
func TestEveryOptionOfLLVM(t *testing.T) {
	list, err := os.ReadFile("../llvmargs/testdata/options.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if words[0] != "profdata" {
			continue
		}
		name, values, valued := strings.Cut(words[2], "=")
		for value := range strings.SplitSeq(values, "|") {
			arg := "-" + name
			if valued {
				arg += "=" + strings.NewReplacer("string", "x", "number", "1").Replace(value)
			}
			o := defaults(words[1])
			if _, fault := o.table().Parse([]string{arg}, true); fault != nil {
				t.Errorf("%s %s: %v", words[1], arg, fault)
			}
		}
	}
}
