package stacks

import (
	"bufio"
	"io"
	"strconv"
	"strings"
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
		line = strconv.AppendUint(append(line, ' '), s.Values[value], 10)
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return b.Flush()
}

// folded replaces what the format gives a meaning, and all that some reader
// takes for the end of a line.
var folded = strings.NewReplacer(";", ":", "\n", " ", "\r", " ", "\v", " ", "\f", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ", "\x00", "\ufffd")

// valid is a name as UTF-8, which is never empty.
func valid(name string) string {
	if name == "" {
		return "[unknown]"
	}
	return strings.ToValidUTF8(name, "\ufffd")
}
