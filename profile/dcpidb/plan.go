package dcpidb

import (
	"cmp"
	"slices"

	"proflens/profile/query"
)

// maxColumns bounds how many columns a table of samples has. Where there are
// more, epochs are the last ones, and others those with the most samples.
const maxColumns = 64

// plan is a selection resolved: its columns, and the profiles by image with the
// column of each.
type plan struct {
	columns  []Column
	profiles []plannedProfile // by image
	hidden   int              // columns that are left out
	shift    int64
	key      string // of what is computed for it, in the cache; whatever the unit
}

type plannedProfile struct {
	index  int // in Overview.Profiles
	column int
	*EventProfile
}

// Columns are the columns of a selection, and how many more there are than a
// table may have.
func (p *Profile) Columns(s Selection) (columns []Column, hidden int) {
	plan := p.Overview.plan(&s)
	return plan.columns, plan.hidden
}

// plan resolves a selection.
func (o *Overview) plan(s *Selection) *plan {
	by := cmp.Or(s.By, ByEvent)
	plan := &plan{shift: s.Shift, key: query.CacheKey(s.Images, s.Events, s.Epochs, s.Platforms, by, s.Shift)}
	event := ""
	if by != ByEvent {
		event = o.mainEvent(s.Events)
	}
	selected := func(f *EventProfile) bool {
		return (len(s.Images) == 0 || slices.Contains(s.Images, f.Image)) && (event == "" || f.Event == event) &&
			has(s.Events, f.Event) && has(s.Epochs, f.Epoch) && has(s.Platforms, f.Platform)
	}
	known := map[string]int{}
	for _, name := range o.values(by, s) {
		known[name] = len(plan.columns)
		plan.columns = append(plan.columns, Column{Name: name, Key: name, Unit: UnitSamples, by: by})
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
	return plan
}

func has(list []string, word string) bool { return len(list) == 0 || slices.Contains(list, word) }

// mainEvent is the event that columns of epochs or hosts are of.
func (o *Overview) mainEvent(wanted []string) string {
	for _, event := range o.Events {
		if has(wanted, event) {
			return event
		}
	}
	return o.Events[0]
}

// value is what a profile is in a dimension.
func (f *EventProfile) value(by Dimension) string {
	switch by {
	case ByEpoch:
		return f.Epoch
	case ByPlatform:
		return f.Platform
	}
	return f.Event
}

// values are the names that columns may have, in their order.
func (o *Overview) values(by Dimension, s *Selection) []string {
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
func (plan *plan) trim(seen []bool, by Dimension) {
	keep := []int{}
	for i := range plan.columns {
		if seen[i] {
			keep = append(keep, i)
		}
	}
	if plan.hidden = max(len(keep)-maxColumns, 0); by == ByEpoch {
		keep = keep[plan.hidden:]
	} else {
		slices.SortStableFunc(keep, func(a, b int) int {
			return cmp.Compare(plan.columns[b].Total.Samples, plan.columns[a].Total.Samples)
		})
		keep = keep[:len(keep)-plan.hidden]
		slices.Sort(keep)
	}
	at := make([]int, len(plan.columns))
	for i := range at {
		at[i] = -1
	}
	columns := make([]Column, len(keep))
	for to, from := range keep {
		columns[to], at[from] = plan.columns[from], to
	}
	plan.columns = columns
	plan.profiles = slices.DeleteFunc(plan.profiles, func(f plannedProfile) bool { return at[f.column] < 0 })
	for i := range plan.profiles {
		plan.profiles[i].column = at[plan.profiles[i].column]
	}
}

// byImage yields the profiles of each image that the plan has any of.
func (plan *plan) byImage(yield func(image int, profiles []plannedProfile) bool) {
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
