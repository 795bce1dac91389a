package memprofweb

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// thresholdKeys are the parameters of the thresholds of classes, the numbers first.
var thresholdKeys = []string{"cold_density", "cold_lifetime", "hot_density", "hot_hints"}

// thresholdFields are the numbers as fields of a form.
var thresholdFields = []memprofview.ThresholdField{
	{
		RangeField: page.RangeField{Label: "Cold below"}, Unit: "accesses per byte and second",
		Option: "-memprof-lifetime-access-density-cold-threshold",
	},
	{
		RangeField: page.RangeField{Label: "and lived at least"}, Unit: "seconds, mean lifetime",
		Option: "-memprof-ave-lifetime-cold-threshold",
	},
	{
		RangeField: page.RangeField{Label: "Hot above"}, Unit: "accesses per byte and second",
		Option: "-memprof-min-ave-lifetime-access-density-hot-threshold",
	},
}

// numbersOf are the numbers of thresholds.
func numbersOf(t *analyze.MemProfThresholds) []*float32 {
	return []*float32{&t.ColdDensity, &t.ColdLifetime, &t.HotDensity}
}

// thresholdsOf reads the thresholds of classes; those not given are the
// compiler's.
func thresholdsOf(v *site.Values) analyze.MemProfThresholds {
	t := analyze.DefaultMemProfThresholds
	for i, to := range numbersOf(&t) {
		key := thresholdKeys[i]
		text := v.One(key)
		if text == "" {
			continue
		}
		n, err := strconv.ParseFloat(text, 32)
		if err != nil || !(n >= 0) || math.IsInf(n, 0) {
			v.Fail(key, "%q is not a number of 0 or more", text)
			continue
		}
		*to = float32(n)
	}
	if hints := v.Boolean("hot_hints"); hints != nil {
		t.HotHints = *hints
	}
	return t
}

// withoutDefaults is the address without the thresholds that are the compiler's
// own, which the form of thresholds sends all the same.
func withoutDefaults(a site.Address) site.Address {
	t := analyze.DefaultMemProfThresholds
	if a.Query.Get("hot_hints") == "false" {
		a = a.Without("hot_hints")
	}
	for i, own := range numbersOf(&t) {
		if a.Query.Get(thresholdKeys[i]) == fmt.Sprint(*own) {
			a = a.Without(thresholdKeys[i])
		}
	}
	return a
}

// withThresholds is an address with the thresholds of another.
func withThresholds(to, of site.Address) site.Address {
	for _, key := range thresholdKeys {
		to = to.With(key, of.Query.Get(key))
	}
	return to
}

// thresholds are those of the address as a query, for links to one context.
func (v *sitesRequest) thresholds() string {
	return withThresholds(site.Address{Query: url.Values{}}, v.address).String()
}

// thresholdForm is the thresholds as a form.
func thresholdForm(a site.Address, t analyze.MemProfThresholds) memprofview.ThresholdForm {
	f := memprofview.ThresholdForm{
		Action: a.Path, Keep: site.Keep(a.Without(append(slices.Clone(thresholdKeys), "page", "cursor")...)),
		HotHints: t.HotHints, Fields: slices.Clone(thresholdFields),
	}
	for i, n := range numbersOf(&t) {
		f.Fields[i].Name, f.Fields[i].Value = thresholdKeys[i], fmt.Sprint(*n)
	}
	if t != analyze.DefaultMemProfThresholds {
		f.Default = a.Without(thresholdKeys...).String()
	}
	return f
}
