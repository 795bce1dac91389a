package profdata

import (
	"testing"

	"proflens/command/llvmargs"
	"proflens/command/llvmargs/llvmargstest"
)

func TestEveryOptionOfLLVM(t *testing.T) {
	llvmargstest.EveryOption(t, "profdata", func(command string) llvmargs.Options {
		o := defaults(command)
		return o.table()
	})
}
