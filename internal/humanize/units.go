package humanize

import (
	"fmt"
	"math"
	"strconv"
)

// Milliseconds writes a time, given in milliseconds, in the unit that suits it.
func Milliseconds(ms float64) Number {
	n := Number{Exact: InFull(ms) + NumberSpace + "ms"}
	switch {
	case ms < 1000:
		n.Text = threeDigits(ms) + NumberSpace + "ms"
		if n.Text == n.Exact {
			n.Exact = ""
		}
	case ms < 120_000:
		n.Text = threeDigits(ms/1000) + NumberSpace + "s"
	case ms < 7_200_000:
		n.Text = threeDigits(ms/60_000) + NumberSpace + "min"
	default:
		n.Text = threeDigits(ms/3_600_000) + NumberSpace + "h"
	}
	return n
}

// Rate writes a ratio, which may be far below 1 and far above it.
func Rate(v float64) Number {
	switch {
	case v == 0:
		return Number{Text: "0"}
	case v < 0.001:
		return Number{Text: strconv.FormatFloat(v, 'e', 1, 64), Exact: InFull(v)}
	case v < 10_000:
		text := threeDigits(v)
		if exact := InFull(v); exact != text {
			return Number{Text: text, Exact: exact}
		}
		return Number{Text: text}
	}
	return BigCount(strconv.FormatFloat(math.Round(v), 'f', 0, 64))
}

// ByteSeconds writes an exact number of byte-milliseconds as byte-seconds.
func ByteSeconds(decimal string) Number {
	exact := Group(decimal) + NumberSpace + "byte·ms"
	if len(decimal) <= 3 {
		return Number{Text: "<" + NumberSpace + "1", Exact: exact}
	}
	return Number{Text: BigCount(decimal[:len(decimal)-3]).Text, Exact: exact}
}

// SumBytes is BigBytes of a sum that is written in decimal digits.
func SumBytes(sum fmt.Stringer) Number { return BigBytes(sum.String()) }

// SumCount is BigCount of such a sum.
func SumCount(sum fmt.Stringer) Number { return BigCount(sum.String()) }

// BigBytes writes an exact decimal number of bytes of any size.
func BigBytes(decimal string) Number {
	if v, err := strconv.ParseUint(decimal, 10, 64); err == nil {
		return Bytes(v)
	}
	n := BigCount(decimal)
	return Number{Text: n.Text + "B", Exact: n.Exact + NumberSpace + "bytes"}
}

// threeDigits writes a number with three significant digits, in full above 100.
func threeDigits(v float64) string {
	switch {
	case v >= 99.95:
		return Group(strconv.FormatFloat(v, 'f', 0, 64))
	case v >= 9.995:
		return trimZeros(strconv.FormatFloat(v, 'f', 1, 64))
	case v >= 1:
		return trimZeros(strconv.FormatFloat(v, 'f', 2, 64))
	}
	return trimZeros(strconv.FormatFloat(v, 'f', 3, 64))
}

func trimZeros(s string) string {
	for len(s) > 1 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

// InFull is a number as long as it takes, or with six digits where it is very large or small.
func InFull(v float64) string {
	if v >= 1e15 || v < 1e-6 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
