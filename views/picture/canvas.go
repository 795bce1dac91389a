package picture

import (
	"image"
	"image/color"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"proflens/internal/humanize"
)

// levels is how many steps an edge has from its background to its colour: few enough
// for the colours of a card to fit a palette, which keeps the file small.
const levels = 12

// canvas is painted on with few colours.
type canvas struct{ *image.Paletted }

func newCanvas() canvas {
	return canvas{image.NewPaletted(image.Rect(0, 0, Width, Height), color.Palette{surface})}
}

// paint lays a colour over what is there, as much as the mask says; the mask's point
// from comes to lie at to's corner.
func (p canvas) paint(mask *image.Alpha, to image.Rectangle, from image.Point, c color.RGBA) {
	var blends [256][levels + 1]int16 // 1 more than the colour; 0 is not known yet
	to = to.Intersect(p.Rect)
	for y := to.Min.Y; y < to.Max.Y; y++ {
		row := p.Pix[p.PixOffset(to.Min.X, y):][:to.Dx()]
		alpha := mask.Pix[mask.PixOffset(from.X, from.Y+y-to.Min.Y):][:to.Dx()]
		for x, a := range alpha {
			level := (int(a)*levels + 127) / 255
			if level == 0 {
				continue
			}
			blend := &blends[row[x]][level]
			if *blend == 0 {
				*blend = 1 + int16(p.colour(p.Palette[row[x]].(color.RGBA), c, level))
			}
			row[x] = uint8(*blend - 1)
		}
	}
}

// colour is the place in the palette of one colour over another.
func (p canvas) colour(under, over color.RGBA, level int) int {
	mix := func(u, o uint8) uint8 { return uint8((int(u)*(levels-level) + int(o)*level + levels/2) / levels) }
	c := color.RGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 0xff}
	for i, have := range p.Palette {
		if have == c {
			return i
		}
	}
	if len(p.Palette) == 256 {
		return p.Palette.Index(c)
	}
	p.Paletted.Palette = append(p.Palette, c)
	return len(p.Palette) - 1
}

// bar is a rectangle with round corners.
func (p canvas) bar(x, y, w, h, r float64, c color.RGBA) {
	if w <= 0 || h <= 0 {
		return
	}
	r = min(r, w/2, h/2)
	box := image.Rect(int(x), int(y), int(x+w)+1, int(y+h)+1)
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	x, y = x-float64(box.Min.X), y-float64(box.Min.Y)
	side := func(toX, toY float64) { z.LineTo(float32(toX), float32(toY)) }
	const k = 0.5523 // a quarter of a circle as a Bézier curve
	corner := func(ax, ay, bx, by, toX, toY float64) {
		z.CubeTo(float32(ax), float32(ay), float32(bx), float32(by), float32(toX), float32(toY))
	}
	right, bottom, f := x+w, y+h, r*(1-k)
	z.MoveTo(float32(x+r), float32(y))
	side(right-r, y)
	corner(right-f, y, right, y+f, right, y+r)
	side(right, bottom-r)
	corner(right, bottom-f, right-f, bottom, right-r, bottom)
	side(x+r, bottom)
	corner(x+f, bottom, x, bottom-f, x, bottom-r)
	side(x, y+r)
	corner(x, y+f, x+f, y, x+r, y)
	z.ClosePath()
	mask := image.NewAlpha(z.Bounds())
	z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	p.paint(mask, box, image.Point{}, c)
}

// text writes a line of at most room pixels from x on; y is its base line. It returns
// how wide it became.
func (p canvas) text(f *sfnt.Font, size float64, c color.RGBA, text string, x, y, room int) int {
	text, width := fit(f, size, text, room)
	face := faceOf(f, size)
	dot, last := fixed.P(x, y), rune(-1)
	for _, r := range text {
		if last >= 0 {
			dot.X += face.Kern(last, r)
		}
		to, mask, from, advance, ok := face.Glyph(dot, r)
		if alpha, is := mask.(*image.Alpha); ok && is && to.In(p.Rect) {
			p.paint(alpha, to, from, c)
		}
		dot.X += advance
		last = r
	}
	return width
}

// textEnd is text that ends at x.
func (p canvas) textEnd(f *sfnt.Font, size float64, c color.RGBA, text string, x, y, room int) int {
	text, width := fit(f, size, text, room)
	return p.text(f, size, c, text, x-width, y, room)
}

// most is how many runes are measured: more fit in no place.
const most = 300

// fit cuts a text to a width, at its end, and makes one line of it.
func fit(f *sfnt.Font, size float64, text string, room int) (string, int) {
	runes := []rune(humanize.Printable(strings.ReplaceAll(text, humanize.NumberSpace, " ")))
	cut := len(runes) > most
	runes = runes[:min(len(runes), most)]
	face := faceOf(f, size)
	for {
		text = string(runes)
		if cut {
			text = strings.TrimRight(text, " ") + "…"
		}
		width := font.MeasureString(face, text).Ceil()
		if width <= room || len(runes) == 0 {
			return text, width
		}
		cut = true
		runes = runes[:min(len(runes)-1, len(runes)*room/width+1)]
	}
}
