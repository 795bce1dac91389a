package instrweb

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/instrview"
	"proflens/views/page"
)

type rangeFilter struct{ key, label string }

// rangeFilters are the numeric columns that take "min..max".
var rangeFilters = []rangeFilter{
	{"total", "Total"}, {"max", "Maximum"}, {"entry", "Entry"},
	{"counters", "Counters"}, {"zero", "Zero counters"}, {"sites", "Value sites"},
}

// filterKeys are the parameters that select rows.
var filterKeys = strings.Fields(`
	q re path rewrite namespace named class executed cs quality total max entry counters zero sites
	ordinal rank hash`)

// oddities are what quality= selects, in words.
var oddities = map[instrdb.Quality]string{
	instrdb.QualitySaturated: "saturated", instrdb.QualityAllOnes: "every counter is 1",
	instrdb.QualityEntryZero: "entry 0 but body ran",
	instrdb.QualityHashes:    "several hashes", instrdb.QualityNoName: "without a name",
	instrdb.QualityPseudo: "pseudo count",
}

// looksFor reports whether an oddity can be seen in a profile.
func looksFor(o *instrdb.Overview, q instrdb.Quality) bool {
	switch q {
	case instrdb.QualityAllOnes:
		return o.Tells("AllOnes")
	case instrdb.QualityEntryZero:
		return o.Tells("EntryZero")
	case instrdb.QualityPseudo: // few profiles have any: their finding leads there
		return false
	}
	return true
}

// filterForm is every filter as a form, filled with what is in force.
func filterForm(a site.Address, o *instrdb.Overview) instrview.FilterForm {
	get := a.Query.Get
	f := instrview.FilterForm{
		Q: humanize.Visible(get("q")), Re: humanize.Visible(get("re")), Path: humanize.Visible(get("path")),
		Typed:    functionList.Suggested(),
		Executed: site.Options(get("executed"), "", "any", "true", "executed", "false", "never executed"),
		Keep:     site.Keep(a.Without(append([]string{"page", "cursor", "sel"}, filterKeys...)...)),
	}
	classes := strings.Split(get("class"), ",")
	for _, c := range []string{"hot", "warm", "cold", "never"} {
		f.Classes = append(f.Classes, page.Check{Name: "class", Value: c, Label: c, Checked: slices.Contains(classes, c)})
	}
	odd := strings.Split(get("quality"), ",")
	for _, word := range qualityWords {
		if checked := slices.Contains(odd, string(word)); checked || looksFor(o, word) {
			f.Quality = append(f.Quality, page.Check{
				Name: "quality", Value: string(word), Label: oddities[word], Checked: checked,
			})
		}
	}
	for _, r := range rangeFilters {
		if get(r.key) == "" && lacking(r.key, o) != "" {
			continue
		}
		f.Ranges = append(f.Ranges, page.RangeField{Name: r.key, Label: r.label, Value: humanize.Visible(get(r.key))})
	}
	if o.CSSummary != nil {
		f.CS = site.Options(get("cs"), "", "all records", "false", "plain", "true", "context-sensitive")
	}
	return f
}

// lacking says that no function of the profile has what a field filters by; empty where some have.
func lacking(field string, o *instrdb.Overview) string {
	switch {
	case field == "entry" && !analyze.HasEntry(o.Info.Variant):
		return "This profile has no entry counts"
	case field == "sites" && o.Sites == (analyze.ValueSites{}):
		return "This profile has no value sites"
	}
	return ""
}

// asksInVain is what [lacking] says of the filters of an address; empty where it says nothing.
func asksInVain(a site.Address, o *instrdb.Overview) string {
	for _, r := range rangeFilters {
		if none := lacking(r.key, o); none != "" && a.Query.Has(r.key) {
			return none
		}
	}
	return ""
}

// example is a filter that finds something in the profile: of entries, where it has entry counts.
func example(o *instrdb.Overview) string {
	if o.Max == 0 {
		return "counters>=1"
	}
	n := min(o.Max, 1000)
	if most := o.Summary.MaxFunctionCount; analyze.HasEntry(o.Info.Variant) && most > 0 {
		return "entry>=" + strconv.FormatUint(min(most, n), 10)
	}
	return "total>=" + strconv.FormatUint(n, 10)
}

// functionChip writes a filter of functions as field, operator, value.
func functionChip(key, value string) string {
	if key != "quality" {
		return site.ChipText(key, value)
	}
	var odd []string
	for word := range strings.SplitSeq(value, ",") {
		word = strings.TrimSpace(word)
		odd = append(odd, cmp.Or(oddities[instrdb.Quality(word)], word))
	}
	return strings.Join(odd, " or ")
}
