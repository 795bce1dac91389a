// Package picture draws what a shared link shows before it is opened, as a PNG of a
// fixed size: in the pages' faces and light colours, with no file and no address but
// its own. All text comes from files that nobody vouches for: it is cut to its place.
package picture

import (
	"bytes"
	"image/color"
	"image/png"
)

// Width and Height are those that the sites which show such pictures ask for.
const (
	Width, Height = 1200, 630

	margin   = 64
	chartX   = 500 // where the chart begins, beside the figures
	maxFacts = 3
	maxRows  = 5
)

// The light colours of web/tokens.css.
var (
	surface    = rgb(0xffffff)
	ink        = rgb(0x15181d)
	dim        = rgb(0x4a515c)
	track      = rgb(0xedeff2)
	line       = rgb(0xdcdfe5)
	accent     = rgb(0x1d4fb8)
	accentBack = rgb(0xe6eefc)
	covered    = rgb(0x2f7d63)
	uncovered  = rgb(0x6b3cb4)
	less, more = rgb(0x0b5f8a), rgb(0xb3361f)
	heat       = [...]color.RGBA{
		rgb(0xf9f6e9), rgb(0xfbe4ad), rgb(0xffbe6b), rgb(0xf99242), rgb(0xe8672e), rgb(0xc8412a), rgb(0x9c2a2b),
		rgb(0x731c28), rgb(0x4e1623),
	}
)

func rgb(v uint32) color.RGBA {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

// PNG draws a card.
func PNG(c Card) ([]byte, error) {
	p := newCanvas()
	p.head(c.Kind)
	below := p.title(c)
	for i, f := range c.Facts[:min(len(c.Facts), maxFacts)] {
		y := below + 66 + 106*i
		p.text(bold(), 50, ink, f.Value, margin, y, chartX-margin-40)
		p.text(regular(), 25, dim, f.Term, margin, y+34, chartX-margin-40)
	}
	if c.Chart != nil && len(c.Chart.Rows) > 0 {
		p.chart(c.Chart, below)
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, p.Paletted)
	return b.Bytes(), err
}

// head is the mark and the product's name, and what kind of thing this is.
func (p canvas) head(kind string) {
	const y = 56
	for i, step := range []int{2, 4, 6} {
		p.bar(margin, float64(y+i*15), float64(48-15*i), 12, 3, heat[step])
	}
	p.text(bold(), 32, ink, "Proflens", margin+66, y+34, 200)
	if kind == "" {
		return
	}
	text, width := fit(regular(), 26, kind, 760)
	p.bar(float64(Width-margin-40-width), y-6, float64(width+40), 54, 8, accentBack)
	p.text(regular(), 26, accent, text, Width-margin-20-width, y+30, 760)
}

// title is one name, or two that are compared, and a sentence; it returns where it
// ends.
func (p canvas) title(c Card) int {
	const room = Width - 2*margin
	y := 190
	if c.Versus == "" {
		p.text(bold(), 56, ink, c.Title, margin, y, room)
	} else {
		p.text(bold(), 42, ink, c.Title, margin, y-14, room)
		y += 42
		p.text(bold(), 42, ink, c.Versus, margin, y, room)
	}
	if c.Says != "" {
		y += 46
		p.text(regular(), 27, dim, c.Says, margin, y, room)
	}
	p.bar(margin, float64(y+32), room, 2, 0, line)
	return y + 34
}

// chart is the rows, below the sentence and beside the figures.
func (p canvas) chart(c *Chart, top int) {
	rows := c.Rows[:min(len(c.Rows), maxRows)]
	x, y := chartX, top+46
	moves := rows[0].From != nil
	if moves {
		x = margin
	}
	room := Width - margin - x
	p.text(regular(), 25, dim, c.Title, x, y, room)
	step := min((Height-44-y)/len(rows), 66)
	for i, r := range rows {
		at := y + 42 + step*i
		valueWidth := p.textEnd(bold(), 23, ink, r.Value, Width-margin, at, room/2)
		if moves {
			p.text(regular(), 24, ink, r.Label, x, at, 420)
			p.move(r, float64(x+440), float64(at-8), float64(room-440-150))
			continue
		}
		p.text(regular(), 24, ink, r.Label, x, at, room-valueWidth-24)
		back, front := track, heat[min(max(r.Step, 0), len(heat)-1)]
		if r.Cover {
			back, front = uncovered, covered
		}
		p.bar(float64(x), float64(at+10), float64(room), 14, 4, back)
		if to := share(r.To); to > 0 {
			p.bar(float64(x), float64(at+10), max(to*float64(room), 4), 14, 4, front)
		}
	}
}

// move is a line from one dot to another.
func (p canvas) move(r Row, x, y, room float64) {
	from, to := x+share(*r.From)*room, x+share(r.To)*room
	colour := more
	if to < from {
		colour = less
	}
	p.bar(x, y-1, room, 2, 0, line)
	p.bar(min(from, to), y-3, max(from, to)-min(from, to), 6, 0, colour)
	p.bar(from-10, y-10, 20, 20, 10, colour)
	p.bar(from-6, y-6, 12, 12, 6, surface)
	p.bar(to-10, y-10, 20, 20, 10, colour)
}

// share is a number of 0 to 1, whatever it was.
func share(v float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, 0), 1)
}
