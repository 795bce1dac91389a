package table

import (
	"encoding/binary"
	"math"
	"strconv"

	"proflens/analyze"
	"proflens/internal/humanize"
)

// Cell is one value of a table, as every format needs it. The zero Cell is
// null: null in JSON, empty elsewhere.
type Cell struct {
	kind cellKind
	text string // text, JSON, a count beyond 64 bits
	n    uint64 // an integer, or the bits of a number with a fraction
}

type cellKind uint8

const (
	nullCell   cellKind = iota
	absentCell          // no key in JSON; empty elsewhere
	textCell
	hexCell   // text of sixteen hexadecimal digits
	countCell // an exact integer, quoted by Options.Quote; text where it passes 64 bits
	intCell   // an integer that JavaScript can hold
	ratioCell
	changeCell // a ratio that text writes with its sign
	numberCell // with a fraction, and no share
	boolCell
	jsonCell // a list or an object, as JSON in every format
)

// Null is a value that there is not, such as the name of a function whose file
// lacks it.
var Null = Cell{}

// Absent has no key in JSON; elsewhere it is empty.
var Absent = Cell{kind: absentCell}

// Text is words; bytes that are not UTF-8 become U+FFFD.
func Text(s string) Cell { return Cell{kind: textCell, text: s} }

// Hex is sixteen hexadecimal digits, as text.
func Hex(n uint64) Cell { return Cell{kind: hexCell, n: n} }

// Count is an exact number of events or bytes, quoted where
// [Options].Quote asks for it.
func Count(n uint64) Cell { return Cell{kind: countCell, n: n} }

// SumCount is a Count of a sum, which can pass 2^64.
func SumCount(s analyze.Sum) Cell {
	if s.Hi == 0 {
		return Count(s.Lo)
	}
	return BigCount(s.String())
}

// BigCount is a Count that can pass 2^64, in decimal digits.
func BigCount(decimal string) Cell { return Cell{kind: countCell, text: decimal} }

// Int is an integer below 2^53, which is never quoted: an index, a rank.
func Int[N ~int | ~int32 | ~int64 | ~uint32 | ~uint64](n N) Cell {
	return Cell{kind: intCell, n: uint64(n)}
}

// Ratio is a share from 0 to 1, or another number with a fraction.
func Ratio(f float64) Cell { return Cell{kind: ratioCell, n: math.Float64bits(f)} }

// Change is a difference of shares, from -1 to 1.
func Change(f float64) Cell { return Cell{kind: changeCell, n: math.Float64bits(f)} }

// Number is a number with a fraction that is no share, such as seconds.
func Number(f float64) Cell { return Cell{kind: numberCell, n: math.Float64bits(f)} }

// JSON is a list or an object, which is JSON in every format.
func JSON(b []byte) Cell { return Cell{kind: jsonCell, text: string(b)} }

// Bool is true or false.
func Bool(b bool) Cell {
	c := Cell{kind: boolCell}
	if b {
		c.n = 1
	}
	return c
}

// float is a number with a fraction.
func (c Cell) float() float64 { return math.Float64frombits(c.n) }

// AppendHex appends sixteen hexadecimal digits.
func AppendHex(b []byte, n uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, hexDigits(n>>32)), hexDigits(n&0xffffffff))
}

// hexDigits are the eight hexadecimal digits of the low 32 bits, a byte each, all made at once.
func hexDigits(n uint64) uint64 {
	n = (n | n<<16) & 0x0000ffff0000ffff
	n = (n | n<<8) & 0x00ff00ff00ff00ff
	n = (n | n<<4) & 0x0f0f0f0f0f0f0f0f
	letters := (n + 0x0606060606060606) >> 4 & 0x0101010101010101 // 1 in the bytes of ten or more
	return n + '0'*0x0101010101010101 + letters*('a'-'0'-10)
}

// append writes the value as CSV and text show it, and as JSON does but for
// strings.
func (c Cell) append(b []byte) []byte {
	switch c.kind {
	case textCell, jsonCell:
		return append(b, c.text...)
	case countCell, intCell:
		if c.text != "" {
			return append(b, c.text...)
		}
		return humanize.AppendUint(b, c.n)
	case hexCell:
		return AppendHex(b, c.n)
	case ratioCell, changeCell, numberCell:
		return appendFloat(b, c.float())
	case boolCell:
		return strconv.AppendBool(b, c.n == 1)
	}
	return b
}
