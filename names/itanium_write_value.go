package names

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// literal writes a value.
func (w *writer) literal(n *node) {
	switch n.kind {
	case kindInteger:
		how := integers[n.flag]
		w.castTo(how.cast)
		w.signed(n.text)
		w.string(how.suffix)
	case kindFloat:
		w.float(n.text, n.flag)
	case kindLambda:
		w.string("[]")
		w.signature(&w.tree.nodes[n.a])
		w.string("{...}")
	case kindSubobject:
		w.pattern(n, "%b.<%a at offset ")
		if n.text == "" {
			w.string("0")
		}
		w.pattern(n, "%n>")
	}
}

func (w *writer) castTo(t string) {
	if t != "" {
		w.string("(")
		w.string(t)
		w.string(")")
	}
}

// signed writes a number of the mangling, where 'n' is the sign.
func (w *writer) signed(number string) {
	if number != "" && number[0] == 'n' {
		w.string("-")
		number = number[1:]
	}
	w.string(number)
}

// float writes a float from its bytes as C's "%a" does.
func (w *writer) float(digits string, letter byte) {
	switch letter {
	case 'e':
		high, _ := strconv.ParseUint(digits[:4], 16, 64)
		low, _ := strconv.ParseUint(digits[4:], 16, 64)
		w.extended(high, low)
		w.string("L")
	case 'f':
		b, _ := strconv.ParseUint(digits, 16, 32)
		w.double(float64(math.Float32frombits(uint32(b))), b>>31 != 0)
		w.string("f")
	default:
		b, _ := strconv.ParseUint(digits, 16, 64)
		w.double(math.Float64frombits(b), b>>63 != 0)
	}
}

func (w *writer) double(f float64, negative bool) {
	if negative {
		w.string("-")
	}
	b := math.Float64bits(f)
	exponent, fraction := int(b>>52&0x7ff), b&(1<<52-1)
	switch {
	case math.IsNaN(f):
		w.string("nan")
	case exponent == 0x7ff:
		w.string("inf")
	case exponent == 0 && fraction == 0:
		w.string("0x0p+0")
	case exponent == 0:
		w.hexFloat(0, fraction<<12, -1022)
	default:
		w.hexFloat(1, fraction<<12, exponent-1023)
	}
}

// extended writes x86's float of 80 bits, whose leading digit has four bits. A
// number without the leading bit that its exponent asks for is none.
func (w *writer) extended(high, mantissa uint64) {
	if high>>15 != 0 {
		w.string("-")
	}
	exponent := int(high & 0x7fff)
	switch {
	case exponent == 0x7fff && mantissa == 1<<63:
		w.string("inf")
	case exponent == 0x7fff || exponent != 0 && bits.LeadingZeros64(mantissa) != 0:
		w.string("nan")
	case exponent == 0 && mantissa == 0:
		w.string("0x0p+0")
	default:
		w.hexFloat(mantissa>>60, mantissa<<4, max(exponent, 1)-16383-3)
	}
}

const hexDigits = "0123456789abcdef"

// hexFloat writes a digit, the fraction behind it, and a binary exponent.
func (w *writer) hexFloat(digit, fraction uint64, exponent int) {
	w.out = append(w.out, '0', 'x', hexDigits[digit&15])
	if fraction != 0 {
		w.string(".")
	}
	for ; fraction != 0; fraction <<= 4 {
		w.out = append(w.out, hexDigits[fraction>>60])
	}
	w.string("p")
	if exponent >= 0 {
		w.string("+")
	}
	w.out = strconv.AppendInt(w.out, int64(exponent), 10)
}

// charArray writes the initial values of an array of char as a string. It
// reports false, having written nothing, if it is none of that.
func (w *writer) charArray(n *node) bool {
	array := &w.tree.nodes[n.a]
	if array.kind != kindArray {
		return false
	}
	if t := &w.tree.nodes[array.a]; t.kind != kindText || t.text != "char" {
		return false
	}
	start := len(w.out)
	w.string("\"")
	numeric := false // a digit now would belong to the escape before it
	for _, member := range w.tree.members(n.list) {
		m := &w.tree.nodes[member]
		value, err := strconv.ParseUint(m.text, 10, 8)
		if m.kind != kindInteger || err != nil {
			w.out = w.out[:start]
			return false
		}
		c := byte(value)
		if numeric && strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 {
			w.string(`""`)
		}
		numeric = w.char(c)
	}
	w.string("\"")
	return true
}

// char writes a character of a string. It reports whether that took an escape
// with digits.
func (w *writer) char(c byte) (numeric bool) {
	const hex = "0123456789ABCDEF"
	const named = "\a\b\t\n\v\f\r\"\\"
	if i := strings.IndexByte(named, c); i >= 0 {
		w.out = append(w.out, '\\', `abtnvfr"\`[i])
		return false
	}
	switch {
	case c == 0:
		w.string(`\0`)
	case c < ' ' || c == 0x7f:
		w.out = append(w.out, '\\', 'x', hex[c>>4], hex[c&15])
	default:
		w.out = append(w.out, c)
		return false
	}
	return true
}
