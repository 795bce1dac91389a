package covweb

import (
	"bytes"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

func TestTextsOfOtherVersionsAreTold(t *testing.T) {
	at := func(line, column uint32) coverage.Segment {
		return coverage.Segment{Position: covmap.Position{Line: line, Column: column}, HasCount: true}
	}
	rows := []coverage.Row{
		{Line: coverage.Line{Segments: []coverage.Segment{at(1, 3)}}},
		{Line: coverage.Line{Segments: []coverage.Segment{at(3, 5)}}},
		{Line: coverage.Line{Segments: []coverage.Segment{at(4, 1)}}},
	}
	for text, want := range map[string]uint32{
		"  int\nx\nabcd\n": 0, "  int\nx\nabc\n": 3, "\n\n    \n": 1, "  int\n": 3, "": 1,
	} {
		if got := misfit(rows, bytes.Split(bytes.TrimSuffix([]byte(text), []byte("\n")), []byte("\n"))); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}
