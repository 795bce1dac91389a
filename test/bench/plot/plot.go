// Package plot draws how something grows with size, as SVG on logarithmic axes that can be
// read on light and on dark pages.
package plot

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Point is a value at a size; both are above zero.
type Point struct{ Size, Value float64 }

// Line is the points of one thing, by rising size.
type Line struct {
	Name   string
	Points []Point
}

// Panel is lines on common axes.
type Panel struct {
	Title string
	Sizes string                 // what the axis of sizes counts
	Mark  func(v float64) string // writes a value at the axis, in its unit
	Lines []Line
}

// The place of everything, in the units of the picture.
const (
	width, height      = 380, 300
	left, right        = 62, 16
	top, bottom        = 34, 44
	legendLine, border = 18, 10
)

// style has the colours: of text and of lines, on light and on dark pages.
const style = `<style>
.back{fill:#fff}text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:13px}
.axis{stroke:#8886;stroke-width:1;fill:none}path.line{fill:none;stroke-width:2}
.c0{stroke:#0b62a8;fill:#0b62a8}.c1{stroke:#b3501b;fill:#b3501b}.c2{stroke:#20753a;fill:#20753a}.c3{stroke:#8a3ba1;fill:#8a3ba1}.c4{stroke:#6a5a00;fill:#6a5a00}.c5{stroke:#b0283c;fill:#b0283c}
@media(prefers-color-scheme:dark){.back{fill:#14181d}text{fill:#ddd}
.c0{stroke:#6fb6f2;fill:#6fb6f2}.c1{stroke:#f0a06c;fill:#f0a06c}.c2{stroke:#74ce8e;fill:#74ce8e}.c3{stroke:#d59ae6;fill:#d59ae6}.c4{stroke:#d8c54e;fill:#d8c54e}.c5{stroke:#f28a98;fill:#f28a98}}
</style>
`

// colours is how many lines of a panel can be told apart.
const colours = 6

// SVG draws rows of panels under a title for those who cannot see it.
func SVG(title string, rows [][]Panel) string {
	var b strings.Builder
	columns, down := 0, 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	for _, row := range rows {
		y := down
		for i := range row {
			down = max(down, y+height+legendLine*len(row[i].Lines)+border)
			row[i].draw(&b, i*width, y)
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n%s"+`<rect class="back" width="100%%" height="100%%"/>`+"\n%s</svg>\n",
		columns*width, down, html.EscapeString(title), style, b.String())
}

// scale is a logarithmic axis, of whole decades.
type scale struct{ low, high float64 }

func scaleOf(values []float64) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	for _, v := range values {
		s.low, s.high = min(s.low, math.Floor(math.Log10(v))), max(s.high, math.Ceil(math.Log10(v)))
	}
	s.high = max(s.high, s.low+1)
	return s
}

// at is the place of a value between 0 and 1.
func (s scale) at(v float64) float64 { return (math.Log10(v) - s.low) / (s.high - s.low) }

func (p *Panel) draw(b *strings.Builder, x, y int) {
	var sizes, values []float64
	for _, l := range p.Lines {
		for _, at := range l.Points {
			sizes, values = append(sizes, at.Size), append(values, at.Value)
		}
	}
	if len(sizes) == 0 {
		return
	}
	across, up := scaleOf(sizes), scaleOf(values)
	placeX := func(v float64) float64 { return float64(x+left) + across.at(v)*float64(width-left-right) }
	placeY := func(v float64) float64 { return float64(y+height-bottom) - up.at(v)*float64(height-top-bottom) }
	text := func(class, anchor string, x, y float64, words string) {
		fmt.Fprintf(b, `<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, anchor, x, y,
			html.EscapeString(words))
	}
	text("title", "start", float64(x+left), float64(y+18), p.Title)
	for d := across.low; d <= across.high; d++ {
		v := math.Pow(10, d)
		fmt.Fprintf(b, `<path class="axis" d="M%.1f %d V%d"/>`+"\n", placeX(v), y+top, y+height-bottom)
		text("", "middle", placeX(v), float64(y+height-bottom+16), count(v))
	}
	for d := up.low; d <= up.high; d++ {
		v := math.Pow(10, d)
		fmt.Fprintf(b, `<path class="axis" d="M%d %.1f H%d"/>`+"\n", x+left, placeY(v), x+width-right)
		text("", "end", float64(x+left-6), placeY(v)+4, p.Mark(v))
	}
	text("", "middle", float64(x+left+width-right)/2+float64(x)/2, float64(y+height-bottom+34), p.Sizes)
	for i, l := range p.Lines {
		var path strings.Builder
		for n, at := range l.Points {
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(n, 1)], placeX(at.Size), placeY(at.Value))
			fmt.Fprintf(b, `<circle class="c%d" r="3" cx="%.1f" cy="%.1f"/>`+"\n", i%colours, placeX(at.Size), placeY(at.Value))
		}
		fmt.Fprintf(b, `<path class="line c%d" style="fill:none" d="%s"/>`+"\n", i%colours, path.String())
		legend := float64(y + height + legendLine*i + 4)
		fmt.Fprintf(b, `<circle class="c%d" r="4" cx="%d" cy="%.1f"/>`+"\n", i%colours, x+left+4, legend-4)
		text("", "start", float64(x+left+14), legend, l.Name)
	}
}

// count writes a power of ten.
func count(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.0fM", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.0fk", v/1e3)
	}
	return fmt.Sprintf("%.0f", v)
}
