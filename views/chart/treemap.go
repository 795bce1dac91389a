package chart

import (
	"cmp"
	"slices"
	"strconv"

	"proflens/internal/humanize"
)

// TreemapNode is what a treemap is drawn of.
type TreemapNode struct {
	Label, Title, URL string
	Weight            float64 // its area; the sum of what is below where there is something
	Part              float64 // how much of it ran, from 0 to 1
	Half              float64 // how much of that ran only in part
	Children          []TreemapNode
}

// Treemap is a tree as nested frames, each as large as it weighs.
type Treemap struct {
	Frames []TreemapFrame
	Height string  // pixels
	aspect float64 // pixels a unit across, about
}

// TreemapFrame is one node, or a mark for several that are too small to draw.
type TreemapFrame struct {
	X, Width, Y, Height string
	Cover               Cover
	Gap, Reach          string // from the top: what did not run, and that with what ran in part
	Group               bool   // others stand inside: the label has a line of its own
	Rest                bool   // a mark for several
	Label, Title, URL   string
}

// How a treemap is drawn: heights in pixels, widths in units of which the window
// has a thousand, a little more than a pixel each.
const (
	treemapWidth  = 1000
	treemapHeight = 400
	treemapAspect = 1.2  // pixels a unit, about: over the whole window
	panelAspect   = 0.46 // in a panel beside others
	treemapHead   = 20   // of a group's label
	treemapLeast  = 160  // smaller ones share a mark
)

// box is a place in a treemap: units across, pixels down.
type box struct{ x, y, w, h float64 }

// NewTreemap draws what is below a root; nil where that weighs nothing.
func NewTreemap(root TreemapNode) *Treemap { return newTreemap(root, treemapAspect) }

// NewPanelTreemap draws it for a panel that others stand beside.
func NewPanelTreemap(root TreemapNode) *Treemap { return newTreemap(root, panelAspect) }

func newTreemap(root TreemapNode, aspect float64) *Treemap {
	if root.Weight <= 0 || len(root.Children) == 0 {
		return nil
	}
	t := &Treemap{Height: strconv.Itoa(treemapHeight), aspect: aspect}
	t.fill(root.Children, box{0, 0, treemapWidth, treemapHeight})
	return t
}

// fill lays nodes out in a box, row by row along its shorter side, so that they
// come out as square as can be (Bruls, Huizing, van Wijk: Squarified Treemaps).
func (t *Treemap) fill(nodes []TreemapNode, in box) {
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n TreemapNode) bool { return n.Weight <= 0 })
	slices.SortStableFunc(nodes, func(a, b TreemapNode) int { return cmp.Compare(b.Weight, a.Weight) })
	whole := 0.0
	for i := range nodes {
		whole += nodes[i].Weight
	}
	if whole <= 0 || in.w <= 0 || in.h <= 0 {
		return
	}
	scale := in.w * in.h / whole // area of a unit of weight
	drawn, rest := len(nodes), 0.0
	for drawn > 0 && nodes[drawn-1].Weight*scale*t.aspect < treemapLeast*treemapAspect {
		drawn--
		rest += nodes[drawn].Weight
	}
	small := len(nodes) - drawn
	weights := make([]float64, drawn, drawn+1)
	for i := range drawn {
		weights[i] = nodes[i].Weight * scale
	}
	if rest > 0 {
		weights = append(weights, rest*scale)
	}
	for i, b := range squarify(weights, in, t.aspect) {
		if i == drawn {
			f := treemapFrame(b)
			f.Rest, f.Title = true, humanize.Say("{} more, {%2} of it", small, rest/whole)
			t.Frames = append(t.Frames, f)
			continue
		}
		t.draw(&nodes[i], b)
	}
}

func (t *Treemap) draw(n *TreemapNode, b box) {
	f := treemapFrame(b)
	f.Cover, f.Title, f.URL = NewCover(n.Part), n.Title, n.URL
	f.Gap, f.Reach = Along(1-n.Part), Along(1-n.Part+n.Half)
	if b.w*t.aspect >= 40*treemapAspect && b.h >= 18 {
		f.Label = n.Label
	}
	f.Group = len(n.Children) > 0 && b.h >= 3*treemapHead && b.w*t.aspect >= 60*treemapAspect
	t.Frames = append(t.Frames, f)
	if f.Group {
		t.fill(n.Children, box{b.x + 2, b.y + treemapHead, b.w - 4, b.h - treemapHead - 3})
	}
}

func treemapFrame(b box) TreemapFrame {
	return TreemapFrame{
		X: Along(b.x / treemapWidth), Width: Along(b.w / treemapWidth), Y: Decimal(b.y), Height: Decimal(b.h),
	}
}

// squarify gives each area its box; areas descend, but for the last, and add up
// to the whole.
func squarify(areas []float64, in box, aspect float64) []box {
	boxes := make([]box, 0, len(areas))
	for len(areas) > 0 {
		across := in.w*aspect < in.h // rows are laid across, top down
		side := in.h * 1.0
		if across {
			side = in.w
		}
		n, sum := 1, areas[0]
		for n < len(areas) && worstRatio(areas[:n+1], sum+areas[n], side, across, aspect) <= worstRatio(
			areas[:n], sum, side, across, aspect) {
			sum += areas[n]
			n++
		}
		depth := sum / side
		at := 0.0
		for _, area := range areas[:n] {
			length := area / depth
			if across {
				boxes = append(boxes, box{in.x + at, in.y, length, depth})
			} else {
				boxes = append(boxes, box{in.x, in.y + at, depth, length})
			}
			at += length
		}
		if across {
			in.y, in.h = in.y+depth, in.h-depth
		} else {
			in.x, in.w = in.x+depth, in.w-depth
		}
		areas = areas[n:]
	}
	return boxes
}

// worstRatio is the largest ratio of sides, in pixels, of areas that share a row.
// Areas descend, so that it is that of the first or the last.
func worstRatio(areas []float64, sum, side float64, across bool, aspect float64) float64 {
	depth := sum / side
	ratio := func(area float64) float64 {
		w, h := depth*aspect, area/depth
		if across {
			w, h = area/depth*aspect, depth
		}
		return max(w/h, h/w)
	}
	return max(ratio(areas[0]), ratio(areas[len(areas)-1]))
}
