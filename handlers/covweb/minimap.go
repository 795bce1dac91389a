package covweb

import (
	"strconv"

	"proflens/analyze/coverage"
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/covview"
)

const (
	mapBands = 300 // a band is the worst of its lines
	mapLinks = 200 // gaps that can be pressed
)

// minimap draws a whole file in a strip; nil of one that fits the window.
func (v *source) minimap(page []run) *covview.Minimap {
	last := v.rows[len(v.rows)-1].Last
	if v.text != nil {
		last = max(last, uint32(len(v.text)))
	}
	if last < 2 {
		return nil
	}
	scale := 1 / float64(last)
	band := func(first, last uint32, class string) covview.Band {
		height := float64(last-first+1) * scale
		return covview.Band{Y: chart.Along(float64(first-1) * scale), Height: chart.Along(max(height, 0.0025)), Class: class}
	}
	m := &covview.Minimap{Says: humanize.Plural(last, "line")}
	// Neighbours of one state are one band; of a long file they are cut into buckets.
	bucket := max(last/mapBands, 1)
	for i := 0; i < len(v.rows); {
		r := &v.rows[i]
		first, end, state := r.First, r.Last, r.State
		for i++; i < len(v.rows) && (v.rows[i].State == state || v.rows[i].Last-first < bucket); i++ {
			if end = v.rows[i].Last; state == coverage.Unmapped || v.rows[i].State != coverage.Unmapped &&
				v.rows[i].State < state {
				state = v.rows[i].State
			}
		}
		if state != coverage.Unmapped {
			m.Bands = append(m.Bands, band(first, end, covview.Class(state)))
		}
	}
	for _, g := range v.gaps[:min(len(v.gaps), mapLinks)] {
		state := coverage.Partly
		if g.Missed {
			state = coverage.Missed
		}
		b := band(g.First, g.Last, covview.Class(state))
		b.URL = v.q.line(g.First)
		b.Title = "lines " + span{g.First, g.Last}.words()
		if g.First == g.Last {
			b.Title = "line " + strconv.Itoa(int(g.First))
		}
		m.Gaps = append(m.Gaps, b)
	}
	if len(page) > 0 && (page[0].first > v.rows[0].First || page[len(page)-1].last < v.rows[len(v.rows)-1].Last) {
		w := band(page[0].first, page[len(page)-1].last, "")
		m.Window = &w
	}
	return m
}
