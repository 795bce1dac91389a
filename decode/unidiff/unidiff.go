// Package unidiff reads unified diffs, as git diff and diff -u write them: which lines
// of which files a change adds.
package unidiff

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/sourcegraph/go-diff/diff"

	"proflens/decode/model"
)

// File is what a diff says of one file.
type File struct {
	Path  string // after the change, with slashes, without git's "b/"
	Hunks []Hunk
}

// Hunk is a piece of a file that changed, with the lines around it.
type Hunk struct {
	Section string // what git says stands before it, such as the function's head
	Old     Range
	New     Range
	Lines   []Line
}

// Range is lines of a file, from 1.
type Range struct{ From, Lines int }

// Line is a line of a hunk. Old and New are its numbers before and after the change;
// 0 where it is not there.
type Line struct {
	Old, New int
	Text     string
}

// Added reports whether the change adds the line.
func (l Line) Added() bool { return l.Old == 0 }

// MaxSize is the most bytes that a diff may have.
const MaxSize = 64 << 20

// Parse reads a diff. Files that the change deletes, and those that are not text, are
// left out.
//
// Errors are a [*model.FormatError]: malformed, or too_large.
func Parse(r io.Reader) ([]File, error) { return ParseWithin(r, nil) }

// ParseWithin is Parse that has take, which may be nil, agree to what is held of the diff,
// in bytes, before that is made. Its error ends the reading.
func ParseWithin(r io.Reader, take func(n int) error) ([]File, error) {
	from := &counting{r: io.LimitReader(r, MaxSize+1), take: take}
	parsing := diff.NewMultiFileDiffReader(from)
	var files []File
	parsed := 0
	for {
		f, err := parsing.ReadFile()
		if from.err != nil {
			return nil, from.err
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, &model.FormatError{
				Kind: model.KindMalformed, Section: "diff", Expected: "a unified diff, as git diff prints it", Found: err.Error(),
				Msg: "this is no unified diff",
			}
		}
		if parsed++; f.NewName == "/dev/null" || len(f.Hunks) == 0 {
			continue
		}
		files = append(files, File{Path: path(f.OrigName, f.NewName), Hunks: hunks(f.Hunks)})
	}
	if parsed == 0 && from.words {
		return nil, &model.FormatError{
			Kind: model.KindMalformed, Section: "diff", Expected: "a unified diff, as git diff prints it",
			Found: fmt.Sprintf("%.40q", from.head), Msg: "this is no unified diff",
		}
	}
	return files, nil
}

// What is held of a diff at most: its bytes, as they are read and as text, and each line,
// with what is said of it.
const (
	heldByte = 3
	heldLine = 160
)

// counting reads a diff, and has what is held of it agreed to.
type counting struct {
	r     io.Reader
	take  func(n int) error
	size  int
	head  []byte
	words bool // there is more than blanks
	err   error
}

// Read implements [io.Reader].
func (c *counting) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF {
		c.err = err
	}
	c.head = append(c.head, p[:min(n, 64-min(len(c.head), 64))]...)
	c.words = c.words || len(bytes.TrimSpace(p[:n])) > 0
	if c.size += n; c.size > MaxSize {
		c.err = &model.FormatError{
			Kind: model.KindTooLarge, Section: "diff", Offset: MaxSize, Expected: "a diff of at most 64 MiB",
			Msg: "the diff is too large",
		}
	} else if c.take != nil && c.err == nil {
		c.err = c.take(n*heldByte + bytes.Count(p[:n], []byte("\n"))*heldLine)
	}
	if c.err != nil {
		return 0, c.err
	}
	return n, err
}

// path is the name after the change without git's prefix, which both names have.
func path(before, after string) string {
	for _, prefix := range [][2]string{{"a/", "b/"}, {"i/", "w/"}, {"c/", "w/"}, {"c/", "i/"}} {
		if (strings.HasPrefix(before, prefix[0]) || before == "/dev/null") && strings.HasPrefix(after, prefix[1]) {
			return after[2:]
		}
	}
	return after
}

func hunks(parsed []*diff.Hunk) []Hunk {
	list := make([]Hunk, 0, len(parsed))
	for _, p := range parsed {
		h := Hunk{
			Section: p.Section, Old: Range{int(p.OrigStartLine), int(p.OrigLines)},
			New: Range{int(p.NewStartLine), int(p.NewLines)},
		}
		before, after := h.Old.From, h.New.From
		for text := range strings.Lines(string(p.Body)) {
			text = strings.TrimRight(text, "\r\n")
			sign := " "
			if text != "" {
				sign, text = text[:1], text[1:]
			}
			switch sign {
			case "+":
				h.Lines = append(h.Lines, Line{New: after, Text: text})
				after++
			case "-":
				h.Lines = append(h.Lines, Line{Old: before, Text: text})
				before++
			case `\`: // No newline at end of file
			default:
				h.Lines = append(h.Lines, Line{Old: before, New: after, Text: text})
				before, after = before+1, after+1
			}
		}
		list = append(list, h)
	}
	return list
}
