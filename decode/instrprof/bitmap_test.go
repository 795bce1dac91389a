package instrprof_test

import (
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// LLVM 18 wrote raw version 9 and indexed version 11.
func TestBitmapLayout(t *testing.T) {
	for _, test := range []struct {
		format  model.Format
		version uint64
		want    instrprof.BitmapLayout
	}{
		{instrprof.FormatRaw, 9, instrprof.ConditionMasks}, {instrprof.FormatRaw, 10, instrprof.TestVectors},
		{instrprof.FormatIndexed, 11, instrprof.ConditionMasks},
		{instrprof.FormatIndexed, 12, instrprof.TestVectors},
		{instrprof.FormatText, 0, instrprof.UnknownLayout}, {"", 12, instrprof.UnknownLayout},
	} {
		info := instrprof.Info{Info: model.Info{Format: test.format, Version: test.version}}
		if got := info.BitmapLayout(); got != test.want {
			t.Errorf("%s %d: %q, want %q", test.format, test.version, got, test.want)
		}
	}
}
