package memprofweb

import (
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/profile/memprofdb"
	"proflens/views/page"
)

// chipWords stand before the values of parameters.
var chipWords = map[string]string{
	"q": "has ", "re": "matches ", "focus": "only stacks with ", "ignore": "no stacks with ", "path": "file ",
	"owner": "allocated by ", "function": "through ", "site": "site ", "blame": "blamed on ", "type": "type ",
}

// filterChips are the filters of contexts in force, each with the address without
// it, and the address without all of them.
// The list of library frames that the browser keeps is none.
func filterChips(a site.Address, f *memprofdb.Filter, kept string) (chips []page.Chip, clear string) {
	a = a.FirstPage("sel")
	chips = a.Chips(filterKeys, func(key, value string) string {
		either := func(is *bool, yes, no string) string { return map[bool]string{true: yes, false: no}[*is] }
		switch key {
		case "path":
			if value = strings.TrimSuffix(value, ";"); value == "" {
				return ""
			}
		case "library":
			if a.Query.Get(key) == kept {
				return ""
			}
			return "own library list"
		case "class":
			return "class " + strings.Join(site.Words(f.Classes), " or ")
		case "mixed":
			return either(f.Mixed, "needs cloning", "needs no cloning")
		case "truncated":
			return either(f.Truncated, "stack cut off at the root", "whole stack")
		case "changed":
			return either(f.Changed, "of another class than by default", "of the same class as by default")
		}
		switch before, ok := chipWords[key]; {
		case ok:
			return before + value
		case slices.Contains(thresholdKeys, key): // they are one chip
			return ""
		}
		return site.ChipText(key, value)
	})
	if t := f.Thresholds; t != analyze.DefaultMemProfThresholds && t != (analyze.MemProfThresholds{}) {
		chips = append(chips, page.Chip{Text: "own thresholds", Remove: a.Without(thresholdKeys...).String()})
	}
	return chips, a.Without(filterKeys...).String()
}

func hasDensity(o *memprofdb.Overview) bool {
	return o.Schema.Has(memprof.TotalLifetimeAccessDensity) && o.Schema.Has(memprof.AllocCount)
}

func hasLifetime(o *memprofdb.Overview) bool {
	return o.Schema.Has(memprof.TotalLifetime) && o.Schema.Has(memprof.AllocCount)
}
