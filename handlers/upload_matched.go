package handlers

import (
	"context"
	"fmt"
	"io"
	"slices"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
)

const (
	maxMatched = 8   // findings that the answer to an upload has
	maxMissing = 100 // sources that the answer to one of sources names
)

// matched writes how the files of a profile fit together: what is doubtful, and which were
// left out. What cannot be told is on the profile's page.
func (s *server) matched(ctx context.Context, w io.Writer, e *catalog.Entry) {
	p, err := s.Store.Open(ctx, e)
	if err != nil {
		return
	}
	defer p.Close()
	found := slices.DeleteFunc(site.WorstFirst(site.ReadyFindings(e, p.Overview)), func(f model.Finding) bool {
		return f.Severity == model.Note && f.File == ""
	})
	for _, f := range found[:min(len(found), maxMatched)] {
		fmt.Fprintf(w, "  %s: %s\n", f.Severity, humanize.Plain(humanize.Printable(f.Message)))
		if f.Severity != model.Note {
			fmt.Fprint(w, advice(&f))
		}
	}
	if more := len(found) - maxMatched; more > 0 {
		fmt.Fprintf(w, "  and %d more: %s/diagnostics\n", more, site.PageOf(e.ID))
	}
}

// advice is the cause and the remedy of a finding, a line each.
func advice(f *model.Finding) (text string) {
	for _, line := range []struct{ label, says string }{{"cause", f.Cause}, {"what to do", f.Remedy}} {
		if line.says != "" {
			text += "    " + line.label + ": " + humanize.Plain(humanize.Printable(line.says)) + "\n"
		}
	}
	return text
}

// missing are those of the sources that have no text.
func (s *server) missing(ctx context.Context, e *catalog.Entry, names []string) (list []string, err error) {
	has, err := s.SourcesWithText(ctx, e, names)
	for i, name := range names {
		if err == nil && !has[i] {
			list = append(list, name)
		}
	}
	return list, err
}
