package llvmcov

import (
	"strconv"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

// decision is a decision's conditions, the vectors that were seen, and which of them
// show that a condition matters.
func (s *showWriter) decision(d *coverage.Decision, depth int) {
	line := func(write func()) {
		s.prefix(depth)
		write()
		s.byte('\n')
	}
	empty := func() { line(func() {}) }
	line(func() {
		s.text("---> MC/DC Decision Region (")
		s.position(d.Start)
		s.text(") to (")
		s.position(d.End)
		s.byte(')')
	})
	empty()
	line(func() { s.text("  Number of Conditions: " + strconv.Itoa(len(d.Conditions))) })
	for i := range d.Conditions {
		line(func() {
			s.text("     Condition C" + strconv.Itoa(i+1) + " --> (")
			s.position(d.Conditions[i].Start)
			s.byte(')')
		})
	}
	empty()
	line(func() { s.text("  Executed MC/DC Test Vectors:") })
	empty()
	line(func() { s.heading(d) })
	for i := range d.Vectors {
		line(func() { s.vector(d, i) })
		s.spill()
	}
	empty()
	for i := range d.Conditions {
		line(func() { s.pair(i, &d.Conditions[i]) })
	}
	line(func() {
		percent := d.Metric().Percent()
		s.text("  MC/DC Coverage for Decision: ")
		s.tint(when(s.options.Colours && percent < 100, onRed), strconv.FormatFloat(percent, 'f', 2, 64)+"%")
	})
	empty()
}

func (s *showWriter) position(p covmap.Position) {
	s.uint(uint64(p.Line))
	s.byte(':')
	s.uint(uint64(p.Column))
}

func (s *showWriter) heading(d *coverage.Decision) {
	s.text("     ")
	if len(d.Vectors) == 0 {
		s.text("None.")
		return
	}
	for i := range d.Conditions {
		if i > 0 {
			s.text(", ")
		}
		s.text("C" + strconv.Itoa(i+1))
	}
	s.text("    Result")
}

func (s *showWriter) vector(d *coverage.Decision, at int) {
	s.text("  " + strconv.Itoa(at+1) + " { ")
	for i, v := range d.Vectors[at].Values {
		if i > 0 {
			s.text(",  ")
		}
		switch {
		case d.Conditions[i].Folded:
			s.byte('C')
		case v == coverage.NotEvaluated:
			s.byte('-')
		default:
			s.truth(v == coverage.IsTrue)
		}
	}
	s.text("  = ")
	s.truth(d.Vectors[at].Result)
	s.text("      }")
}

func (s *showWriter) truth(is bool) {
	if is {
		s.byte('T')
	} else {
		s.byte('F')
	}
}

func (s *showWriter) pair(at int, c *coverage.Condition) {
	s.text("  C" + strconv.Itoa(at+1) + "-Pair: ")
	switch {
	case c.Folded:
		s.text("constant folded")
	case c.Covered():
		s.text("covered: (" + strconv.Itoa(c.Pair[0]) + "," + strconv.Itoa(c.Pair[1]) + ")")
	default:
		s.text("not covered")
	}
}
