package store

import (
	"context"
	"slices"
	"strings"
)

// DCPITotal is what a selection holds of one image, epoch, host or event.
type DCPITotal struct {
	Name     string // of the epoch, host or event; the label of an image
	Image    int    // in DCPIOverview.Images; of an image alone
	Profiles int
	// Images, Epochs and Platforms are how many there are of each.
	Images, Epochs, Platforms int
	Cells                     []DCPICell // by column
}

// DCPIOf says what the rows of a table of totals are.
type DCPIOf string

// What rows can be; besides an image, the dimensions.
const (
	OfImage    DCPIOf = "image"
	OfEpoch    DCPIOf = DCPIOf(ByEpoch)
	OfPlatform DCPIOf = DCPIOf(ByPlatform)
)

// DCPITotals adds a selection up by image, epoch or host: images by samples of
// the first column, descending, the others in their order. The columns are those
// of the selection.
func (p *Profile) DCPITotals(ctx context.Context, s DCPISelection, of DCPIOf) ([]DCPITotal, []DCPIColumn, error) {
	plan, err := p.plan(ctx, &s)
	if err != nil {
		return nil, nil, err
	}
	type seen struct{ images, epochs, platforms map[string]bool }
	type key struct {
		name  string
		image int
	}
	index := map[key]int{}
	totals, sets := []DCPITotal{}, []seen{}
	for i := range plan.profiles {
		f := &plan.profiles[i]
		k := key{image: -1}
		if of == OfImage {
			k = key{plan.o.Images[f.Image].Label, f.Image}
		} else {
			k.name = f.value(DCPIDimension(of))
		}
		n, ok := index[k]
		if !ok {
			n = len(totals)
			index[k] = n
			totals = append(totals, DCPITotal{Name: k.name, Image: k.image, Cells: make([]DCPICell, len(plan.columns))})
			sets = append(sets, seen{map[string]bool{}, map[string]bool{}, map[string]bool{}})
		}
		t := &totals[n]
		t.Profiles++
		t.Cells[f.column].add(f.Samples, &f.DCPIRate)
		sets[n].images[plan.o.Images[f.Image].Label] = true
		sets[n].epochs[f.Epoch], sets[n].platforms[f.Platform] = true, true
	}
	for n := range totals {
		totals[n].Images, totals[n].Epochs, totals[n].Platforms = len(sets[n].images), len(sets[n].epochs), len(sets[n].platforms)
	}
	slices.SortStableFunc(totals, func(a, b DCPITotal) int {
		if of == OfImage && len(plan.columns) > 0 {
			return compareDown(a.Cells[0].Samples, b.Cells[0].Samples)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return totals, plan.columns, nil
}
