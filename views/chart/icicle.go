package chart

import (
	"strconv"

	"proflens/internal/humanize"
)

// IcicleNode is what an icicle is drawn of.
type IcicleNode struct {
	Label, Title, URL string
	Weight            float64 // its width; that of what is below is not above it
	Part              float64 // how much of it ran, from 0 to 1
	Children          []IcicleNode
}

// Icicle is a tree from the top down, each level a row of frames.
type Icicle struct {
	Frames []IcicleFrame
	Height string // of all rows, in pixels
}

// IcicleFrame is one node, or a mark for several that are too narrow to draw.
type IcicleFrame struct {
	X, Width, Y, Height string
	Cover               Cover
	Rest                bool // a mark for several
	Label, Title, URL   string
}

// NewIcicle draws a tree, or nil when its root has no weight.
func NewIcicle(root IcicleNode) *Icicle {
	if root.Weight <= 0 {
		return nil
	}
	i := &Icicle{}
	levels := i.draw(&root, 0, 1, root.Weight, 0)
	i.Height = strconv.Itoa(levels*icicleRow - icicleGap)
	return i
}

// PartStep is the heat of a part of a whole: 0 for none of it, 8 for all.
func PartStep(part float64) int {
	if part <= 0 {
		return 0
	}
	return min(1+int(part*7), 8)
}

// PartBar is the bar of a part of a whole, full for all.
func PartBar(part float64) Bar {
	if part <= 0 {
		return Bar{Width: "0"}
	}
	return Bar{Width: Decimal(max(100*min(part, 1), 1)), Step: PartStep(part)}
}

// How an icicle is drawn: rows in pixels, widths as parts of the whole.
const (
	icicleRow    = 26
	icicleGap    = 1
	icicleSliver = 0.0012 // narrower ones share a mark
	icicleLabel  = 0.03   // narrower ones have no label
)

// draw adds a node that begins at left, and what is below it; it returns how
// many levels there are down to it and below.
func (i *Icicle) draw(n *IcicleNode, left, width, whole float64, level int) int {
	f := icicleFrame(left, width, level)
	f.Cover, f.Title, f.URL = NewCover(n.Part), n.Title, n.URL
	if width >= icicleLabel {
		f.Label = n.Label
	}
	i.Frames = append(i.Frames, f)
	levels := level + 1
	rest, narrow := 0.0, 0
	for c := range n.Children {
		child := &n.Children[c]
		part := child.Weight / whole
		if part < icicleSliver {
			if part > 0 {
				rest, narrow = rest+part, narrow+1
			}
			continue
		}
		levels = max(levels, i.draw(child, left, part, whole, level+1))
		left += part
	}
	if rest > icicleSliver/4 {
		f := icicleFrame(left, rest, level+1)
		f.Rest, f.Title = true, humanize.Say("{} more, {%2}", narrow, rest)
		i.Frames = append(i.Frames, f)
		levels = max(levels, level+2)
	}
	return levels
}

func icicleFrame(left, width float64, level int) IcicleFrame {
	return IcicleFrame{
		X: Along(left), Width: Along(width), Y: strconv.Itoa(level * icicleRow), Height: strconv.Itoa(icicleRow - icicleGap),
	}
}
