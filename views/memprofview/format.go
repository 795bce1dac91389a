package memprofview

import (
	"math"
	"strconv"
	"strings"

	"proflens/say"
)

// Milliseconds writes a time, given in milliseconds, in the unit that suits it.
func Milliseconds(ms float64) say.Number {
	n := say.Number{Exact: inFull(ms) + say.NumberSpace + "ms"}
	switch {
	case ms < 1000:
		n.Text = threeDigits(ms) + say.NumberSpace + "ms"
		if n.Text == n.Exact {
			n.Exact = ""
		}
	case ms < 120_000:
		n.Text = threeDigits(ms/1000) + say.NumberSpace + "s"
	case ms < 7_200_000:
		n.Text = threeDigits(ms/60_000) + say.NumberSpace + "min"
	default:
		n.Text = threeDigits(ms/3_600_000) + say.NumberSpace + "h"
	}
	return n
}

// Rate writes a ratio, which may be far below 1 and far above it.
func Rate(v float64) say.Number {
	switch {
	case v == 0:
		return say.Number{Text: "0"}
	case v < 0.001:
		return say.Number{Text: strconv.FormatFloat(v, 'e', 1, 64), Exact: inFull(v)}
	case v < 10_000:
		text := threeDigits(v)
		if exact := inFull(v); exact != text {
			return say.Number{Text: text, Exact: exact}
		}
		return say.Number{Text: text}
	}
	return say.BigCount(strconv.FormatFloat(math.Round(v), 'f', 0, 64))
}

// ByteSeconds writes an exact number of byte-milliseconds as byte-seconds.
func ByteSeconds(decimal string) say.Number {
	exact := say.Group(decimal) + say.NumberSpace + "byte·ms"
	if len(decimal) <= 3 {
		return say.Number{Text: "<" + say.NumberSpace + "1", Exact: exact}
	}
	return say.Number{Text: say.BigCount(decimal[:len(decimal)-3]).Text, Exact: exact}
}

// BigBytes writes an exact decimal number of bytes of any size.
func BigBytes(decimal string) say.Number {
	if v, err := strconv.ParseUint(decimal, 10, 64); err == nil {
		return say.Bytes(v)
	}
	n := say.BigCount(decimal)
	return say.Number{Text: n.Text + "B", Exact: n.Exact + say.NumberSpace + "bytes"}
}

// threeDigits writes a number with three significant digits, in full above 100.
func threeDigits(v float64) string {
	switch {
	case v >= 99.95:
		return say.Group(strconv.FormatFloat(v, 'f', 0, 64))
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

// parse reads what inFull wrote.
func parse(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

func inFull(v float64) string {
	if v >= 1e15 || v < 1e-6 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// lastPart is a path, perhaps with a line, without its folders.
func lastPart(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }
