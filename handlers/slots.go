package handlers

import (
	"proflens/handlers/metrics"
	"proflens/handlers/site"
)

// slots are the measures of how many places are taken, and how many there are.
func (s *server) slots() []metrics.Measure {
	each := func(number func(site.Slots) int) func(func(float64, ...string)) {
		return func(put func(float64, ...string)) {
			put(float64(number(s.uploads)), "uploads")
			put(float64(number(s.decodes)), "decodes")
		}
	}
	return []metrics.Measure{
		{
			Name: "proflens_slots_used", Help: "Slots in use.", Labels: []string{"of"},
			Read: each(func(s site.Slots) int { return len(s) }),
		},
		{
			Name: "proflens_slots", Help: "Slots in all.", Labels: []string{"of"},
			Read: each(func(s site.Slots) int { return cap(s) }),
		},
	}
}
