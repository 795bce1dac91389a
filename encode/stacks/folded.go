package stacks

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"proflens/internal/humanize"
)

// Names chooses between the two names of a frame.
type Names int

// The names.
const (
	Demangled Names = iota // Frame.Name
	Linkage                // Frame.Linkage where there is one
)

func (n Names) of(f *Frame) string {
	if n == Linkage && f.Linkage != "" {
		return f.Linkage
	}
	return f.Name
}

// Folded writes a line a sample: the frames from the root to the leaf with ';'
// between them, a space, and the value of one type. In names ';' becomes ':',
// and what would end the line a space. Samples whose value is 0 are left out.
// The error is the source's or the writer's.
func Folded(w io.Writer, p *Profile, value int, names Names) error {
	b := bufio.NewWriterSize(w, 64<<10)
	err := p.lines(value, names, func(line []byte, value uint64) error {
		_, err := b.Write(append(strconv.AppendUint(append(line, ' '), value, 10), '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

// FoldedDifference writes a line a stack of either profile, those of the first in the
// order in which they come, then those that only the second has: frames as [Folded] has
// them, and the value in each, 0 where there is none. difffolded.pl writes this form, and
// flamegraph.pl draws it.
func FoldedDifference(w io.Writer, base, test *Profile, value int, names Names) error {
	var lines []string
	values := map[string]*[2]uint64{}
	for side, p := range []*Profile{base, test} {
		err := p.lines(value, names, func(line []byte, value uint64) error {
			both := values[string(line)]
			if both == nil {
				both = new([2]uint64)
				lines = append(lines, string(line))
				values[lines[len(lines)-1]] = both
			}
			both[side] += value
			return nil
		})
		if err != nil {
			return err
		}
	}
	b := bufio.NewWriterSize(w, 64<<10)
	for _, line := range lines {
		fmt.Fprintf(b, "%s %d %d\n", line, values[line][0], values[line][1]) // Flush has the error
	}
	return b.Flush()
}

// lines visits the samples whose value is not 0, as lines without their value. A line is
// valid until the next one.
func (p *Profile) lines(value int, names Names, visit func(line []byte, value uint64) error) error {
	var line []byte
	for s, err := range p.Samples {
		if err != nil {
			return err
		}
		if s.Values[value] == 0 || len(s.Stack) == 0 {
			continue
		}
		line = line[:0]
		for i := len(s.Stack) - 1; i >= 0; i-- {
			line = append(line, folded.Replace(valid(names.of(&s.Stack[i])))...)
			if i > 0 {
				line = append(line, ';')
			}
		}
		if err := visit(line, s.Values[value]); err != nil {
			return err
		}
	}
	return nil
}

// folded replaces what the format gives a meaning, and all that some reader
// takes for the end of a line.
var folded = strings.NewReplacer(";", ":", "\n", " ", "\r", " ", "\v", " ", "\f", " ", "\u0085", " ", "\u2028", " ",
	"\u2029", " ", "\x00", "\ufffd")

// valid is a name as UTF-8, which is never empty; names that differ stay different.
func valid(name string) string {
	if name == "" {
		return "[unknown]"
	}
	return humanize.Escaped(name)
}
