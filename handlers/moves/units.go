package moves

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
)

// Points are shares of a total, and their differences in percentage points.
func Points(p *site.CompareParams) Unit {
	u := Unit{Name: "points", Scale: 100, Choices: []float64{0.00001, 0.0001, 0.001}, Usual: 0.0001}
	decimals := 2
	if least, err := u.Read(p); err == nil && least > 0 {
		decimals = max(2, min(int(math.Ceil(-math.Log10(least*100)-1e-9)), 6))
	}
	u.Value = func(v float64) string { return humanize.Percent(v, decimals) }
	u.Change = func(v float64) string { return humanize.Points(v, decimals) }
	u.Tick = func(v float64) string { return strconv.FormatFloat(v*100, 'g', 6, 64) + humanize.NumberSpace + "%" }
	u.Least = func(v float64) string {
		text := strconv.FormatFloat(v*100, 'g', 6, 64)
		if text == "1" {
			return text + humanize.NumberSpace + "point"
		}
		return text + humanize.NumberSpace + "points"
	}
	return u
}

// Bytes are bytes. What counts as a change unless another threshold is asked for is
// one ten-thousandth of the larger of both wholes, as of shares, made a power of two.
func Bytes(larger float64) Unit {
	usual := math.Exp2(math.Floor(math.Log2(max(larger/10_000, 1))))
	u := Unit{Name: "bytes", Scale: 1, Choices: []float64{usual, usual * 16, usual * 256}, Usual: usual}
	write := func(v float64) string { return humanize.Bytes(uint64(min(math.Abs(v), 1<<63))).Text }
	u.Value, u.Tick = write, write
	u.Least = func(v float64) string { return strings.Replace(write(v), ".0", "", 1) }
	u.Change = signed(write)
	return u
}

// Amount are things that can be counted; usual is the least change that counts.
func Amount(name string, usual float64) Unit {
	u := Unit{Name: name, Scale: 1, Choices: []float64{usual, usual * 10, usual * 100}, Usual: usual}
	write := func(v float64) string { return humanize.Count(uint64(min(math.Abs(v), 1<<63))).Text }
	u.Value, u.Tick = write, write
	u.Least = func(v float64) string {
		if v == 1 {
			return "1" + humanize.NumberSpace + strings.TrimSuffix(name, "s")
		}
		return write(v) + humanize.NumberSpace + name
	}
	u.Change = signed(write)
	return u
}

func signed(write func(float64) string) func(float64) string {
	return func(v float64) string {
		switch {
		case v > 0:
			return "+" + write(v)
		case v < 0:
			return "−" + write(v)
		}
		return "0"
	}
}

// Unit is what moves are measured in: shares of a total, or bytes.
type Unit struct {
	Name string // "points", "bytes"
	// Scale is how many of what users write make one: 100 points make a share of 1.
	Scale float64
	// Value writes what a side has, Change a difference with its sign, and Least a
	// threshold: "0.01 points".
	Value  func(v float64) string
	Change func(v float64) string
	Least  func(v float64) string
	Tick   func(v float64) string // of a scale
	// Choices are thresholds to choose from, rising; Usual is the one of them that
	// counts unless another is asked for.
	Choices []float64
	Usual   float64
}

// Word is a threshold as an address has it.
func (u *Unit) Word(v float64) string { return strconv.FormatFloat(v*u.Scale, 'g', 10, 64) }

// Read reads the threshold that a request asks for. It is table.AllMoves where no
// threshold counts.
func (u *Unit) Read(p *site.CompareParams) (float64, error) {
	if p.Min == "" {
		if p.Whole {
			return table.AllMoves, nil
		}
		return u.Usual, nil
	}
	text, scale := p.Min, 1/u.Scale
	if u.Name == "bytes" {
		for i, unit := range []string{"KiB", "MiB", "GiB"} {
			if number, ok := strings.CutSuffix(text, unit); ok {
				text, scale = strings.TrimSpace(number), math.Ldexp(1, 10*(i+1))
			}
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, &site.ParamError{
			Param: "min", Msg: fmt.Sprintf("%q is not a threshold; use a number of %s, 0 or more", p.Min, u.Name),
		}
	}
	return v * scale, nil
}
