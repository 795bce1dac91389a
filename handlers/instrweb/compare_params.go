package instrweb

import (
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
)

// compareParams is what a comparison of counters takes besides what all take.
type compareParams struct {
	Query     instrdb.CompareQuery // of the table
	OverlapCS bool                 // the overlap of context-sensitive records, as --cs
}

// pairRanges can be filtered by a range of numbers, pairSorts sorted by.
var (
	pairRanges = []query.Column{
		instrdb.PairBaseTotal, instrdb.PairTestTotal, instrdb.PairBaseMax, instrdb.PairTestMax, instrdb.PairBaseEntry,
		instrdb.PairTestEntry,
	}
	pairSorts = slices.Concat([]query.Column{instrdb.PairChange, instrdb.PairAbsChange, instrdb.PairOverlap,
		instrdb.PairName}, pairRanges,
		[]query.Column{instrdb.PairBaseRank, instrdb.PairTestRank})
)

// pairFilterKeys are the parameters that select pairs, besides those that select in all
// comparisons; compareKeys are all that comparisons of counters have of their own.
var (
	pairFilterKeys = slices.Concat([]string{"path", "rewrite", "namespace", "class", "base_class", "test_class", "cs",
		"overlap"}, pairWords(pairRanges))
	compareKeys = append(slices.Clone(pairFilterKeys), "overlap_cs")
)

func pairWords(columns []query.Column) []string {
	words := make([]string, len(columns))
	for i, c := range columns {
		words[i] = string(c)
	}
	return words
}

// parseCompare reads them. What of them selects lifts the threshold, unless it is given.
func parseCompare(v *site.Values, of *site.CompareParams) (p compareParams, err error) {
	c := &p.Query
	n := &c.Names
	n.Text, n.Regexp, n.Path = of.Text, of.Regexp, v.One("path")
	n.Scope, n.Rewrite = v.One("namespace"), v.Rewrites()
	of.Whole = of.Whole || slices.ContainsFunc(pairFilterKeys, func(key string) bool { return len(v.List(key)) > 0 })
	c.Classes, c.BaseClasses, c.TestClasses = pairClasses(v, "class"), pairClasses(v, "base_class"),
		pairClasses(v, "test_class")
	for bit := range instrdb.PairStates {
		if moves.ReadStates(v, of.States, moves.States)>>bit&1 != 0 {
			c.States = append(c.States, instrdb.PairStates[bit])
		}
	}
	c.Direction = of.Direction
	c.CS = v.Boolean("cs")
	c.MinOverlap, c.MaxOverlap = percentages(v, "overlap")
	for _, column := range pairRanges {
		if text := v.One(string(column)); text != "" {
			low, high := v.Span(string(column), text)
			c.Ranges = append(c.Ranges, query.Range{Column: column, Min: low, Max: high})
		}
	}
	of.Known(v, pairSorts...)
	c.Sort = of.Sort
	if cs := v.Boolean("overlap_cs"); cs != nil {
		p.OverlapCS = *cs
	}
	unit := moves.Points(of)
	least, err := unit.Read(of)
	if least >= 0 {
		c.Over = &least
	}
	return p, err
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
