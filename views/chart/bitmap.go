package chart

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"proflens/internal/humanize"
)

// Bitmap is an MC/DC bitmap as a grid of bits, the lowest bit of each byte
// first. It is drawn in a box of Columns by Height.
type Bitmap struct {
	Size, Set, Bits string
	Height          int
	Cells           []BitmapCell // the bits that are set
	Bytes           []BitmapByte // the same bytes with the numbers of their bits
	More            string       // what is not drawn
}

// BitmapCell is a bit that is set.
type BitmapCell struct{ X, Y string }

// BitmapByte is a byte of a bitmap: the numbers of its bits, and of those that are
// set.
type BitmapByte struct{ Index, Hex, Bits, Set string }

// The grid: eight bytes a row, and so many rows.
const (
	BitmapColumns = 64
	bitmapRows    = 64
)

// NewBitmap draws a bitmap; it returns nil where there is none.
func NewBitmap(data []byte) *Bitmap {
	if len(data) == 0 {
		return nil
	}
	set := 0
	for _, b := range data {
		set += bits.OnesCount8(b)
	}
	m := &Bitmap{
		Size: humanize.Plural(len(data), "byte"), Set: humanize.Int(set), Bits: humanize.Int(8 * len(data)),
	}
	const perRow = BitmapColumns / 8
	rows := (len(data) + perRow - 1) / perRow
	if rows > bitmapRows {
		m.More = humanize.Say("{more byte is|more bytes are} in the JSON of this function.", len(data)-bitmapRows*perRow)
		data, rows = data[:bitmapRows*perRow], bitmapRows
	}
	m.Height = rows
	for y := range rows {
		row := data[y*perRow : min((y+1)*perRow, len(data))]
		for i, b := range row {
			at, set := y*perRow+i, []string(nil)
			for bit := range 8 {
				if b>>bit&1 == 1 {
					m.Cells = append(m.Cells, BitmapCell{X: strconv.Itoa(8*i + bit), Y: strconv.Itoa(y)})
					set = append(set, humanize.Int(8*at+bit))
				}
			}
			m.Bytes = append(m.Bytes, BitmapByte{
				Index: humanize.Int(at), Hex: fmt.Sprintf("%02x", b), Bits: humanize.Say("{}–{}", 8*at, 8*at+7),
				Set: strings.Join(set, ", "),
			})
		}
	}
	return m
}
