package moves

import (
	"math"
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
)

// Unit is what moves are measured in: shares of a total, bytes, or things that are counted.
type Unit struct {
	Name string // "points", "bytes"
	// Scale is how many of what users write make one: 100 points make a share of 1.
	Scale float64
	// Choices are thresholds to choose from, rising; Usual is the one of them that
	// counts unless another is asked for.
	Choices  []float64
	Usual    float64
	step     float64 // from one choice to the next
	decimals int     // of points
}

// Points are shares of a total, and their differences in percentage points.
func Points() Unit {
	return Unit{Name: "points", Scale: 100, Choices: []float64{0.00001, 0.0001, 0.001}, Usual: 0.0001, decimals: 2}
}

// Bytes are bytes.
func Bytes() Unit { return Unit{Name: "bytes", step: 16}.from(1) }

// Amount are things that can be counted.
func Amount(name string) Unit { return Unit{Name: name, step: 10}.from(1) }

// Above is the unit where the larger of both wholes is so large. What then counts as a change
// is one ten-thousandth of it, as of shares, made a power of two.
func (u Unit) Above(larger float64) Unit {
	return u.from(math.Exp2(math.Floor(math.Log2(max(larger/10_000, 1)))))
}

// from has the usual threshold, and others above it.
func (u Unit) from(usual float64) Unit {
	u.Scale, u.Usual, u.Choices = 1, usual, []float64{usual, usual * u.step, usual * u.step * u.step}
	return u
}

// Value writes what a side has.
func (u *Unit) Value(v float64) string {
	switch u.Name {
	case "points":
		return humanize.Percent(v, u.decimals)
	case "bytes":
		return humanize.Bytes(uint64(min(math.Abs(v), 1<<63))).Text
	}
	return humanize.Count(uint64(min(math.Abs(v), 1<<63))).Text
}

// Change writes a difference with its sign.
func (u *Unit) Change(v float64) string {
	switch {
	case u.Name == "points":
		return humanize.Points(v, u.decimals)
	case v > 0:
		return "+" + u.Value(v)
	case v < 0:
		return "−" + u.Value(v)
	}
	return "0"
}

// Least writes a threshold: "0.01 points".
func (u *Unit) Least(v float64) string {
	text, unit := u.Value(v), humanize.NumberSpace+u.Name
	switch u.Name {
	case "bytes":
		return strings.Replace(text, ".0", "", 1)
	case "points":
		text = u.written(v)
	}
	if text == "1" {
		unit = strings.TrimSuffix(unit, "s")
	}
	return text + unit
}

// Tick writes a figure of a scale.
func (u *Unit) Tick(v float64) string {
	if u.Name == "points" {
		return u.written(v) + humanize.NumberSpace + "%"
	}
	return u.Value(v)
}

// written is a share in per cent, with as many decimals as it has.
func (u *Unit) written(share float64) string { return strconv.FormatFloat(share*u.Scale, 'g', 6, 64) }

// Word is a threshold as an address has it.
func (u *Unit) Word(v float64) string { return strconv.FormatFloat(v*u.Scale, 'g', 10, 64) }

// read reads a threshold, and has as many decimals as show it.
func (u *Unit) read(values *site.Values, given string) float64 {
	text, scale := given, 1/u.Scale
	if u.Name == "bytes" {
		text, scale = humanize.CutUnit(text, humanize.ByteUnits)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		values.Fail("min", "%q is not a threshold; use a number of %s, 0 or more", given, u.Name)
		return 0
	}
	if v *= scale; v > 0 {
		u.decimals = max(2, min(int(math.Ceil(-math.Log10(v*100)-1e-9)), 6))
	}
	return v
}
