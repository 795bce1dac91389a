package dcpidb

import (
	"cmp"
	"slices"
)

// Total is what a selection holds of one image, epoch, host or event.
type Total struct {
	Name     string // of the epoch, host or event; the label of an image
	Image    int    // in Overview.Images; of an image alone
	Profiles int
	// Images, Epochs and Platforms are how many there are of each.
	Images, Epochs, Platforms int
	Cells                     []Cell // by column
}

// TotalOf says what the rows of a table of totals are.
type TotalOf string

// What rows can be; besides an image, the dimensions.
const (
	OfImage    TotalOf = "image"
	OfEpoch    TotalOf = TotalOf(ByEpoch)
	OfPlatform TotalOf = TotalOf(ByPlatform)
)

// Totals adds a selection up by image, epoch or host: images by samples of the
// first column, descending, the others in their order. The columns are those of
// the selection.
func (p *Profile) Totals(s Selection, of TotalOf) ([]Total, []Column) {
	plan := p.Overview.plan(&s)
	type key struct {
		name  string
		image int
	}
	index := map[key]int{}
	type part struct {
		total int
		what  TotalOf
		name  string
	}
	seen := map[part]bool{}
	first := func(in part) int { // 1 when it is new
		if seen[in] {
			return 0
		}
		seen[in] = true
		return 1
	}
	totals := []Total{}
	for _, f := range plan.profiles {
		label := p.Overview.Images[f.Image].Label
		k := key{label, f.Image}
		if of != OfImage {
			k = key{f.value(Dimension(of)), -1}
		}
		n, ok := index[k]
		if !ok {
			n = len(totals)
			index[k] = n
			totals = append(totals, Total{Name: k.name, Image: k.image, Cells: make([]Cell, len(plan.columns))})
		}
		t := &totals[n]
		t.Profiles++
		t.Cells[f.column].add(f.Samples, &f.DCPIRate)
		t.Images += first(part{n, OfImage, label})
		t.Epochs += first(part{n, OfEpoch, f.Epoch})
		t.Platforms += first(part{n, OfPlatform, f.Platform})
	}
	slices.SortStableFunc(totals, func(a, b Total) int {
		if of == OfImage && len(plan.columns) > 0 {
			return cmp.Compare(b.Cells[0].Samples, a.Cells[0].Samples)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return totals, plan.columns
}
