package say

import "testing"

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a\x00b": "a\ufffdb", "\xff": "\ufffd", "x\u202ey": "x\ufffdy", "naïve<T>": "naïve<T>", "\u2066z": "\ufffdz",
		"a\u00a0b\u200bc\ue000": "a\ufffdb\ufffdc\ufffd", "函数": "函数",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}
