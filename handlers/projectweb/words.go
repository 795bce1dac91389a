package projectweb

import (
	"math"
	"strconv"
	"strings"
	"time"

	"proflens/builds"
	"proflens/builds/measures"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/views/page"
)

const percent = humanize.NumberSpace + "%"

// number writes a value by which points are drawn: per cent of a part with two decimals,
// bytes with their unit, a count in full.
func number(u measures.Unit, n float64) string {
	switch {
	case u == measures.Part:
		return strings.TrimSuffix(humanize.Percent(n/100, 2), percent) + percent
	case u == measures.Bytes && n >= 0 && n < 1<<63:
		return humanize.Bytes(uint64(n)).Text
	case math.Abs(n) < 1e15:
		return humanize.Group(strconv.FormatFloat(math.Round(n), 'f', 0, 64))
	}
	return humanize.BigCount(strconv.FormatFloat(math.Abs(n), 'f', 0, 64)).Text
}

// axis writes a mark of a scale.
func axis(u measures.Unit) func(float64) string {
	return func(n float64) string {
		switch {
		case u == measures.Part:
			return strconv.FormatFloat(math.Round(n*1e6)/1e6, 'f', -1, 64) + percent
		case u == measures.Bytes && n >= 0 && n < 1<<63:
			return humanize.AxisBytes(uint64(n))
		case n >= 0 && n < 1<<63:
			return humanize.AxisCount(uint64(n))
		}
		return strconv.FormatFloat(n, 'g', 3, 64)
	}
}

// change writes how far a value is from another: points of a part, else per cent of what
// was.
func change(u measures.Unit, from, to float64) string {
	switch {
	case to == from:
		return "0"
	case u == measures.Part:
		return humanize.Points((to-from)/100, 2)
	case from == 0:
		return "+" + number(u, to)
	}
	return humanize.Growth((to - from) / from)
}

// moved is change with a unit, in a sentence.
func moved(u measures.Unit, from, to float64) string {
	if u == measures.Part {
		return change(u, from, to) + " points"
	}
	return change(u, from, to)
}

// whole is what a part is of, in words; empty of a share of nothing that is counted.
func whole(u measures.Unit, v measures.Value) string {
	if u != measures.Part || v.Of <= 1 {
		return ""
	}
	return number(measures.Count, v.N) + " of " + number(measures.Count, v.Of)
}

// arrow is the sign of a change, and its tone.
func arrow(better int, by float64) (sign string, tone page.Tone) {
	sign, tone = "▴", page.Accented
	if by < 0 {
		sign = "▾"
	}
	switch {
	case by*float64(better) < 0:
		tone = page.Bad
	case by*float64(better) > 0:
		tone = page.Good
	}
	return sign, tone
}

// day writes the date of a build.
func day(at time.Time) humanize.Moment {
	m := humanize.Exactly(at)
	m.Text = at.UTC().Format("2 Jan 2006")
	return m
}

// branchName is a branch for people.
func branchName(name string) string {
	if name == "" {
		return "no branch"
	}
	return humanize.Printable(name)
}

// familyTags are what some profiles measure, in words.
func (s *Handler) familyTags(families []model.Family) (list []page.Tag) {
	for _, name := range families {
		for _, f := range s.Families {
			if f.Name == name {
				list = append(list, page.Tag{Text: f.Measures, Tone: page.Neutral})
			}
		}
	}
	return list
}

// builtFrom is a build and when it was, for titles.
func builtFrom(b *builds.Build) string { return nameOf(b) + ", " + day(b.At).Text }
