// Package humanize puts numbers, names, sizes and times into words for people: rounded,
// grouped and with units, safe to print.
package humanize

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// NumberSpace stands between groups of three digits and before a unit; a line
// never breaks there. The narrow no-break space, U+202F, is a pixel and a half
// wide in the font of the pages: nobody sees it.
const NumberSpace = "\u00a0"

// Number is a quantity as a page shows it. Exact goes into a title attribute
// and is empty where Text says as much.
type Number struct {
	Text  string
	Exact string
}

// Int writes a number of things in full, in groups of three digits.
func Int[T ~int | ~int64 | ~uint32 | ~uint64](v T) string {
	if v < 0 {
		return Group(strconv.FormatInt(int64(v), 10))
	}
	return Group(strconv.FormatUint(uint64(v), 10))
}

// Group puts a no-break space between groups of three digits of a
// decimal number. Numbers of four digits are grouped too, so that columns line
// up.
func Group(decimal string) string {
	sign := ""
	if strings.HasPrefix(decimal, "-") {
		sign, decimal = "-", decimal[1:]
	}
	if len(decimal) <= 3 {
		return sign + decimal
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range []byte(decimal) {
		if i > 0 && (len(decimal)-i)%3 == 0 {
			b.WriteString(NumberSpace)
		}
		b.WriteByte(d)
	}
	return b.String()
}

// Whole writes a number of things in full, as a figure.
func Whole[T ~int | ~int64 | ~uint32 | ~uint64](v T) Number { return Number{Text: Int(v)} }

// Count writes a counter or a sum of counters.
func Count(v uint64) Number { return BigCount(strconv.FormatUint(v, 10)) }

// BigCount writes an exact decimal number of any size: in full below 10 000,
// else three significant digits and an SI prefix, such as "8.41 T".
func BigCount(decimal string) Number {
	if len(decimal) <= 4 {
		return Number{Text: Group(decimal)}
	}
	return Number{Text: scaled(decimal), Exact: Group(decimal)}
}

// siPrefixes are those of 10^3, 10^6 and so on; sums of counters stay below 2^128.
var siPrefixes = strings.Fields("k M G T P E Z Y R Q ·10³³ ·10³⁶")

// scaled rounds a decimal number of at least four digits to three significant
// ones.
func scaled(decimal string) string {
	// The first four digits decide: round half up on the fourth.
	lead, _ := strconv.Atoi(decimal[:4])
	digits := len(decimal)
	lead = (lead + 5) / 10
	if lead == 1000 {
		lead, digits = 100, digits+1
	}
	power := (digits - 1) / 3
	if power == 0 {
		return Group(decimal)
	}
	if power > len(siPrefixes) {
		power = len(siPrefixes)
	}
	whole := digits - 3*power
	text := strconv.Itoa(lead)
	switch {
	case whole < 3:
		text = text[:whole] + "." + text[whole:]
	case whole > 3:
		text = Group(text + strings.Repeat("0", whole-3))
	}
	return text + NumberSpace + siPrefixes[power-1]
}

// AxisCount writes a round number of an axis without trailing zeros: "4 M".
func AxisCount(v uint64) string {
	n := BigCount(strconv.FormatUint(v, 10))
	number, prefix, ok := strings.Cut(n.Text, NumberSpace)
	if !ok || !strings.Contains(number, ".") {
		return n.Text
	}
	return strings.TrimRight(strings.TrimRight(number, "0"), ".") + NumberSpace + prefix
}

// PowerOfTwo writes 2^exp with the prefixes of powers of 1024, as
// distributions per power of two are read: "1 k", "64 k", "4 M".
func PowerOfTwo(exp int) string {
	const prefixes = " kMGTPEZ"
	text := strconv.Itoa(1 << (exp % 10))
	if p := exp / 10; p > 0 && p < len(prefixes) {
		text += NumberSpace + prefixes[p:p+1]
	}
	return text
}

// Bytes writes a size with IEC units: "41.2 MiB".
func Bytes(n uint64) Number {
	if n < 1024 {
		if n == 1 {
			return Number{Text: "1" + NumberSpace + "byte"}
		}
		return Number{Text: strconv.FormatUint(n, 10) + NumberSpace + "bytes"}
	}
	power := (bits.Len64(n) - 1) / 10
	value := float64(n) / math.Ldexp(1, 10*power)
	if value >= 1023.95 {
		power++
		value /= 1024
	}
	return Number{
		Text:  strconv.FormatFloat(value, 'f', 1, 64) + NumberSpace + string("KMGTPE"[power-1]) + "iB",
		Exact: Int(n) + NumberSpace + "bytes",
	}
}

// AxisBytes is Bytes for an axis with ticks at round sizes: "4 KiB".
func AxisBytes(n uint64) string {
	return strings.Replace(Bytes(n).Text, ".0"+NumberSpace, NumberSpace, 1)
}

// Part is a share, 0 of nothing.
func Part[N int | uint32 | uint64 | float64](of, whole N) float64 {
	if whole == 0 {
		return 0
	}
	return float64(of) / float64(whole)
}

// PartPercent is such a share in percent, as [Percent] writes it.
func PartPercent[N int | uint32 | uint64 | float64](of, whole N, decimals int) string {
	return Percent(Part(of, whole), decimals)
}

// Percent writes a fraction of 1 with so many decimals. What is not nothing is
// never written as 0, and what is not the whole never as 100.
func Percent(fraction float64, decimals int) string {
	const sign = NumberSpace + "%"
	least := math.Pow10(-decimals)
	p := fraction * 100
	switch {
	case math.IsNaN(p) || p <= 0:
		return "0" + sign
	case p < least/2:
		return "<" + NumberSpace + strconv.FormatFloat(least, 'f', decimals, 64) + sign
	case p >= 100:
		return "100" + sign
	case math.Round(p/least+1e-7)*least > 100-least/2:
		return ">" + NumberSpace + strconv.FormatFloat(100-least, 'f', decimals, 64) + sign
	}
	// Half a step goes up, however the fraction was worked out.
	return strconv.FormatFloat(math.Round(p/least+1e-7)*least, 'f', decimals, 64) + sign
}

// Cutoff writes a summary's cutoff, given in parts per million: "99.9999 %".
func Cutoff(ppm uint64) string {
	return strconv.FormatFloat(float64(ppm)/1e4, 'f', -1, 64) + NumberSpace + "%"
}

// Hex64 writes a hash in full: 0x and sixteen digits.
func Hex64(v uint64) string {
	digits := strconv.FormatUint(v, 16)
	return "0x" + strings.Repeat("0", 16-len(digits)) + digits
}

// Plural writes a number of things with the right form of the word: "1 row", "100 rows". The word
// for many is given where it is not that for one with an s.
func Plural[T ~int | ~int64 | ~uint32 | ~uint64](n T, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return Int(n) + " " + many[0]
	}
	return Int(n) + " " + one + "s"
}

