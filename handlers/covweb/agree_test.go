package covweb

import (
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

// A column inside a character cuts before it, and no character is lost.
func TestWholeCharacters(t *testing.T) {
	const text = "äöüß→∀ \xff€"
	for column := uint32(1); column <= uint32(len(text))+2; column++ {
		l := listing{text: [][]byte{[]byte(text)}}
		at := covmap.Position{Line: 1, Column: column}
		r := &coverage.Row{
			Line: coverage.Line{
				First: 1, Last: 1, Count: 1, Mapped: true,
				Segments: []coverage.Segment{{Position: at, HasCount: true, Entry: true}},
			},
		}
		said := ""
		for _, span := range l.spans(r, 1) {
			said += span.Text
		}
		plain := l.plainText(1)
		if len(plain) != 1 || said != plain[0].Text {
			t.Errorf("from column %d: %q, expected %q", column, said, plain)
		}
		if code := l.codeOf(at, covmap.Position{Line: 1, Column: column + 1}); column <= 14 &&
			strings.ContainsRune(code, '�') {
			t.Errorf("from column %d: %q", column, code)
		}
	}
}
