package page

import (
	"strings"
	"testing"
)

// plain writes the special spaces as "_" (narrow) and "~" (no-break).
func plain(s string) string {
	return strings.NewReplacer(groupSpace, "_", unitSpace, "~").Replace(s)
}

func TestBigCount(t *testing.T) {
	for _, c := range []struct{ in, text, exact string }{
		{"0", "0", ""},
		{"41", "41", ""},
		{"999", "999", ""},
		{"1000", "1_000", ""},
		{"9999", "9_999", ""},
		{"10000", "10.0~k", "10_000"},
		{"99949", "99.9~k", "99_949"},
		{"99950", "100~k", "99_950"},
		{"999499", "999~k", "999_499"},
		{"999500", "1.00~M", "999_500"},
		{"6100000", "6.10~M", "6_100_000"},
		{"8410000000000", "8.41~T", "8_410_000_000_000"},
		{"18446744073709551613", "18.4~E", "18_446_744_073_709_551_613"},
		{"18446744073709551616", "18.4~E", "18_446_744_073_709_551_616"},
		{"999999999999999999999", "1.00~Z", "999_999_999_999_999_999_999"},
		{"340282366920938463463374607431768211455", "340~·10³⁶", "340_282_366_920_938_463_463_374_607_431_768_211_455"},
	} {
		n := BigCount(c.in)
		if plain(n.Text) != c.text || plain(n.Exact) != c.exact {
			t.Errorf("BigCount(%s) = %q, %q; want %q, %q", c.in, plain(n.Text), plain(n.Exact), c.text, c.exact)
		}
	}
}

func TestAxisCount(t *testing.T) {
	for in, want := range map[uint64]string{0: "0", 5: "5", 1000: "1_000", 10000: "10~k", 300000: "300~k", 2500000: "2.5~M", 1e9: "1~G"} {
		if got := plain(AxisCount(in)); got != want {
			t.Errorf("AxisCount(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestPowerOfTwo(t *testing.T) {
	for in, want := range map[int]string{0: "1", 4: "16", 9: "512", 10: "1~k", 16: "64~k", 22: "4~M", 28: "256~M", 34: "16~G", 63: "8~E"} {
		if got := plain(PowerOfTwo(in)); got != want {
			t.Errorf("PowerOfTwo(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		in          uint64
		text, exact string
	}{
		{0, "0~bytes", ""},
		{1, "1~byte", ""},
		{1023, "1023~bytes", ""},
		{1024, "1.0~KiB", "1_024~bytes"},
		{1048575, "1.0~MiB", "1_048_575~bytes"},
		{43201331, "41.2~MiB", "43_201_331~bytes"},
		{1<<63 - 1, "8.0~EiB", "9_223_372_036_854_775_807~bytes"},
	} {
		n := Bytes(c.in)
		if plain(n.Text) != c.text || plain(n.Exact) != c.exact {
			t.Errorf("Bytes(%d) = %q, %q; want %q, %q", c.in, plain(n.Text), plain(n.Exact), c.text, c.exact)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		in       float64
		decimals int
		want     string
	}{
		{0, 2, "0~%"},
		{0.058, 2, "5.80~%"},
		{0.00001, 2, "<~0.01~%"},
		{0.00006, 2, "0.01~%"},
		{0.9999, 2, "99.99~%"},
		{0.99999, 2, ">~99.99~%"},
		{0.9996, 1, ">~99.9~%"},
		{1, 2, "100~%"},
		{1.0000001, 1, "100~%"},
	} {
		if got := plain(Percent(c.in, c.decimals)); got != c.want {
			t.Errorf("Percent(%v, %d) = %q, want %q", c.in, c.decimals, got, c.want)
		}
	}
}

func TestCutoff(t *testing.T) {
	for in, want := range map[uint64]string{10000: "1~%", 100000: "10~%", 990000: "99~%", 999999: "99.9999~%", 1000000: "100~%"} {
		if got := plain(Cutoff(in)); got != want {
			t.Errorf("Cutoff(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestHex64(t *testing.T) {
	for in, want := range map[uint64]string{0: "0x0000000000000000", 0xabc: "0x0000000000000abc", 1<<64 - 1: "0xffffffffffffffff"} {
		if got := Hex64(in); got != want {
			t.Errorf("Hex64(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestInt(t *testing.T) {
	if got := plain(Int(uint64(1902447))); got != "1_902_447" {
		t.Errorf("Int = %q", got)
	}
	if got := plain(Int(^uint64(0))); got != "18_446_744_073_709_551_615" {
		t.Errorf("Int(max) = %q", got)
	}
	if got := plain(Int(-12345)); got != "-12_345" {
		t.Errorf("Int(negative) = %q", got)
	}
}
