package humanize

import (
	"strings"
	"testing"
)

func TestGrouped(t *testing.T) {
	for text, want := range map[string]string{
		"it ends at byte 3250176, in the counters": "it ends at byte 3_250_176, in the counters",
		"11520 bytes":                             "11_520 bytes",
		"at most 999":                             "at most 999",
		"found 1234":                              "found 1_234",
		"missing (12345).":                        "missing (12_345).",
		"0x12345678 and 2^56 and 1.23456":         "0x12345678 and 2^56 and 1.23456",
		"app-1234567.profraw and default_12345.x": "app-1234567.profraw and default_12345.x",
		"12345.profraw is cut":                    "12345.profraw is cut",
		"build ID 0012345678":                     "build ID 0012345678",
		"18446744073709551615":                    "18_446_744_073_709_551_615",
		"184467440737095516150":                   "184467440737095516150",
		"caf\u00e9 10000 \u2013 20000":            "caf\u00e9 10_000 \u2013 20_000",
	} {
		if got := strings.ReplaceAll(Grouped(text), NumberSpace, "_"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
