package instrweb

import (
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
)

// compareParams is what a comparison of counters takes besides what all take.
type compareParams struct {
	own       instrdb.CompareQuery // what selects of the table besides
	OverlapCS bool                 // the overlap of context-sensitive records, as --cs
}

// pairFilterKeys are the parameters that select pairs, besides those that select in all
// comparisons and the ranges of columns.
var pairFilterKeys = strings.Fields("path rewrite namespace class base_class test_class cs overlap")

// parseCompare reads them. What of them selects lifts the threshold, unless it is given.
func parseCompare(v *site.Values, of *site.CompareParams) (p compareParams) {
	c := &p.own
	c.Names.Path, c.Names.Scope, c.Names.Rewrite = v.One("path"), v.One("namespace"), v.Rewrites()
	of.Whole = of.Whole || slices.ContainsFunc(pairFilterKeys, func(key string) bool { return len(v.List(key)) > 0 })
	c.Classes, c.BaseClasses, c.TestClasses = pairClasses(v, "class"), pairClasses(v, "base_class"),
		pairClasses(v, "test_class")
	c.CS = v.Boolean("cs")
	c.MinOverlap, c.MaxOverlap = percentages(v, "overlap")
	if cs := v.Boolean("overlap_cs"); cs != nil {
		p.OverlapCS = *cs
	}
	return p
}

// pairClasses reads classes; "absent" is for a side without a record.
func pairClasses(v *site.Values, key string) []analyze.Class {
	var list []analyze.Class
	for _, word := range v.List(key) {
		class, ok := site.ClassWords[word]
		if word == string(instrdb.Absent) {
			class, ok = instrdb.Absent, true
		}
		if !ok {
			v.Fail(key, "unknown class %q; use one or more of hot, warm, cold, never, none, absent", word)
		}
		if !slices.Contains(list, class) {
			list = append(list, class)
		}
	}
	return list
}

// percentages reads "50..90", "..90" and "50..", in per cent, as fractions.
func percentages(v *site.Values, key string) (low, high *float64) {
	text := v.One(key)
	if text == "" {
		return nil, nil
	}
	from, to, isRange := strings.Cut(text, "..")
	end := func(s string) *float64 {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || !(f >= 0 && f <= 100) {
			v.Fail(key, "%q is not a range of percentages; use N.., ..N or N..M, from 0 to 100", text)
		}
		f /= 100
		return &f
	}
	if !isRange || from == "" && to == "" {
		v.Fail(key, "%q is not a range of percentages; use N.., ..N or N..M, from 0 to 100", text)
		return nil, nil
	}
	if from != "" {
		low = end(from)
	}
	if to != "" {
		high = end(to)
	}
	return low, high
}
