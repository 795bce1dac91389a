package humanize

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a\x00b": "a\ufffdb", "\xff": `\xff`, "a\xfe\xc3": `a\xfe\xc3`, "\ufffd": "\ufffd", "x\u202ey": "x\ufffdy",
		"naïve<T>": "naïve<T>", "\u2066z": "\ufffdz",
		"a\u00a0b\u200bc\ue000": "a\ufffdb\ufffdc\ufffd", "函数": "函数",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

// What is too long keeps its ends, and says how much is left out.
func TestLongTextsAreCut(t *testing.T) {
	text := "begin" + strings.Repeat("x", 65526) + "the end"
	if got := Printable(text); len(got) > 1000 || !strings.HasPrefix(got, "begin") ||
		!strings.HasSuffix(got, "the end") || !strings.Contains(got, " of 65538 bytes left out ") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if got := Long(text); len(got) < 12<<10 || len(got) > 16<<10 || !IsCut(text) {
		t.Errorf("Long has %d bytes", len(got))
	}
	for _, whole := range []string{text[:1000], strings.Repeat("<", 16<<10)} {
		if Long(whole) != whole || IsCut(whole) {
			t.Errorf("a text of %d bytes is cut", len(whole))
		}
	}
}

func TestTemplate(t *testing.T) {
	for args, want := range map[string][2]string{
		"<int>(int) const": {"<int>", "(int) const"}, "(A<int>)": {"", "(A<int>)"}, "": {"", ""},
		"<A<B>, C<D>>": {"<A<B>, C<D>>", ""}, "::<u8>": {"::<u8>", ""}, "[abi:cxx11](int)": {"", "[abi:cxx11](int)"},
		"<(int)->x>()": {"<(int)->x>", "()"}, "<int(": {"", "<int("},
	} {
		if template, rest := (Name{Args: args}).Template(); template != want[0] || rest != want[1] {
			t.Errorf("%q: %q and %q", args, template, rest)
		}
	}
}
