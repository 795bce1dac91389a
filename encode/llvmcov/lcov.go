package llvmcov

import (
	"fmt"
	"io"

	"proflens/analyze/coverage"
)

// LCOVOptions are what the trace leaves out, and whether the conditions of instances
// are added up.
type LCOVOptions struct {
	SummaryOnly, SkipFunctions, SkipBranches bool
	Apart                                    bool // a row for each instance's condition
}

// maxRows is how many lines are written in all: a damaged mapping can claim four
// milliards in a few bytes.
const maxRows = 50_000_000

// WriteLCOV writes an LCOV trace (section 13) of the files, by index and in their
// order.
func WriteLCOV(w io.Writer, c *coverage.Coverage, files []int, o LCOVOptions) error {
	l := lcovWriter{output: output{w: w}, c: c, options: o}
	summaries := c.Summaries(nil)
	for _, file := range files {
		if err := l.file(file, summaries[file]); err != nil {
			return err
		}
	}
	return l.flush()
}

type lcovWriter struct {
	output
	c       *coverage.Coverage
	options LCOVOptions
	rows    int // of lines so far
}

func (l *lcovWriter) file(file int, sum coverage.Summary) error {
	l.text("SF:" + l.c.Files[file].Name + "\n")
	if !l.options.SummaryOnly && !l.options.SkipFunctions {
		standing := l.c.Standing(file)
		for _, f := range standing {
			if len(f.Regions) > 0 {
				l.row("FN:", uint64(f.Regions[0].Start.Line), f.Name)
			}
		}
		for _, f := range standing {
			l.row("FNDA:", f.Count(), f.Name)
		}
	}
	l.metric("FNF:", "FNH:", sum.Functions)
	if !l.options.SummaryOnly {
		v := l.c.FileView(file)
		if err := l.lines(v); err != nil {
			return fmt.Errorf("%s: %w", l.c.Files[file].Name, err)
		}
		if !l.options.SkipBranches {
			l.branches(v)
		}
	}
	if !l.options.SkipBranches {
		l.metric("BRF:", "BRH:", sum.Branches)
	}
	l.metric("LF:", "LH:", sum.Lines)
	l.text("end_of_record\n")
	l.spill()
	return l.err
}

func (l *lcovWriter) row(key string, n uint64, name string) {
	l.text(key)
	l.uint(n)
	l.text("," + name + "\n")
	l.spill()
}

func (l *lcovWriter) metric(total, covered string, m coverage.Metric) {
	l.text(total)
	l.int(m.Total)
	l.text("\n" + covered)
	l.int(m.Covered)
	l.byte('\n')
}

func (l *lcovWriter) lines(v *coverage.View) error {
	for line := range coverage.Lines(v.Segments) {
		if !line.Mapped {
			continue
		}
		if l.rows += int(line.Last-line.First) + 1; l.rows > maxRows {
			return fmt.Errorf("the files have more than %d lines with counts; the mapping is damaged", maxRows)
		}
		for n := uint64(line.First); n <= uint64(line.Last); n++ {
			l.text("DA:")
			l.uint(n)
			l.byte(',')
			l.uint(line.Count)
			l.byte('\n')
			l.spill()
		}
	}
	return nil
}

func (l *lcovWriter) branches(v *coverage.View) {
	line, pair := uint32(0), uint64(0)
	for _, c := range conditionsOf(v, !l.options.Apart) {
		if c.path[0].Line != line {
			line, pair = c.path[0].Line, 0
		}
		ran := uint32(c.yes) != 0 || uint32(c.no) != 0
		for side, n := range [...]uint64{c.yes, c.no} {
			l.text("BRDA:")
			l.uint(uint64(line))
			l.byte(',')
			l.uint(pair)
			l.byte(',')
			l.uint(2*pair + uint64(side))
			l.byte(',')
			if ran {
				l.uint(uint64(uint32(n)))
			} else {
				l.byte('-')
			}
			l.byte('\n')
		}
		pair++
		l.spill()
	}
}
