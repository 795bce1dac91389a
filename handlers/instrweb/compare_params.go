package instrweb

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
)

// compareParams is a request for a comparison, of the page and of the API.
type compareParams struct {
	Query instrdb.CompareQuery // with Offset and Limit as in the listing
	site.Listing
	OverlapCS bool // the overlap of context-sensitive records, as --cs
}

// pairRanges can be filtered by a range of numbers, pairSorts sorted by.
var (
	pairRanges = []query.Column{
		instrdb.PairBaseTotal, instrdb.PairTestTotal, instrdb.PairBaseMax, instrdb.PairTestMax, instrdb.PairBaseEntry, instrdb.PairTestEntry,
	}
	pairSorts = slices.Concat([]query.Column{instrdb.PairChange, instrdb.PairAbsChange, instrdb.PairOverlap, instrdb.PairName}, pairRanges,
		[]query.Column{instrdb.PairBaseRank, instrdb.PairTestRank})
)

// pairFilterKeys are the parameters that select pairs.
var pairFilterKeys = slices.Concat([]string{"q", "re", "path", "rewrite", "namespace", "state", "class", "base_class", "test_class",
	"direction", "cs", "overlap"}, pairWords(pairRanges))

// compareKeys are the parameters of a comparison beside those that name its
// profiles.
var compareKeys = slices.Concat(pairFilterKeys, []string{"overlap_cs", "sort"}, site.ListingKeys)

func pairWords(columns []query.Column) []string {
	words := make([]string, len(columns))
	for i, c := range columns {
		words[i] = string(c)
	}
	return words
}

// parseCompare reads a request for a comparison. Errors are *site.ParamError.
func parseCompare(q url.Values, others ...string) (compareParams, error) {
	v, err := site.NewValues(q, append(others, compareKeys...))
	if err != nil {
		return compareParams{}, err
	}
	p := compareParams{Listing: v.Listing()}
	c := &p.Query
	n := &c.Names
	n.Text, n.Regexp, n.Path = v.One("q"), v.One("re"), v.One("path")
	n.Scope, n.Rewrite = v.One("namespace"), v.Rewrites()
	if _, err := names.NewMatcher(n.Text, ""); err != nil {
		v.Fail("q", "%v", err)
	}
	if _, err := names.NewMatcher("", n.Regexp); err != nil {
		v.Fail("re", "%v; use RE2 syntax", err)
	}
	c.Classes, c.BaseClasses, c.TestClasses = pairClasses(v, "class"), pairClasses(v, "base_class"), pairClasses(v, "test_class")
	for _, word := range v.List("state") {
		if !slices.Contains(instrdb.PairStates[:], instrdb.PairState(word)) {
			v.Fail("state", "unknown state %q; use one or more of matched, changed, only_base, only_test", word)
		}
		c.States = append(c.States, instrdb.PairState(word))
	}
	c.Direction = site.Choice(v, "direction", "", instrdb.More, instrdb.Less, instrdb.Same)
	c.CS = v.Boolean("cs")
	c.MinOverlap, c.MaxOverlap = percentages(v, "overlap")
	for _, column := range pairRanges {
		if text := v.One(string(column)); text != "" {
			low, high := v.Span(string(column), text)
			c.Ranges = append(c.Ranges, query.Range{Column: column, Min: low, Max: high})
		}
	}
	c.Sort = pairSort(v, "sort")
	if cs := v.Boolean("overlap_cs"); cs != nil {
		p.OverlapCS = *cs
	}
	c.Offset, c.Limit = p.Offset, p.Limit
	return p, v.Err
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

// pairSort reads "-change,name".
func pairSort(v *site.Values, key string) []query.Key {
	var keys []query.Key
	for _, word := range v.List(key) {
		column, desc := strings.CutPrefix(word, "-")
		if !slices.Contains(pairSorts, query.Column(column)) {
			v.Fail(key, "cannot sort by %q; use %s, with - in front for descending order", word, strings.Join(pairWords(pairSorts), ", "))
			continue
		}
		if !slices.ContainsFunc(keys, func(k query.Key) bool { return k.Column == query.Column(column) }) {
			keys = append(keys, query.Key{Column: query.Column(column), Desc: desc})
		}
	}
	return keys
}

// comparedID reads what names a profile: its id, or a link to it, however long.
func comparedID(text string) (string, error) {
	text = strings.TrimSpace(text)
	id := text
	if u, err := url.Parse(text); err == nil && strings.Contains(text, "/") {
		id = ""
		for _, before := range []string{"/p/", "/api/v1/profiles/"} {
			if _, rest, found := strings.Cut(u.Path, before); found {
				id, _, _ = strings.Cut(rest, "/")
				break
			}
		}
	}
	if id == "" || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return "", fmt.Errorf("%q is neither the id of a profile nor a link to one", text)
	}
	return id, nil
}
