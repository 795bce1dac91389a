package command

import (
	"io"
	"unicode/utf8"

	"proflens/internal/humanize"
)

// onScreen is standard output as an export is written to it: exact into a pipe or
// a file, and on a terminal with nothing in it that the terminal would obey.
func onScreen(out io.Writer) io.Writer {
	if !isScreen(out) {
		return out
	}
	return &screen{w: out}
}

// screen writes text with U+FFFD in the place of what a terminal would obey, line
// ends and tabs aside.
type screen struct {
	w    io.Writer
	rest []byte // the beginning of a character of which the end is still to come
}

func (s *screen) Write(p []byte) (int, error) {
	text := append(s.rest, p...)
	end := len(text)
	for back := 1; back < min(utf8.UTFMax, len(text)+1); back++ {
		if last := text[len(text)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				end -= back
			}
			break
		}
	}
	var shown []byte
	from := 0
	for i, b := range text[:end] {
		if b == '\n' || b == '\t' {
			shown = append(append(shown, humanize.Visible(string(text[from:i]))...), b)
			from = i + 1
		}
	}
	shown = append(shown, humanize.Visible(string(text[from:end]))...)
	s.rest = append([]byte(nil), text[end:]...)
	if _, err := s.w.Write(shown); err != nil {
		return 0, err
	}
	return len(p), nil
}
