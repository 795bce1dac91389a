package instrprof

import (
	"testing"

	"proflens/decode/model"
)

// LLVM 18 wrote raw version 9 and indexed version 11.
func TestBitmapLayout(t *testing.T) {
	for _, test := range []struct {
		format  model.Format
		version uint64
		want    BitmapLayout
	}{
		{FormatRaw, 9, ConditionMasks}, {FormatRaw, 10, TestVectors}, {FormatIndexed, 11, ConditionMasks},
		{FormatIndexed, 12, TestVectors},
		{FormatText, 0, UnknownLayout}, {"", 12, UnknownLayout},
	} {
		info := Info{Info: model.Info{Format: test.format, Version: test.version}}
		if got := info.BitmapLayout(); got != test.want {
			t.Errorf("%s %d: %q, want %q", test.format, test.version, got, test.want)
		}
	}
}
