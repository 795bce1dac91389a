package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
)

// DCPIDimension is what makes the columns of a table of samples.
type DCPIDimension string

// The dimensions.
const (
	ByEvent    DCPIDimension = "event"
	ByEpoch    DCPIDimension = "epoch"
	ByPlatform DCPIDimension = "platform"
)

// DCPIDimensions are all of them, the usual one first.
var DCPIDimensions = []DCPIDimension{ByEvent, ByEpoch, ByPlatform}

// DCPIUnit is what a table of samples shows.
type DCPIUnit string

// The units. Events and seconds are estimated: samples × period, and cycles ÷
// the processor's speed (dcpi.md §2).
const (
	UnitSamples DCPIUnit = "samples"
	UnitEvents  DCPIUnit = "events"
	UnitSeconds DCPIUnit = "seconds" // of CPU time; of cycles alone
)

// DCPIUnits are all of them, the usual one first.
var DCPIUnits = []DCPIUnit{UnitSamples, UnitEvents, UnitSeconds}

// DCPISelection chooses profiles of a database, and how their samples are put
// side by side. The zero value is all, with a column for each event.
type DCPISelection struct {
	Images    []int    // in DCPIOverview.Images; empty is all, as of the others
	Events    []string // columns by epoch or by platform are of one: the first that there is
	Epochs    []string // starts, RFC 3339
	Platforms []string
	By        DCPIDimension
	Unit      DCPIUnit
	Shift     int64 // bytes by which symbols are moved
}

// maxDCPIColumns bounds how many columns a table of samples has. Where there are
// more, epochs are the last ones, and others those with the most samples.
const maxDCPIColumns = 64

// DCPIColumn is one column of a table of samples.
type DCPIColumn struct {
	Name  string   // of the event, epoch or host
	Event string   // what its samples are of
	Unit  DCPIUnit // that it is shown in: events instead of samples where periods differ
	// NoTime is set where seconds were asked for and there are none: the event is
	// not cycles, or the speed of the processor is not known.
	NoTime bool
	Total  DCPICell
	Rate   analyze.DCPIRate // of the first profile
}

// DCPICell is what a row has in a column.
type DCPICell struct {
	Samples         uint64
	Events, Seconds float64 // estimated
}

// Value is the figure in a unit.
func (c *DCPICell) Value(unit DCPIUnit) float64 {
	switch unit {
	case UnitEvents:
		return c.Events
	case UnitSeconds:
		return c.Seconds
	}
	return float64(c.Samples)
}

func (c *DCPICell) add(samples uint64, rate *analyze.DCPIRate) {
	c.Samples += samples
	c.Events += rate.Events(samples)
	if s, ok := rate.Seconds(samples); ok {
		c.Seconds += s
	}
}

// Add adds another cell.
func (c *DCPICell) Add(o *DCPICell) {
	c.Samples += o.Samples
	c.Events += o.Events
	c.Seconds += o.Seconds
}

// dcpiPlan is a selection resolved: its columns, and the profiles by image with
// the column of each.
type dcpiPlan struct {
	o        *DCPIOverview
	columns  []DCPIColumn
	profiles []plannedProfile // by image
	hidden   int              // columns that are left out
	key      string           // of what is computed for it, in the cache
}

type plannedProfile struct {
	index  int // in DCPIOverview.Profiles
	column int
	*DCPIProfile
}

// DCPIColumnsOf are the columns of a selection, and how many more there are than
// a table may have.
func (p *Profile) DCPIColumnsOf(ctx context.Context, s DCPISelection) (columns []DCPIColumn, hidden int, err error) {
	plan, err := p.plan(ctx, &s)
	if err != nil {
		return nil, 0, err
	}
	return plan.columns, plan.hidden, nil
}

