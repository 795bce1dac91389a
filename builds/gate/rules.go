package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"proflens/builds/measures"
	"proflens/decode/model"
	"proflens/internal/humanize"
)

// RuleError is a rule that cannot be: its name, and what would be right.
type RuleError struct{ Rule, Msg string }

// Error is the sentence for a person.
func (e *RuleError) Error() string { return fmt.Sprintf("rule %s: %s", strconv.Quote(e.Rule), e.Msg) }

// ParseRule reads a rule: min_ or max_ and the name of a measure, with _ratio or _growth
// behind it where the test's value is judged by the base's, and a family and a dot in
// front where it is of that family alone. Of a measure of things a colon and the thing end
// it. The limit is a number, which of parts, ratios and growth may be in per cent, and of
// bytes have a unit. Errors are *RuleError.
func ParseRule(name, limit string) (Rule, error) {
	r := Rule{Name: name}
	fail := func(format string, args ...any) (Rule, error) {
		return Rule{}, &RuleError{name, fmt.Sprintf(format, args...)}
	}
	word, thing, hasThing := strings.Cut(name, ":")
	family, rest, ok := strings.Cut(word, ".")
	if ok {
		family, word = family+".", rest
	} else {
		family = ""
	}
	measure, isMin := strings.CutPrefix(word, "min_")
	if r.Min = isMin; !isMin {
		if measure, ok = strings.CutPrefix(word, "max_"); !ok {
			return fail("begin it with min_ or max_%s", suggest(word))
		}
	}
	found := measures.Find(family + measure)
	for _, of := range []Of{Ratio, Growth} {
		if before, ok := strings.CutSuffix(measure, "_"+string(of)); ok && len(found) == 0 {
			found, r.Of, measure = measures.Find(family+before), of, before
		}
	}
	if len(found) == 0 {
		return fail("there is no such measure%s", suggest(word))
	}
	m := found[0]
	switch {
	case r.Of != Itself && m.Pair:
		return fail("%s is of two profiles already; leave out _%s", m.Name, r.Of)
	case m.Each && thing == "":
		return fail("say of what, as in %s:NAME", word)
	case hasThing && !m.Each:
		return fail("%s is of the whole; leave out %q", m.Name, ":"+thing)
	}
	r.Measure = family + measure
	if m.Each {
		r.Measure += ":" + thing
	}
	var err error
	if r.Limit, err = parseLimit(strings.TrimSpace(limit), m.Unit, r.Of); err != nil {
		return fail("%v", err)
	}
	return r, nil
}

// NeedsBase reports whether a rule judges a profile by another one.
func (r *Rule) NeedsBase() bool {
	return r.Of != Itself || slices.ContainsFunc(measures.Find(r.Measure),
		func(m *measures.Measure) bool { return m.Pair })
}

// BaseOf are the families of whose base a rule asks something, some of them more than once.
func BaseOf(rules []Rule) (families []model.Family) {
	for _, r := range rules {
		for _, m := range measures.Find(r.Measure) {
			if r.NeedsBase() {
				families = append(families, m.Family)
			}
		}
	}
	return families
}

// parseLimit reads a limit in its unit.
func parseLimit(text string, unit measures.Unit, of Of) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	scale, what := 1.0, "a number"
	switch {
	case of == Growth:
		what = "per cent, such as 10 or 10%"
	case of == Ratio:
		what = "a ratio, such as 0.9 or 90%"
	case unit == measures.Part:
		what = "per cent from 0 to 100, such as 90 or 90%"
	case percent:
		return 0, fmt.Errorf("%q is not a limit; it is not a part of anything, so give %s, or judge _ratio or _growth", text,
			what)
	case unit == measures.Bytes:
		what = "bytes, such as 1000000 or 10 MiB"
		number, scale = humanize.CutUnit(number, humanize.ByteUnits)
	}
	limit, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if limit *= scale; of == Ratio && percent {
		limit /= 100
	}
	switch {
	case err != nil, math.IsNaN(limit), math.IsInf(limit, 0), limit < 0 && of != Growth,
		limit > 100 && of == Itself && unit == measures.Part:
		return 0, fmt.Errorf("%q is not a limit; give %s", text, what)
	}
	return limit, nil
}

// suggest names the rules that are nearest to a word that is none: those that differ by a
// slip, then those whose name or title has most of its words.
func suggest(word string) string {
	const slip, most, longest = 2, 3, 64
	type near struct {
		name, title string
		far         [5]int // the first that differs decides
	}
	var list []near
	wanted := strings.TrimPrefix(strings.TrimPrefix(word, "min_"), "max_")
	wanted = wanted[:min(len(wanted), longest)]
	for i := range measures.Families {
		for j := range measures.Families[i].Measures {
			m := &measures.Families[i].Measures[j]
			n := near{name: "max_" + m.Name, title: m.Title}
			if m.Better > 0 && !strings.HasPrefix(word, "max_") || strings.HasPrefix(word, "min_") {
				n.name = "min_" + m.Name
			}
			letters := levenshtein.ComputeDistance(wanted, m.Name)
			words := wordsOf(wanted, m.Name+"_"+strings.ToLower(strings.ReplaceAll(m.Title, " ", "_")))
			n.far = [...]int{min(letters, slip+1), -words, 0, 0, letters}
			if strings.HasPrefix(n.name, "min_") != (m.Better > 0) {
				n.far[2] = 1
			}
			if m.Pair || m.Needs != "" {
				n.far[3] = 1
			}
			if !slices.ContainsFunc(list, func(o near) bool { return o.name == n.name }) {
				list = append(list, n)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return slices.Compare(a.far[:], b.far[:]) })
	names := make([]string, 0, most)
	for _, n := range list[:min(most, len(list))] {
		names = append(names, fmt.Sprintf("%s (%s)", n.name, n.title))
	}
	return "; the nearest are " + strings.Join(names, ", ")
}

// wordsOf is how many words of a name another has, of which either may be the plural.
func wordsOf(wanted, in string) (n int) {
	words := strings.Split(in, "_")
	for word := range strings.SplitSeq(wanted, "_") {
		if one := strings.TrimSuffix(word, "s"); one != "" && slices.ContainsFunc(words, func(w string) bool {
			return strings.TrimSuffix(w, "s") == one
		}) {
			n++
		}
	}
	return n
}

// Replace puts rules in the place of those of the same names; what is new comes last.
func Replace(rules, others []Rule) []Rule {
	rules = slices.Clone(rules)
	for _, r := range others {
		at := slices.IndexFunc(rules, func(o Rule) bool { return o.Name == r.Name })
		if at < 0 {
			rules = append(rules, r)
		} else {
			rules[at] = r
		}
	}
	return rules
}
