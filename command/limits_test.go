package command

import "testing"

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "4294967296": 4 << 30, "2GiB": 2 << 30, "2G": 2 << 30, "500MB": 500e6, "64 KiB": 64 << 10, "7B": 7, "1TiB": 1 << 40,
	} {
		var s byteSize
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%q: %d, %v; want %d", text, int64(s), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "GiB", "1.5GiB", "2 furlongs", "99999999999999999999", "9999999999TiB"} {
		var s byteSize
		if err := s.Set(text); err == nil {
			t.Errorf("%q was taken for %d", text, int64(s))
		}
	}
	for s, want := range map[byteSize]string{2 << 30: "2GiB", 1536 << 10: "1536KiB", 1000: "1000", 0: "0"} {
		if got := s.String(); got != want {
			t.Errorf("%d is written %q, want %q", int64(s), got, want)
		}
	}
}
