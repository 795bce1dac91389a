package covdb

import (
	"fmt"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/profiledb/query"
)

// The columns that files, directories and functions can be sorted by. Those of
// metrics are shares; what has nothing of a metric comes last.
const (
	ColName           query.Column = "name"    // of a file its path; of a function its shown name
	ColMissing        query.Column = "missing" // lines that did not run
	ColLines          query.Column = "lines"
	ColRegions        query.Column = "regions"
	ColBranches       query.Column = "branches"
	ColFunctions      query.Column = "functions"
	ColInstantiations query.Column = "instantiations"
	ColMCDC           query.Column = "mcdc"
	ColTotal          query.Column = "total" // lines
)

// FileColumns are those of files and directories.
var FileColumns = []query.Column{
	ColName, ColMissing, ColLines, ColTotal, ColRegions, ColBranches, ColFunctions, ColInstantiations, ColMCDC,
}

func orDefault(keys []query.Key) []query.Key {
	if len(keys) == 0 {
		return []query.Key{{Column: ColMissing, Desc: true}}
	}
	return keys
}

// Metric is the one that a column is the share of; false for other columns.
func (s *Sums) Metric(c query.Column, union bool) (coverage.Metric, bool) {
	of := s.Of(union)
	switch c {
	case ColLines:
		return of.Lines, true
	case ColRegions:
		return of.Regions, true
	case ColBranches:
		return of.Branches, true
	case ColFunctions:
		return s.Functions, true
	case ColInstantiations:
		return s.Instantiations, true
	case ColMCDC:
		return s.MCDC, true
	}
	return coverage.Metric{}, false
}

// sumsValue is a column of what has sums.
func sumsValue(c query.Column, of func(i uint32) *Sums, union bool) (query.Value, error) {
	switch c {
	case ColMissing:
		return query.Value{At: func(i uint32) uint64 { return uint64(of(i).Of(union).Lines.Missed()) }}, nil
	case ColTotal:
		return query.Value{At: func(i uint32) uint64 { return uint64(of(i).Of(union).Lines.Total) }}, nil
	}
	if _, ok := (&Sums{}).Metric(c, union); !ok {
		return query.Value{}, &query.ColumnError{Column: c, Known: FileColumns}
	}
	metric := func(i uint32) coverage.Metric {
		m, _ := of(i).Metric(c, union)
		return m
	}
	v := query.Real(func(i uint32) float64 { return metric(i).Percent() })
	v.Known = func(i uint32) bool { return metric(i).Total > 0 }
	return v, nil
}

// Threshold selects by the percentage of a metric. What has nothing of it passes none.
type Threshold struct {
	Column  query.Column
	Op      string // <, <=, >, >=
	Percent float64
}

// ParseThreshold reads "lines<80".
func ParseThreshold(text string) (Threshold, error) {
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return Threshold{}, fmt.Errorf("%q is no threshold; use one such as lines<80", text)
	}
	t := Threshold{Column: query.Column(text[:at]), Op: text[at : at+1]}
	rest, equal := strings.CutPrefix(text[at+1:], "=")
	if equal {
		t.Op += "="
	}
	var err error
	if t.Percent, err = strconv.ParseFloat(strings.TrimSuffix(rest, "%"), 64); err != nil ||
		!(t.Percent >= 0 && t.Percent <= 100) {
		return t, fmt.Errorf("%q is no percentage; use a number from 0 to 100", rest)
	}
	if _, ok := (&Sums{}).Metric(t.Column, false); !ok {
		return t, fmt.Errorf("%q is no metric; use lines, regions, branches, functions, instantiations or mcdc", t.Column)
	}
	return t, nil
}

// String is the threshold as ParseThreshold reads it.
func (t Threshold) String() string {
	return string(t.Column) + t.Op + strconv.FormatFloat(t.Percent, 'f', -1, 64)
}

func passes(thresholds []Threshold, s *Sums, union bool) bool {
	for _, t := range thresholds {
		m, _ := s.Metric(t.Column, union)
		if m.Total == 0 || !t.holds(m.Percent()) {
			return false
		}
	}
	return true
}

func (t Threshold) holds(percent float64) bool {
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
