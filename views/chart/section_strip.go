package chart

import (
	"proflens/internal/humanize"
)

// SectionStrip draws a file from its first byte to its last, each section as
// wide as its share, and the places that findings are about. Coordinates are
// percentages of the width.
type SectionStrip struct {
	Parts  []StripPart
	Faults []StripFault
	End    string // the offset after the last byte
	Note   string // said when widths are not to scale everywhere
}

// StripPart is a run of bytes of a strip.
type StripPart struct {
	X, Width string
	Category int // -1 for bytes in no section
	URL      string
	Title    string
	Label    string // drawn where it has room
	Selected bool
}

// StripFault marks the place of a finding.
type StripFault struct{ X, Title string }

// FileRun is a run of bytes as a strip is made from: no two overlap.
type FileRun struct {
	Offset, Size uint64
	Category     int // -1 for bytes in no section
	Name         string
	URL          string
	Selected     bool

	joined int // runs that this one stands for, beyond the first
}

// FilePlace is a place in a file with what is to be said of it.
type FilePlace struct {
	Offset uint64
	Title  string
}

const (
	// stripSliver is the least share of the width that a run gets, so that it
	// can be seen and pointed at.
	stripSliver = 0.006
	// stripLabel is the share from which a run has room for a name.
	stripLabel = 0.09
	// stripParts is how many parts a strip has at most; where there would be
	// more, neighbouring slivers become one part.
	stripParts = 100
)

// NewSectionStrip draws the runs of a file of size bytes, which are in file
// order and cover it. It returns nil for an empty file.
func NewSectionStrip(runs []FileRun, size uint64, places []FilePlace) *SectionStrip {
	runs = gathered(runs, size)
	if size == 0 || len(runs) == 0 {
		return nil
	}
	s := &SectionStrip{End: humanize.Hex(size)}
	widths, all := make([]float64, len(runs)), 0.0
	for i, r := range runs {
		share := float64(r.Size) / float64(size)
		if widths[i] = share; share < stripSliver {
			widths[i] = stripSliver
			s.Note = "Very small sections are drawn wider than to scale."
		}
		all += widths[i]
	}
	left := make([]float64, len(runs)+1)
	for i, r := range runs {
		width := widths[i] / all
		left[i+1] = left[i] + width
		part := StripPart{
			X: Along(left[i]), Width: Along(width), Category: r.Category, URL: r.URL, Selected: r.Selected,
			Title: r.Name + ", " + humanize.Hex(r.Offset) + ", " + humanize.Plural(r.Size, "byte"),
		}
		if width >= stripLabel {
			part.Label = r.Name
		}
		s.Parts = append(s.Parts, part)
	}
	for _, p := range places {
		s.Faults = append(s.Faults, StripFault{X: Along(stripPlace(runs, left, p.Offset)), Title: p.Title})
	}
	return s
}

// stripPlace is where an offset lies on the strip, 0 to 1.
func stripPlace(runs []FileRun, left []float64, offset uint64) float64 {
	for i, r := range runs {
		if offset < r.Offset+r.Size {
			return left[i] + (left[i+1]-left[i])*float64(offset-min(r.Offset, offset))/float64(r.Size)
		}
	}
	return 1
}

// gathered joins neighbouring slivers until few enough parts are left.
func gathered(runs []FileRun, size uint64) []FileRun {
	for sliver := stripSliver; len(runs) > stripParts; sliver *= 2 {
		var fewer []FileRun
		for _, r := range runs {
			if n := len(fewer); n > 0 && float64(fewer[n-1].Size+r.Size) < sliver*float64(size) {
				fewer[n-1].join(r)
			} else {
				fewer = append(fewer, r)
			}
		}
		runs = fewer
	}
	return runs
}

// join makes r stand for the run after it too.
func (r *FileRun) join(next FileRun) {
	r.Size += next.Size
	r.Category = -1
	r.Selected = r.Selected || next.Selected
	r.joined += 1 + next.joined
	r.Name = humanize.Plural(r.joined+1, "section")
}