// plan resolves a selection.
func (p *Profile) plan(ctx context.Context, s *DCPISelection) (*dcpiPlan, error) {
	o, err := p.dcpi(ctx)
	if err != nil {
		return nil, err
	}
	by := s.By
	if by == "" {
		by = ByEvent
	}
	plan := &dcpiPlan{o: o, key: cacheWords(s.Images, s.Events, s.Epochs, s.Platforms, by, s.Shift)}
	event := ""
	if by != ByEvent {
		event = o.mainEvent(s.Events)
	}
	selected := func(f *DCPIProfile) bool {
		return (len(s.Images) == 0 || slices.Contains(s.Images, f.Image)) && (event == "" || f.Event == event) &&
			has(s.Events, f.Event) && has(s.Epochs, f.Epoch) && has(s.Platforms, f.Platform)
	}
	known := map[string]int{}
	for _, name := range o.values(by, event, s) {
		known[name] = len(plan.columns)
		plan.columns = append(plan.columns, DCPIColumn{Name: name, Unit: UnitSamples})
	}
	seen := make([]bool, len(plan.columns))
	for i := range o.Profiles {
		f := &o.Profiles[i]
		if !selected(f) {
			continue
		}
		column := known[f.value(by)]
		c := &plan.columns[column]
		if !seen[column] {
			seen[column], c.Event, c.Rate = true, f.Event, f.DCPIRate
		}
		if !c.Rate.SameEvents(f.DCPIRate) {
			c.Unit = UnitEvents
		}
		c.Total.add(f.Samples, &f.DCPIRate)
		plan.profiles = append(plan.profiles, plannedProfile{i, column, f})
	}
	plan.trim(seen, by)
	for i := range plan.columns {
		plan.columns[i].show(s.Unit)
	}
	slices.SortStableFunc(plan.profiles, func(a, b plannedProfile) int { return a.Image - b.Image })
	return plan, nil
}

func has(list []string, word string) bool { return len(list) == 0 || slices.Contains(list, word) }

// show sets the unit of a column to the one asked for, as far as it can be.
func (c *DCPIColumn) show(unit DCPIUnit) {
	switch unit {
	case UnitEvents:
		c.Unit = UnitEvents
	case UnitSeconds:
		c.Unit = UnitSeconds
		c.NoTime = !isCycles(c.Event) || c.Total.Samples > 0 && c.Total.Seconds == 0
	}
}

// mainEvent is the event that columns of epochs or hosts are of.
func (o *DCPIOverview) mainEvent(wanted []string) string {
	for _, event := range o.Events {
		if has(wanted, event) {
			return event
		}
	}
	return o.Events[0]
}

// value is what a profile is in a dimension.
func (f *DCPIProfile) value(by DCPIDimension) string {
	switch by {
	case ByEpoch:
		return f.Epoch
	case ByPlatform:
		return f.Platform
	}
	return f.Event
}

// values are the names that columns may have, in their order.
func (o *DCPIOverview) values(by DCPIDimension, event string, s *DCPISelection) []string {
	all, wanted := o.Events, s.Events
	switch by {
	case ByEpoch:
		all, wanted = o.Epochs, s.Epochs
	case ByPlatform:
		all, wanted = o.Platforms, s.Platforms
	}
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !has(wanted, name) })
}

// trim leaves out columns without a profile, and those that are too many.
func (plan *dcpiPlan) trim(seen []bool, by DCPIDimension) {
	keep := []int{}
	for i := range plan.columns {
		if seen[i] {
			keep = append(keep, i)
		}
	}
	if plan.hidden = len(keep) - maxDCPIColumns; plan.hidden > 0 {
		if by == ByEpoch {
			keep = keep[plan.hidden:]
		} else {
			slices.SortStableFunc(keep, func(a, b int) int {
				x, y := plan.columns[a].Total.Samples, plan.columns[b].Total.Samples
				return compareDown(x, y)
			})
			keep = keep[:maxDCPIColumns]
			slices.Sort(keep)
		}
	}
	plan.hidden = max(plan.hidden, 0)
	at := make([]int, len(plan.columns))
	for i := range at {
		at[i] = -1
	}
	columns := make([]DCPIColumn, len(keep))
	for to, from := range keep {
		columns[to], at[from] = plan.columns[from], to
	}
	plan.columns = columns
	plan.profiles = slices.DeleteFunc(plan.profiles, func(f plannedProfile) bool { return at[f.column] < 0 })
	for i := range plan.profiles {
		plan.profiles[i].column = at[plan.profiles[i].column]
	}
}

// compareDown orders the larger first.
func compareDown(a, b uint64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// byImage yields the profiles of each image that the plan has any of.
func (plan *dcpiPlan) byImage(yield func(image int, profiles []plannedProfile) bool) {
	for from := 0; from < len(plan.profiles); {
		to, image := from, plan.profiles[from].Image
		for to < len(plan.profiles) && plan.profiles[to].Image == image {
			to++
		}
		if !yield(image, plan.profiles[from:to]) {
			return
		}
		from = to
	}
}

// cacheWords joins what tells one computation from another.
func cacheWords(words ...any) string {
	var b strings.Builder
	for _, word := range words {
		fmt.Fprintf(&b, "%#v ", word)
	}
	return b.String()
}
