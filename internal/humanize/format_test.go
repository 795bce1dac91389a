package humanize

import (
	"strings"
	"testing"
)

// plain writes the spaces of numbers as "_".
func plain(s string) string {
	return strings.ReplaceAll(s, NumberSpace, "_")
}

func TestBigCount(t *testing.T) {
	for _, c := range []struct{ in, text, exact string }{
		{"0", "0", ""},
		{"41", "41", ""},
		{"999", "999", ""},
		{"1000", "1_000", ""},
		{"9999", "9_999", ""},
		{"10000", "10.0_k", "10_000"},
		{"99949", "99.9_k", "99_949"},
		{"99950", "100_k", "99_950"},
		{"999499", "999_k", "999_499"},
		{"999500", "1.00_M", "999_500"},
		{"6100000", "6.10_M", "6_100_000"},
		{"8410000000000", "8.41_T", "8_410_000_000_000"},
		{"18446744073709551613", "18.4_E", "18_446_744_073_709_551_613"},
		{"18446744073709551616", "18.4_E", "18_446_744_073_709_551_616"},
		{"999999999999999999999", "1.00_Z", "999_999_999_999_999_999_999"},
		{"340282366920938463463374607431768211455", "340_·10³⁶", "340_282_366_920_938_463_463_374_607_431_768_211_455"},
	} {
		n := BigCount(c.in)
		if plain(n.Text) != c.text || plain(n.Exact) != c.exact {
			t.Errorf("BigCount(%s) = %q, %q; want %q, %q", c.in, plain(n.Text), plain(n.Exact), c.text, c.exact)
		}
	}
}

func TestAxisCount(t *testing.T) {
	for in, want := range map[uint64]string{
		0: "0", 5: "5", 1000: "1_000", 10000: "10_k", 300000: "300_k", 2500000: "2.5_M", 1e9: "1_G",
	} {
		if got := plain(AxisCount(in)); got != want {
			t.Errorf("AxisCount(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestPowerOfTwo(t *testing.T) {
	for in, want := range map[int]string{
		0: "1", 4: "16", 9: "512", 10: "1_k", 16: "64_k", 22: "4_M", 28: "256_M", 34: "16_G", 63: "8_E",
	} {
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
		{0, "0_bytes", ""},
		{1, "1_byte", ""},
		{1023, "1023_bytes", ""},
		{1024, "1.0_KiB", "1_024_bytes"},
		{1048575, "1.0_MiB", "1_048_575_bytes"},
		{43201331, "41.2_MiB", "43_201_331_bytes"},
		{1<<63 - 1, "8.0_EiB", "9_223_372_036_854_775_807_bytes"},
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
		{0, 2, "0_%"},
		{0.058, 2, "5.80_%"},
		{0.00001, 2, "<_0.01_%"},
		{0.00006, 2, "0.01_%"},
		{0.9999, 2, "99.99_%"},
		{0.2795, 1, "28.0_%"},
		{100 * 559.0 / 2000 / 100, 1, "28.0_%"},
		{0.99999, 2, ">_99.99_%"},
		{0.9996, 1, ">_99.9_%"},
		{1999.0 / 2000, 1, ">_99.9_%"}, // half a step below
		{0.9994, 1, "99.9_%"},
		{1, 2, "100_%"},
		{1.0000001, 1, "100_%"},
	} {
		if got := plain(Percent(c.in, c.decimals)); got != c.want {
			t.Errorf("Percent(%v, %d) = %q, want %q", c.in, c.decimals, got, c.want)
		}
	}
}

func TestCutoff(t *testing.T) {
	for in, want := range map[uint64]string{
		10000: "1_%", 100000: "10_%", 990000: "99_%", 999999: "99.9999_%", 1000000: "100_%",
	} {
		if got := plain(Cutoff(in)); got != want {
			t.Errorf("Cutoff(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestHex64(t *testing.T) {
	for in, want := range map[uint64]string{
		0: "0x0000000000000000", 0xabc: "0x0000000000000abc", 1<<64 - 1: "0xffffffffffffffff",
	} {
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

func TestPoints(t *testing.T) {
	for difference, want := range map[float64]string{
		0: "0", 0.0044: "+0.44", -0.5: "−50.00", 0.00001: "+0.01 at most", -0.99999: "−99.99 at least", 1: "+100",
	} {
		if got := Points(difference, 2); got != want {
			t.Errorf("%v: %q, expected %q", difference, got, want)
		}
	}
}

func TestGrowth(t *testing.T) {
	for change, want := range map[float64]string{
		-0.338: "−33.8 %", 11.4: "+1 140 %", 1: "+100 %", -1: "−100 %", 0.00001: "+0.1 %", 0.5: "+50.0 %",
	} {
		if got := strings.ReplaceAll(Growth(change), NumberSpace, " "); got != want {
			t.Errorf("%v is %q, want %q", change, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 2: "2 rows", 1000: "1" + NumberSpace + "000 rows"} {
		if got := Plural(n, "row", "rows"); got != want {
			t.Errorf("%d: %q", n, got)
		}
		if got := Things(Int(n), "row", "rows"); got != want {
			t.Errorf("%d, written already: %q", n, got)
		}
	}
}
