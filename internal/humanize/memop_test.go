package humanize

import (
	"testing"
)

func TestMemOPSize(t *testing.T) {
	for in, want := range map[uint64]string{
		0: "0 bytes", 1: "1 byte", 8: "8 bytes", 9: "9–15 bytes", 16: "16 bytes", 17: "17–31 bytes", 33: "33–63 bytes",
		129: "129–255 bytes", 256: "256 bytes", 257: "257–511 bytes", 512: "512 bytes", 513: "≥ 513 bytes", 12: "12 bytes",
		100000: "100\u00a0000 bytes",
	} {
		if got := MemOPSize(in); got != want {
			t.Errorf("MemOPSize(%d) = %q, want %q", in, got, want)
		}
	}
}
