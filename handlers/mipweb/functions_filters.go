package mipweb

import (
	"slices"
	"strings"

	"proflens/decode/mip"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/views/mipview"
	"proflens/views/page"
)

// filterKeys are the parameters that select functions, but for the words in their names.
var filterKeys = slices.Concat(ownKeys, site.Words(mipdb.Functions.Ranges()))

// chips are the filters in force, each with the address without it; those in
// fixed are the page's own.
func chips(a site.Address, fixed []string) []page.Chip {
	return a.Chips(ownKeys, func(key, value string) string { // those of numbers and words are the list's
		if key == "executed" && slices.Contains(fixed, key) {
			return ""
		}
		return mipChipText(key, value)
	})
}

func mipChipText(key, value string) string {
	switch key {
	case "saturated":
		if value == "true" {
			return "calls saturated"
		}
		return "calls exact"
	case "quality":
		return strings.NewReplacer("no-name", "without a name", "blocks-differ", "blocks differ between files", ",",
			" or").Replace(value)
	case "run":
		return "executed in run " + value
	case "only-run":
		return "executed in run " + value + " only"
	case "min-runs":
		return "in at least " + humanize.Things(value, "run", "runs")
	}
	return site.ChipText(key, value)
}

// filterForm is every filter as a form, filled with what is in force.
func filterForm(a site.Address, o *mipdb.Overview, t mipTable) mipview.Filter {
	get := func(key string) string { return humanize.Printable(a.Query.Get(key)) }
	f := mipview.Filter{
		Q: get("q"), Re: get("re"), Path: get("path"), Namespace: get("namespace"),
		Keep: site.Keep(a.Without(append([]string{"page", "cursor", "q", "re"}, filterKeys...)...)),
	}
	if odd := get("quality"); odd != "" { // not in the form: findings lead there
		f.Keep = append(f.Keep, page.Hidden{Name: "quality", Value: odd})
	}
	if t.view == site.FunctionsView {
		f.Executed = site.Options(get("executed"), "", "any", "true", "executed", "false", "never executed")
	}
	if o.HasCalls() && t.view != site.DeadView {
		f.Saturated = site.Options(get("saturated"), "", "any", "true", "saturated", "false", "exact")
	}
	if t.view != site.DeadView {
		if o.Runs > 1 {
			f.Runs = append(f.Runs, page.RangeField{Name: "run", Label: "In run", Value: get("run")}, page.RangeField{
				Name: "only-run", Label: "In this run only", Value: get("only-run"),
			})
		}
		f.Runs = append(f.Runs, page.RangeField{Name: "min-runs", Label: "In at least", Value: get("min-runs")})
	}
	for _, name := range mipdb.Functions.Ranges() {
		of := map[query.Column]mip.ProfileType{"call_count": mip.CallCount, "weight": mip.CallCount,
			"avg_timestamp": mip.Timestamp}[name]
		if o.Measured.Has(of) {
			f.Ranges = append(f.Ranges, page.RangeField{
				Name: string(name), Label: mipdb.Functions.Field(string(name)).Head, Value: get(string(name)),
			})
		}
	}
	return f
}
