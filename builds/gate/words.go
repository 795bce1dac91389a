package gate

import (
	"math"
	"strconv"
	"strings"

	"proflens/builds/measures"
	"proflens/internal/humanize"
)

// wanted is the limit in words.
func (r *Rule) wanted() string {
	sign := "≤"
	if r.Min {
		sign = "≥"
	}
	sign += " "
	switch {
	case r.Of == Ratio:
		return sign + "×" + humanize.NumberSpace + plain(r.Limit)
	case r.Of == Growth && r.Limit > 0:
		return sign + "+" + plain(r.Limit) + humanize.NumberSpace + "%"
	case r.Of == Growth:
		return sign + plain(r.Limit) + humanize.NumberSpace + "%"
	}
	switch measures.Find(r.Measure)[0].Unit {
	case measures.Part:
		return sign + plain(r.Limit) + humanize.NumberSpace + "%"
	case measures.Bytes:
		return sign + size(r.Limit)
	}
	return sign + count(r.Limit)
}

// figure is a value in words, with as many digits as tell it from the limit.
func figure(v measures.Value, u measures.Unit, limit float64) string {
	if u != measures.Part {
		return short(v, u)
	}
	n, _ := v.Share()
	percent := apart(n, limit, 1) + humanize.NumberSpace + "%"
	if v.Of == 1 && v.N != 0 { // a share, of no number of things
		return percent
	}
	return count(v.N) + " of " + count(v.Of) + ", " + percent
}

// short is a value in words.
func short(v measures.Value, u measures.Unit) string {
	switch {
	case u == measures.Part:
		n, _ := v.Share()
		return strconv.FormatFloat(n, 'f', 1, 64) + humanize.NumberSpace + "%"
	case u == measures.Bytes:
		return size(v.N)
	case v.Exact != "":
		return humanize.Group(v.Exact)
	}
	return count(v.N)
}

// change is by how much the test differs from the base.
func (r *Result) change() string {
	if r.Of == Ratio {
		return "×" + humanize.NumberSpace + apart(r.Found, r.Limit, 3)
	}
	sign := ""
	if r.Found > 0 {
		sign = "+"
	}
	return sign + apart(r.Found, r.Limit, 1) + humanize.NumberSpace + "%"
}

// explain says why a rule failed.
func (r *Result) explain() {
	if r.Outcome != Fail {
		return
	}
	_, limit, _ := strings.Cut(r.Wanted, " ")
	if r.Min {
		r.Why = r.Title + ": " + r.Figure + ", less than " + limit
	} else {
		r.Why = r.Title + ": " + r.Figure + ", more than " + limit
	}
}

// Verdict is the whole report in a few words: "all 6 rules pass", "2 of 6 rules fail".
func (r *Report) Verdict() string {
	all, failed := len(r.Results), len(r.Failed())
	switch {
	case all == 0:
		return "no rules"
	case failed == 0 && all == 1:
		return "the rule passes"
	case failed == 0:
		return "all " + humanize.Int(all) + " rules pass"
	case all == 1:
		return "the rule fails"
	case failed == 1:
		return "1 of " + humanize.Int(all) + " rules fails"
	}
	return humanize.Say("{} of {} rules fail", failed, all)
}

// reason is why a rule did not pass, in a line.
func (r *Result) reason() string { return line(r.Name + ": " + r.Why) }

// found is what was found, in a cell.
func (r *Result) found() string {
	if r.Outcome == Missing {
		return r.Why
	}
	return r.Figure
}

// apart writes a number with so many decimals, or with more where fewer would put it on
// the other side of a limit, or on it.
func apart(n, limit float64, decimals int) string {
	if math.Abs(n-limit) <= room(limit) {
		n = limit
	}
	for {
		text := strconv.FormatFloat(n, 'f', decimals, 64)
		shown, _ := strconv.ParseFloat(text, 64)
		if (shown < limit) == (n < limit) && (shown > limit) == (n > limit) || decimals >= 9 {
			return text
		}
		decimals++
	}
}

// plain writes a limit as it was given.
func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// count writes a whole number in full.
func count(n float64) string {
	if n == math.Trunc(n) {
		return humanize.Group(strconv.FormatFloat(n, 'f', 0, 64))
	}
	return plain(n)
}

// size writes bytes with their unit.
func size(n float64) string {
	if n < 0 || n >= 1<<63 {
		return count(n) + humanize.NumberSpace + "bytes"
	}
	return humanize.Bytes(uint64(n)).Text
}

// line is text for machines and terminals: names as they can be printed, figures without
// the spaces between digits.
func line(text string) string { return humanize.Printable(humanize.Plain(text)) }