// More says how many more there are than are shown; nothing where there are none.
func More[T ~int | ~uint64](n T) string {
	if n <= 0 {
		return ""
	}
	return Int(n) + " more"
}

// Things is Plural for a number that is written already: "1 sample", "3.77 M samples".
func Things(figure, one, many string) string {
	if figure == "1" {
		return figure + " " + one
	}
	return figure + " " + many
}

// Plain is a figure as a terminal shows it and a script reads it: without the spaces
// between digits.
func Plain(figure string) string { return strings.ReplaceAll(figure, NumberSpace, "") }

// Growth writes a change by a part of what was, with its sign; it may be larger than that
// was: "−33.8 %", "+1 140 %".
func Growth(change float64) string {
	if change < 1 {
		text, _, _ := strings.Cut(Points(change, 1), " at ")
		return text + NumberSpace + "%"
	}
	return "+" + Group(strconv.FormatFloat(math.Round(change*100), 'f', 0, 64)) + NumberSpace + "%"
}

// Points writes a difference of two fractions of 1 in percentage points, with its
// sign: "+0.44". What is not nothing is never written as 0.
func Points(difference float64, decimals int) string {
	sign := "+"
	if difference < 0 {
		sign = "−"
	}
	switch text := strings.TrimSuffix(Percent(math.Abs(difference), decimals), NumberSpace+"%"); {
	case difference == 0 || math.IsNaN(difference):
		return "0"
	case strings.HasPrefix(text, "<"):
		return sign + text[len("<"+NumberSpace):] + " at most"
	case strings.HasPrefix(text, ">"):
		return sign + text[len(">"+NumberSpace):] + " at least"
	default:
		return sign + text
	}
}
