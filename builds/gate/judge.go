package gate

import (
	"fmt"
	"math"
	"strings"

	"proflens/builds/measures"
	"proflens/decode/model"
)

// Judge judges figures by rules. A rule without a family is judged by the first family
// that has the measure and that the base or the test is of: what only the base is of, the
// test has lost.
func Judge(rules []Rule, f *Figures) []Result {
	list := make([]Result, len(rules))
	for i, r := range rules {
		list[i] = f.judge(r)
	}
	return list
}

// room is how far beyond a limit a figure may be because it is a double.
func room(limit float64) float64 { return 1e-9 * max(1, math.Abs(limit)) }

func (f *Figures) judge(r Rule) Result {
	res := Result{Rule: r, Outcome: Missing, Wanted: r.wanted()}
	list := measures.Find(r.Measure)
	if len(list) == 0 {
		res.Why = "there is no such measure"
		return res
	}
	res.Title = list[0].Title
	_, thing, _ := strings.Cut(r.Measure, ":")
	for _, m := range list {
		if !has(f.Test, m.Family) && !has(f.Base, m.Family) {
			continue
		}
		key := m.Key()
		res.Key, res.Title = key, m.Title
		if m.Each {
			key += ":" + thing
			res.Key, res.Title = key, m.Title+": "+thing
		}
		f.judgeBy(&res, m, key)
		return res
	}
	needs := make([]string, len(list))
	for i, m := range list {
		needs[i] = bare(measures.FamilyOf(m).Needs)
	}
	res.Why = "no " + strings.Join(needs, ", no ")
	return res
}

// judgeBy judges by a measure of which there is a family.
func (f *Figures) judgeBy(res *Result, m *measures.Measure, key string) {
	base := m.Pair || res.Of != Itself
	switch {
	case !has(f.Test, m.Family):
		res.Why = "no " + bare(measures.FamilyOf(m).Needs) + " in the test"
		return
	case base && f.NoBase:
		res.Why = "there is no base"
		return
	case base && !has(f.Base, m.Family):
		res.Why = "no " + bare(measures.FamilyOf(m).Needs) + " in the base"
		return
	}
	from, side := f.Test, "the test"
	if m.Pair {
		from, side = f.Between, "the two"
	}
	v, n, why := valueIn(from, m, key, side)
	if why != "" {
		res.Why = why
		return
	}
	if res.Of == Itself {
		res.Test, res.Found = &v, n
		res.settle()
		res.Figure = figure(v, m.Unit, res.Limit)
		res.explain()
		return
	}
	b, was, why := valueIn(f.Base, m, key, "the base")
	if why != "" {
		res.Why = why
		return
	}
	ratio := 1.0
	switch {
	case was != 0:
		ratio = n / was
	case n != 0:
		res.Why = fmt.Sprintf("the base has none, the test %s", short(v, m.Unit))
		return
	}
	if res.Test, res.Base, res.Found = &v, &b, ratio; res.Of == Growth {
		res.Found = 100 * (ratio - 1)
	}
	res.settle()
	res.Figure = short(b, m.Unit) + " → " + short(v, m.Unit) + ", " + res.change()
	res.explain()
}

// has reports whether a set has anything of a family.
func has(s measures.Set, family model.Family) bool {
	for key := range s {
		if strings.HasPrefix(key, string(family)+".") {
			return true
		}
	}
	return false
}

// valueIn is a value and the number that is judged, or why there is none.
func valueIn(s measures.Set, m *measures.Measure, key, side string) (v measures.Value, n float64, why string) {
	v, ok := s[key]
	if ok {
		n, ok = v.Number(m.Unit)
	}
	switch {
	case ok:
		return v, n, ""
	case m.Needs != "":
		return v, 0, "no " + bare(m.Needs) + " that tells it"
	case m.Each:
		return measures.Value{}, 0, "nothing of that name in " + side
	}
	return v, 0, side + " cannot tell"
}

// settle says whether what was found is within the limit.
func (r *Result) settle() {
	beyond := r.Found - r.Limit
	if r.Min {
		beyond = -beyond
	}
	if r.Outcome = Pass; beyond > room(r.Limit) {
		r.Outcome = Fail
	}
}

// bare is a noun without its article.
func bare(noun string) string {
	for _, article := range []string{"a ", "an ", "the "} {
		noun = strings.TrimPrefix(noun, article)
	}
	return noun
}
