package handlers

import (
	"proflens/store"
	"proflens/views/page"
)

// mipTabs are the tabs of what only Machine IR Profiles have.
func mipTabs(o *store.MIPOverview, base string, current view) []page.Tab {
	tabs := []page.Tab{{Label: string(deadView), URL: base + "/dead", Current: current == deadView, Count: page.Number{Text: page.Int(o.Functions - o.Executed)}}}
	if o.HasTimestamps() {
		tabs = append(tabs,
			page.Tab{Label: string(callsView), URL: base + "/calls", Current: current == callsView},
			page.Tab{Label: string(orderView), URL: base + "/order", Current: current == orderView})
	}
	if o.Runs > 0 {
		tabs = append(tabs, page.Tab{Label: string(runsView), URL: base + "/runs", Current: current == runsView, Count: page.Number{Text: page.Int(o.Runs)}})
	}
	return tabs
}
