package covweb

import (
	"context"
	"fmt"
	"strings"

	"proflens/analyze/coverage"
	"proflens/catalog"
	"proflens/handlers/sourceweb"
	"proflens/profile/covdb"
	"proflens/views/sourceview"
)

// ask asks for the text of a file that has none, or one of another version; nil where it
// fits.
func (s *handler) ask(ctx context.Context, e *catalog.Entry, p *covdb.Profile, base string,
	v *source) (*sourceview.AskText, error) {
	a := &sourceview.AskText{
		Title: "No source text for this file.",
		Text:  "The program holds lines and columns only. Counts, regions and branches below are complete.",
	}
	if v.text != nil {
		line := misfit(v.rows, v.text)
		if line == 0 {
			return nil, nil
		}
		a.Title = "This text is of another version."
		a.Text = fmt.Sprintf("Line %d of it has no place for what the program counts there. Counts belong to line "+
			"numbers; the text beside them may not.", line)
	}
	return a, sourceweb.Ask(ctx, s.Site, e, p.FileNames(), a, v.q.origin, strings.TrimPrefix(v.q.address.String(), base))
}

// misfit is the first line of which the text is too short for the regions that begin in
// it; 0: none is.
func misfit(rows []coverage.Row, text [][]byte) uint32 {
	for i := range rows {
		for _, at := range rows[i].Segments {
			if at.Column > 1<<31 { // a whole line
				continue
			}
			// Regions end behind the last character, and those of whole lines on the line after.
			if int(at.Line) > len(text)+1 || int(at.Line) == len(text)+1 && at.Column > 1 || int(at.Line) <= len(text) &&
				int(at.Column) > len(text[at.Line-1])+1 {
				return at.Line
			}
		}
	}
	return 0
}
