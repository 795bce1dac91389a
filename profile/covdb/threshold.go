package covdb

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/profile/query"
)

// Threshold selects by the percentage of a metric. What has nothing of it passes none.
type Threshold struct {
	Column  query.Column
	Op      string // <, <=, >, >=
	Percent float64
}

// ParseThreshold reads "lines<80".
func ParseThreshold(text string) (Threshold, error) {
	c, ok := query.ReadCondition(text)
	if !ok || !c.Compares() {
		return Threshold{}, fmt.Errorf("%q is no threshold; use one such as lines<80", text)
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(c.Value, "%"), 64)
	t := Threshold{query.Column(c.Column), c.Sign, percent}
	if err != nil || !(percent >= 0 && percent <= 100) {
		return t, fmt.Errorf("%q is no percentage; use a number from 0 to 100", c.Value)
	}
	if metricOf(t.Column, false) == nil {
		return t, fmt.Errorf("%q is no metric; use lines, regions, branches, functions, instantiations or mcdc", t.Column)
	}
	return t, nil
}

// String is the threshold as ParseThreshold reads it.
func (t Threshold) String() string {
	return string(t.Column) + t.Op + strconv.FormatFloat(t.Percent, 'f', -1, 64)
}

// passes reports whether a metric does.
func (t *Threshold) passes(m coverage.Metric) bool {
	if m.Total == 0 {
		return false
	}
	percent := m.Percent()
	switch t.Op {
	case "<":
		return percent < t.Percent
	case "<=":
		return percent <= t.Percent
	case ">":
		return percent > t.Percent
	}
	return percent >= t.Percent
}

// WordsOf is a text without the thresholds in it.
func WordsOf(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), IsThreshold), " ")
}

// percentage is what a word ends in that is meant as a threshold of a metric unknown here.
var percentage = regexp.MustCompile(`^[a-z]+[<>]=?[0-9.]+%?$`)

// IsThreshold reports whether a word is meant as one, rather than as a part of vector<int>.
func IsThreshold(word string) bool {
	at := strings.IndexAny(word, "<>")
	return at > 0 && metricOf(query.Column(word[:at]), false) != nil || percentage.MatchString(word)
}
