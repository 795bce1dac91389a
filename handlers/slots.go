package handlers

import (
	"proflens/handlers/metrics"
	"proflens/handlers/site"
)

// slots are the measures of how many places are taken, and how many there are.
func (s *server) slots() []metrics.Measure {
	each := func(name, help string, number func(site.Slots) int) metrics.Measure {
		return metrics.Measure{Name: name, Help: help, Labels: []string{"of"}, Read: func(put metrics.Put) {
			put(float64(number(s.uploads)), "uploads")
			put(float64(number(s.decodes)), "decodes")
		}}
	}
	return []metrics.Measure{
		each("proflens_slots_used", "Slots in use.", func(s site.Slots) int { return len(s) }),
		each("proflens_slots", "Slots in all.", func(s site.Slots) int { return cap(s) }),
	}
}
